/* SPDX-License-Identifier: MIT */
/* Finds the parameters of match:, and sets them in the experiment's variants. */
#ifndef TW_ENGINE_STUDY_MATCHING_H
#define TW_ENGINE_STUDY_MATCHING_H

#include "study/experiment_run.h"

/* Pilot seed `i`, which is none of the comparison's, however many of them --seeds runs: pilot seeds
 * begin TW_SEEDS_MAX after the first, and leave out those that are listed. */
uint64_t tw_match_seed(const struct tw_experiment *experiment, int32_t i);
/* The most runs that matching may take; 0 without match:. */
int64_t tw_match_runs(const struct tw_experiment *experiment);

/* Does nothing without match:. Tries at most TW_MATCH_POINTS_MAX values per variant and level: the
 * ends of the range, then between two whose means lie on both sides of the target. Sets the nearest
 * in the variant, and records it in experiment->match.found. A pilot seed that fails ends it with
 * TW_NODE, since means over different seeds cannot be compared. Uses `load`, `run`, `failed` and
 * `context` of the request. */
enum tw_status tw_compare_match(struct tw_experiment *experiment,
                                const struct tw_compare_request *request, struct tw_error *err);

/* What is left of the difference in the comparison: the measure's mean there, less the baseline's
 * if the goal is the baseline's, else less the target. */
double tw_match_remaining(const struct tw_comparison *comparison, const struct tw_matched *matched);

#endif
