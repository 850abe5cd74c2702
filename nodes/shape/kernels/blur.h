/* SPDX-License-Identifier: MIT */
/* Gaussian blur in time that does not depend on its width, or less where that is small. */
#ifndef TW_NODES_SHAPE_KERNELS_BLUR_H
#define TW_NODES_SHAPE_KERNELS_BLUR_H

#include <thalweg/node.h>

/* `sigma` in cells, `wrap` or else clamp at the border; `out` may be `in`. Its memory grows with
 * the map's sides and sigma, not with the area. Of rows that are a piece of the map (tw_task_top())
 * those further than tw_blur_reach() from the piece's ends have the bytes of the whole.
 * TW_CANCELLED when the task is. */
enum tw_status tw_blur(struct tw_task *task, const float *in, float *out, int32_t width,
                       int32_t height, double sigma, bool wrap);

/* How many cells away a cell looks. */
int32_t tw_blur_reach(double sigma);

/* The scratch that it takes. */
void tw_blur_forecast(struct tw_forecast *f, double sigma);

#endif
