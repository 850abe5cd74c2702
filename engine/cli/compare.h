/* SPDX-License-Identifier: MIT */
/* The forms that a comparison is shown in; what pages and Markdown look like is in report/. */
#ifndef TW_ENGINE_CLI_COMPARE_H
#define TW_ENGINE_CLI_COMPARE_H

#include "compare/comparison.h"

#include <thalweg/thalweg.h>

#include <stdio.h>

void tw_compare_text(FILE *out, const struct tw_comparison *comparison);
/* One object, format thalweg.compare/1. */
void tw_compare_json(FILE *out, const struct tw_comparison *comparison);
/* compare_report.c: the page, with pictures of some seeds, whose variants are run again for it.
 * Pictures that cannot be made are no reason to go without the numbers: `drawn` is what came of
 * them, which was reported. */
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
