/* SPDX-License-Identifier: MIT */
/* Rows of the benchmark: a node, and the plain scalar loop it is compared with. A table of rows is
 * one file, kernels_<what>.c, and one line in bench.c. */
#ifndef TW_TESTS_BENCH_H
#define TW_TESTS_BENCH_H

#include <stdint.h>

struct bench_row {
    const char *name;
    const char *node;   /* YAML mapping; its input, if any, is `in`, rough terrain in 0..1 */
    int32_t iterations; /* figures are divided by it; 1 where there are none */
    /* Does the same to `map`, width x height cells, which holds the input; may be NULL. */
    void (*reference)(float *map, int32_t width, int32_t height);
};

/* Ends with a row whose name is NULL. */
extern const struct bench_row bench_olsen[], bench_rivers[], bench_drops[];

#endif
