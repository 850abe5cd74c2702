/* SPDX-License-Identifier: MIT */
/* Goal of tuning: parameters that bring measures to targets. study/tuning.h searches for them. */
#ifndef TW_ENGINE_STUDY_TUNE_H
#define TW_ENGINE_STUDY_TUNE_H

#include "study/axis.h"

struct tw_tune_goal {
    int32_t measure;
    int direction; /* 1: as large as possible, -1: as small; 0: `target` */
    double target;
};

struct tw_tune {
    struct tw_axis *params; /* ranges */
    int32_t param_count;    /* 0: no tuning */
    struct tw_tune_goal *goals;
    int32_t goal_count;
    int32_t budget; /* runs: trials times seeds */
    uint64_t seed;  /* of restarts */
    const char *recipe;
};

/* The sum of the squared relative distances from the targets, 0 if all are met; for a single
 * measure without a target its mean, negated if more is better. */
double tw_tune_loss(const struct tw_tune *tune, const double *means);

#endif
