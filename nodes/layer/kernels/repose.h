/* SPDX-License-Identifier: MIT */
/* The angle of repose of loose material as a parameter. Its default is in degrees, which need the
 * world's scale; without one a side has 10 km and height 1 is 0.15 sides. */
#ifndef TW_NODES_LAYER_KERNELS_REPOSE_H
#define TW_NODES_LAYER_KERNELS_REPOSE_H

#include "common/true_slope.h"

#include <thalweg/node.h>

#define TW_REPOSE_AUTO (-1)

/* The struct's field is float repose; its node sets `physical`. */
#define TW_PARAM_REPOSE(S, degrees)                                                                \
    TW_PARAM_F32_OR(S, repose, "auto", TW_REPOSE_AUTO, TW_REPOSE_AUTO, 1e-6, 1e6,                  \
                    TW_UNIT_RISE_PER_SIDE,                                                         \
                    "steepest slope at rest; auto: " #degrees                                      \
                    " degrees, with height 1 = 0.15 sides unless world: says otherwise",           \
                    TW_USUAL(1, 30))

/* Returns the slope in rise per map side. */
static inline double tw_repose_slope(const struct tw_task *task, float repose, double degrees)
{
    if (repose >= 0)
        return (double)repose;
    return tw_rise_of_degrees(task, degrees);
}

#endif
