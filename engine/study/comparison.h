/* SPDX-License-Identifier: MIT */
/* Measurements of an experiment: samples of every variant and measure over the seeds, and their
 * evaluation. Sums run over all seeds. The samples themselves, which ranks need, are kept of at
 * most tw_samples_limit() seeds, which bounds memory. Beyond that a random sample of the seeds is
 * kept, which depends on nothing but the seeds. */
#ifndef TW_ENGINE_STUDY_COMPARISON_H
#define TW_ENGINE_STUDY_COMPARISON_H

#include "study/identity.h"
#include "study/statistics/paired.h"
#include "study/statistics/statistics.h"
#include "study/times.h"

/* Ranks of more seeds add nothing: the interval of the mean of so many is 0.6 % of a deviation. */
#define TW_SEEDS_KEPT_MAX 100000
#define TW_SEEDS_KEPT_MIN 1000
#define TW_SAMPLES_KEPT_MAX (1 << 26) /* of all variants and measures: 512 MiB */

#define TW_SAMPLE_MAX 1e150 /* keeps squares and differences finite */

struct tw_tuning;

struct tw_comparison {
    const struct tw_experiment *experiment;
    int32_t width, height;
    int32_t total;                  /* seeds that ran to the end */
    int32_t count;                  /* seeds whose samples are kept */
    int32_t capacity;               /* of the arrays by seed */
    int32_t halvings;               /* how often half of the kept seeds were dropped */
    uint64_t *seeds;                /* kept seeds, in order */
    double *samples;                /* of kept seeds: tw_samples() */
    struct tw_running *sums;        /* [variant][measure], over all seeds */
    struct tw_running *differences; /* [variant][measure], from the baseline, over all seeds */
    struct tw_running *seconds;     /* [variant]: cost of its nodes, shared ones included */
    int32_t failed;                 /* seeds that failed */
    bool narrow;                    /* the intervals that `until` names are narrow enough */
    const char *signal;             /* the signal that stopped it; NULL: none */
    struct tw_paired *pairs;        /* [variant][measure], against the baseline, over kept seeds */
    struct tw_variant_time *times;  /* [variant], of compared ones; NULL unless requested */
    const struct tw_tuning *tuning; /* borrowed; NULL if nothing was tuned */
    /* [variant], of what it runs with the first seed; borrowed, NULL if unknown. */
    char (*digests)[TW_DIGEST_TEXT];
};

static inline size_t tw_cell_of(const struct tw_comparison *c, int32_t variant, int32_t measure)
{
    return (size_t)variant * (size_t)c->experiment->measure_count + (size_t)measure;
}

/* `count` samples in the order of the seeds. */
static inline double *tw_samples(const struct tw_comparison *c, int32_t variant, int32_t measure)
{
    return c->samples + tw_cell_of(c, variant, measure) * (size_t)c->capacity;
}

/* A variant's differences from the baseline. */
static inline struct tw_paired *tw_pair_of(const struct tw_comparison *c, int32_t variant,
                                           int32_t measure)
{
    return &c->pairs[tw_cell_of(c, variant, measure)];
}

/* Over all seeds: a variant's samples, and its differences from the baseline. */
struct tw_summary tw_comparison_summary(const struct tw_comparison *c, int32_t variant,
                                        int32_t measure);
struct tw_summary tw_comparison_difference(const struct tw_comparison *c, int32_t variant,
                                           int32_t measure);

/* Number of seeds whose samples an experiment keeps: TW_SEEDS_KEPT_MAX; fewer with more than 671
 * variants times measures, but at least TW_SEEDS_KEPT_MIN. */
int32_t tw_samples_limit(const struct tw_experiment *experiment);

/* Whether deviations and intervals are defined: they need two seeds. */
static inline bool tw_has_spread(const struct tw_comparison *c) { return c->total > 1; }

/* Creates an empty comparison; the experiment must outlive it. Release it even after a failure. */
enum tw_status tw_comparison_create(const struct tw_experiment *experiment,
                                    struct tw_comparison *comparison, struct tw_error *err);
void tw_comparison_release(struct tw_comparison *comparison);
/* Adds a seed: `samples` is [variant][measure], `seconds` [variant]. */
enum tw_status tw_comparison_add(struct tw_comparison *comparison, uint64_t seed,
                                 const double *samples, const double *seconds,
                                 struct tw_error *err);

/* judge.c: finds all paired differences, corrects them for their number, and gives verdicts. */
enum tw_status tw_compare_judge(struct tw_comparison *comparison, struct tw_error *err);
/* Number of differences from the baseline to test: variants times measures. */
int32_t tw_compare_count_pairs(const struct tw_experiment *experiment);
/* Number of times that `until` looks whether to end: at 6, 9, 14, 21, ... seeds, half as many again
 * each time, from the first with which a test could show anything, and at the last seed; 1 without
 * `until`. Every look is a chance of a false word, so each spends an equal share of 5 %. */
int32_t tw_compare_count_looks(const struct tw_experiment *experiment);
/* Number of tests to correct for: pairs times looks. */
int32_t tw_compare_count_tests(const struct tw_experiment *experiment);
/* Whether `until` extends the seeds until intervals are narrow. */
bool tw_compare_has_until(const struct tw_experiment *experiment);
/* Whether this is a look, and the interval of every difference as narrow as `until` requires; false
 * without `until`. */
bool tw_compare_is_narrow(const struct tw_comparison *comparison);

#endif
