/* SPDX-License-Identifier: MIT */
#include "support/kernel.h"

#include "support/everywhere.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tw_result *run(const struct tw_value *in, const char *node, const char *simd,
                             int32_t threads, const char *outputs)
{
    char nodes[1024];
    snprintf(nodes, sizeof nodes, "in: {type: test.map}\nout: %s\n", node);
    harness_give(0, in);
    return harness_run(&(struct harness){.width = in->width,
                                         .height = in->height,
                                         .simd = simd,
                                         .threads = threads,
                                         .nodes = nodes,
                                         .outputs = outputs});
}

static void equals_at(kernel_reference *reference, const char *node, bool water, int32_t width,
                      int32_t height)
{
    static const int32_t threads[] = {1, 2, 8};
    struct tw_value in = harness_terrain(width, height, (uint64_t)width);
    struct tw_value expected = in;
    size_t count = tw_value_count(&in);
    float *expected_water = calloc(count, sizeof(float));
    expected.data = malloc(count * sizeof(float));
    assert_true(expected_water && expected.data);
    memcpy(expected.data, in.data, count * sizeof(float));
    reference(&expected, expected_water);
    /* Small maps run all nine combinations; above 2^14 cells each level and each number of threads
     * once; above 2^17 only the widest lanes and all threads. Sanitizers run fewer. */
    bool middle = SANITIZED || count > 1 << 14, large = count > (SANITIZED ? 1 << 14 : 1 << 17);
    for (int i = large ? 8 : 0; i < 9; i += middle ? 4 : 1) {
        if (!middle && everywhere_twice(i / 3))
            continue;
        struct tw_result *result = run(&in, node, everywhere_levels[i / 3], threads[i % 3],
                                       water ? "water: out.water\n" : NULL);
        harness_same(tw_result_output(result, "out"), tw_floats(&expected));
        if (water)
            harness_same(tw_result_output(result, "water"), expected_water);
        tw_result_release(result);
    }
    free(expected_water);
    free(expected.data);
    free(in.data);
}

enum { LARGE = SANITIZED ? 2 : 0 }; /* drops the last sizes, of several tiles like those before */

void kernel_equals(kernel_reference *reference, const char *node, bool water)
{
    static const int32_t sizes[][2] = {{1, 1},     {1, 9},     {9, 1},     {2, 24},    {2, 31},
                                       {3, 48},    {1, 30},    {31, 23},   {24, 24},   {25, 25},
                                       {31, 31},   {100, 37},  {40, 130},  {257, 129}, {129, 263},
                                       {258, 130}, {1030, 70}, {33, 1100}, {5, 1024},  {70, 65},
                                       {66, 128},  {70, 129},  {560, 200}, {512, 512}, {1030, 257}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes - LARGE; i++)
        equals_at(reference, node, water, sizes[i][0], sizes[i][1]);
}

void kernel_is_raster_below_24_rows(const char *type)
{
    static const char *const borders[] = {"closed", "wrap"};
    for (int i = 0; i < 4; i++) {
        struct tw_value in = harness_terrain(31, i % 2 ? 24 : 23, 5);
        char bands[200], raster[200];
        snprintf(bands, sizeof bands, "{type: %s, in: in, iterations: 5, border: %s}", type,
                 borders[i / 2]);
        snprintf(raster, sizeof raster,
                 "{type: %s, in: in, iterations: 5, border: %s, order: raster}", type,
                 borders[i / 2]);
        struct tw_result *a = run(&in, bands, NULL, 1, NULL), *b = run(&in, raster, NULL, 1, NULL);
        const float *of_a = tw_floats(tw_result_output(a, "out"));
        const float *of_b = tw_floats(tw_result_output(b, "out"));
        bool same = memcmp(of_a, of_b, tw_value_count(&in) * sizeof *of_a) == 0;
        assert_int_equal(same, in.height < 24);
        tw_result_release(a);
        tw_result_release(b);
        free(in.data);
    }
}

void kernel_gives(const struct tw_value *in, const char *node, const float *expected)
{
    struct tw_result *result = run(in, node, NULL, 1, NULL);
    harness_same(tw_result_output(result, "out"), expected);
    tw_result_release(result);
}

void kernel_keeps_sum(const char *node, double tolerance)
{
    struct tw_value in = harness_terrain(61, 47, 1);
    struct tw_result *result = run(&in, node, NULL, 1, NULL);
    const float *out = tw_floats(tw_result_output(result, "out"));
    double before = 0, after = 0;
    for (size_t i = 0; i < tw_value_count(&in); i++) {
        before += (double)tw_floats(&in)[i];
        after += (double)out[i];
    }
    assert_true(fabs(after - before) < tolerance * before);
    assert_memory_not_equal(out, in.data, tw_value_count(&in) * sizeof *out);
    tw_result_release(result);
    free(in.data);
}

void kernel_is_identity(const char *node)
{
    struct tw_value in = harness_terrain(61, 47, 1);
    kernel_gives(&in, node, tw_floats(&in));
    free(in.data);
}

void kernel_refuses(const char *node, const char *word)
{
    struct tw_value in = harness_terrain(64, 64, 1);
    char nodes[1024];
    snprintf(nodes, sizeof nodes, "in: {type: test.map}\nout: %s\n", node);
    harness_give(0, &in);
    struct tw_error error = harness_fail(&(struct harness){.nodes = nodes});
    if (!strstr(error.message, word) && !strstr(error.path, word))
        fail_msg("%s: %s", error.path, error.message);
    free(in.data);
}
