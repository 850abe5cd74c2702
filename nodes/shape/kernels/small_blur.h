/* SPDX-License-Identifier: MIT */
/* The three extended box filters of a blur (box_filter.h) as one kernel, which is faster for small
 * blurs: every cell is a sum over its neighbours, first up and down, then to the sides, in floats.
 * It computes the function of box_filter.h, also at a border that ends the map, where each of the
 * three boxes repeats the last cell of its input. */
#ifndef TW_NODES_SHAPE_KERNELS_SMALL_BLUR_H
#define TW_NODES_SHAPE_KERNELS_SMALL_BLUR_H

#include <thalweg/node.h>

/* Returns true if a Gaussian of `sigma` cells is blurred here. */
bool tw_small_blur_takes(double sigma);

/* Does what tw_blur() does, for a sigma that tw_small_blur_takes() accepts. */
enum tw_status tw_small_blur(struct tw_task *task, const float *in, float *out, int32_t width,
                             int32_t height, double sigma, bool wrap);

int32_t tw_small_blur_reach(double sigma);
void tw_small_blur_forecast(struct tw_forecast *f, double sigma);

#endif
