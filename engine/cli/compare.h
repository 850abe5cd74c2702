/* SPDX-License-Identifier: MIT */
/* What an experiment measured, and the forms it is shown in. */
#ifndef TW_ENGINE_CLI_COMPARE_H
#define TW_ENGINE_CLI_COMPARE_H

#include "experiment/statistics.h"

#include <stdio.h>

struct tw_comparison {
    const struct tw_experiment *experiment;
    int32_t width, height;
    double *samples;           /* [variant][measure][seed] */
    double *seconds;           /* [variant][seed]: what its nodes cost, shared ones included */
    struct tw_bytes *pictures; /* PNG of the first seed, by variant; NULL without a page */
};

static inline double *tw_samples(const struct tw_comparison *c, int32_t variant, int32_t measure)
{
    return c->samples + ((size_t)variant * (size_t)c->experiment->measure_count + (size_t)measure) *
                            (size_t)c->experiment->seed_count;
}

/* Whether deviations and intervals are meaningful: with one seed they are not. */
static inline bool tw_has_spread(const struct tw_comparison *c)
{
    return c->experiment->seed_count > 1;
}

void tw_compare_text(FILE *out, const struct tw_comparison *comparison);
/* One object, format thalweg.compare/1. */
void tw_compare_json(FILE *out, const struct tw_comparison *comparison);
/* variant,seed,<measures>: one row per run. */
void tw_compare_csv(FILE *out, const struct tw_comparison *comparison);
/* One self-contained page: tables, and pictures side by side. */
void tw_compare_html(FILE *out, const struct tw_comparison *comparison);
/* Reports every assertion that does not hold on standard error; returns their number. */
int tw_compare_check(const struct tw_comparison *comparison);

#endif
