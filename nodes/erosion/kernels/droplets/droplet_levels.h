/* SPDX-License-Identifier: MIT */
/* Beyer's droplets (erosion/kernels/droplets/beyer.h) by the parameters of erosion.droplets, on one
 * map or from coarse to fine (erosion/kernels/levels.h). */
#ifndef TW_NODES_EROSION_KERNELS_DROPLETS_DROPLET_LEVELS_H
#define TW_NODES_EROSION_KERNELS_DROPLETS_DROPLET_LEVELS_H

#include "common/drainage/exits.h"
#include "erosion/kernels/droplets/beyer.h"
#include "erosion/kernels/levels.h"

struct tw_droplet_params {
    float inertia, capacity, erosion, deposition, evaporation;
    int32_t radius, lifetime; /* cells, steps of a cell */
    float density, gravity, min_slope;
    int32_t order; /* 1: sequential */
    int32_t side;
    int32_t levels;
    struct tw_labels closed;
};

/* Adapts the parameters to a map whose cells are 1 / scale as long, so that droplets leave the same
 * shapes; a scale of 1 or more changes nothing. */
void tw_droplet_fit(struct tw_droplet_params *p, double scale);

/* Runs all droplets on the maps of `model`, which begins as `in`; the task's size is
 * that of the map. What coarser levels deposited, let flow and exported is in its maps, too. */
enum tw_status tw_droplet_levels_run(struct tw_task *task, const struct tw_droplet_params *p,
                                     const float *in, struct tw_beyer *model);
/* Runs `density` droplets per cell on one map, from what is in its maps. */
enum tw_status tw_droplet_run(struct tw_task *task, const struct tw_droplet_params *p,
                              double density, struct tw_beyer *model);
/* Warns where so many droplets take minutes. */
void tw_droplet_warn(struct tw_task *task, const struct tw_droplet_params *p, double drops);
/* Returns the work of all levels for that of the same droplets on one map. */
double tw_droplet_levels_work(int32_t levels);

/* The scratch of both; `states`: how many of deposited, flow and exported there are. */
struct tw_droplet_need {
    int maps, states; /* maps: how many of hardness and rain_map */
};
void tw_droplet_levels_forecast(struct tw_forecast *f, const struct tw_droplet_need *need);
void tw_droplet_forecast(struct tw_forecast *f, double density);

#endif
