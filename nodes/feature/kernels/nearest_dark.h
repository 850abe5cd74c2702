/* SPDX-License-Identifier: MIT */
/* The nearest dark cell of every cell of a map, by steps of length 1 along rows and columns and
 * 1.41421356f to diagonal neighbours; of several the first in reading order. Two passes over the
 * map (Rosenfeld and Pfaltz 1968, "Distance functions on digital pictures"): a shortest path may
 * take all its steps to the right or down before the others. Lengths are exact in double
 * precision, so that ties are, too. */
#ifndef TW_NODES_FEATURE_KERNELS_NEAREST_DARK_H
#define TW_NODES_FEATURE_KERNELS_NEAREST_DARK_H

#include <thalweg/node.h>

/* By cell the number of the nearest cell below one half, of which there is one at least; `length`
 * holds as many and is overwritten. Polls for cancellation. */
enum tw_status tw_nearest_dark_find(struct tw_task *task, const float *mask, double *length,
                                    int32_t *nearest);

#endif
