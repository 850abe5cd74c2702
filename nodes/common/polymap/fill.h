/* SPDX-License-Identifier: MIT */
/* Fills cells of a grid from the triangles of a polygon map, four cells of a row at once. */
#ifndef TW_NODES_COMMON_POLYMAP_FILL_H
#define TW_NODES_COMMON_POLYMAP_FILL_H

#include "common/polymap/raster.h"

enum { TW_POLYMAP_STEPS = 1 << 14 }; /* a cell */

/* Narrows begin..end-1 to cells whose centres lie between two places, on one axis. */
static inline void tw_polymap_cells_within(int32_t low, int32_t high, int32_t *begin, int32_t *end)
{
    int32_t first = (low + TW_POLYMAP_STEPS / 2 - 1) / TW_POLYMAP_STEPS;
    int32_t last = (high + TW_POLYMAP_STEPS / 2) / TW_POLYMAP_STEPS;
    *begin = first > *begin ? first : *begin;
    *end = last < *end ? last : *end;
}

/* Edges whose triangles are filled, in any order, in some rows of the map. */
struct tw_polymap_batch {
    const int32_t *edges;
    int32_t count, row_begin, row_end;
    int32_t *triangle; /* of each cell of those rows */
};

enum { TW_POLYMAP_NONE = 0x7F7F7F7F }; /* above any triangle's number */

/* Each cell takes the triangle with the lowest number that holds its centre, and its values, if
 * that is lower than what it has. */
void tw_polymap_fill(const struct tw_polymap_raster *cover, enum tw_simd simd,
                     const struct tw_polymap_batch *batch);

#endif
