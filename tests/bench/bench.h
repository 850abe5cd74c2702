/* SPDX-License-Identifier: MIT */
/* Rows of the benchmark: a node, and the plain scalar loop it is compared with. A table of rows is
 * one file, kernels_<what>.c, and one line in bench.c. */
#ifndef TW_TESTS_BENCH_BENCH_H
#define TW_TESTS_BENCH_BENCH_H

#include <stdint.h>

struct bench_row {
    const char *name;
    /* A YAML mapping, or lines of several nodes, "id: {...}\n", of which `out` is the last. */
    const char *node;
    int32_t iterations; /* figures are divided by it; 1 where there are none */
    /* Does the same to `map`, width x height cells, which holds the input; may be NULL. */
    void (*reference)(float *map, int32_t width, int32_t height);
    /* Lines of the nodes that feed it, whose time does not count; NULL: BENCH_TERRAIN. */
    const char *before;
    int32_t things; /* figures are per thing, as polygons; 0: per cell of the map */
};

#define BENCH_TERRAIN "in: {type: bench.map}\n" /* rough terrain in 0..1 */
#define BENCH_NOTHING "none: {type: feature.points, count: 1}\n"

/* Ends with a row whose name is NULL. */
extern const struct bench_row bench_olsen[], bench_rivers[], bench_drops[], bench_noise[],
    bench_features[], bench_island[], bench_maps[];

#endif
