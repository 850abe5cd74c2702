/* SPDX-License-Identifier: MIT */
/* Evaluates paired differences of two variants over the same seeds. Only the interval of the mean
 * assumes a normal distribution. */
#ifndef TW_ENGINE_STUDY_STATISTICS_PAIRED_H
#define TW_ENGINE_STUDY_STATISTICS_PAIRED_H

#include "study/statistics/statistics.h"

enum tw_verdict { TW_SAME, TW_BETTER, TW_WORSE, TW_HIGHER, TW_LOWER, TW_TOO_FEW };
/* "~", "better", "worse", "higher", "lower", "too few". */
extern const char *const tw_verdict_names[];

/* Fewer pairs can never reach 5 %: the smallest two-sided p of 5 pairs is 0.0625. */
#define TW_PAIRS_MIN 6
#define TW_SIGNIFICANCE 0.05

struct tw_paired {
    int32_t count;         /* pairs */
    int32_t ranked;        /* pairs that the statistics after the interval use */
    double difference;     /* mean of a - b */
    double low, high;      /* its 95 % interval (Student); NaN for one pair */
    double hodges_lehmann; /* median of the means of any two differences, each also with itself */
    double shift_low, shift_high; /* its 95 % interval: the outermost means of two that the
                                     signed-rank test does not reject; NaN below six pairs */
    double wilcoxon_p; /* signed-rank test, two-sided: exact for up to 25 non-zero differences, ties
                          included; above, the normal approximation corrected for ties */
    double sign_p;     /* sign test, two-sided, exact */
    double effect;     /* matched-pairs rank-biserial correlation, -1 to 1 (Kerby 2014) */
    double holm_p;     /* wilcoxon_p corrected for all comparisons: tw_paired_holm() */
    enum tw_verdict verdict;
};

/* Evaluates a[i] - b[i]; TW_MEMORY. holm_p equals wilcoxon_p until there are further comparisons.
 */
enum tw_status tw_paired_find(const double *a, const double *b, int32_t count,
                              struct tw_paired *paired, struct tw_error *err);
/* Sets the mean and its interval from more pairs than were ranked. */
void tw_paired_set_mean(struct tw_paired *paired, int32_t count, const struct tw_summary *summary);
/* Corrects the p-values of `count` comparisons by Holm's step-down method (1979). */
enum tw_status tw_paired_holm(struct tw_paired *const *all, int32_t count, struct tw_error *err);
/* Whether so many pairs could show a difference among so many comparisons if every difference of
 * every comparison had one sign. */
bool tw_pairs_suffice(int32_t pairs, int32_t comparisons);
/* The fewest pairs that suffice. */
int32_t tw_pairs_needed(int32_t comparisons);
/* Sets the verdict from holm_p, corrected for so many comparisons: `goal` is 1 if more is better,
 * -1 if less is, 0 for neither. */
void tw_paired_judge(struct tw_paired *paired, int32_t comparisons, int goal);

#endif
