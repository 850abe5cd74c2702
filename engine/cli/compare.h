/* SPDX-License-Identifier: MIT */
/* The forms that a comparison is shown in. */
#ifndef TW_ENGINE_CLI_COMPARE_H
#define TW_ENGINE_CLI_COMPARE_H

#include "compare/comparison.h"

#include <stdio.h>

void tw_compare_text(FILE *out, const struct tw_comparison *comparison);
/* One object, format thalweg.compare/1. */
void tw_compare_json(FILE *out, const struct tw_comparison *comparison);
/* compare_effects.c: sensitivity, where the experiment has it; of JSON NULL without. */
void tw_compare_effects_text(FILE *out, const struct tw_comparison *comparison);
struct json_t *tw_compare_effects_json(const struct tw_comparison *comparison);
/* compare_tuning.c: of c->tuning, which may be NULL; of JSON NULL without. */
void tw_compare_tuning_text(FILE *out, const struct tw_comparison *comparison);
struct json_t *tw_compare_tuning_json(const struct tw_comparison *comparison);
/* compare_times.c: of c->times; of JSON a variant's, NULL without. */
void tw_compare_times_text(FILE *out, const struct tw_comparison *comparison, int width);
struct json_t *tw_compare_times_json(const struct tw_comparison *comparison, int32_t variant);
/* One self-contained page: tables, and pictures side by side. */
void tw_compare_html(FILE *out, const struct tw_comparison *comparison);
/* Reports every assertion that does not hold on standard error; returns their number. */
int tw_compare_check(const struct tw_comparison *comparison);

#endif
