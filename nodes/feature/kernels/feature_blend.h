/* SPDX-License-Identifier: MIT */
/* Rusnell, Mould and Eramian 2009, equation 2: the heights h_i = c_s - c_i of several features at
 * a cell become h_f = sum h_i^(b+1) / sum h_i^b, the mean for b = 0 and nearly the highest for
 * large b. Sums are kept relative to the highest so far, so no power can underflow. */
#ifndef TW_NODES_FEATURE_KERNELS_FEATURE_BLEND_H
#define TW_NODES_FEATURE_KERNELS_FEATURE_BLEND_H

#include "feature/kernels/least_cost.h"

struct tw_feature_blend {
    double *over, *under, *highest; /* sums of (h/H)^b h and (h/H)^b, and H; per cell of the grid */
    uint8_t *used;                  /* per TW_BLOCK cells: the sums are set */
    double sea, limit;              /* c_s; only cells of a lower cost than the limit count */
    float bias;                     /* b */
};

enum tw_status tw_feature_blend_create(struct tw_task *task, const struct tw_weighted_grid *grid,
                                       struct tw_feature_blend *blend);
/* Adds the searches in their order and cleans them. */
void tw_feature_blend_add(struct tw_task *task, const struct tw_weighted_grid *grid,
                          struct tw_feature_blend *blend, struct tw_search *searches,
                          int32_t count);
/* Writes scale h_f; 0 where no feature reaches. */
void tw_feature_blend_write(struct tw_task *task, const struct tw_weighted_grid *grid,
                            const struct tw_feature_blend *blend, double scale, float *out);

/* The scratch that it takes for a grid of width x height cells. */
void tw_feature_blend_forecast(struct tw_forecast *f, int32_t width, int32_t height);

#endif
