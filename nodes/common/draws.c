/* SPDX-License-Identifier: MIT */
#include "common/draws.h"

#include "common/simd.h"

#include <thalweg/kernel.h>

static TW_INLINE void uniform_body(const struct tw_draws *draws, int32_t count, float *restrict out)
{
    const struct tw_draws d = *draws;
    for (int32_t i = 0; i < count; i++)
        out[i] = tw_uniform(tw_random(d.seed, d.x + d.step * (uint32_t)i, d.y, d.kind, 0).at[0]);
}
TW_SIMD_KERNEL(uniform, (const struct tw_draws *draws, int32_t count, float *restrict out),
               (draws, count, out))

/* Adds the four words one after the other, in the order of the definition. */
static TW_INLINE void add_words_body(const struct tw_draws *draws, uint32_t part, int32_t count,
                                     float *restrict out)
{
    const struct tw_draws d = *draws;
    for (int32_t i = 0; i < count; i++) {
        struct tw_random4 words = tw_random(d.seed, d.x + d.step * (uint32_t)i, d.y, d.kind, part);
        float sum = out[i] + tw_uniform(words.at[0]);
        sum = sum + tw_uniform(words.at[1]);
        sum = sum + tw_uniform(words.at[2]);
        out[i] = sum + tw_uniform(words.at[3]);
    }
}
TW_SIMD_KERNEL(add_words,
               (const struct tw_draws *draws, uint32_t part, int32_t count, float *restrict out),
               (draws, part, count, out))

void tw_draw_row(enum tw_simd level, const struct tw_draws *draws, int32_t count, float *out)
{
    uniform(level)(draws, count, out);
}

void tw_draw_normal_row(enum tw_simd level, const struct tw_draws *draws, int32_t count, float *out)
{
    for (int32_t i = 0; i < count; i++)
        out[i] = 0;
    for (uint32_t part = 0; part < 3; part++)
        add_words(level)(draws, part, count, out);
    for (int32_t i = 0; i < count; i++)
        out[i] = tw_clamp((out[i] - 6.0f) / 6.0f, -0.5f, 0.5f);
}
