/* SPDX-License-Identifier: MIT */
/* Where rivers leave the land of erosion.stream_power. */
#ifndef TW_NODES_EROSION_KERNELS_OUTLETS_H
#define TW_NODES_EROSION_KERNELS_OUTLETS_H

#include "common/drainage.h"

enum tw_outlets {
    TW_OUTLETS_LOWEST, /* the lowest cell, the first on ties */
    TW_OUTLETS_GATES,  /* cells of the border that are lowest for an eighth of a side both ways */
    TW_OUTLETS_BORDER  /* all cells of the border */
};

/* Marks `outlet`, as many cells as heights. At least one is marked. */
void tw_outlets_mark(enum tw_outlets which, const float *heights, int32_t width, int32_t height,
                     uint8_t *outlet);

/* From now on water of `d` leaves through the cells marked in `outlet`, at least one, and nowhere
 * else; it stays borrowed. `wrap`: the map is a torus; else nothing crosses its border. */
enum tw_status tw_outlets_open(struct tw_task *task, const uint8_t *outlet, bool wrap,
                               struct tw_drainage *d);

/* The scratch that opening takes. */
void tw_outlets_forecast(struct tw_forecast *f);

#endif
