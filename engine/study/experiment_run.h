/* SPDX-License-Identifier: MIT */
/* Runs an experiment, seed by seed, into a comparison. A seed on which a node fails is left out;
 * the others are worth having. */
#ifndef TW_ENGINE_STUDY_EXPERIMENT_RUN_H
#define TW_ENGINE_STUDY_EXPERIMENT_RUN_H

#include "study/comparison.h"
#include "study/round.h"

#include <thalweg/thalweg.h>

/* How far it is: seconds on the clock of this machine. */
struct tw_compare_progress {
    int32_t done, count; /* seeds */
    double share;        /* of the seed under way, 0 to 1 */
    double left;         /* seconds to come, from what the last seeds took; below 0: unknown */
    uint64_t seed;       /* under way, or the last */
};

/* A seed that failed: the first variant that needs the node, and how to run it by itself. */
struct tw_compare_failure {
    uint64_t seed;
    const struct tw_variant *variant; /* NULL: it is not known which */
    const struct tw_error *error;
};

/* Seeds by their number, which counts from 0: `to` is the first that is not meant. */
struct tw_seed_range {
    int32_t from, to;
};

struct tw_compare_request {
    const struct tw_load_options *load; /* its diagnostic is called for the first seed only */
    const struct tw_run_options *run;
    /* Functions may be NULL. `first` is called with the graph of the first seed before it runs;
     * `sampled` with the samples, [variant][measure], and seconds, [variant], of every seed. */
    enum tw_status (*first)(void *context, const struct tw_compare_round *round,
                            struct tw_error *err);
    enum tw_status (*sampled)(void *context, uint64_t seed, const double *samples,
                              const double *seconds, struct tw_error *err);
    void (*progress)(void *context, const struct tw_compare_progress *progress);
    void (*failed)(void *context, const struct tw_compare_failure *failure);
    void *context;
    /* NULL: all seeds. Else those, whatever `until` says; `first` is not called, and diagnostics
     * have been reported (shard.h). */
    const struct tw_seed_range *range;
};

/* Runs the seeds until their intervals are as narrow as `until` says, or all; those that are done
 * before a failure or TW_CANCELLED stay. When all seeds failed the last one's error is returned. */
enum tw_status tw_compare_run(const struct tw_compare_request *request,
                              struct tw_comparison *comparison, struct tw_error *err);

#endif
