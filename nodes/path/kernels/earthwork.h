/* SPDX-License-Identifier: MIT */
/* What each segment of a line does to the cells it reaches: river beds with banks and levees, roads
 * with cuts and fills, trenches and dams. A cell keeps the lowest and the highest ground that any
 * segment asks for, so the order of segments is irrelevant. */
#ifndef TW_NODES_PATH_KERNELS_EARTHWORK_H
#define TW_NODES_PATH_KERNELS_EARTHWORK_H

#include "path/kernels/segments.h"

enum tw_earthwork_kind { TW_RIVER, TW_ROAD, TW_CUT, TW_RAISE };

struct tw_earthwork {
    int32_t kind;
    double bank, plain, shoulder; /* in widths; the bank in half widths */
    double fill, cut;             /* rise per cell */
};

struct tw_segment_rule tw_earthwork_rule(const struct tw_earthwork *work);

enum { TW_CARVED_TILE = 16, TW_CARVED_CELLS = TW_CARVED_TILE * TW_CARVED_TILE };

/* A square of the map and what its cells are to become. Cells beyond the map's borders are worked
 * on like others. */
struct tw_carved_tile {
    const struct tw_earthwork *work;
    enum tw_simd simd;
    int32_t x, y; /* its first cell */
    bool reached; /* by a segment; else only `ground` is set */
    float ground[TW_CARVED_CELLS];
    float low[TW_CARVED_CELLS], high[TW_CARVED_CELLS]; /* at most, at least the ground */
    float bed[TW_CARVED_CELLS];                        /* the share of it that lies in a bed */
    float bank[TW_CARVED_CELLS];  /* 1 in beds, falling to 0 where reach ends */
    float ratio[TW_CARVED_CELLS]; /* least distance in half widths */
    float level[TW_CARVED_CELLS]; /* z of the segment that has it */
    float near[TW_CARVED_CELLS]; /* square of the distance to the nearest road; -1 in a river's bed;
                                  FLT_MAX in neither */
    int32_t line[TW_CARVED_CELLS], point[TW_CARVED_CELLS]; /* of that road */
    float road[TW_CARVED_CELLS];                           /* its height */
};

/* Adds a segment; the context is the tile. */
void tw_carved_tile_add(void *context, const struct tw_segment *segment);
/* The height of cell i after all segments. */
float tw_carved_tile_result(const struct tw_carved_tile *tile, int32_t i);

#endif
