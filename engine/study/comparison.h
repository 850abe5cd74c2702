/* SPDX-License-Identifier: MIT */
/* What an experiment measured: samples of every variant and measure over the seeds, and what they
 * say. Sums run over all seeds. The samples themselves, which ranks need, are kept of at most
 * tw_samples_limit() seeds, so memory does not grow with the seeds beyond these: of more a random
 * sample of all is kept, which depends on nothing but the seeds. */
#ifndef TW_ENGINE_STUDY_COMPARISON_H
#define TW_ENGINE_STUDY_COMPARISON_H

#include "study/statistics/paired.h"
#include "study/statistics/statistics.h"
#include "study/times.h"

/* Ranks of more seeds say the same: the interval of a mean of these is 0.6 % of a deviation. */
#define TW_SEEDS_KEPT_MAX 100000
#define TW_SEEDS_KEPT_MIN 1000
#define TW_SAMPLES_KEPT_MAX (1 << 26) /* of all variants and measures: 512 MiB */

#define TW_SAMPLE_MAX 1e150 /* squares and differences of samples are finite */

struct tw_tuning;

struct tw_comparison {
    const struct tw_experiment *experiment;
    int32_t width, height;
    int32_t total;                  /* seeds that ran to the end */
    int32_t count;                  /* those of them whose samples are kept */
    int32_t capacity;               /* of the lists by seed */
    int32_t halvings;               /* how often half of those kept were left out again */
    uint64_t *seeds;                /* those kept, in order */
    double *samples;                /* of those kept: tw_samples() */
    struct tw_running *sums;        /* [variant][measure], over all seeds */
    struct tw_running *differences; /* the same, to the baseline */
    struct tw_running *seconds;     /* [variant]: what its nodes cost, shared ones included */
    int32_t failed;                 /* seeds that did not run to the end */
    bool narrow;                    /* the intervals that `until` names were reached */
    const char *signal;             /* that stopped it; NULL */
    struct tw_paired *pairs;        /* [variant][measure], to the baseline, of those kept */
    struct tw_variant_time *times;  /* [variant], of those compared; NULL when nobody asked */
    const struct tw_tuning *tuning; /* NULL when nothing was tuned; not the comparison's own */
};

static inline size_t tw_cell_of(const struct tw_comparison *c, int32_t variant, int32_t measure)
{
    return (size_t)variant * (size_t)c->experiment->measure_count + (size_t)measure;
}

/* `count` samples in seed order. */
static inline double *tw_samples(const struct tw_comparison *c, int32_t variant, int32_t measure)
{
    return c->samples + tw_cell_of(c, variant, measure) * (size_t)c->capacity;
}

/* A variant's differences to the baseline. */
static inline struct tw_paired *tw_pair_of(const struct tw_comparison *c, int32_t variant,
                                           int32_t measure)
{
    return &c->pairs[tw_cell_of(c, variant, measure)];
}

/* Of all seeds: a variant's samples, and its differences to the baseline. */
struct tw_summary tw_comparison_summary(const struct tw_comparison *c, int32_t variant,
                                        int32_t measure);
struct tw_summary tw_comparison_difference(const struct tw_comparison *c, int32_t variant,
                                           int32_t measure);

/* Of how many seeds an experiment keeps the samples: TW_SEEDS_KEPT_MAX, fewer where it has more
 * than 671 variants times measures, but never fewer than TW_SEEDS_KEPT_MIN. */
int32_t tw_samples_limit(const struct tw_experiment *experiment);

/* Whether deviations and intervals are meaningful: with one seed they are not. */
static inline bool tw_has_spread(const struct tw_comparison *c) { return c->total > 1; }

/* Empty; the experiment must outlive it. Release it after a failure, too. */
enum tw_status tw_comparison_create(const struct tw_experiment *experiment,
                                    struct tw_comparison *comparison, struct tw_error *err);
void tw_comparison_release(struct tw_comparison *comparison);
/* Adds a seed: `samples` is [variant][measure], `seconds` [variant]. */
enum tw_status tw_comparison_add(struct tw_comparison *comparison, uint64_t seed,
                                 const double *samples, const double *seconds,
                                 struct tw_error *err);

/* judge.c: all paired differences, corrected for their number, with verdicts. */
enum tw_status tw_compare_judge(struct tw_comparison *comparison, struct tw_error *err);
/* Of how many differences to the baseline there are tests: variants times measures. */
int32_t tw_compare_count_pairs(const struct tw_experiment *experiment);
/* Whether seeds were to go on until intervals are narrow. */
bool tw_compare_has_until(const struct tw_experiment *experiment);
/* Whether the interval of every difference is as narrow as `until` says; false without it. */
bool tw_compare_is_narrow(const struct tw_comparison *comparison);

#endif
