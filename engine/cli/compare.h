/* SPDX-License-Identifier: MIT */
/* What an experiment measured, and the forms it is shown in. */
#ifndef TW_ENGINE_CLI_COMPARE_H
#define TW_ENGINE_CLI_COMPARE_H

#include "experiment/paired.h"
#include "experiment/statistics.h"

#include <stdio.h>

struct tw_comparison {
    const struct tw_experiment *experiment;
    int32_t width, height;
    int32_t count;             /* seeds that ran to the end, in order */
    uint64_t *seeds;           /* these */
    int32_t failed;            /* seeds that did not */
    bool narrow;               /* the intervals that `until` names were reached */
    const char *signal;        /* that stopped it; NULL */
    double *samples;           /* [variant][measure][seed] */
    double *seconds;           /* [variant][seed]: what its nodes cost, shared ones included */
    struct tw_paired *pairs;   /* [variant][measure], to the baseline; NULL without one */
    struct tw_bytes *pictures; /* PNG of the first seed, by variant; NULL without a page */
};

static inline double *tw_samples(const struct tw_comparison *c, int32_t variant, int32_t measure)
{
    return c->samples + ((size_t)variant * (size_t)c->experiment->measure_count + (size_t)measure) *
                            (size_t)c->experiment->seed_count;
}

/* A variant's differences to the baseline. */
static inline struct tw_paired *tw_pair_of(const struct tw_comparison *c, int32_t variant,
                                           int32_t measure)
{
    return &c->pairs[(size_t)variant * (size_t)c->experiment->measure_count + (size_t)measure];
}

/* Whether deviations and intervals are meaningful: with one seed they are not. */
static inline bool tw_has_spread(const struct tw_comparison *c) { return c->count > 1; }

/* compare_judge.c: all paired differences, corrected for their number, with verdicts. */
enum tw_status tw_compare_judge(struct tw_comparison *comparison, struct tw_error *err);
/* Whether the interval of every difference is as narrow as `until` says; false without it. */
bool tw_compare_is_narrow(const struct tw_comparison *comparison);

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
