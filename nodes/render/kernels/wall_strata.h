/* SPDX-License-Identifier: MIT */
/* The layers of rock that a map was carved from, as the sides of its block show them. */
#ifndef TW_NODES_RENDER_KERNELS_WALL_STRATA_H
#define TW_NODES_RENDER_KERNELS_WALL_STRATA_H

#include "common/strata.h"
#include "render/kernels/moods.h"

struct tw_wall_strata {
    const struct tw_table *table;
    float fold, period;    /* heights */
    const float *bend;     /* of the map's size; NULL for none */
    int32_t width, height; /* of the map */
    int32_t factor;        /* cells of the block per cell of the map and axis */
    float scale, datum;    /* cells per height, and the height that cells count from */
    float tops[TW_STRATA_MAX];
    struct tw_rgb colours[TW_STRATA_MAX];
};

/* Finds tops and colours; a layer without a colour lies between the mood's, by hardness. */
void tw_wall_strata_set(struct tw_wall_strata *strata, struct tw_rgb soft, struct tw_rgb hard);

/* The colour at a point of the block, in its cells; `shift` moves q. */
struct tw_rgb tw_wall_strata_colour(const struct tw_wall_strata *strata, const double *at,
                                    float shift);

#endif
