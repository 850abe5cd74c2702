/* SPDX-License-Identifier: MIT */
/* Compares pointwise nodes with their equation in plain scalar C, at odd sizes, in place and not.
 */
#ifndef TW_TESTS_SUPPORT_POINTWISE_H
#define TW_TESTS_SUPPORT_POINTWISE_H

#include "support/everywhere.h"

#include <stdlib.h>
#include <string.h>

/* `nodes` computes "out" from "a" (slot 0, in -1..2), "b" (slot 1, in 0..1) and "c" (slot 2, in
 * 0..1). It quotes the key of a, which hides it from the harness: a is then no output, and the node
 * may run in place. A second run without quotes makes a an output. */
typedef float pointwise_fn(float a, float b, float c);

static inline void pointwise_check_size(const char *nodes, pointwise_fn *equation, int32_t width,
                                        int32_t height)
{
    struct tw_value in[3];
    float *expected = malloc((size_t)width * (size_t)height * sizeof *expected);
    assert_non_null(expected);
    for (int k = 0; k < 3; k++) {
        in[k] = harness_terrain(width, height, (uint64_t)k + 1);
        harness_give(k, &in[k]);
    }
    for (size_t i = 0; i < tw_value_count(&in[0]); i++) {
        float *a = tw_floats(&in[0]) + i;
        *a = *a * 3 - 1; /* negative heights too */
        expected[i] = equation(*a, tw_floats(&in[1])[i], tw_floats(&in[2])[i]);
    }
    everywhere((struct harness){.width = width, .height = height, .nodes = nodes}, "out", expected);
    for (int k = 0; k < 3; k++)
        free(in[k].data);
    free(expected);
}

/* A copy without quotes; free(). */
static inline char *pointwise_shown(const char *nodes)
{
    char *shown = calloc(1, strlen(nodes) + 1), *to = shown;
    assert_non_null(shown);
    for (; *nodes; nodes++)
        if (*nodes != '"')
            *to++ = *nodes;
    return shown;
}

static inline void pointwise_check(const char *nodes, pointwise_fn *equation)
{
    const int32_t sizes[][2] = {{1, 1}, {1, 37}, {41, 1}, {257, 129}, {64, 300}};
    char *shown = pointwise_shown(nodes);
    for (int i = 0; i < 5; i++) {
        pointwise_check_size(nodes, equation, sizes[i][0], sizes[i][1]);
        pointwise_check_size(shown, equation, sizes[i][0], sizes[i][1]);
    }
    free(shown);
}

#endif
