/* SPDX-License-Identifier: MIT */
/* What is sought: parameters that bring measures to targets. study/tuning.h seeks them. */
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
    int32_t param_count;    /* 0: nothing is tuned */
    struct tw_tune_goal *goals;
    int32_t goal_count;
    int32_t budget; /* runs: trials times seeds */
    uint64_t seed;  /* of restarts */
    const char *recipe;
};

/* 0 where the goals are met: the sum of the squared relative distances from the targets, or of one
 * measure alone its mean, negative where more is better. */
double tw_tune_loss(const struct tw_tune *tune, const double *means);

#endif
