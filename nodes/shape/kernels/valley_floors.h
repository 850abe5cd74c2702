/* SPDX-License-Identifier: MIT */
/* Valleys that drain: rivers lay what they carry on gentle floors, and cut through what dams them.
 */
#ifndef TW_NODES_SHAPE_KERNELS_VALLEY_FLOORS_H
#define TW_NODES_SHAPE_KERNELS_VALLEY_FLOORS_H

#include "common/drainage/exits.h"

struct tw_valley_floors {
    struct tw_exits exits;
    const float *eroded; /* height that rivers carry off from each cell; NULL: nothing */
    double deposited;    /* G: share of the mean load upstream that settles on level ground */
    double gentle;       /* rise from cell to cell from which nothing settles */
};

/* Changes z, of the task's size, so that water runs off everywhere: no cell is left below the way
 * out of it. What settles fills no more than
 * half of a cell's depth below its lowest donor, so that it dams nothing. */
enum tw_status tw_valley_floors(struct tw_task *task, const struct tw_valley_floors *f, float *z);
/* The same without sediment, once depressions are filled up to half of their depth. */
enum tw_status tw_valley_floors_open(struct tw_task *task, const struct tw_exits *exits, float *z);
/* The scratch of either; `map` as in tw_drainage_world_forecast(). */
void tw_valley_floors_forecast(struct tw_forecast *f, bool map);

#endif
