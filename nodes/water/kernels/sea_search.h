/* SPDX-License-Identifier: MIT */
/* Which water is the sea, and what land is in it. */
#ifndef TW_NODES_WATER_KERNELS_SEA_SEARCH_H
#define TW_NODES_WATER_KERNELS_SEA_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

/* Cells below the level that are searched for seas, or land for islands. */
struct tw_sea_search {
    float *mask;    /* 1 below the level and not yet reached; the result */
    int32_t *queue; /* cells of the sea at hand */
    int32_t width, height;
    bool wrap;
    bool land; /* searches cells of 0, by steps over sides only */
};

/* Mark the sea that is reached from the border, over corners too, or the largest one, on ties the
 * first in reading order. */
void tw_sea_keep_border(const struct tw_sea_search *s);
void tw_sea_keep_largest(const struct tw_sea_search *s);
/* Turns the marks into 0 and 1; returns the number of ones. */
int64_t tw_sea_settle(const struct tw_sea_search *s, bool only_reached);
/* Counts the regions of land in a mask of 0 and 1, which it keeps. */
int32_t tw_sea_islands(const struct tw_sea_search *sea);

#endif
