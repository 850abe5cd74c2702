/* SPDX-License-Identifier: MIT */
/* Ways of a unit from one place: lengths, steps, and how wide the widest of them are. */
#ifndef TW_NODES_MEASURE_KERNELS_REACH_WAYS_H
#define TW_NODES_MEASURE_KERNELS_REACH_WAYS_H

#include "common/distance_transform.h"
#include "common/unit_ground.h"

/* Lengths of steps to four neighbours and to diagonal ones: whole numbers, so sums are exact. */
enum { TW_STEP = 10000, TW_STEP_DIAGONAL = 14142 };

/* Leaves in ground->heap.cost the length of the shortest way from `start` to each place, in
 * ten-thousandths of cells; infinite where there is none. TW_CANCELLED when the task is. */
enum tw_status tw_reach_lengths(struct tw_task *task, struct tw_unit_ground *ground, int32_t start);

struct tw_clearance {
    float *open; /* 1 at places */
    float *room; /* of each place: how far it is from where no place is, in cells */
    struct tw_distance_space space;
};
bool tw_clearance_lay_out(struct tw_scratch *s, struct tw_clearance *clearance);
/* Returns through `widest` the least room along the way with most of it that joins all starts, in
 * cells; 0 where no way does. */
enum tw_status tw_clearance_find(struct tw_task *task, struct tw_unit_ground *ground,
                                 const struct tw_clearance *clearance, const int32_t *starts,
                                 int32_t count, double *widest);

#endif
