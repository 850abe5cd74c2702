/* SPDX-License-Identifier: MIT */
/* Runs an experiment seed by seed and adds the results to a comparison. A seed on which a node
 * fails is reported and left out. */
#ifndef TW_ENGINE_STUDY_EXPERIMENT_RUN_H
#define TW_ENGINE_STUDY_EXPERIMENT_RUN_H

#include "study/comparison.h"
#include "study/round.h"

#include <thalweg/thalweg.h>

/* Progress, with seconds on this machine's clock. */
struct tw_compare_progress {
    int32_t done, count; /* seeds */
    double share;        /* of the current seed, 0 to 1 */
    double left;         /* estimated seconds to go, from recent seeds; below 0: unknown */
    uint64_t seed;       /* the current or last one */
};

/* A failed seed: the first variant that needs the failed node, for running it alone. */
struct tw_compare_failure {
    uint64_t seed;
    const struct tw_variant *variant; /* NULL: unknown */
    const struct tw_error *error;
};

/* Seeds from number `from` to `to` - 1, counted from 0. */
struct tw_seed_range {
    int32_t from, to;
};

struct tw_compare_request {
    const struct tw_load_options *load; /* its diagnostic is called for the first seed only */
    const struct tw_run_options *run;
    /* Functions may be NULL. `first` is called with the graphs of the first seed before they run;
     * `sampled` with the samples, [variant][measure], and seconds, [variant], of every seed. */
    enum tw_status (*first)(void *context, const struct tw_compare_rounds *rounds,
                            struct tw_error *err);
    enum tw_status (*sampled)(void *context, uint64_t seed, const double *samples,
                              const double *seconds, struct tw_error *err);
    void (*progress)(void *context, const struct tw_compare_progress *progress);
    void (*failed)(void *context, const struct tw_compare_failure *failure);
    void *context;
    /* NULL: all seeds. Otherwise runs these, ignoring `until`; `first` is not called, and
     * diagnostics have been reported (shard.h). */
    const struct tw_seed_range *range;
};

/* Runs all seeds, or until their intervals are as narrow as `until` requires. Keeps the seeds
 * finished before a failure or TW_CANCELLED. If all seeds failed, returns the last one's error. */
enum tw_status tw_compare_run(const struct tw_compare_request *request,
                              struct tw_comparison *comparison, struct tw_error *err);

#endif
