/* SPDX-License-Identifier: MIT */
/* Passes that move ground from cell to cell, at any resolution. */
#ifndef TW_NODES_EROSION_KERNELS_PASSES_H
#define TW_NODES_EROSION_KERNELS_PASSES_H

#include <thalweg/resolution.h>

/* Documents `side` in the `.detail` of a node that counts with tw_passes(). */
#define TW_PASSES_DETAIL                                                                           \
    "Resolution: ground moves by one cell per pass, so a map twice as fine needs four times the "  \
    "iterations for the same shapes; with `side` they are multiplied by (width / side)^2."

/* How many this map takes: a shape twice as wide in cells takes four times as many. */
static inline int32_t tw_passes(const struct tw_task *task, int32_t side, int32_t passes)
{
    double scale = tw_resolution_scale(task, side);
    return tw_resolution_count(passes, scale * scale);
}

#endif
