/* SPDX-License-Identifier: MIT */
/* Lengths in map sides as cells. Few decimals are floats: 0.03 is stored as a little less, of which
 * 100 cells are 2.9999999, and whatever counts whole cells up to there would miss the last one. */
#ifndef TW_NODES_COMMON_SIDES_H
#define TW_NODES_COMMON_SIDES_H

#include <stdint.h>

/* A length, at least 0, on a map of this width. A product as near to a whole number as a float may
 * be to the decimal that was written is that number. */
static inline double tw_sides_in_cells(float sides, int32_t width)
{
    double cells = (double)sides * (double)width, whole = (double)(int64_t)(cells + 0.5);
    double gap = cells < whole ? whole - cells : cells - whole;
    return gap <= cells * 0x1p-24 ? whole : cells;
}

#endif
