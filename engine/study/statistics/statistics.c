/* SPDX-License-Identifier: MIT */
/* Means, deviations and confidence intervals. Sums run in seed order. */
#include "study/statistics/statistics.h"

#include "study/statistics/distributions.h"

#include <math.h>

void tw_running_add(struct tw_running *r, double sample)
{
    double before = sample - r->mean;
    r->least = r->count == 0 || sample < r->least ? sample : r->least;
    r->greatest = r->count == 0 || sample > r->greatest ? sample : r->greatest;
    r->count++;
    r->mean += before / (double)r->count;
    r->squares += before * (sample - r->mean);
}

/* Beyond these, Student's quantile changes by less than 1e-6. */
enum { DEGREES_MAX = 1000000 };

struct tw_summary tw_running_summary(const struct tw_running *r)
{
    struct tw_summary s = {.mean = r->mean, .least = r->least, .greatest = r->greatest};
    if (r->count > 1) {
        int64_t degrees = r->count - 1 < DEGREES_MAX ? r->count - 1 : DEGREES_MAX;
        s.deviation = sqrt(r->squares / (double)(r->count - 1));
        s.interval = tw_student_quantile((int32_t)degrees) * s.deviation / sqrt((double)r->count);
    }
    return s;
}

struct tw_summary tw_summarise(const double *samples, int32_t count)
{
    struct tw_running running = {0};
    for (int32_t i = 0; i < count; i++)
        tw_running_add(&running, samples[i]);
    return tw_running_summary(&running);
}

double tw_statistic(const struct tw_summary *summary, enum tw_statistic statistic)
{
    switch (statistic) {
    case TW_MEAN:
        return summary->mean;
    case TW_DEVIATION:
        return summary->deviation;
    case TW_LEAST:
        return summary->least;
    default:
        return summary->greatest;
    }
}
