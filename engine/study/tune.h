/* SPDX-License-Identifier: MIT */
/* Goal of tuning: a measure to make as large or as small as possible, and constraints that others
 * keep. study/tuning.h searches for parameters. */
#ifndef TW_ENGINE_STUDY_TUNE_H
#define TW_ENGINE_STUDY_TUNE_H

#include "study/axis.h"
#include "study/statistics/simplex.h"

enum tw_tune_kind {
    TW_TUNE_NEAR,    /* within a share of `target` */
    TW_TUNE_BOUNDED, /* from `min` to `max` */
    TW_TUNE_EXTREME  /* as far as possible in `direction` */
};

struct tw_tune_goal {
    int32_t measure;
    enum tw_tune_kind kind;
    int direction;    /* 1: as large as possible, -1: as small */
    bool of_baseline; /* the target is the baseline's mean */
    double target;
    double within; /* share of the target; of 1 if that is 0 */
    double min, max;
};

struct tw_tune {
    struct tw_axis *params; /* ranges */
    int32_t param_count;    /* 0: no tuning */
    struct tw_tune_goal *goals;
    int32_t goal_count;
    int32_t budget;   /* runs: trials times seeds */
    uint64_t seed;    /* of restarts */
    int32_t restarts; /* simplexes after the first that share the budget */
    bool asserts;     /* a constraint that is missed is a difference: exit code 1 */
    const char *recipe;
};

/* What to come near; `baseline` has the baseline's means, [measure], and may be NULL if no goal is
 * about it. */
double tw_tune_target(const struct tw_tune_goal *goal, const double *baseline);
/* By which share a constraint is missed; 0 if it is kept, or if the goal is none. */
double tw_tune_miss(const struct tw_tune_goal *goal, const double *means, const double *baseline);
/* Whether all constraints are kept. */
bool tw_tune_is_reached(const struct tw_tune *tune, const double *means, const double *baseline);
/* Whether there is a constraint. */
bool tw_tune_is_constrained(const struct tw_tune *tune);

/* With a measure to maximise or minimise: the sum of the squares of what constraints are missed by,
 * then the measure's mean, negated if more is better. Without one nothing counts as missed, and the
 * value is the sum of the squared relative distances from targets and bounds. */
struct tw_loss tw_tune_loss(const struct tw_tune *tune, const double *means,
                            const double *baseline);

#endif
