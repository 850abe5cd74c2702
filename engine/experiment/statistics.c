/* SPDX-License-Identifier: MIT */
/* Means, deviations and confidence intervals. Sums run in seed order. */
#include "experiment/statistics.h"

#include "experiment/paired.h"

#include <math.h>

struct tw_summary tw_summarise_pairs(const double *a, const double *b, int32_t count)
{
    struct tw_summary s = {0};
    double squares = 0;
    s.least = s.greatest = a[0] - (b ? b[0] : 0);
    for (int32_t i = 0; i < count; i++) {
        double v = a[i] - (b ? b[i] : 0);
        s.mean += v / count;
        s.least = v < s.least ? v : s.least;
        s.greatest = v > s.greatest ? v : s.greatest;
    }
    for (int32_t i = 0; i < count; i++) {
        double v = a[i] - (b ? b[i] : 0) - s.mean;
        squares += v * v;
    }
    if (count > 1) {
        s.deviation = sqrt(squares / (count - 1));
        s.interval = tw_student_quantile(count - 1) * s.deviation / sqrt(count);
    }
    return s;
}

struct tw_summary tw_summarise(const double *samples, int32_t count)
{
    return tw_summarise_pairs(samples, NULL, count);
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
