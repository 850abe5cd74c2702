/* SPDX-License-Identifier: MIT */
/* The shadows that a terrain casts on itself. Azimuth is where the light comes from, clockwise from
 * north; tilt is its angle from the vertical. Heights are in cells. */
#ifndef TW_NODES_COMMON_SHADOWS_H
#define TW_NODES_COMMON_SHADOWS_H

#include <thalweg/node.h>

/* Writes 0 where the heights block the light, else 1. The ray from a cell's centre crosses
 * lines between cell centres, columns and rows; heights there are linear. TW_MEMORY or TW_OK. */
enum tw_status tw_shadows_cast(struct tw_task *task, const double *heights, int32_t width,
                               int32_t height, double azimuth, double tilt, float *lit);

/* The scratch that it takes. */
void tw_shadows_forecast(struct tw_forecast *f);

#endif
