/* SPDX-License-Identifier: MIT */
#include "feature/kernels/light_lines.h"
#include "support/harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIDE = 96 };

static float picture[SIDE * SIDE];

static struct tw_result *shadow(const char *parameters, int32_t threads)
{
    static struct tw_value mask;
    char nodes[1000];
    mask = (struct tw_value){TW_MASK, SIDE, SIDE, picture};
    harness_give(0, &mask);
    snprintf(nodes, sizeof nodes,
             "base: {type: source.constant, value: 0.2}\n"
             "image: {type: test.mask}\n"
             "land: {type: feature.shadow, in: base, image: image%s}\n",
             parameters);
    return harness_run(&(struct harness){
        .width = SIDE,
        .height = SIDE,
        .threads = threads,
        .nodes = nodes,
        .outputs = "report: land.report\nshadow: land.shadow\ngenerators: land.generators\n"});
}

static double field(const struct tw_result *result, const char *name)
{
    const struct tw_value *report = tw_result_output(result, "report");
    for (int32_t i = 0; i < report->width; i++)
        if (strcmp(tw_entries(report)[i].name, name) == 0)
            return tw_entries(report)[i].number;
    fail_msg("the report has no %s", name);
    return 0;
}

static void paint(int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
    for (int32_t y = y0; y < y1; y++)
        for (int32_t x = x0; x < x1; x++)
            picture[y * SIDE + x] = 0;
}

static void clear(void)
{
    for (int32_t i = 0; i < SIDE * SIDE; i++)
        picture[i] = 1;
}

/* Light from the west at 45 degrees: a shadow of 20 cells needs a wall 20.5 cells high, one cell
 * west of it. */
static void a_wall_is_as_high_as_geometry_says(void **state)
{
    (void)state;
    clear();
    paint(40, 30, 60, 70);
    struct tw_result *result =
        shadow(", azimuth: 270, tilt: 45, exaggeration: 0.5, secondary: false", 1);
    const float *out = tw_floats(tw_result_output(result, "land"));
    const float *lit = tw_floats(tw_result_output(result, "shadow"));
    for (int32_t y = 30; y < 70; y++) {
        float expected = 0.2f + 20.5f / (0.5f * SIDE);
        assert_true(fabsf(out[y * SIDE + 39] - expected) < 1e-5f);
        for (int32_t x = 40; x < SIDE; x++)
            assert_true(lit[y * SIDE + x] == (x < 60 ? 0.0f : 1.0f));
    }
    assert_true(out[5 * SIDE + 5] == 0.2f);
    assert_int_equal((int)field(result, "runs"), 40);
    assert_true(fabs(field(result, "longest") * SIDE - 20.5) < 1e-6);
    tw_result_release(result);
}

static void light_makes_the_longest_shadow_short(void **state)
{
    (void)state;
    clear();
    paint(20, 20, 26, 76); /* tall: the light comes from the side, azimuth 90 of 0..179 */
    struct tw_result *result = shadow("", 1);
    assert_true(fabs(field(result, "azimuth") - 90) < 8);
    tw_result_release(result);
    clear();
    paint(20, 20, 76, 26);
    result = shadow("", 1);
    assert_true(field(result, "azimuth") == 0);
    tw_result_release(result);
}

/* The longest run on the lines of a direction, walked cell by cell. */
static double longest_run(double azimuth)
{
    struct tw_light_lines lines;
    int32_t line[2 * SIDE], longest = 0;
    tw_light_lines_set(&lines, SIDE, SIDE, azimuth);
    for (int32_t i = 0; i < lines.count; i++) {
        int32_t count = tw_light_lines_walk(&lines, i, line), run = 0;
        for (int32_t k = 0; k < count; k++) {
            run = picture[line[k]] < 0.5f ? run + 1 : 0;
            longest = run > longest ? run : longest;
        }
    }
    return longest * lines.step;
}

static void the_light_is_the_first_of_the_shortest_runs(void **state)
{
    uint32_t word = 7;
    (void)state;
    for (int i = 0; i < 24; i++) {
        int32_t best = 0, corner[4];
        clear();
        for (int k = 0; k < 1 + i % 8; k++) {
            for (int j = 0; j < 4; j++)
                corner[j] = (int32_t)((word = word * 1664525u + 1013904223u) >> 16) % SIDE;
            paint(corner[0], corner[1], corner[2], corner[3]);
        }
        paint(i, 2 * i, i + 3, 2 * i + 3);
        for (int32_t azimuth = 1; azimuth < 180; azimuth++)
            best = longest_run(azimuth) < longest_run(best) ? azimuth : best;
        struct tw_result *result = shadow(", secondary: false", 1 + i % 2);
        assert_int_equal((int)field(result, "azimuth"), best);
        tw_result_release(result);
    }
}

static void secondary_features_keep_the_picture(void **state)
{
    (void)state;
    clear();
    paint(30, 20, 42, 70);
    paint(30, 58, 70, 70);
    paint(60, 20, 70, 40);
    struct tw_result *plain = shadow(", exaggeration: 1, secondary: false", 1);
    struct tw_result *rich = shadow(", exaggeration: 1", 2);
    const float *a = tw_floats(tw_result_output(plain, "land"));
    const float *b = tw_floats(tw_result_output(rich, "land"));
    int32_t raised = 0;
    assert_true(field(plain, "intersection_over_union") > 0.9);
    assert_true(field(rich, "intersection_over_union") > 0.9);
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        assert_true(a[i] >= 0.2f && b[i] >= 0.2f);
        raised += b[i] > a[i] + 0.001f;
    }
    assert_true(raised > SIDE * SIDE / 4);
    tw_result_release(plain);
    tw_result_release(rich);
}

/* No secondary generator within the strip around the shadows. */
static void the_anti_shadow_stays_free(void **state)
{
    (void)state;
    clear();
    paint(40, 40, 56, 56);
    struct tw_result *result = shadow(", band: 0.1, ridges: 200", 1);
    const struct tw_value *points = tw_result_output(result, "generators");
    int32_t secondary = 0;
    for (int32_t i = 0; i < points->width; i++) {
        struct tw_point p = tw_points(points)[i];
        float x = p.x * SIDE, y = p.y * SIDE;
        float dx = x < 40.5f ? 40.5f - x : x > 55.5f ? x - 55.5f : 0;
        float dy = y < 40.5f ? 40.5f - y : y > 55.5f ? y - 55.5f : 0;
        float far = sqrtf(dx * dx + dy * dy);
        assert_true(p.profile == 0 || far == 0 || far > 9.6f);
        secondary += p.profile == 1;
    }
    assert_int_equal((int)field(result, "secondary"), secondary);
    assert_true(secondary > 500);
    tw_result_release(result);
}

/* All but the last column: it is lit, with no stripe behind it. */
static void stripes_have_a_generator_in_nearly_every_cell(void **state)
{
    (void)state;
    for (int32_t i = 0; i < SIDE * SIDE; i++)
        picture[i] = (float)(i % 2);
    for (int32_t threads = 1; threads < 3; threads++) {
        struct tw_result *result = shadow(", azimuth: 270", threads);
        int32_t all = tw_result_output(result, "generators")->width;
        assert_int_equal(all - (int)field(result, "secondary"), SIDE * (SIDE - 1));
        assert_int_equal((int)field(result, "runs"), SIDE * SIDE / 2);
        tw_result_release(result);
    }
}

/* The goal of the recipe: 0.90 with secondary features, at its own size. */
static void the_word_is_readable(void **state)
{
    struct tw_recipe *recipe = NULL;
    struct tw_result *result = NULL;
    struct tw_error error = {0};
    (void)state;
    if (tw_recipe_load(TW_GRAPHS "/rusnell/text.yaml", NULL, &recipe, &error) != TW_OK ||
        tw_recipe_run(recipe, NULL, &result, &error) != TW_OK)
        fail_msg("%s", error.message);
    assert_true(field(result, "secondary") > 100);
    assert_true(field(result, "intersection_over_union") >= 0.9);
    tw_result_release(result);
    tw_recipe_release(recipe);
}

static bool disc(int32_t x, int32_t y) { return hypot(x - 48.0, y - 48.0) < 20; }
static bool ring(int32_t x, int32_t y) { return fabs(hypot(x - 48.0, y - 48.0) - 30) < 3; }
static bool checkerboard(int32_t x, int32_t y) { return (x / 24 + y / 24) % 2 == 0; }
static bool corner(int32_t x, int32_t y) { return x < 30 && y > 70; }

/* Narrow walls show an outline or a corner better than wide ones, whose sides darken its inside. */
static void any_picture_is_readable(void **state)
{
    bool (*const dark[])(int32_t x, int32_t y) = {disc, ring, checkerboard, corner};
    (void)state;
    for (int i = 0; i < 4; i++) {
        clear();
        for (int32_t k = 0; k < SIDE * SIDE; k++)
            picture[k] = dark[i](k % SIDE, k / SIDE) ? 0 : 1;
        struct tw_result *wide = shadow(", exaggeration: 1", 1);
        struct tw_result *narrow = shadow(", exaggeration: 1, steepness: 14", 1);
        assert_true(field(wide, "intersection_over_union") > 0.7);
        assert_true(field(narrow, "intersection_over_union") > 0.8);
        tw_result_release(wide);
        tw_result_release(narrow);
    }
}

enum { WIDE = 192 };

static float wide_picture[WIDE * WIDE];

/* ---- pictures, and a ray march of the test's own ---- */

static bool heart(double x, double y)
{
    double u = (x - 0.5) * 3.2, v = (0.45 - y) * 3.2, square = u * u + v * v - 1;
    return square * square * square - u * u * v * v * v <= 0;
}

static bool in_box(double x, double y, double x0, double y0, double x1, double y1)
{
    return x >= x0 && x < x1 && y >= y0 && y < y1;
}

static bool letter_r(double x, double y)
{
    double bowl = hypot(x - 0.5, y - 0.36), leg = x - 0.44 - (y - 0.5) * 0.75;
    bool round = x >= 0.5 && bowl < 0.17 && bowl > 0.07;
    bool bars = in_box(x, y, 0.3, 0.19, 0.5, 0.29) || in_box(x, y, 0.3, 0.43, 0.5, 0.53);
    return in_box(x, y, 0.3, 0.19, 0.4, 0.82) || round || bars ||
           (y >= 0.5 && y < 0.82 && leg > 0 && leg < 0.12);
}

/* A corner of the star's pentagon. */
static double corner_x(int i) { return 0.5 + 0.38 * sin(i * 4 * 3.14159265358979 / 5); }
static double corner_y(int i) { return 0.52 - 0.38 * cos(i * 4 * 3.14159265358979 / 5); }

/* How many lines of the pentagram have (x, y) on their inner side: 5 in its middle, 4 in a point.
 */
static int inner_sides(double x, double y)
{
    int inner = 0;
    for (int i = 0; i < 5; i++) {
        double ax = corner_x(i), ay = corner_y(i), bx = corner_x(i + 1), by = corner_y(i + 1);
        inner += (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0;
    }
    return inner;
}

static bool star(double x, double y) { return inner_sides(x, y) >= 4; }

static bool annulus(double x, double y) { return fabs(hypot(x - 0.5, y - 0.5) - 0.3) < 0.045; }

static bool pentagram(double x, double y)
{
    for (int i = 0; i < 5; i++) {
        double ax = corner_x(i), ay = corner_y(i), dx = corner_x(i + 1) - ax;
        double dy = corner_y(i + 1) - ay, t = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy);
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        if (hypot(x - ax - t * dx, y - ay - t * dy) < 0.025)
            return true;
    }
    return false;
}

/* Whether the ray from a cell towards the light passes below a height between two neighbours where
 * it crosses a column (or, with x and y swapped, a row) of cell centres. */
static bool crosses_below(const float *heights, int32_t start, double across, double along,
                          int32_t stride_along, int32_t stride_across, int32_t x, int32_t y,
                          double fall)
{
    double here = (double)heights[start];
    int32_t sign = along > 0 ? 1 : -1;
    for (int32_t k = 1; fabs(along) > 1e-9; k++) {
        double far = k / fabs(along), place = y + across * far;
        int32_t column = x + sign * k, low = (int32_t)floor(place);
        if (column < 0 || column >= WIDE || place < 0 || place > WIDE - 1)
            return false;
        int32_t at = column * stride_along + low * stride_across;
        double a = (double)heights[at];
        double b = low + 1 < WIDE ? (double)heights[at + stride_across] : a;
        if ((a + (b - a) * (place - low)) * WIDE > here * WIDE + far * fall + 1e-6)
            return true;
    }
    return false;
}

/* Intersection over union of the shadows over `land` and the picture, at exaggeration 1. */
static double agreement_of(const struct tw_result *result)
{
    const float *land = tw_floats(tw_result_output(result, "land"));
    double azimuth = field(result, "azimuth") * 3.14159265358979 / 180;
    double fall = 1 / tan(field(result, "tilt") * 3.14159265358979 / 180);
    double dx = sin(azimuth), dy = -cos(azimuth);
    int32_t both = 0, either = 0;
    for (int32_t i = 0; i < WIDE * WIDE; i++) {
        int32_t x = i % WIDE, y = i / WIDE;
        bool dark = crosses_below(land, i, dy, dx, 1, WIDE, x, y, fall) ||
                    crosses_below(land, i, dx, dy, WIDE, 1, y, x, fall);
        both += dark && wide_picture[i] < 0.5f;
        either += dark || wide_picture[i] < 0.5f;
    }
    return (double)both / either;
}

static struct tw_result *wide_shadow(const char *parameters, const char *more)
{
    static struct tw_value mask;
    char nodes[1000];
    mask = (struct tw_value){TW_MASK, WIDE, WIDE, wide_picture};
    harness_give(0, &mask);
    snprintf(nodes, sizeof nodes,
             "base: {type: source.constant, value: 0.1}\n"
             "image: {type: test.mask}\n"
             "land: {type: feature.shadow, in: base, image: image%s}\n%s",
             parameters, more);
    return harness_run(&(struct harness){.width = WIDE,
                                         .height = WIDE,
                                         .nodes = nodes,
                                         .outputs = "report: land.report\nshadow: land.shadow\n"});
}

/* Secondary features may cost 0.03 of what the primary ones reach, 0.006 on the mean; a letter R
 * lost 0.035, since features inside a shadow rose to the light's own plane. */
static void secondary_features_light_up_no_shadow(void **state)
{
    bool (*const shapes[])(double, double) = {heart, letter_r, star, annulus, pentagram};
    double sum = 0;
    (void)state;
    for (int i = 0; i < 5; i++) {
        for (int32_t k = 0; k < WIDE * WIDE; k++)
            wide_picture[k] = shapes[i]((k % WIDE + 0.5) / WIDE, (k / WIDE + 0.5) / WIDE) ? 0 : 1;
        struct tw_result *plain = wide_shadow(", exaggeration: 1, secondary: false", "");
        struct tw_result *rich = wide_shadow(", exaggeration: 1", "");
        double without = agreement_of(plain), with = agreement_of(rich);
        assert_true(fabs(with - field(rich, "intersection_over_union")) < 0.002);
        assert_true(without - with < 0.03);
        sum += without - with;
        tw_result_release(plain);
        tw_result_release(rich);
    }
    assert_true(sum < 0.03);
}

/* Light along the rows meets every height again after whole cells: what counts as above a ray is
 * one rule, and both nodes see the heights that land has. */
static void shadow_is_what_mask_light_sees(void **state)
{
    (void)state;
    for (int32_t k = 0; k < WIDE * WIDE; k++)
        wide_picture[k] = heart((k % WIDE + 0.5) / WIDE, (k / WIDE + 0.5) / WIDE) ? 0 : 1;
    struct tw_result *result = wide_shadow(
        ", exaggeration: 0.3, azimuth: 270, tilt: 45",
        "light: {type: mask.light, in: land, azimuth: 270, altitude: 45, exaggeration: 0.3}\n");
    harness_same(tw_result_output(result, "shadow"), tw_floats(tw_result_output(result, "light")));
    tw_result_release(result);
}

/* Heights of 1e18, where the light's slope per cell is lost in rounding. */
static void heights_beyond_precision_do_no_harm(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct tw_result *result = harness_run(
            &(struct harness){.width = 16,
                              .height = 16,
                              .seed = seed,
                              .nodes = "noise: {type: noise.midpoint}\n"
                                       "many: {type: source.constant, value: 1e9}\n"
                                       "high: {type: combine.multiply, a: noise, b: many}\n"
                                       "base: {type: combine.multiply, a: high, b: many}\n"
                                       "cells: {type: voronoi.cells}\n"
                                       "spots: {type: voronoi.domain, domain: cells.domain, "
                                       "values: binary}\n"
                                       "land: {type: feature.shadow, in: base, image: spots}\n"});
        const float *base = tw_floats(tw_result_output(result, "base"));
        const float *land = tw_floats(tw_result_output(result, "land"));
        for (int32_t i = 0; i < 16 * 16; i++)
            assert_true(land[i] >= base[i] && land[i] <= 4e18f);
        tw_result_release(result);
    }
}

static void says_what_the_picture_lacks(void **state)
{
    (void)state;
    struct tw_error error = harness_fail(
        &(struct harness){.nodes = "base: {type: source.constant}\n"
                                   "cells: {type: voronoi.cells}\n"
                                   "m: {type: voronoi.domain, domain: cells.domain, min: 0.75}\n"
                                   "land: {type: feature.shadow, in: base, image: m}\n"});
    assert_non_null(strstr(error.message, "image has no shadow: looked for cells darker than 0.5"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wall_is_as_high_as_geometry_says),
        cmocka_unit_test(light_makes_the_longest_shadow_short),
        cmocka_unit_test(the_light_is_the_first_of_the_shortest_runs),
        cmocka_unit_test(secondary_features_keep_the_picture),
        cmocka_unit_test(the_anti_shadow_stays_free),
        cmocka_unit_test(stripes_have_a_generator_in_nearly_every_cell),
        cmocka_unit_test(the_word_is_readable),
        cmocka_unit_test(any_picture_is_readable),
        cmocka_unit_test(secondary_features_light_up_no_shadow),
        cmocka_unit_test(shadow_is_what_mask_light_sees),
        cmocka_unit_test(heights_beyond_precision_do_no_harm),
        cmocka_unit_test(says_what_the_picture_lacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
