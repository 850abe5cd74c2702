/* SPDX-License-Identifier: MIT */
/* A plane stays a plane up to its border: nodes that differentiate a map with closed borders must
 * find the inland slope in border cells too, even after a Gaussian, and no curvature. */
#include "support/harness.h"

#include <thalweg/gradient.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int32_t sizes[][2] = {{33, 20}, {20, 33}, {64, 64}, {1, 9}, {9, 1},
                                   {2, 2},   {40, 3},  {3, 40},  {1, 1}, {300, 5}};
static const int directions[][2] = {{2, 0}, {0, -3}, {3, 5}, {-4, 1}};
enum {
    SIZES = sizeof sizes / sizeof *sizes,
    DIRECTIONS = sizeof directions / sizeof *directions,
    PLANES = SIZES * DIRECTIONS
};

/* Plane i; free(data). Its heights are exact. */
static struct tw_value plane_of(int i)
{
    const int32_t *size = sizes[i / DIRECTIONS];
    const int *direction = directions[i % DIRECTIONS];
    struct tw_value map = harness_terrain(size[0], size[1], 1);
    for (int32_t c = 0; c < size[0] * size[1]; c++)
        tw_floats(&map)[c] =
            0.5f + (float)(direction[0] * (c % size[0]) + direction[1] * (c / size[0])) / 4096;
    return map;
}

static struct tw_result *run(const struct tw_value *map, const char *nodes, const char *outputs)
{
    char text[600];
    harness_give(0, map);
    snprintf(text, sizeof text, "in: {type: test.map}\n%s\n", nodes);
    return harness_run(&(struct harness){.width = map->width,
                                         .height = map->height,
                                         .head = "borders: closed\n",
                                         .nodes = text,
                                         .outputs = outputs});
}

/* Nodes whose output is equal in all cells of a plane. */
static const struct row {
    const char *nodes, *outputs;
    bool is_zero;
} rows[] = {
    {"o: {type: mask.curvature, in: in}", "v: o.value\n", true},
    {"o: {type: mask.curvature, in: in, radius: 0}", "v: o.value\n", true},
    {"o: {type: mask.curvature, in: in, radius: 0.25, kind: profile}", "v: o.value\n", true},
    {"o: {type: mask.curvature, in: in, radius: 0.06, kind: plan}", "v: o.value\n", true},
    {"o: {type: mask.aspect, in: in}", "v: o.value\n", false},
    {"v: {type: mask.slope, in: in, low: 9, softness: 9}", NULL, false},
    {"v: {type: mask.light, kind: sun, in: in, altitude: 80}", NULL, false},
    {"v: {type: measure.slope, in: in}", NULL, false},
    {"v: {type: shape.gradient, in: in}", NULL, false},
    {"v: {type: shape.gradient, in: in, unit: true, direction: left}", NULL, false},
    {"v: {type: render.hillshade, in: in}", NULL, false},
    {"v: {type: render.normals, in: in, exaggeration: 9}", NULL, false},
    {"v: {type: render.colour, in: in, ramp_by: slope, ramp: [[0, 0, 0, 0], [1, 255, 99, 9]]}",
     NULL, false},
    {"b: {type: test.labels, slot: 1}\n"
     "v: {type: render.biomes, biome: b, height: in, exaggeration: 9}",
     NULL, false},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* Copies a cell's numbers; returns how many. */
static int numbers_of(const struct tw_value *value, size_t cell, double *to)
{
    switch (value->type) {
    case TW_IMAGE:
        for (size_t k = 0; k < 3; k++)
            to[k] = tw_pixels(value)[3 * cell + k];
        return 3;
    case TW_VECTORS:
        to[0] = (double)tw_vectors(value)[cell].x;
        to[1] = (double)tw_vectors(value)[cell].y;
        return 2;
    default:
        to[0] = (double)tw_floats(value)[cell];
        return 1;
    }
}

static void expect_even(const struct row *row, const struct tw_value *value)
{
    double inland[3] = {0}, found[3];
    const int32_t w = value->width, h = value->height;
    if (!row->is_zero)
        numbers_of(value, (size_t)(h / 2 * w + w / 2), inland);
    for (int32_t i = 0; i < w * h; i++)
        for (int k = numbers_of(value, (size_t)i, found); k-- > 0;)
            if (!(fabs(found[k] - inland[k]) <= 1e-5 * (1 + fabs(inland[k]))))
                fail_msg("%s: %d x %d: %g at %d, %d, not %g", row->nodes, w, h, found[k], i % w,
                         i / w, inland[k]);
}

static void planes_have_no_frame(void **state)
{
    (void)state;
    for (int i = 0; i < PLANES; i++) {
        struct tw_value map = plane_of(i);
        struct tw_value biomes = {TW_LABELS, map.width, map.height,
                                  calloc(tw_value_count(&map), sizeof(int32_t))};
        assert_non_null(biomes.data);
        harness_give(1, &biomes);
        for (int k = 0; k < ROWS; k++) {
            struct tw_result *result = run(&map, rows[k].nodes, rows[k].outputs);
            expect_even(&rows[k], tw_result_output(result, "v"));
            tw_result_release(result);
        }
        free(biomes.data);
        free(map.data);
    }
}

/* Wetness is ln(a / tan b): subtracting ln a leaves the slope. */
static void wetness_has_the_slope_of_the_plane(void **state)
{
    (void)state;
    for (int i = 0; i < PLANES; i++) {
        struct tw_value map = plane_of(i);
        struct tw_result *result = run(&map,
                                       "wet: {type: mask.wetness, in: in, exponent: 1.1}\n"
                                       "area: {type: measure.flow, in: in, method: mfd, "
                                       "exponent: 1.1}",
                                       "index: wet.value\n");
        const float *index = tw_floats(tw_result_output(result, "index"));
        const float *area = tw_floats(tw_result_output(result, "area"));
        const int32_t middle = map.height / 2 * map.width + map.width / 2;
        double inland = exp((double)index[middle]) / (double)area[middle];
        for (int32_t c = 0; c < map.width * map.height; c++) {
            double found = exp((double)index[c]) / (double)area[c];
            if (!(fabs(found / inland - 1) <= 1e-4))
                fail_msg("plane %d: %g in cell %d, not %g", i, found, c, inland);
        }
        tw_result_release(result);
        free(map.data);
    }
}

/* Planes of any direction have one slope, so the slopes of two are alike. */
static void likeness_finds_one_slope(void **state)
{
    struct tw_value map = plane_of(0), other = plane_of(2);
    (void)state;
    harness_give(1, &other);
    struct tw_result *result = run(&map,
                                   "other: {type: test.map, slot: 1}\n"
                                   "like: {type: measure.likeness, in: in, reference: other}",
                                   NULL);
    const struct tw_value *record = tw_result_output(result, "like");
    const struct tw_entry *entries = record->data;
    assert_string_equal(entries[1].name, "slopes");
    assert_true(entries[1].number < 1e-9);
    tw_result_release(result);
    free(map.data);
    free(other.data);
}

/* An even ramp has no edge, not even at its border. */
static void a_ramp_has_no_edges(void **state)
{
    (void)state;
    for (int i = 0; i < 3 * DIRECTIONS; i++) {
        struct tw_value map = plane_of(i);
        map.type = TW_MASK;
        harness_give(0, &map);
        struct tw_error error = harness_fail(&(struct harness){
            .width = map.width,
            .height = map.height,
            .nodes = "in: {type: test.mask}\n"
                     "out: {type: feature.edges, in: in, threshold: 0, min_cells: 1}"});
        assert_non_null(strstr(error.message, "the picture has no edges"));
        free(map.data);
    }
}

static void single_gradients_do_not_end_either(void **state)
{
    (void)state;
    for (int i = 0; i < 3 * DIRECTIONS; i++) {
        struct tw_value map = plane_of(i);
        for (int32_t c = 0; c < map.width * map.height; c++) {
            struct tw_gradient g = tw_gradient_central(tw_floats(&map), map.width, map.height,
                                                       c % map.width, c / map.width, 4096);
            assert_true(g.dx == (float)directions[i % DIRECTIONS][0]);
            assert_true(g.dy == (float)directions[i % DIRECTIONS][1]);
        }
        free(map.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(planes_have_no_frame),
                                       cmocka_unit_test(wetness_has_the_slope_of_the_plane),
                                       cmocka_unit_test(likeness_finds_one_slope),
                                       cmocka_unit_test(a_ramp_has_no_edges),
                                       cmocka_unit_test(single_gradients_do_not_end_either)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
