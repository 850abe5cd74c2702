/* SPDX-License-Identifier: MIT */
/* Maps on fewer cells than the task's, and back to all of them: conservative regridding. Both ways
 * keep sums: that of the larger map is that of the smaller times the ratio of their cells. */
#ifndef TW_NODES_EROSION_KERNELS_REGRID_H
#define TW_NODES_EROSION_KERNELS_REGRID_H

#include <thalweg/node.h>

/* Cells of the smaller map: from 1 to those of the task's. */
struct tw_regrid_size {
    int32_t width, height;
};

/* Each cell of `coarse` becomes the mean of the part of `fine` that it covers. */
void tw_regrid_mean(struct tw_task *task, const float *fine, struct tw_regrid_size size,
                    float *coarse);

/* The smooth surface whose mean over each cell of `coarse` is that cell, averaged over each cell of
 * `fine`: a histospline (Boneva, Kendall, Stefanov 1971) of quadratic splines, which may overshoot
 * a little next to steps. `coarse` is overwritten. TW_MEMORY or TW_OK. */
enum tw_status tw_regrid_spread(struct tw_task *task, struct tw_regrid_size size, float *coarse,
                                float *fine);

/* The scratch that one tw_regrid_spread() takes. */
void tw_regrid_forecast(struct tw_forecast *f, struct tw_regrid_size size);

#endif
