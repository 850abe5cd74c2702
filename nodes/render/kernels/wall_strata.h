/* SPDX-License-Identifier: MIT */
/* The layers of rock that a map was carved from, as the sides of its block show them. */
#ifndef TW_NODES_RENDER_KERNELS_WALL_STRATA_H
#define TW_NODES_RENDER_KERNELS_WALL_STRATA_H

#include "common/strata.h"
#include "render/kernels/shading_math.h"

struct tw_wall_strata {
    struct tw_strata strata;
    struct tw_strata_course course;
    const float *bend;     /* of the map's size; NULL for none */
    int32_t width, height; /* of the map */
    int32_t factor;        /* cells of the block per cell of the map and axis */
    float scale, datum;    /* cells per height, and the height that cells count from */
    struct tw_rgb colours[TW_STRATA_MAX];
};

/* Reads the table's layers and colours. */
void tw_wall_strata_read(const struct tw_table *table, struct tw_wall_strata *wall);

/* The colour at a point of the block, in its cells; `shift` moves it up by a share of the period.
 */
struct tw_rgb tw_wall_strata_colour(const struct tw_wall_strata *wall, const double *at,
                                    float shift);

#endif
