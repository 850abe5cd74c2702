/* SPDX-License-Identifier: MIT */
/* What a run of one or several recipes did, for people and for programs. */
#ifndef TW_ENGINE_SESSION_RUN_REPORT_H
#define TW_ENGINE_SESSION_RUN_REPORT_H

#include "session/recipe_set.h"

/* The exports, one path a line; of several recipes also a line of sums on standard error. */
void tw_run_print(const struct tw_recipe_set *parts);
/* --explain and --dry-run. */
void tw_run_explain(const struct tw_settings *settings, const struct tw_recipe_set *parts);
/* The fields of thalweg.run/2 (answer.h) and the cases of JUnit, whatever became of the run. */
void tw_run_answer(const struct tw_settings *settings, const struct tw_recipe_set *parts,
                   double seconds);

struct tw_run_sums {
    int32_t needed, computed, hits; /* nodes; shared ones once */
    int32_t exports, written;
};
struct tw_run_sums tw_run_sum(const struct tw_recipe_set *parts);

#endif
