/* SPDX-License-Identifier: MIT */
/* Means, deviations and confidence intervals. Sums run in seed order. */
#include "experiment/statistics.h"

#include <math.h>

/* 97.5 % quantile of Student's t: exact to 3 digits up to 10 degrees of freedom, then the
 * Cornish-Fisher expansion (Abramowitz and Stegun 26.7.5), which is within 1e-3. */
static double student_quantile(int32_t degrees)
{
    static const double first_ten[] = {12.706, 4.303, 3.182, 2.776, 2.571,
                                       2.447,  2.365, 2.306, 2.262, 2.228};
    const double z = 1.959964;
    double n = degrees;
    if (degrees <= 10)
        return first_ten[degrees - 1];
    return z + (z * z * z + z) / (4 * n) +
           (5 * z * z * z * z * z + 16 * z * z * z + 3 * z) / (96 * n * n);
}

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
        s.interval = student_quantile(count - 1) * s.deviation / sqrt(count);
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
