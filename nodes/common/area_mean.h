/* SPDX-License-Identifier: MIT */
/* A map on fewer cells: each is the mean of the part of the map that it covers, so nothing between
 * cells is missed and the sum stays. */
#ifndef TW_NODES_COMMON_AREA_MEAN_H
#define TW_NODES_COMMON_AREA_MEAN_H

#include <thalweg/node.h>

/* Averages `fine`, of the task's size, into `coarse`, which has 1 to as many cells a side. Cells
 * not reached when the task is cancelled are 0. */
void tw_area_mean(struct tw_task *task, const float *fine, int32_t width, int32_t height,
                  float *coarse);

#endif
