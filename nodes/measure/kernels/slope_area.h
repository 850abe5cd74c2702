/* SPDX-License-Identifier: MIT */
/* How slopes fall with the area upstream: S = k A^-theta, Flint 1974. */
#ifndef TW_NODES_MEASURE_KERNELS_SLOPE_AREA_H
#define TW_NODES_MEASURE_KERNELS_SLOPE_AREA_H

#include "common/drainage/drainage.h"

struct tw_slope_area {
    struct tw_drainage drainage;
    float *filled, *slopes, *work;
    uint32_t *area;
};

enum tw_status tw_slope_area_init(struct tw_task *task, struct tw_slope_area *s);
/* theta by the medians of ln S in bins of ln A, from 4 cells to 2 % of the map, over cells that are
 * not filled; 0 where that cannot be fitted. `hollows` is the share of cells that are. May be
 * called many times. */
enum tw_status tw_slope_area_find(struct tw_task *task, struct tw_slope_area *s,
                                  const float *heights, double *theta, double *hollows);
/* The scratch that they take. */
void tw_slope_area_forecast(struct tw_forecast *f);

#endif
