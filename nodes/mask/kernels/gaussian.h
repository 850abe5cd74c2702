/* SPDX-License-Identifier: MIT */
/* The Gaussian itself, for what looks at second differences: an approximation by boxes
 * (shape/kernels/blur.h) favours directions. Its time grows with sigma. */
#ifndef TW_NODES_MASK_KERNELS_GAUSSIAN_H
#define TW_NODES_MASK_KERNELS_GAUSSIAN_H

#include <thalweg/padded.h>

/* Fills `to`, a map of one column beyond each end, with the heights under weights
 * exp(-d^2 / (2 sigma^2)) to 4 sigma; `sigma` in cells, 0 copies. TW_CANCELLED, TW_OK or out of
 * memory. */
enum tw_status tw_gaussian(struct tw_task *task, const float *heights, double sigma,
                           const struct tw_padded *to);

/* Reserves the scratch that a Gaussian takes besides `to`. */
void tw_gaussian_forecast(struct tw_forecast *f, double sigma);

#endif
