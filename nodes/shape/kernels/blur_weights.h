/* SPDX-License-Identifier: MIT */
/* Three extended box filters along a line (box_filter.h) as one sum over the cells around a cell.
 * At a border that ends the map each box repeats the last cell of what it is given, so cells near
 * the ends have weights of their own. */
#ifndef TW_NODES_SHAPE_KERNELS_BLUR_WEIGHTS_H
#define TW_NODES_SHAPE_KERNELS_BLUR_WEIGHTS_H

#include "shape/kernels/box_filter.h"

/* The reach is measured: with more, three boxes after each other are faster. */
enum { TW_BLUR_PASSES = 3, TW_BLUR_REACH_MAX = 12, TW_BLUR_TAPS_MAX = 2 * TW_BLUR_REACH_MAX + 1 };

/* The cells of a line, as far as their weights differ: those near its ends and one between. Place 0
 * of a window is `reach` cells before the cell itself. */
struct tw_blur_line {
    int32_t length, reach;
    int32_t kinds; /* length or, if less, 2 reach + 1 */
    bool wrap;
    double windows[TW_BLUR_TAPS_MAX][TW_BLUR_TAPS_MAX];
};

/* Each of the boxes that after each other come close to a Gaussian of `sigma` cells. */
struct tw_box tw_blur_box(double sigma);

/* How many cells away they look, together. */
static inline int32_t tw_blur_box_reach(const struct tw_box *box)
{
    return TW_BLUR_PASSES * (box->radius + 1);
}

struct tw_blur_line tw_blur_line_of(const struct tw_box *box, int32_t length, bool wrap);

/* The 2 reach + 1 weights of a cell, which are 0 beyond the line; their sum is 1. */
const double *tw_blur_window(const struct tw_blur_line *line, int32_t cell);

/* Whether that is the window of cells far from the ends, which is symmetrical. */
bool tw_blur_is_even(const struct tw_blur_line *line, int32_t cell);

#endif
