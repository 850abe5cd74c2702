/* SPDX-License-Identifier: MIT */
/* Finds out which parameters matter: trajectories of Morris 1991, "Factorial sampling plans for
 * preliminary computational experiments", Technometrics 33, 161, Sobol indices
 * (statistics/indices.h), and curves of one parameter at a time. This is the plan, as variants to
 * run; study/effects.h evaluates it. */
#ifndef TW_ENGINE_STUDY_SENSITIVITY_H
#define TW_ENGINE_STUDY_SENSITIVITY_H

#include "study/axis.h"

#define TW_FACTORS_MAX 32 /* Sobol's sequence has two dimensions for each */

struct tw_sensitivity {
    struct tw_axis *factors; /* ranges */
    int32_t factor_count;    /* 0: no sensitivity plan */
    int32_t trajectories;    /* of Morris; 0: none */
    int32_t levels;          /* values that a factor takes; an even number */
    int32_t rows;            /* of Sobol indices: each has factors + 2 variants; 0: none */
    int32_t points;          /* of a curve; 0: none */
    int32_t
        first_step; /* first variant of trajectory 0; trajectory t begins t (factors + 1) later */
    int32_t first_index; /* first variant of row 0; row r begins r (factors + 2) later */
    int32_t first_point; /* first variant of curve 0; the curve of factor f begins f points later */
};

/* Order in which a trajectory moves the factors: a random permutation by (seed, trajectory);
 * `order` holds factor_count numbers. */
void tw_morris_order(int32_t trajectory, int32_t factors, int32_t *order);
/* Moves a level, 0 to levels - 1, by half the levels. */
static inline int32_t tw_morris_moved(int32_t level, int32_t levels)
{
    return level < levels / 2 ? level + levels / 2 : level - levels / 2;
}

#endif
