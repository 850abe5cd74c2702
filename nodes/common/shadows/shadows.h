/* SPDX-License-Identifier: MIT */
/* The shadows that a terrain casts on itself. */
#ifndef TW_NODES_COMMON_SHADOWS_SHADOWS_H
#define TW_NODES_COMMON_SHADOWS_SHADOWS_H

#include <thalweg/node.h>

struct tw_shadow_light {
    double azimuth; /* degrees; where the light comes from, clockwise from north */
    double tilt;    /* degrees from the vertical */
    double scale;   /* cells that height 1 measures; 0 or more */
};

/* Writes 0 where the heights of a map of the task's size block the light, else 1. The ray from a
 * cell's centre crosses lines between cell centres, columns and rows; heights there are linear.
 * TW_MEMORY or TW_OK. */
enum tw_status tw_shadows_cast(struct tw_task *task, const struct tw_shadow_light *light,
                               const float *heights, float *lit);

/* The scratch that it takes. */
void tw_shadows_forecast(struct tw_forecast *f);

#endif
