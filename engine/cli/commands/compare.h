/* SPDX-License-Identifier: MIT */
/* The forms that a comparison is shown in; what pages and Markdown look like is in report/. */
#ifndef TW_ENGINE_CLI_COMMANDS_COMPARE_H
#define TW_ENGINE_CLI_COMMANDS_COMPARE_H

#include "study/comparison.h"

#include <thalweg/thalweg.h>

#include <stdio.h>

void tw_compare_text(FILE *out, const struct tw_comparison *comparison);
/* One object, format thalweg.compare/1. */
void tw_compare_json(const struct tw_comparison *comparison);
/* compare_effects.c: sensitivity, where the experiment has it; of JSON NULL without. */
void tw_compare_effects_text(FILE *out, const struct tw_comparison *comparison);
struct json_t *tw_compare_effects_json(const struct tw_comparison *comparison);
/* compare_tuning.c: of c->tuning, which may be NULL; of JSON NULL without. */
void tw_compare_tuning_text(FILE *out, const struct tw_comparison *comparison);
struct json_t *tw_compare_tuning_json(const struct tw_comparison *comparison);
/* The command that runs the best trial; free(). NULL without memory. */
char *tw_compare_best_command(const struct tw_comparison *comparison);
/* compare_times.c: of c->times; of JSON a variant's, NULL without. */
void tw_compare_times_text(FILE *out, const struct tw_comparison *comparison, int width);
struct json_t *tw_compare_times_json(const struct tw_comparison *comparison, int32_t variant);
/* compare_report.c: the page, with pictures of some seeds, whose variants are run again for it.
 * Pictures that cannot be made are not a reason to go without the numbers: `drawn` is their
 * status, which was reported. */
struct tw_compare_report {
    const struct tw_load_options *load;
    const struct tw_run_options *run;
    const uint64_t *further; /* one more seed to show; may be NULL */
};
enum tw_status tw_compare_report(FILE *out, const struct tw_comparison *comparison,
                                 const struct tw_compare_report *report, enum tw_status *drawn,
                                 struct tw_error *err);
/* Reports every assertion that does not hold on standard error; returns their number. */
int tw_compare_check(const struct tw_comparison *comparison);

#endif
