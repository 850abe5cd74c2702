/* SPDX-License-Identifier: MIT */
/* Squares of k x k cells. The work grows with the logarithm of k. On a torus a side shorter than k
 * counts as covered once around; elsewhere squares lie within the map. */
#ifndef TW_NODES_COMMON_OPENING_H
#define TW_NODES_COMMON_OPENING_H

#include "common/bitmap.h"

/* Ones remain where the square whose upper left cell is here holds only ones. `spare` is another
 * map of the same size, with which `map` may change its memory. */
void tw_opening_erode(struct tw_task *task, int32_t size, struct tw_bitmap *map,
                      struct tw_bitmap *spare);
/* The cells that squares placed at the ones cover: erode, then dilate is an opening. */
void tw_opening_dilate(struct tw_task *task, int32_t size, struct tw_bitmap *map,
                       struct tw_bitmap *spare);

#endif
