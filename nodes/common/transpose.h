/* SPDX-License-Identifier: MIT */
/* Values turned over in registers, so that rows of a map become lanes side by side. */
#ifndef TW_NODES_COMMON_TRANSPOSE_H
#define TW_NODES_COMMON_TRANSPOSE_H

#include <thalweg/simd.h>

#include <stddef.h>
#include <string.h>

typedef float tw_quad __attribute__((vector_size(16)));

/* to[column][row] = from[row][column] of 4 x 4 values; steps are from row to row. */
static TW_INLINE void tw_transpose_4x4(const float *from, ptrdiff_t from_step, float *to,
                                       ptrdiff_t to_step)
{
    tw_quad a, b, c, d;
    memcpy(&a, from, sizeof a);
    memcpy(&b, from + from_step, sizeof b);
    memcpy(&c, from + 2 * from_step, sizeof c);
    memcpy(&d, from + 3 * from_step, sizeof d);
    tw_quad ac_low = __builtin_shufflevector(a, c, 0, 4, 1, 5);
    tw_quad ac_high = __builtin_shufflevector(a, c, 2, 6, 3, 7);
    tw_quad bd_low = __builtin_shufflevector(b, d, 0, 4, 1, 5);
    tw_quad bd_high = __builtin_shufflevector(b, d, 2, 6, 3, 7);
    a = __builtin_shufflevector(ac_low, bd_low, 0, 4, 1, 5);
    b = __builtin_shufflevector(ac_low, bd_low, 2, 6, 3, 7);
    c = __builtin_shufflevector(ac_high, bd_high, 0, 4, 1, 5);
    d = __builtin_shufflevector(ac_high, bd_high, 2, 6, 3, 7);
    memcpy(to, &a, sizeof a);
    memcpy(to + to_step, &b, sizeof b);
    memcpy(to + 2 * to_step, &c, sizeof c);
    memcpy(to + 3 * to_step, &d, sizeof d);
}

#endif
