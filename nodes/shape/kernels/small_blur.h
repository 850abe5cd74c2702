/* SPDX-License-Identifier: MIT */
/* The three extended box filters of a blur (box_filter.h) as one kernel, which is faster where it
 * is small: every cell is a sum over its neighbours, first up and down, then to the sides, in
 * floats. The same function: at a border that ends the map it, too, repeats the last cell of what
 * each of the three boxes gave. */
#ifndef TW_NODES_SHAPE_KERNELS_SMALL_BLUR_H
#define TW_NODES_SHAPE_KERNELS_SMALL_BLUR_H

#include <thalweg/node.h>

/* Whether a Gaussian of `sigma` cells is blurred here. */
bool tw_small_blur_takes(double sigma);

/* As tw_blur(), for a sigma that it takes. */
enum tw_status tw_small_blur(struct tw_task *task, const float *in, float *out, int32_t width,
                             int32_t height, double sigma, bool wrap);

int32_t tw_small_blur_reach(double sigma);
void tw_small_blur_forecast(struct tw_forecast *f, double sigma);

#endif
