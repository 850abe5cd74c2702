/* SPDX-License-Identifier: MIT */
/* What an erosion took and laid down: maps for the outputs `eroded` and `deposited`, and sums for a
 * ledger. */
#ifndef TW_NODES_MOVED_H
#define TW_NODES_MOVED_H

#include <thalweg/node.h>

struct tw_moved {
    double eroded, deposited; /* sums over cells */
};

/* Sum of a map of the task's size, row by row. */
double tw_moved_sum(const struct tw_task *task, const float *map);

/* eroded = max(before - after, 0), deposited = max(after - before, 0), cell by cell, and their sums
 * row by row. `eroded` may be the block of `before`. */
enum tw_status tw_moved_maps(struct tw_task *task, const float *before, const float *after,
                             float *eroded, float *deposited, struct tw_moved *sums);

#endif
