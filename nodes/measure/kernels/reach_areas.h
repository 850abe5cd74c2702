/* SPDX-License-Identifier: MIT */
/* What belongs to each start of a map: cells, ground for buildings, and safe places. */
#ifndef TW_NODES_MEASURE_KERNELS_REACH_AREAS_H
#define TW_NODES_MEASURE_KERNELS_REACH_AREAS_H

#include "measure/kernels/fairness.h"

struct tw_areas {
    int32_t *own;  /* of each cell: the only start, from 1, whose places cover it; else 0 */
    int32_t *work; /* free for the caller afterwards */
    double area[TW_STARTS_MAX];  /* own cells */
    double built[TW_STARTS_MAX]; /* of these, what buildings cover that lie within them */
    double safe[TW_STARTS_MAX];  /* A_i, places */
};

bool tw_areas_lay_out(struct tw_scratch *s, struct tw_areas *areas);
/* Counts from what `areas` has. Uses ground->places and ->spare as scratch. */
void tw_areas_find(struct tw_task *task, struct tw_unit_ground *ground,
                   const struct tw_nearest *nearest, int32_t building_size, int32_t count,
                   struct tw_areas *areas);

#endif
