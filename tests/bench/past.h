/* SPDX-License-Identifier: MIT */
/* A former result of the benchmark (--json) that a new one is compared with: what became slower or
 * faster by more than the noise of both. A row's noise is the range between the quartiles of its
 * turns; one of three turns or fewer has all of them within. Rows from before ranges were written
 * count as known to a tenth. */
#ifndef TW_TESTS_BENCH_PAST_H
#define TW_TESTS_BENCH_PAST_H

#include <stdint.h>

/* ns: the median of a row and the quartiles of its turns. */
struct bench_range {
    double middle, low, high;
};

struct bench_past;

/* NULL and a message when it is no result, or one of another clock or number of threads. */
struct bench_past *bench_past_read(const char *path, const char *clock, int32_t threads);
void bench_past_compare(struct bench_past *past, const char *name, int32_t width,
                        const struct bench_range *now);
/* Prints the sums and releases it; the number of rows that became slower. */
int bench_past_finish(struct bench_past *past);

#endif
