/* SPDX-License-Identifier: MIT */
/* Two variants over the same seeds: what their paired differences say. Nothing here assumes a
 * normal distribution but the interval of the mean. */
#ifndef TW_ENGINE_STUDY_STATISTICS_PAIRED_H
#define TW_ENGINE_STUDY_STATISTICS_PAIRED_H

#include "study/statistics/statistics.h"

enum tw_verdict { TW_SAME, TW_BETTER, TW_WORSE, TW_HIGHER, TW_LOWER, TW_TOO_FEW };
/* "~", "better", "worse", "higher", "lower", "too few". */
extern const char *const tw_verdict_names[];

/* Fewer pairs can never show anything at 5 %: of 5 the smallest two-sided p is 0.0625. */
#define TW_PAIRS_MIN 6
#define TW_SIGNIFICANCE 0.05

struct tw_paired {
    int32_t count;         /* pairs */
    int32_t ranked;        /* those of them that what follows the interval is about */
    double difference;     /* mean of a - b */
    double low, high;      /* its 95 % interval (Student); NaN for one pair */
    double hodges_lehmann; /* median of the means of all two differences, each with itself, too */
    double shift_low, shift_high; /* its 95 % interval, of these means the outermost that the
                                     signed-rank test does not rule out; NaN for fewer than six */
    double wilcoxon_p; /* signed-rank test, two-sided: exact up to 25 differences that are not 0,
                          ties included, then the normal approximation corrected for ties */
    double sign_p;     /* sign test, two-sided, exact */
    double effect;     /* matched-pairs rank-biserial correlation, -1 to 1 (Kerby 2014) */
    double holm_p;     /* wilcoxon_p for all comparisons together: tw_paired_holm() */
    enum tw_verdict verdict;
};

/* Of a[i] - b[i]; TW_MEMORY. holm_p is wilcoxon_p until there are further comparisons. */
enum tw_status tw_paired_find(const double *a, const double *b, int32_t count,
                              struct tw_paired *paired, struct tw_error *err);
/* The mean and its interval of more pairs than were ranked. */
void tw_paired_set_mean(struct tw_paired *paired, int32_t count, const struct tw_summary *summary);
/* Corrects the p-values of `count` comparisons by Holm's step-down method (1979). */
enum tw_status tw_paired_holm(struct tw_paired *const *all, int32_t count, struct tw_error *err);
/* Whether so many pairs could show a difference among so many comparisons: if every difference of
 * every comparison pointed one way. */
bool tw_pairs_suffice(int32_t pairs, int32_t comparisons);
/* The fewest that could. */
int32_t tw_pairs_needed(int32_t comparisons);
/* Sets the verdict from holm_p, which is corrected for so many comparisons: `goal` is 1 where more
 * is better, -1 where less is, 0 for neither. */
void tw_paired_judge(struct tw_paired *paired, int32_t comparisons, int goal);

#endif
