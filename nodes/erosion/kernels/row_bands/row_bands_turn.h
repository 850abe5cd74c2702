/* SPDX-License-Identifier: MIT */
/* How passes with alternating rules see the map: docs/decisions/visiting-order.md, "visits". */
#ifndef TW_NODES_EROSION_KERNELS_ROW_BANDS_ROW_BANDS_TURN_H
#define TW_NODES_EROSION_KERNELS_ROW_BANDS_ROW_BANDS_TURN_H

#include "erosion/kernels/row_bands/row_bands_layout.h"

/* The whole cells of `size` times the fraction of pass / golden ratio, in 32 bits. */
static inline int32_t tw_row_bands_start(int32_t pass, int32_t size)
{
    return (int32_t)((uint64_t)((uint32_t)pass * 0x9E3779B9u) * (uint64_t)size >> 32);
}

/* Turns the map from the arrangement of pass `from` to that of pass `to`; tells whether they
 * differ. */
bool tw_row_bands_turn(struct tw_task *task, struct tw_row_bands_layout *at, int32_t from,
                       int32_t to);

#endif
