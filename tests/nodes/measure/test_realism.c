/* SPDX-License-Identifier: MIT */
#include "measure/kernels/distinct.h"
#include "measure/kernels/order_statistics.h"
#include "reference/realism.h"
#include "support/everywhere.h"
#include "support/record.h"

#include <thalweg/realism.h>

#include <stdio.h>

enum { NUMBERS = 10, SIDE = 128 };

static const char *const names[NUMBERS] = {"hollows", "upside", "theta", "scatter",    "branching",
                                           "crests",  "fine",   "steep", "prominence", "peaks"};

/* ---- maps ---- */

static struct tw_value new_map(int32_t width, int32_t height)
{
    struct tw_value map = {TW_HEIGHTMAP, width, height, NULL};
    map.data = calloc(tw_value_count(&map), sizeof(float));
    assert_non_null(map.data);
    return map;
}

/* A sum of waves that meet on a torus, without two cells of one height. */
static struct tw_value waves(void)
{
    struct tw_value map = new_map(SIDE, SIDE);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            double z = 0;
            for (int k = 1; k <= 24; k++) {
                int a = 3 * k % 7 - 3 + k, b = 5 * k % 11 - 5 + k;
                z += pow(k, -1.5) * sin(2 * acos(-1) * (a * x + b * y) / SIDE + k * k);
            }
            tw_floats(&map)[y * SIDE + x] = (float)z;
        }
    return map;
}

/* In so many steps a height: ties, level ground, lakes with several ways out. */
static struct tw_value stepped(int32_t width, int32_t height, uint64_t seed, float steps)
{
    struct tw_value map = harness_terrain(width, height, seed);
    for (int32_t i = 0; i < width * height; i++)
        tw_floats(&map)[i] = floorf(tw_floats(&map)[i] * steps);
    return map;
}

static struct tw_value disc(int32_t width, int32_t height)
{
    struct tw_value mask = new_map(width, height);
    mask.type = TW_MASK;
    for (int32_t i = 0; i < width * height; i++) {
        double x = i % width / (double)width - 0.6, y = i / width / (double)height - 0.45;
        tw_floats(&mask)[i] = x * x + y * y < 0.12 ? 0.7f : 0.3f;
    }
    return mask;
}

/* ---- runs ---- */

struct trial {
    const struct tw_value *map, *mask;
    bool wrap;
    double side_m; /* 0: not given */
    int32_t threads;
    const char *simd;
};

static struct tw_result *measure(const struct trial *t)
{
    char nodes[300], head[100] = "";
    harness_give(0, t->map);
    if (t->mask)
        harness_give(1, t->mask);
    snprintf(nodes, sizeof nodes,
             "in: {type: test.map}\n%srealism: {type: measure.realism, in: in, border: %s%s}\n",
             t->mask ? "m: {type: test.mask, slot: 1}\n" : "", t->wrap ? "wrap" : "closed",
             t->mask ? ", mask: m" : "");
    if (t->side_m > 0)
        snprintf(head, sizeof head, "world: {side_m: %.9g}\n", t->side_m);
    return harness_run(&(struct harness){.width = t->map->width,
                                         .height = t->map->height,
                                         .threads = t->threads,
                                         .simd = t->simd,
                                         .nodes = nodes,
                                         .head = head});
}

static double field(const struct tw_result *result, const char *name)
{
    return record_number(tw_result_output(result, "realism"), name);
}

static void expect(const char *what, double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%s: %.12g, not %.12g", what, found, expected);
}

static void expect_same(const struct tw_result *a, const struct tw_result *b, double tolerance)
{
    for (int i = 0; i < NUMBERS; i++)
        expect(names[i], field(a, names[i]), field(b, names[i]), tolerance);
}

/* ---- the definitions ---- */

static double *means(const struct tw_value *map, int32_t f)
{
    int32_t w = map->width / f, h = map->height / f;
    double *to = calloc((size_t)(w * h), sizeof *to);
    assert_non_null(to);
    for (int32_t i = 0; i < w * f * h * f; i++) {
        int32_t x = i % (w * f), y = i / (w * f);
        to[y / f * w + x / f] += (double)tw_floats(map)[y * map->width + x];
    }
    for (int32_t i = 0; i < w * h; i++)
        to[i] /= f * f;
    return to;
}

static struct realism_numbers reference(const struct trial *t, int32_t f)
{
    struct realism_map m = {t->map->width / f, t->map->height / f, t->wrap, means(t->map, f), NULL};
    unsigned char *counts = t->mask ? malloc((size_t)(m.w * m.h)) : NULL;
    double *shares = t->mask ? means(t->mask, f) : NULL;
    for (int i = 0; counts && i < m.w * m.h; i++)
        counts[i] = shares[i] >= 0.5;
    m.counts = counts;
    struct realism_numbers n = realism_reference(&m);
    free((void *)(uintptr_t)m.z);
    free(counts);
    free(shares);
    return n;
}

static void check(const struct trial *t, int32_t f)
{
    const struct realism_numbers n = reference(t, f);
    const double expected[NUMBERS] = {n.hollows, n.upside, n.theta, n.scatter,    n.branching,
                                      n.crests,  n.fine,   n.steep, n.prominence, n.peaks};
    struct tw_result *result = measure(t);
    double inside = 0, distance = 0;
    expect("cells", field(result, "cells"), n.cells, 0);
    for (int i = 0; i < NUMBERS; i++)
        expect(names[i], field(result, names[i]), expected[i], 1e-9);
    for (int i = 0; i < TW_REALISM_COUNT; i++) {
        const struct tw_realism_band *band = tw_realism_bands(field(result, "cell_m")) + i;
        char name[40];
        double far = expected[i] - band->p50, half = far > 0 ? band->p95 : band->p5;
        snprintf(name, sizeof name, "%s_verdict", names[i]);
        inside += expected[i] >= band->p5 && expected[i] <= band->p95;
        distance += far / (half - band->p50) / 9;
        expect(name, field(result, name), (expected[i] > band->p95) - (expected[i] < band->p5), 0);
    }
    expect("inside", field(result, "inside"), inside, 0);
    expect("distance", field(result, "distance"), distance, 1e-6);
    tw_result_release(result);
}

/* The numbers that the definition of the node gives for this map. */
static void waves_have_their_numbers(void **state)
{
    static const double expected[2][NUMBERS] = {{.064026, .066274, .366832, 1.397228, .236515,
                                                 .032657, 1.705068, 2.560921, .631517, 21.362305},
                                                {.102844, .397719, .372315, 1.265153, .157176,
                                                 .037456, 1.705068, 2.562923, 1.529447, 14.648438}};
    struct tw_value map = waves();
    (void)state;
    for (int wrap = 0; wrap < 2; wrap++) {
        struct tw_result *result = measure(&(struct trial){.map = &map, .wrap = wrap});
        for (int i = 0; i < NUMBERS; i++)
            expect(names[i], field(result, names[i]), expected[wrap][i], 1e-6);
        expect("cell_m", field(result, "cell_m"), 0, 0);
        expect("comparable", field(result, "comparable"), 1, 0);
        tw_result_release(result);
    }
    free(map.data);
}

static void equals_the_definitions(void **state)
{
    static const struct {
        int32_t width, height;
        float steps; /* 0: heights as they come */
    } rows[] = {{160, 131, 0}, {128, 200, 200}, {141, 150, 30}, {130, 128, 4000}};
    (void)state;
    for (int i = 0; i < 16; i++) {
        const int32_t w = rows[i / 4].width, h = rows[i / 4].height;
        struct tw_value map = rows[i / 4].steps > 0 ? stepped(w, h, (uint64_t)i, rows[i / 4].steps)
                                                    : harness_terrain(w, h, (uint64_t)i);
        struct tw_value mask = disc(w, h);
        check(&(struct trial){.map = &map, .mask = i & 2 ? &mask : NULL, .wrap = i & 1}, 1);
        free(map.data);
        free(mask.data);
    }
}

/* A recipe that gives the default's side of the map is another than one that gives none. */
static void cells_become_90_metres(void **state)
{
    static const struct {
        int32_t width, height, factor;
        double side_m, comparable;
    } rows[] = {
        {300, 290, 2, 300 * 45.0, 1}, {300, 290, 2, 300 * 10.0, 0},  {400, 387, 3, 400 * 30.0, 1},
        {400, 387, 2, 400 * 37.0, 1}, {300, 300, 1, 300 * 150.0, 1}, {300, 300, 1, 300 * 300.0, 0},
        {256, 300, 2, 4096, 0},       {270, 300, 2, 270 * 59.9, 1},  {270, 300, 1, 270 * 60.1, 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tw_value map = harness_terrain(rows[i].width, rows[i].height, i);
        struct tw_value mask = disc(rows[i].width, rows[i].height);
        struct trial t = {
            .map = &map, .mask = i % 2 ? &mask : NULL, .wrap = i / 2 % 2, .side_m = rows[i].side_m};
        check(&t, rows[i].factor);
        struct tw_result *result = measure(&t);
        expect("cell_m", field(result, "cell_m"), rows[i].side_m / rows[i].width * rows[i].factor,
               1e-9);
        expect("comparable", field(result, "comparable"), rows[i].comparable, 0);
        tw_result_release(result);
        free(map.data);
        free(mask.data);
    }
}

static void a_map_of_doubled_cells_has_the_numbers_of_the_map(void **state)
{
    struct tw_value map = waves(), twice = new_map(2 * SIDE, 2 * SIDE);
    (void)state;
    for (int i = 0; i < 4 * SIDE * SIDE; i++)
        tw_floats(&twice)[i] = tw_floats(&map)[i / (2 * SIDE) / 2 * SIDE + i % (2 * SIDE) / 2];
    for (int wrap = 0; wrap < 2; wrap++) {
        struct trial t = {.map = &map, .wrap = wrap, .side_m = SIDE * 90};
        struct tw_result *one = measure(&t);
        t.map = &twice;
        struct tw_result *two = measure(&t);
        const struct tw_value *a = tw_result_output(one, "realism");
        assert_memory_equal(a->data, tw_result_output(two, "realism")->data,
                            (size_t)a->width * sizeof(struct tw_entry));
        tw_result_release(one);
        tw_result_release(two);
    }
    free(map.data);
    free(twice.data);
}

/* ---- what may not change the numbers ---- */

static void turns_and_rolls_change_nothing(void **state)
{
    struct tw_value map = waves(), turned = new_map(SIDE, SIDE);
    (void)state;
    for (int wrap = 0; wrap < 2; wrap++) {
        struct tw_result *plain = measure(&(struct trial){.map = &map, .wrap = wrap});
        for (int way = 1; way < 8 + 3 * wrap; way++) {
            for (int i = 0; i < SIDE * SIDE; i++) {
                int x = i % SIDE, y = i / SIDE;
                int column = way & 1 ? SIDE - 1 - x : x, row = way & 2 ? SIDE - 1 - y : y;
                int turn = way & 4 ? column * SIDE + row : row * SIDE + column;
                int roll = (y + 17 * way) % SIDE * SIDE + (x + 41 * way) % SIDE;
                tw_floats(&turned)[i] = tw_floats(&map)[way < 8 ? turn : roll];
            }
            struct tw_result *other = measure(&(struct trial){.map = &turned, .wrap = wrap});
            expect_same(plain, other, 1e-9);
            tw_result_release(other);
        }
        tw_result_release(plain);
    }
    free(map.data);
    free(turned.data);
}

/* Whole numbers, so that scaled heights are exact: units and the zero of heights do not count. */
static void heights_have_no_unit(void **state)
{
    struct tw_value map = stepped(150, 140, 7, 30000), scaled = new_map(150, 140);
    (void)state;
    for (int32_t i = 0; i < 150 * 140; i++)
        tw_floats(&scaled)[i] = 37 * tw_floats(&map)[i] + 5;
    for (int wrap = 0; wrap < 2; wrap++) {
        struct tw_result *plain = measure(&(struct trial){.map = &map, .wrap = wrap});
        struct tw_result *other = measure(&(struct trial){.map = &scaled, .wrap = wrap});
        expect_same(plain, other, 1e-9);
        tw_result_release(plain);
        tw_result_release(other);
    }
    free(map.data);
    free(scaled.data);
}

static void upside_down_two_numbers_change_sign(void **state)
{
    struct tw_value map = waves(), below = new_map(SIDE, SIDE);
    (void)state;
    for (int i = 0; i < SIDE * SIDE; i++)
        tw_floats(&below)[i] = -tw_floats(&map)[i];
    for (int wrap = 0; wrap < 2; wrap++) {
        struct tw_result *up = measure(&(struct trial){.map = &map, .wrap = wrap});
        struct tw_result *down = measure(&(struct trial){.map = &below, .wrap = wrap});
        expect("upside", field(down, "upside"), -field(up, "upside"), 1e-12);
        expect("crests", field(down, "crests"), -field(up, "crests"), 1e-12);
        expect("fine", field(down, "fine"), field(up, "fine"), 1e-12);
        expect("steep", field(down, "steep"), field(up, "steep"), 1e-12);
        tw_result_release(up);
        tw_result_release(down);
    }
    free(map.data);
    free(below.data);
}

static void plain_surfaces_have_known_numbers(void **state)
{
    struct tw_value map = new_map(SIDE, SIDE);
    (void)state;
    for (int i = 0; i < SIDE * SIDE; i++)
        tw_floats(&map)[i] = (float)(i % SIDE + 0.375 * (i / SIDE));
    struct tw_result *plane = measure(&(struct trial){.map = &map});
    expect("hollows", field(plane, "hollows"), 0, 0);
    expect("fine", field(plane, "fine"), 0, 0);
    expect("steep", field(plane, "steep"), 1, 0);
    tw_result_release(plane);
    for (int i = 0; i < SIDE * SIDE; i++)
        tw_floats(&map)[i] = (float)(i % SIDE * (i % SIDE));
    struct tw_result *bowl = measure(&(struct trial){.map = &map});
    expect("fine", field(bowl, "fine"), 2, 1e-12);
    tw_result_release(bowl);
    for (int i = 0; i < SIDE * SIDE; i++)
        tw_floats(&map)[i] = 0.3f;
    struct tw_result *level = measure(&(struct trial){.map = &map});
    for (int i = 0; i < NUMBERS; i++)
        expect(names[i], field(level, names[i]), 0, 0);
    expect("cells", field(level, "cells"), SIDE * SIDE, 0);
    tw_result_release(level);
    free(map.data);
}

/* Nothing counts, or a single cell: as on a level map. */
static void masks_may_leave_nothing(void **state)
{
    struct tw_value map = waves(), mask = new_map(SIDE, SIDE);
    (void)state;
    mask.type = TW_MASK;
    for (int cells = 0; cells < 2; cells++) {
        tw_floats(&mask)[500] = (float)cells;
        struct tw_result *result = measure(&(struct trial){.map = &map, .mask = &mask});
        expect("cells", field(result, "cells"), cells, 0);
        for (int i = 0; i < NUMBERS; i++)
            expect(names[i], field(result, names[i]), 0, 0);
        tw_result_release(result);
    }
    free(map.data);
    free(mask.data);
}

static void threads_and_instructions_change_no_byte(void **state)
{
    struct tw_value map = stepped(300, 290, 9, 900), mask = disc(300, 290);
    struct trial t = {.map = &map, .mask = &mask, .threads = 1};
    (void)state;
    for (int way = 0; way < 4; way++) {
        t.wrap = way & 1;
        t.side_m = way & 2 ? 300 * 40 : 0;
        struct tw_result *first = measure(&t);
        const struct tw_value *a = tw_result_output(first, "realism");
        for (int i = 0; i < 6; i++) {
            struct trial other = t;
            other.threads = (const int32_t[]){1, 2, 8}[i % 3];
            other.simd = everywhere_levels[i / 3];
            struct tw_result *second = measure(&other);
            assert_memory_equal(a->data, tw_result_output(second, "realism")->data,
                                (size_t)a->width * sizeof(struct tw_entry));
            tw_result_release(second);
        }
        tw_result_release(first);
    }
    free(map.data);
    free(mask.data);
}

/* ---- messages ---- */

static void small_maps_are_refused(void **state)
{
    static const int32_t sizes[][2] = {{127, 300}, {300, 127}, {1, 1}};
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct tw_error error =
            harness_fail(&(struct harness){.width = sizes[i][0],
                                           .height = sizes[i][1],
                                           .nodes = "in: {type: noise.midpoint}\n"
                                                    "realism: {type: measure.realism, in: in}\n"});
        char expected[100];
        snprintf(expected, sizeof expected,
                 "the map has %d x %d cells; expected at least 128 x 128", (int)sizes[i][0],
                 (int)sizes[i][1]);
        assert_int_equal(error.status, TW_NODE);
        assert_non_null(strstr(error.message, expected));
        assert_true(error.line > 0);
    }
}

static void few_heights_are_reported(void **state)
{
    struct tw_value map = new_map(SIDE, SIDE);
    (void)state;
    for (int heights = 999; heights <= 1000; heights++) {
        for (int i = 0; i < SIDE * SIDE; i++)
            tw_floats(&map)[i] = (float)(i * 7 % heights);
        assert_int_equal(tw_distinct_count(tw_floats(&map), SIDE * SIDE), heights);
        tw_result_release(measure(&(struct trial){.map = &map}));
        assert_true((strstr(harness_warning(), "only 999 different heights") != NULL) ==
                    (heights == 999));
    }
    tw_floats(&map)[0] = 0;
    tw_floats(&map)[1] = -0.0f;
    assert_int_equal(tw_distinct_count(tw_floats(&map), 2), 1);
    free(map.data);
}

/* ---- kernels ---- */

static void quantiles_are_those_of_sorted_numbers(void **state)
{
    static const double shares[] = {0, 0.05, 0.25, 0.5, 0.75, 0.95, 1};
    static double numbers[30000], sorted[30000], work[30000];
    (void)state;
    for (int count = 1; count <= 30000; count = count * 3 / 2 + 1)
        for (int kind = 0; kind < 5; kind++)
            for (int s = 0; s < 7; s++) {
                for (int i = 0; i < count; i++) {
                    double v = i * 7919 % 30011 - 1500;
                    numbers[i] = kind == 0   ? v
                                 : kind == 1 ? floor(v / 300)
                                 : kind == 2 ? ldexp(v, i % 90 - 45)
                                 : kind == 3 ? 1 + v * 0x1p-52
                                             : -0.0;
                    sorted[i] = numbers[i];
                }
                const double p[TW_QUANTILES] = {shares[s], shares[(s + 3) % 7], shares[s]};
                double found[TW_QUANTILES];
                tw_order_quantiles(numbers, (size_t)count, p, work, found);
                for (int k = 0; k < TW_QUANTILES; k++)
                    expect("quantile", found[k], realism_quantile(sorted, count, p[k]), 0);
            }
}

static void verdicts_include_the_ends_of_bands(void **state)
{
    (void)state;
    for (int coarse = 0; coarse < 2; coarse++)
        for (int i = 0; i < TW_REALISM_COUNT; i++) {
            const struct tw_realism_band *band = tw_realism_bands(coarse ? 127.5 : 127) + i;
            assert_true(band->p5 < band->p50 && band->p50 < band->p95);
            assert_int_equal(tw_realism_verdict(band, band->p5), 0);
            assert_int_equal(tw_realism_verdict(band, band->p95), 0);
            assert_int_equal(tw_realism_verdict(band, band->p5 - 1e-9), -1);
            assert_int_equal(tw_realism_verdict(band, band->p95 + 1e-9), 1);
            expect("at p5", tw_realism_place(band, band->p5), -1, 1e-12);
            expect("at p50", tw_realism_place(band, band->p50), 0, 0);
            expect("at p95", tw_realism_place(band, band->p95), 1, 1e-12);
        }
    assert_true(tw_realism_bands(0) == tw_realism_bands(90));
    assert_true(tw_realism_bands(127) != tw_realism_bands(180));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waves_have_their_numbers),
        cmocka_unit_test(equals_the_definitions),
        cmocka_unit_test(cells_become_90_metres),
        cmocka_unit_test(a_map_of_doubled_cells_has_the_numbers_of_the_map),
        cmocka_unit_test(turns_and_rolls_change_nothing),
        cmocka_unit_test(heights_have_no_unit),
        cmocka_unit_test(upside_down_two_numbers_change_sign),
        cmocka_unit_test(plain_surfaces_have_known_numbers),
        cmocka_unit_test(masks_may_leave_nothing),
        cmocka_unit_test(threads_and_instructions_change_no_byte),
        cmocka_unit_test(small_maps_are_refused),
        cmocka_unit_test(few_heights_are_reported),
        cmocka_unit_test(quantiles_are_those_of_sorted_numbers),
        cmocka_unit_test(verdicts_include_the_ends_of_bands)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
