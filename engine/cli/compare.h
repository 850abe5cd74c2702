/* SPDX-License-Identifier: MIT */
/* The forms that a comparison is shown in. */
#ifndef TW_ENGINE_CLI_COMPARE_H
#define TW_ENGINE_CLI_COMPARE_H

#include "compare/comparison.h"

#include <stdio.h>

void tw_compare_text(FILE *out, const struct tw_comparison *comparison);
/* One object, format thalweg.compare/1. */
void tw_compare_json(FILE *out, const struct tw_comparison *comparison);
/* One self-contained page: tables, and pictures side by side. */
void tw_compare_html(FILE *out, const struct tw_comparison *comparison);
/* Reports every assertion that does not hold on standard error; returns their number. */
int tw_compare_check(const struct tw_comparison *comparison);

#endif
