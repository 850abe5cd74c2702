/* SPDX-License-Identifier: MIT */
/* Fills rows of random numbers, vectorised. */
#include <thalweg/draws.h>
#include <thalweg/kernel.h>
#include <thalweg/simd.h>

static TW_INLINE void uniform_body(const struct tw_draws *draws, int32_t count, float *restrict out)
{
    const struct tw_draws d = *draws;
    for (int32_t i = 0; i < count; i++)
        out[i] = tw_uniform(tw_random(d.seed, d.x + d.step * (uint32_t)i, d.y, d.kind, 0).at[0]);
}
TW_SIMD_KERNEL(uniform, (const struct tw_draws *draws, int32_t count, float *restrict out),
               (draws, count, out))

void tw_draw_row(enum tw_simd level, const struct tw_draws *draws, int32_t count, float *out)
{
    uniform(level)(draws, count, out);
}
