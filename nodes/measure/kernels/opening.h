/* SPDX-License-Identifier: MIT */
/* Squares of k x k cells on a torus, on maps of bytes 0 or 1 of the task's size. The work is linear
 * in cells and independent of k. A side shorter than k counts as covered once around. */
#ifndef TW_NODES_MEASURE_KERNELS_OPENING_H
#define TW_NODES_MEASURE_KERNELS_OPENING_H

#include <thalweg/node.h>

/* out may be in. A 1 where the square whose upper left cell is here holds only ones. */
void tw_opening_erode(struct tw_task *task, int32_t size, const uint8_t *in, uint8_t *out);
/* The cells that squares placed at the ones of `in` cover: fit, then cover is an opening. */
void tw_opening_dilate(struct tw_task *task, int32_t size, const uint8_t *in, uint8_t *out);

#endif
