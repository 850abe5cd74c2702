/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* One extended box along a line, every cell summed anew: weights 1 for |k| <= r, alpha at r + 1. */
static void reference_box(const double *in, double *out, int32_t n, double v, bool wrap)
{
    int32_t r = 0;
    while ((double)(r + 1) * (r + 2) / 3 <= v)
        r++;
    double full = 2.0 * r + 1, end = (r + 1.0) * (r + 1.0);
    double alpha = full * (v - r * (r + 1.0) / 3) / (2 * (end - v));
    for (int32_t i = 0; i < n; i++) {
        double sum = 0;
        for (int32_t k = -r - 1; k <= r + 1; k++) {
            int32_t at = wrap ? tw_wrap(i + k, n) : tw_clamp_index(i + k, n);
            sum += in[at] * (k == -r - 1 || k == r + 1 ? alpha : 1);
        }
        out[i] = sum / (full + 2 * alpha);
    }
}

static void reference_line(float *line, int32_t n, int32_t step, double sigma, bool wrap)
{
    double *a = calloc((size_t)n, sizeof *a), *b = calloc((size_t)n, sizeof *b);
    assert_true(a && b);
    for (int32_t i = 0; i < n; i++)
        a[i] = (double)line[i * step];
    for (int pass = 0; pass < 3; pass++) {
        reference_box(a, b, n, sigma * sigma / 3, wrap);
        double *filled = b;
        b = a;
        a = filled;
    }
    for (int32_t i = 0; i < n; i++)
        line[i * step] = (float)a[i];
    free(a);
    free(b);
}

/* The sum over the window of cell i, where a block of `block` cells begins: first what is left over
 * by whole blocks, then these, each by itself. */
static double window_sum(const float *in, int32_t n, int32_t i, int32_t radius, int32_t block,
                         bool wrap)
{
    int32_t at = i - radius, end = i + radius + 1, parts = block > 0 ? (end - at) / block : 0;
    double sum = 0;
    for (; (end - at) > parts * block; at++)
        sum += (double)in[wrap ? tw_wrap(at, n) : tw_clamp_index(at, n)];
    while (at < end) {
        double part = 0;
        for (int32_t k = 0; k < block; k++, at++)
            part += (double)in[wrap ? tw_wrap(at, n) : tw_clamp_index(at, n)];
        sum += part;
    }
    return sum;
}

/* Three boxes by a sum that runs to the end of a block, one line of floats, in the order that the
 * node's bytes come from where sigma is above 4.4 cells. Blocks of a filter begin r + 1 cells
 * before those of the next. */
static void running_line(float *line, int32_t n, int32_t step, double sigma, bool wrap)
{
    double v = sigma * sigma / 3, r = (double)(int32_t)((sqrt(12 * v + 1) - 1) / 2);
    double alpha = (2 * r + 1) * (3 * v - r * (r + 1)) / (6 * ((r + 1) * (r + 1) - v));
    double scale = 1 / (2 * r + 1 + 2 * alpha), sum = 0;
    int32_t radius = (int32_t)r, window = 2 * radius + 1, parts = window / 32;
    int32_t block = parts == 0 ? 16 : window / (parts < 8 ? parts : 8);
    float *in = calloc((size_t)n, sizeof *in);
    assert_non_null(in);
    for (int pass = 0; pass < 3; pass++) {
        int32_t ahead = (2 - pass) * (radius + 1), first = ahead % n % block;
        for (int32_t i = 0; i < n; i++)
            in[i] = line[i * step];
        for (int32_t i = -first; i < n; i++) {
            int32_t low = i - radius - 1, old = i - radius, high = i + radius + 1;
            if ((i + ahead) % n % block == 0 || i == -first)
                sum = window_sum(in, n, i, radius, parts == 0 ? 0 : block, wrap);
            double ends = (double)in[wrap ? tw_wrap(low, n) : tw_clamp_index(low, n)] +
                          (double)in[wrap ? tw_wrap(high, n) : tw_clamp_index(high, n)];
            if (i >= 0)
                line[i * step] = (float)((sum + alpha * ends) * scale);
            sum += (double)in[wrap ? tw_wrap(high, n) : tw_clamp_index(high, n)] -
                   (double)in[wrap ? tw_wrap(old, n) : tw_clamp_index(old, n)];
        }
    }
    free(in);
}

/* A run that blurs the map. */
static struct harness give(const struct tw_value *map, const char *radius, bool wrap)
{
    static char nodes[200];
    snprintf(nodes, sizeof nodes,
             "\"a\": {type: test.map}\nout: {type: shape.blur, in: a, radius: %s, border: %s}",
             radius, wrap ? "wrap" : "clamp");
    harness_give(0, map);
    return (struct harness){.width = map->width, .height = map->height, .nodes = nodes};
}

typedef void filter_line(float *line, int32_t n, int32_t step, double sigma, bool wrap);

/* All rows, then all columns. */
static void filter(struct tw_value *map, filter_line *line, const char *radius, bool wrap)
{
    const double sigma = (double)strtof(radius, NULL) * map->width;
    for (int32_t y = 0; y < map->height; y++)
        line(tw_floats(map) + y * map->width, map->width, 1, sigma, wrap);
    for (int32_t x = 0; x < map->width; x++)
        line(tw_floats(map) + x, map->height, map->width, sigma, wrap);
}

/* Of heights that differ by powers of ten, the last bits of sums depend on their order. */
static void expect_running_sums(int32_t width, int32_t height, const char *radius, bool wrap)
{
    struct tw_value map = harness_terrain(width, height, 6);
    for (int32_t i = 0; i < width * height; i++)
        tw_floats(&map)[i] = ldexpf(tw_floats(&map)[i], i / 5 % 17 * 5);
    struct harness harness = give(&map, radius, wrap);
    struct tw_result *results[3];
    for (int i = 0; i < 3; i++) {
        harness.simd = everywhere_levels[i];
        results[i] = harness_run(&harness);
    }
    filter(&map, running_line, radius, wrap);
    for (int i = 0; i < 3; i++) {
        harness_same(tw_result_output(results[i], "out"), tw_floats(&map));
        tw_result_release(results[i]);
    }
    free(map.data);
}

/* Radii of 5 to 300 cells: none, one and eight sums of blocks in a window; blocks longer than the
 * line; columns just as long as they must be to be filtered without copies, and a cell shorter. */
static void gives_the_bytes_of_running_sums(void **state)
{
    const struct {
        int32_t width, height;
        const char *radii[3]; /* the first of 5 cells */
    } maps[] = {{64, 48, {"0.0782", "0.2", "1"}},  {101, 83, {"0.0496", "0.2", "1"}},
                {300, 40, {"0.0167", "0.2", "1"}}, {40, 600, {"0.126", "0.2", "1"}},
                {7, 70, {"0.715", "0.8", "1"}},    {34, 83, {"0.1472", "0.2", "1"}},
                {33, 82, {"0.1517", "0.2", "1"}},  {64, 81, {"0.0782", "0.2", "1"}},
                {48, 80, {"0.1043", "0.2", "1"}},  {150, 900, {"0.0334", "0.2", "1"}}};
    (void)state;
    for (int i = 0; i < (SANITIZED ? 9 : 10); i++)
        for (int k = 0; k < 3; k++)
            for (int wrap = 0; wrap < 2; wrap++)
                expect_running_sums(maps[i].width, maps[i].height, maps[i].radii[k], wrap);
}

/* Blocks may begin at any cell from the column's end. */
static void columns_may_end_anywhere_in_a_block(void **state)
{
    (void)state;
    for (int32_t height = 80; height < 100; height++)
        for (int wrap = 0; wrap < 2; wrap++)
            expect_running_sums(33, height, "0.15", wrap);
}

static void check(int32_t width, int32_t height, const char *radius, bool wrap)
{
    struct tw_value map = harness_terrain(width, height, 4);
    const struct harness harness = give(&map, radius, wrap);
    struct tw_result *result = harness_run(&harness);
    const float *out = tw_floats(tw_result_output(result, "out"));
    everywhere(harness, "out", out);
    filter(&map, reference_line, radius, wrap);
    for (size_t i = 0; i < tw_value_count(&map); i++)
        assert_true(fabsf(out[i] - tw_floats(&map)[i]) < 2e-6f);
    tw_result_release(result);
    free(map.data);
}

static void equals_the_sum_over_every_window(void **state)
{
    const int32_t sizes[][2] = {{1, 1}, {1, 40}, {40, 1}, {33, 17}, {70, 51}, {257, 129}};
    (void)state;
    for (int i = 0; i < 6; i++)
        for (int wrap = 0; wrap < 2; wrap++) {
            check(sizes[i][0], sizes[i][1], "0.001", wrap);
            check(sizes[i][0], sizes[i][1], "0.02", wrap);
        }
}

/* More lines than are at work at a time. */
static void takes_maps_of_many_lines(void **state)
{
    (void)state;
    check(1100, 9, "0.003", true);
    check(9, 1100, "0.3", false);
}

/* Windows wider than the map, several times around it on the torus. */
static void takes_windows_wider_than_the_map(void **state)
{
    (void)state;
    check(70, 51, "1", true);
    check(70, 51, "1", false);
    check(90, 7, "0.7", true);
    check(90, 7, "0.7", false);
}

/* Its variance exactly, its shape to 16 % of the peak: over 4.4 cells by other code. */
static void spreads_a_peak_as_the_gaussian_does(void **state)
{
    enum { SIDE = 129 };
    static float cells[SIDE * SIDE];
    static const double sigmas[] = {1, 1.41421356, 2.45, 4, 4.5, 6.45, 12};
    (void)state;
    cells[64 * SIDE + 64] = 1;
    for (size_t k = 0; k < sizeof sigmas / sizeof *sigmas; k++) {
        char nodes[100];
        double sum = 0, variance = 0, square = sigmas[k] * sigmas[k],
               peak = 1 / (6.283185307 * square);
        harness_give(0, &(struct tw_value){TW_HEIGHTMAP, SIDE, SIDE, cells});
        snprintf(nodes, sizeof nodes,
                 "a: {type: test.map}\nout: {type: shape.blur, in: a, radius: %.9g}",
                 sigmas[k] / SIDE);
        struct tw_result *result =
            harness_run(&(struct harness){.width = SIDE, .height = SIDE, .nodes = nodes});
        const float *out = tw_floats(tw_result_output(result, "out"));
        for (int32_t i = 0; i < SIDE * SIDE; i++) {
            double dx = i % SIDE - 64, dy = i / SIDE - 64;
            double gauss = exp(-(dx * dx + dy * dy) / (2 * square)) * peak;
            sum += (double)out[i];
            variance += (double)out[i] * dx * dx;
            assert_true(fabs((double)out[i] - gauss) < 0.16 * peak);
        }
        assert_true(fabs(sum - 1) < 1e-6 && fabs(variance / square - 1) < 1e-5);
        tw_result_release(result);
    }
}

static void keeps_a_flat_map_and_radius_0(void **state)
{
    struct tw_value map = harness_terrain(64, 64, 4);
    (void)state;
    harness_give(0, &map);
    struct tw_result *result = harness_run(&(struct harness){
        .nodes = "flat: {type: source.constant, value: 0.3}\n"
                 "a: {type: test.map}\n"
                 "still: {type: shape.blur, in: flat, radius: 0.3}\n"
                 "ends: {type: shape.blur, in: flat, radius: 0.3, border: clamp}\n"
                 "same: {type: shape.blur, in: a, radius: 0}\n"});
    const float *flat = tw_floats(tw_result_output(result, "flat"));
    harness_same(tw_result_output(result, "still"), flat);
    harness_same(tw_result_output(result, "ends"), flat);
    harness_same(tw_result_output(result, "same"), tw_floats(&map));
    tw_result_release(result);
    free(map.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_the_sum_over_every_window),
                                       cmocka_unit_test(gives_the_bytes_of_running_sums),
                                       cmocka_unit_test(columns_may_end_anywhere_in_a_block),
                                       cmocka_unit_test(takes_maps_of_many_lines),
                                       cmocka_unit_test(takes_windows_wider_than_the_map),
                                       cmocka_unit_test(spreads_a_peak_as_the_gaussian_does),
                                       cmocka_unit_test(keeps_a_flat_map_and_radius_0)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
