/* SPDX-License-Identifier: MIT */
/* Slopes of a map in rise per map side, row by row: the length of the gradient, each axis by the
 * steeper of its two sides, or the greatest fall to one of eight neighbours. */
#ifndef TW_NODES_MASK_KERNELS_SLOPES_H
#define TW_NODES_MASK_KERNELS_SLOPES_H

#include <thalweg/node.h>

struct tw_slopes {
    const float *in;
    int32_t width, height;
    int32_t near, far; /* heights are compared with those between both, so many cells away */
    float share;       /* of the far ones */
    float per_side;    /* turns the difference into rise per side */
    bool wrap;
    bool downhill; /* false, the default: the gradient */
};

/* Slopes over a distance of `radius` map sides, one cell at least. */
struct tw_slopes tw_slopes_of(const struct tw_task *task, const float *in, float radius, bool wrap);
/* How many cells away that reads. */
int32_t tw_slopes_reach(float radius, int32_t width);
/* Writes the slopes of row y. */
void tw_slopes_row(const struct tw_slopes *slopes, enum tw_simd simd, int32_t y, float *to);

#endif
