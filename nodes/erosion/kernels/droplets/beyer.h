/* SPDX-License-Identifier: MIT */
/* Droplets that carve, Beyer 2015, "Implementation of a method for hydraulic erosion".
 * erosion/droplets.c says how we deviate. Droplets of several tiles move at once, one per vector
 * lane; lanes never touch the same cells (erosion/kernels/droplets/droplet_rounds.h). */
#ifndef TW_NODES_EROSION_KERNELS_DROPLETS_BEYER_H
#define TW_NODES_EROSION_KERNELS_DROPLETS_BEYER_H

#include "erosion/kernels/droplets/brush.h"

#include <thalweg/node.h>

struct tw_beyer {
    int32_t width, height; /* of the maps, at least 2 x 2 */
    uint32_t stream;       /* of random numbers: droplets of another one fall elsewhere */
    float inertia, capacity, erosion, deposition, evaporation, gravity;
    float side;                       /* cells a map side: makes rises per side of rises per cell */
    float min_slope;                  /* rise per cell */
    unsigned closed;                  /* bits of TW_SIDE_*: walls, along which droplets run */
    int32_t radius, lifetime;         /* of the brush, to TW_BRUSH_RADIUS_MAX; in steps */
    const float *hardness, *rain_map; /* may be NULL */
    float *cells;                     /* changed */
    float *deposited, *flow;          /* to be added to; may be NULL */
    float *exported;                  /* height that left the map from each cell */
};

/* Runs `count` droplets with the task's seed; TW_CANCELLED, TW_MEMORY or TW_OK. */
enum tw_status tw_beyer_run(struct tw_task *task, const struct tw_beyer *model, int32_t count,
                            bool sequential);

/* The scratch that a run takes. */
void tw_beyer_forecast(struct tw_forecast *f, int32_t count, bool sequential);

#endif
