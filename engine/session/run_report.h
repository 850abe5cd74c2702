/* SPDX-License-Identifier: MIT */
/* Reports what a run of one or several recipes did, for people and for programs. */
#ifndef TW_ENGINE_SESSION_RUN_REPORT_H
#define TW_ENGINE_SESSION_RUN_REPORT_H

#include "session/recipe_set.h"

/* Prints the exports, one path per line; for several recipes also a line of totals on standard
 * error. */
void tw_run_print(const struct tw_recipe_set *parts);
/* Prints the reports of --explain and --dry-run. */
void tw_run_explain(const struct tw_settings *settings, const struct tw_recipe_set *parts);
/* Sets the fields of thalweg.run/2 (answer.h) and adds the cases of JUnit, whether or not the run
 * succeeded. */
void tw_run_answer(const struct tw_settings *settings, const struct tw_recipe_set *parts,
                   double seconds);

/* Returns how long a recipe's nodes took that were computed, and counts these. */
double tw_run_recipe_seconds(const struct tw_recipe_entry *part, int32_t *computed);

struct tw_run_sums {
    int32_t needed, computed, hits; /* nodes; shared ones count once */
    int32_t exports, written;
};
struct tw_run_sums tw_run_sum(const struct tw_recipe_set *parts);

#endif
