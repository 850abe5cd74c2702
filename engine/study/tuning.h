/* SPDX-License-Identifier: MIT */
/* Searches for parameters that bring measures to their targets. A trial is an experiment of one
 * variant over all seeds; the cache answers nodes that an earlier trial shares with it. */
#ifndef TW_ENGINE_STUDY_TUNING_H
#define TW_ENGINE_STUDY_TUNING_H

#include "study/experiment_run.h"

#include <math.h>

struct tw_trial {
    const struct tw_setting *settings; /* [parameter] */
    const double *means;               /* [measure], over the seeds */
    struct tw_loss loss;               /* infinite if every seed failed */
    int32_t start;                     /* number of its simplex, from 0 */
};

struct tw_tuning {
    struct tw_arena arena;
    struct tw_trial *trials;
    int32_t count, capacity;
    int32_t width, height;  /* cells */
    int32_t best;           /* the first with the least loss */
    bool reached;           /* the best keeps every constraint */
    const double *baseline; /* the baseline's means, set before; NULL: none */
};

static inline bool tw_trial_has_run(const struct tw_trial *trial)
{
    return trial->loss.missed < HUGE_VAL;
}

/* `tuning` starts as {0}, but for `baseline`. Does not call `request`'s `sampled`. Keeps the trials
 * made before TW_CANCELLED. */
enum tw_status tw_compare_tune(const struct tw_experiment *experiment,
                               const struct tw_compare_request *request, struct tw_tuning *tuning,
                               struct tw_error *err);
void tw_tuning_release(struct tw_tuning *tuning);

#endif
