/* SPDX-License-Identifier: MIT */
#include "reference/flow_mfd.h"
#include "support/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static struct tw_result *flow(const struct tw_value *map, const char *nodes, int32_t threads,
                              const char *simd)
{
    harness_give(0, map);
    return harness_run(&(struct harness){.width = map->width,
                                         .height = map->height,
                                         .nodes = nodes,
                                         .threads = threads,
                                         .simd = simd});
}

static const char d8[] = "in: {type: test.map}\n"
                         "out: {type: measure.flow, in: in, scale: cells, border: closed}\n"
                         "out2: {type: measure.flow, in: in, border: closed}\n"
                         "out3: {type: measure.flow, in: in, scale: log, border: closed}\n";
static const char torus_mfd[] =
    "in: {type: test.map}\n"
    "out: {type: measure.flow, in: in, scale: cells, method: mfd, border: wrap}\n";
static const char mfd[] =
    "in: {type: test.map}\n"
    "out: {type: measure.flow, in: in, scale: cells, method: mfd, border: closed}\n";
static const char torus[] =
    "in: {type: test.map}\n"
    "out: {type: measure.flow, in: in, scale: cells, border: wrap}\n"
    "out2: {type: measure.flow, in: in, scale: cells, method: mfd, border: wrap}\n";

/* Whatever runs in must leave over the border. */
static double exported(const struct tw_value *area)
{
    double sum = 0;
    for (int32_t y = 0; y < area->height; y++)
        for (int32_t x = 0; x < area->width; x++)
            if (x == 0 || y == 0 || x == area->width - 1 || y == area->height - 1)
                sum += (double)tw_floats(area)[y * area->width + x];
    return sum;
}

/* Cell of a square map of n cells a side that comes to `cell` in a quarter turn. */
static int32_t turned(int32_t cell, int32_t n) { return cell % n * n + n - 1 - cell / n; }

/* Ways through lakes included, with no two heights alike. Sums of mfd are rounded in another order.
 */
static void turns_with_the_map(void **state)
{
    enum { N = 161, CELLS = N * N };
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        const char *nodes = seed % 3 == 0 ? d8 : seed % 3 == 1 ? torus : mfd;
        struct tw_value map = harness_terrain(N, N, seed), other = harness_terrain(N, N, seed);
        for (int32_t c = 0; c < CELLS; c++)
            tw_floats(&other)[c] = tw_floats(&map)[turned(c, N)];
        struct tw_result *straight = flow(&map, nodes, 2, NULL);
        struct tw_result *round = flow(&other, nodes, 2, NULL);
        const float *a = tw_floats(tw_result_output(straight, "out"));
        const float *b = tw_floats(tw_result_output(round, "out"));
        for (int32_t c = 0; c < CELLS; c++)
            assert_true(fabs((double)b[c] / (double)a[turned(c, N)] - 1) <=
                        (nodes == mfd ? 1e-4 : 0));
        tw_result_release(straight);
        tw_result_release(round);
        free(map.data);
        free(other.data);
    }
}

static void every_cell_reaches_the_border(void **state)
{
    static const int32_t sizes[][2] = {{61, 47}, {257, 129}, {3, 3}, {1, 1}, {1, 9}, {40, 3}};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct tw_value map = harness_terrain(sizes[i][0], sizes[i][1], i);
        struct tw_result *result = flow(&map, d8, 2, NULL);
        double cells = (double)tw_value_count(&map);
        assert_true(exported(tw_result_output(result, "out")) == cells);
        tw_result_release(result);
        result = flow(&map, mfd, 2, NULL);
        assert_true(fabs(exported(tw_result_output(result, "out")) / cells - 1) < 1e-5);
        tw_result_release(result);
        free(map.data);
    }
}

/* Drops between the highest float and the lowest overflow, which is no number to share by. */
static void water_falls_off_the_highest_cliffs(void **state)
{
    struct tw_value map = harness_terrain(41, 33, 6);
    (void)state;
    for (int32_t i = 0; i < 41 * 33; i++)
        tw_floats(&map)[i] = tw_floats(&map)[i] > 0.5f ? 3.4e38f : -3.4e38f;
    for (int i = 0; i < 6; i++) {
        const char *level = (const char *[]){"base", "avx2", NULL}[i % 3];
        struct tw_result *result = flow(&map, i < 3 ? d8 : mfd, 2, level);
        assert_true(exported(tw_result_output(result, "out")) == 41 * 33);
        tw_result_release(result);
    }
    free(map.data);
}

/* A flat map: all cells, and no river longer than the way to the border needs. */
static void drains_a_flat_by_the_shortest_way(void **state)
{
    float cells[33 * 33] = {0};
    struct tw_value map = {TW_HEIGHTMAP, 33, 33, cells};
    (void)state;
    struct tw_result *result = flow(&map, d8, 1, NULL);
    const struct tw_value *out = tw_result_output(result, "out");
    assert_true(exported(out) == 33 * 33);
    for (int i = 0; i < 33 * 33; i++)
        assert_true(tw_floats(out)[i] <= 16 * 16);
    tw_result_release(result);
}

/* Whatever runs in must leave where a torus is lowest. */
static void every_cell_of_a_torus_reaches_the_lowest(void **state)
{
    static const int32_t sizes[][2] = {{61, 47}, {257, 129}, {3, 3}, {1, 1}, {1, 9}, {40, 2}};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct tw_value map = harness_terrain(sizes[i][0], sizes[i][1], i);
        int32_t cells = map.width * map.height, lowest = 0;
        for (int32_t k = 0; k < cells; k++)
            lowest = tw_floats(&map)[k] < tw_floats(&map)[lowest] ? k : lowest;
        struct tw_result *result = flow(&map, torus, 2, NULL);
        assert_true(tw_floats(tw_result_output(result, "out"))[lowest] == (float)cells);
        double spread = (double)tw_floats(tw_result_output(result, "out2"))[lowest];
        assert_true(fabs(spread / cells - 1) < 1e-5);
        tw_result_release(result);
        free(map.data);
    }
}

/* A level torus is lowest everywhere. */
static void a_level_torus_keeps_its_water(void **state)
{
    float cells[12 * 9] = {0};
    struct tw_value map = {TW_HEIGHTMAP, 12, 9, cells};
    (void)state;
    struct tw_result *result = flow(&map, torus, 1, NULL);
    for (int i = 0; i < 12 * 9; i++)
        assert_true(tw_floats(tw_result_output(result, "out"))[i] == 1 &&
                    tw_floats(tw_result_output(result, "out2"))[i] == 1);
    tw_result_release(result);
}

/* The cell to which a cell drains by definition, or itself. */
static int32_t receiver(const struct tw_value *map, int32_t cell, bool wrap)
{
    int32_t w = map->width, h = map->height, x = cell % w, y = cell / w, to = cell;
    float best = 0;
    if (!wrap && (x == 0 || y == 0 || x == w - 1 || y == h - 1))
        return cell;
    for (int32_t k = 0; k < 9; k++) {
        int32_t next = (y + k / 3 - 1 + h) % h * w + (x + k % 3 - 1 + w) % w;
        float drop = tw_floats(map)[cell] - tw_floats(map)[next];
        drop *= k % 2 == 0 ? 0.70710678f : 1.0f;
        if (drop > best) {
            best = drop;
            to = next;
        }
    }
    return to;
}

/* Area by definition on a map without depressions: follow the steepest way from every cell. */
static void count_paths(const struct tw_value *map, bool wrap)
{
    float *expected = calloc(tw_value_count(map), sizeof *expected);
    assert_non_null(expected);
    for (int32_t i = 0; i < map->width * map->height; i++) {
        int32_t cell, next = i;
        do {
            cell = next;
            expected[cell] += 1;
            next = receiver(map, cell, wrap);
        } while (next != cell);
    }
    struct tw_result *result = flow(map, wrap ? torus : d8, 2, NULL);
    harness_same(tw_result_output(result, "out"), expected);
    tw_result_release(result);
    free(expected);
}

static void area_is_the_count_of_paths(void **state)
{
    struct tw_value map = harness_terrain(50, 41, 8), funnel = harness_terrain(50, 41, 8);
    (void)state;
    for (int32_t i = 0; i < 50 * 41; i++) {
        int32_t x = abs(i % 50 - 7), y = abs(i / 50 - 31); /* from the funnel's bottom */
        float distance = hypotf((float)(x > 25 ? 50 - x : x), (float)(y > 20 ? 41 - y : y));
        tw_floats(&map)[i] = 0.3f * tw_floats(&map)[i] + (float)(i / 50) + 0.9f * (float)(i % 50);
        tw_floats(&funnel)[i] = 0.3f * tw_floats(&funnel)[i] + distance;
    }
    count_paths(&map, false);
    count_paths(&funnel, true);
    free(map.data);
    free(funnel.data);
}

static void scales_agree(void **state)
{
    struct tw_value map = harness_terrain(31, 64, 2);
    (void)state;
    struct tw_result *result = flow(&map, d8, 1, NULL);
    const float *cells = tw_floats(tw_result_output(result, "out"));
    const float *share = tw_floats(tw_result_output(result, "out2"));
    const float *log01 = tw_floats(tw_result_output(result, "out3"));
    for (int i = 0; i < 31 * 64; i++) {
        assert_true(fabs((double)share[i] * 31 * 64 - (double)cells[i]) < 1e-3);
        assert_true(fabs(log((double)cells[i]) / log(31.0 * 64) - (double)log01[i]) < 1e-6);
    }
    tw_result_release(result);
    free(map.data);
}

/* On a plane that falls to the south-east by 1 and 2 a cell, Freeman's shares are by hand. */
static void mfd_shares_by_slope(void **state)
{
    float cells[25];
    struct tw_value map = {TW_HEIGHTMAP, 5, 5, cells};
    (void)state;
    for (int i = 0; i < 25; i++)
        cells[i] = (float)(-(i % 5) - 2 * (i / 5));
    struct tw_result *result = flow(&map, mfd, 1, NULL);
    const float *out = tw_floats(tw_result_output(result, "out"));
    double east = 1, south = pow(2, 1.1), se = pow(3 / sqrt(2), 1.1), sw = pow(1 / sqrt(2), 1.1);
    double sum = east + south + se + sw, second = 1 + east / sum;
    assert_true(out[6] == 1); /* border cells do not give */
    assert_true(fabs((double)out[7] - second) < 1e-5);
    assert_true(fabs((double)out[10] - (1 + sw / sum)) < 1e-5);
    assert_true(fabs((double)out[11] - (1 + south / sum + second * sw / sum)) < 1e-5);
    tw_result_release(result);
}

/* Rough land without depressions: a slope, or on a torus a funnel. */
static struct tw_value without_depressions(int32_t width, int32_t height, bool wrap)
{
    struct tw_value map = harness_terrain(width, height, 8);
    for (int32_t i = 0; i < width * height; i++) {
        int32_t x = abs(i % width - 7), y = abs(i / width - 31);
        float distance = hypotf((float)(x > width / 2 ? width - x : x),
                                (float)(y > height / 2 ? height - y : y));
        float slope = (float)(i / width) + 0.9f * (float)(i % width);
        tw_floats(&map)[i] = 0.3f * tw_floats(&map)[i] + (wrap ? distance : slope);
    }
    return map;
}

/* 20: many shares are too small for a float. 1: no powers are taken. */
static void mfd_gives_the_bytes_of_a_plain_loop(void **state)
{
    static const float exponents[] = {0.1f, 1, 1.1f, 3.7f, 20};
    (void)state;
    for (int i = 0; i < 10; i++) {
        struct tw_value map = without_depressions(150, 70, i % 2);
        float *expected = flow_mfd_reference(&map, exponents[i / 2], i % 2);
        char nodes[256];
        snprintf(nodes, sizeof nodes,
                 "in: {type: test.map}\n"
                 "out: {type: measure.flow, in: in, scale: cells, method: mfd, exponent: %.9g, "
                 "border: %s}\n",
                 (double)exponents[i / 2], i % 2 ? "wrap" : "closed");
        for (int level = 0; level < 3; level++) {
            struct tw_result *result =
                flow(&map, nodes, 2, (const char *[]){"base", "avx2", NULL}[level]);
            harness_same(tw_result_output(result, "out"), expected);
            tw_result_release(result);
        }
        free(expected);
        free(map.data);
    }
}

/* A smooth hill and a long spine, whose top is the one cell that all ways come from. */
static void mfd_tells_long_ways_apart(void **state)
{
    static const int32_t sizes[][2] = {{220, 200}, {21, 1200}};
    (void)state;
    for (int i = 0; i < 2; i++) {
        int32_t width = sizes[i][0], height = sizes[i][1];
        struct tw_value map = harness_terrain(width, height, 8);
        for (int32_t cell = 0; cell < width * height; cell++) {
            float x = (float)(cell % width - width / 2), y = (float)(cell / width);
            float off = y - (float)(height / 2);
            tw_floats(&map)[cell] = i ? -y - 0.7f * fabsf(x) : -sqrtf(x * x + off * off);
        }
        float *expected = flow_mfd_reference(&map, 1.1f, false);
        for (int32_t threads = 1; threads < 4; threads++) {
            struct tw_result *result = flow(&map, mfd, threads, NULL);
            harness_same(tw_result_output(result, "out"), expected);
            tw_result_release(result);
        }
        free(expected);
        free(map.data);
    }
}

/* Maps of one strip of rows, of a strip of a single row, of as many as there are. */
static void mfd_strips_add_in_the_same_order(void **state)
{
    static const int32_t sizes[][2] = {{1, 1},   {5, 2},   {2, 40},   {3, 33},
                                       {40, 33}, {31, 65}, {37, 257}, {65, 300}};
    static const int32_t threads[] = {1, 2, 3, 8};
    (void)state;
    for (int i = 0; i < 16; i++) {
        bool wrap = i % 2;
        struct tw_value map = without_depressions(sizes[i / 2][0], sizes[i / 2][1], wrap);
        float *expected = flow_mfd_reference(&map, 1.1f, wrap);
        for (int k = 0; k < 4; k++) {
            struct tw_result *result = flow(&map, wrap ? torus_mfd : mfd, threads[k], NULL);
            harness_same(tw_result_output(result, "out"), expected);
            tw_result_release(result);
        }
        free(expected);
        free(map.data);
    }
}

static void gives_the_same_bytes_everywhere(void **state)
{
    static const char *const levels[] = {"base", "avx2", NULL};
    struct tw_value map = harness_terrain(131, 77, 4);
    (void)state;
    for (int method = 0; method < 3; method++) {
        const char *nodes = (const char *[]){d8, mfd, torus}[method];
        struct tw_result *first = flow(&map, nodes, 1, "base");
        for (int i = 0; i < 9; i++) {
            struct tw_result *next = flow(&map, nodes, (int32_t[]){1, 2, 8}[i / 3], levels[i % 3]);
            harness_same(tw_result_output(next, "out"), tw_floats(tw_result_output(first, "out")));
            tw_result_release(next);
        }
        tw_result_release(first);
    }
    free(map.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_with_the_map),
        cmocka_unit_test(every_cell_reaches_the_border),
        cmocka_unit_test(water_falls_off_the_highest_cliffs),
        cmocka_unit_test(drains_a_flat_by_the_shortest_way),
        cmocka_unit_test(every_cell_of_a_torus_reaches_the_lowest),
        cmocka_unit_test(a_level_torus_keeps_its_water),
        cmocka_unit_test(area_is_the_count_of_paths),
        cmocka_unit_test(scales_agree),
        cmocka_unit_test(mfd_shares_by_slope),
        cmocka_unit_test(mfd_gives_the_bytes_of_a_plain_loop),
        cmocka_unit_test(mfd_tells_long_ways_apart),
        cmocka_unit_test(mfd_strips_add_in_the_same_order),
        cmocka_unit_test(gives_the_same_bytes_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
