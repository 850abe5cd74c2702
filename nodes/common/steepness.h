/* SPDX-License-Identifier: MIT */
/* The greatest difference of a cell to its four neighbours, or, where the bitmaps end at the
 * border, to those that there are: Olsen 2004. */
#ifndef TW_NODES_COMMON_STEEPNESS_H
#define TW_NODES_COMMON_STEEPNESS_H

#include "common/bitmap.h"

enum { TW_STEEPNESS_LIMITS = 2 };

/* Cells whose steepness is less than the limit. */
struct tw_gentle {
    float limit;
    struct tw_bitmap *cells;
};

struct tw_steepness {
    double mean, deviation; /* of the whole map; sums in double, along rows and then over rows */
};

/* Steepness of the task's map, whose cells are `heights`, and the cells below either limit. */
enum tw_status tw_steepness_measure(struct tw_task *task, const float *heights,
                                    const struct tw_gentle gentle[TW_STEEPNESS_LIMITS],
                                    struct tw_steepness *result);
/* The scratch that it takes. */
void tw_steepness_forecast(struct tw_forecast *f);

#endif
