/* SPDX-License-Identifier: MIT */
/* Which parameters matter: trajectories of Morris 1991, "Factorial sampling plans for preliminary
 * computational experiments", Technometrics 33, 161, and curves of one parameter at a time. Here
 * the plan, as variants to run; what they measured is study/effects.h's. */
#ifndef TW_ENGINE_STUDY_SENSITIVITY_H
#define TW_ENGINE_STUDY_SENSITIVITY_H

#include "study/axis.h"

#define TW_FACTORS_MAX 16

struct tw_sensitivity {
    struct tw_axis *factors; /* ranges */
    int32_t factor_count;    /* 0: nothing was asked for */
    int32_t trajectories;    /* of Morris; 0: none */
    int32_t levels;          /* even: values that a factor takes */
    int32_t points;          /* of a curve; 0: none */
    int32_t first_step;      /* variant; trajectory t has those from first_step + t (factors + 1) */
    int32_t first_point;     /* variant; the curve of factor f has those from it + f points */
};

/* One step of a trajectory: which factor moves. The order is a random permutation by (seed,
 * trajectory); `order` holds factor_count numbers. */
void tw_morris_order(int32_t trajectory, int32_t factors, int32_t *order);
/* A level, 0 to levels - 1, is moved by half of them. */
static inline int32_t tw_morris_moved(int32_t level, int32_t levels)
{
    return level < levels / 2 ? level + levels / 2 : level - levels / 2;
}

#endif
