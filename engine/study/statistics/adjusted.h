/* SPDX-License-Identifier: MIT */
/* Analysis of covariance of pairs: how far two variants differ in y at equal x. A seed adds the
 * same to y of both variants, so differences are free of it: dy = difference + slope * dx, by least
 * squares. Its assumptions: a straight line, the same slope for both variants, and differences of x
 * on both sides of 0, where the line is read. The second is tested: with slopes of their own,
 * dy also grows with the pair's mean of x, by how much steeper the variant's line is. */
#ifndef TW_ENGINE_STUDY_STATISTICS_ADJUSTED_H
#define TW_ENGINE_STUDY_STATISTICS_ADJUSTED_H

#include <stdbool.h>
#include <stdint.h>

/* Samples of a variant (1) and of the baseline (0), by seed. */
struct tw_adjusted_samples {
    const double *y1, *y0, *x1, *x0;
    int32_t count;
};

/* Intervals hold with 95 % (Student), each by itself. */
struct tw_adjusted {
    double difference, low, high;              /* of y, at equal x */
    double slope, slope_low, slope_high;       /* of y by x */
    double steeper, steeper_low, steeper_high; /* the variant's slope less the baseline's */
    bool is_parallel;                          /* the interval of `steeper` contains 0 */
    bool is_inside;                            /* differences of x lie on both sides of 0 */
};

/* False if there are fewer than 6 pairs, or x varies too little for a line. */
bool tw_adjusted_find(const struct tw_adjusted_samples *samples, struct tw_adjusted *adjusted);

#endif
