/* SPDX-License-Identifier: MIT */
/* Summary statistics of the samples of a measure. */
#ifndef TW_ENGINE_STUDY_STATISTICS_STATISTICS_H
#define TW_ENGINE_STUDY_STATISTICS_STATISTICS_H

#include "study/experiment.h"

/* Samples of one measure over the seeds, in doubles and in seed order. */
struct tw_summary {
    double mean, deviation, least, greatest;
    double interval; /* half width of the mean's 95 % confidence interval (Student) */
};
/* Accumulates samples one by one, however many; the spread by Welford's method (1962). */
struct tw_running {
    int64_t count;
    double mean, squares; /* squares: sum of squared distances from the mean */
    double least, greatest;
};
void tw_running_add(struct tw_running *running, double sample);
struct tw_summary tw_running_summary(const struct tw_running *running);

struct tw_summary tw_summarise(const double *samples, int32_t count);
double tw_statistic(const struct tw_summary *summary, enum tw_statistic statistic);

#endif
