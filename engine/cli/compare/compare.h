/* SPDX-License-Identifier: MIT */
/* Shows a comparison as text, JSON or a page; report/ defines the layout of pages and Markdown. */
#ifndef TW_ENGINE_CLI_COMPARE_COMPARE_H
#define TW_ENGINE_CLI_COMPARE_COMPARE_H

#include "cli/compare/against.h"

#include <thalweg/thalweg.h>

#include <stdio.h>

/* print.c */
void tw_compare_text(FILE *out, const struct tw_comparison *comparison);
/* json.c: answers with one object of format thalweg.compare/2; `against`
 * may be NULL. */
void tw_compare_json(const struct tw_comparison *comparison, const struct tw_against *against);
/* levels.c: the verdict by level, if there are several. */
void tw_compare_levels_text(FILE *out, const struct tw_comparison *comparison);
/* effects.c: prints sensitivity if the experiment has it; otherwise the JSON is NULL. */
void tw_compare_effects_text(FILE *out, const struct tw_comparison *comparison);
/* Prints the number of runs that the sensitivity plan takes; nothing without a plan. */
void tw_compare_effects_forecast(FILE *out, const struct tw_experiment *experiment);
struct json_t *tw_compare_effects_json(const struct tw_comparison *comparison);
/* tuning.c: prints comparison->tuning; if that is NULL, prints nothing and the JSON is
 * NULL. */
void tw_compare_tuning_text(FILE *out, const struct tw_comparison *comparison);
struct json_t *tw_compare_tuning_json(const struct tw_comparison *comparison);
/* Returns the command that runs a trial with a seed, to be freed; NULL if memory runs out. */
char *tw_compare_trial_command(const struct tw_comparison *comparison, int32_t trial,
                               const char *seed);
/* Returns the command that runs the best trial, to be freed; NULL if memory runs out. */
char *tw_compare_best_command(const struct tw_comparison *comparison);
/* front.c: prints the fronts, if the experiment has front:; otherwise the JSON is NULL. */
void tw_compare_fronts_text(FILE *out, const struct tw_comparison *comparison);
struct json_t *tw_compare_fronts_json(const struct tw_comparison *comparison);
/* front_csv.c: writes a row per point of each front, those that are not on it included. */
enum tw_status tw_compare_fronts_csv(FILE *out, const struct tw_comparison *comparison,
                                     struct tw_error *err);
/* matching.c: what match: set in variants; without match: the JSON is NULL. */
struct json_t *tw_compare_matching_json(const struct tw_comparison *comparison);
/* adjusted.c: differences at equal values of the measure of adjust:; without it NULL. */
struct json_t *tw_compare_adjusted_json(const struct tw_comparison *comparison);
/* Prints the number of runs that matching may take; nothing without match:. */
void tw_compare_matching_forecast(FILE *out, const struct tw_experiment *experiment);
/* times.c: prints comparison->times, which the text requires; without them, a variant's
 * JSON is NULL. */
void tw_compare_times_text(FILE *out, const struct tw_comparison *comparison, int width);
struct json_t *tw_compare_times_json(const struct tw_comparison *comparison, int32_t variant);
/* report.c: writes the page, and runs variants again to draw pictures of some seeds. If
 * that fails, the page still shows the numbers: the error is reported and `drawn` receives its
 * status. */
struct tw_compare_report {
    const struct tw_load_options *load;
    const struct tw_run_options *run;
    const uint64_t *further; /* one more seed to show; may be NULL */
};
enum tw_status tw_compare_report(FILE *out, const struct tw_comparison *comparison,
                                 const struct tw_compare_report *report, enum tw_status *drawn,
                                 struct tw_error *err);
/* Reports every failed assertion on standard error; returns their number. */
int tw_compare_check(const struct tw_comparison *comparison);

#endif
