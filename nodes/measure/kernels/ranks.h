/* SPDX-License-Identifier: MIT */
/* Floats in the order of doubles, so that what only compares can work on floats. */
#ifndef TW_NODES_MEASURE_KERNELS_RANKS_H
#define TW_NODES_MEASURE_KERNELS_RANKS_H

#include <thalweg/node.h>

#include <string.h>

/* Number i is above exactly those whose rank is below its own, and equal to those of its rank.
 * `sorted` gets each different number once; tw_rank_index() finds it there. At most 2^28 numbers.
 */
enum tw_status tw_ranks_find(struct tw_task *task, const double *numbers, int32_t count,
                             float *ranks, double *sorted);

/* Rank i is the i-th float from 1 on, so that differences of ranks are normal floats. */
enum { TW_RANK_FIRST = 0x3F800000 };

static inline float tw_rank_of_index(uint32_t index)
{
    uint32_t bits = TW_RANK_FIRST + index;
    float rank;
    memcpy(&rank, &bits, sizeof rank);
    return rank;
}

static inline uint32_t tw_rank_index(float rank)
{
    uint32_t bits;
    memcpy(&bits, &rank, sizeof bits);
    return bits - TW_RANK_FIRST;
}

#endif
