/* SPDX-License-Identifier: MIT */
/* Where water runs on a filled map in double: the steepest way down, and over level ground the way
 * of a priority-flood by level, then by cell (Barnes, Lehman and Mulla 2014). */
#ifndef TW_NODES_MEASURE_KERNELS_RECEIVERS_H
#define TW_NODES_MEASURE_KERNELS_RECEIVERS_H

#include "common/drainage/drainage.h"

/* Of equally steep ways the first in reading order. Sets d->to and d->from; overwrites d->edge and
 * d->order. */
enum tw_status tw_receivers_find(struct tw_task *task, struct tw_drainage *d, const double *filled);

/* The slope to the receiver, height per cell; 0 for outlets and on level ground. */
static inline double tw_receivers_slope(const struct tw_drainage *d, const double *filled,
                                        int32_t cell)
{
    const int k = d->to[cell];
    if (k == TW_OUTLET)
        return 0;
    const double drop = filled[cell] - filled[tw_drainage_neighbour(d, cell, k)];
    return k == 1 || k == 3 || k == 4 || k == 6 ? drop : drop * 0.7071067811865476;
}

#endif
