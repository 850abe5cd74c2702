/* SPDX-License-Identifier: MIT */
/* Where rivers leave the land of erosion.stream_power. */
#ifndef TW_NODES_EROSION_KERNELS_STREAM_POWER_OUTLETS_H
#define TW_NODES_EROSION_KERNELS_STREAM_POWER_OUTLETS_H

#include "common/exits.h"

enum tw_outlets {
    TW_OUTLETS_LOWEST, /* the lowest cell, the first on ties */
    TW_OUTLETS_GATES,  /* cells of open sides that are lowest for an eighth of a side both ways */
    TW_OUTLETS_BORDER  /* all cells of open sides */
};

/* Marks `outlet`, as many cells as heights; `closed` are bits of TW_SIDE_*. At least one is marked
 * unless all sides are closed. */
void tw_outlets_mark(enum tw_outlets which, const float *heights, int32_t width, int32_t height,
                     unsigned closed, uint8_t *outlet);

/* Sets all cells of open sides to one height. */
void tw_outlets_flood_border(float *heights, int32_t width, int32_t height, unsigned closed,
                             float level);

/* Marks the outlets of a smaller map: the cells that cover any outlet of `fine`. */
struct tw_outlets_map {
    int32_t width, height;
    const uint8_t *outlet;
};
void tw_outlets_cover(const struct tw_outlets_map *fine, int32_t width, int32_t height,
                      uint8_t *outlet);

#endif
