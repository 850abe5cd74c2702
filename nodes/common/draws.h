/* SPDX-License-Identifier: MIT */
/* Rows of uniform draws by counter: out[i] = tw_uniform(tw_random(seed, x + i step, y, kind, 0))
 * from the first word, the same bytes at every SIMD level. */
#ifndef TW_NODES_COMMON_DRAWS_H
#define TW_NODES_COMMON_DRAWS_H

#include <thalweg/node.h>

struct tw_draws {
    uint64_t seed;
    uint32_t x, step, y, kind; /* step: from one draw's x to the next */
};

void tw_draw_row(enum tw_simd level, const struct tw_draws *draws, int32_t count, float *out);

#endif
