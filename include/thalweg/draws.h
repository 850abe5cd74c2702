/* SPDX-License-Identifier: MIT */
/* Rows of uniform draws by counter: out[i] = tw_uniform(first word of tw_random(seed, x + i step,
 * y, kind, 0)). Every SIMD level gives identical bytes. */
#ifndef THALWEG_DRAWS_H
#define THALWEG_DRAWS_H

#include <thalweg/node.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tw_draws {
    uint64_t seed;
    uint32_t x, step, y, kind; /* step: from one draw's x to the next */
};

TW_API void tw_draw_row(enum tw_simd level, const struct tw_draws *draws, int32_t count,
                        float *out);

#ifdef __cplusplus
}
#endif
#endif
