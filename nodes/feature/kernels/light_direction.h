/* SPDX-License-Identifier: MIT */
/* The direction of light from which the dark cells of a picture can be cast by the lowest terrain:
 * that whose longest run of them is shortest. */
#ifndef TW_NODES_FEATURE_KERNELS_LIGHT_DIRECTION_H
#define TW_NODES_FEATURE_KERNELS_LIGHT_DIRECTION_H

#include <thalweg/node.h>

/* The azimuth, 0 to 179 whole degrees, of a map of the task's size: opposite lights have the same
 * runs. Ties go to the smaller one. Fails only when out of memory. */
enum tw_status tw_light_direction_find(struct tw_task *task, const float *mask, double *azimuth);

/* The scratch that it takes. */
void tw_light_direction_forecast(struct tw_forecast *f);

#endif
