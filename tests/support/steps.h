/* SPDX-License-Identifier: MIT */
/* Steps between neighbouring rows and columns: those at rims and seams compared with all. */
#ifndef TW_TESTS_SUPPORT_STEPS_H
#define TW_TESTS_SUPPORT_STEPS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Sums, over a row or a column, the steps to the next one, of a square map of n x n cells; the last
 * one's next is the first. */
static inline double steps_of(const float *cells, int32_t n, int32_t line, bool columns)
{
    double sum = 0;
    for (int32_t i = 0; i < n; i++) {
        int32_t here = columns ? i * n + line : line * n + i;
        int32_t next = columns ? i * n + (line + 1) % n : (line + 1) % n * n + i;
        sum += fabs((double)cells[next] - (double)cells[here]);
    }
    return sum;
}

/* Ratio of the mean step between the outermost two rows and columns to that of the `count` next
 * ones inland. */
static inline double steps_from_rim(const float *cells, int32_t n, int32_t count)
{
    double rims = 0, next = 0;
    for (int columns = 0; columns < 2; columns++)
        for (int32_t k = 0; k <= count; k++)
            *(k == 0 ? &rims : &next) +=
                steps_of(cells, n, k, columns) + steps_of(cells, n, n - 2 - k, columns);
    return rims / (next / count);
}

/* Ratio of the mean step between the outermost two rows and columns to that of all; with `seam`, of
 * the step between the last and the first. */
static inline double steps_between(const float *cells, int32_t n, bool seam)
{
    double rims = 0, all = 0;
    for (int columns = 0; columns < 2; columns++) {
        for (int32_t line = 0; line < n - 1; line++)
            all += steps_of(cells, n, line, columns);
        rims += seam ? 2 * steps_of(cells, n, n - 1, columns)
                     : steps_of(cells, n, 0, columns) + steps_of(cells, n, n - 2, columns);
    }
    return rims / 4 / (all / (2 * (n - 1)));
}

#endif
