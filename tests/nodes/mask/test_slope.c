/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS "low: 2, high: 5, softness: 1.5"

/* Height `distance` cells from x, y, linear between cells; false where the map ends before it. */
static bool height_at(const struct tw_value *map, int32_t x, int32_t y, int32_t dx, int32_t dy,
                      double distance, bool wraps, float *height)
{
    float share = (float)(distance - floor(distance));
    *height = 0;
    for (int32_t k = 0; k < 2; k++) {
        int32_t cells = (int32_t)(k ? ceil(distance) : floor(distance));
        int32_t i = x + cells * dx, j = y + cells * dy;
        i = wraps ? tw_wrap(i, map->width) : i;
        j = wraps ? tw_wrap(j, map->height) : j;
        if (i < 0 || j < 0 || i >= map->width || j >= map->height)
            return false;
        *height += (k ? share : 1 - share) * tw_floats(map)[j * map->width + i];
    }
    return true;
}

/* The steeper of the differences to both sides, where they are on the map, or on a torus. */
static float along(const struct tw_value *map, int32_t x, int32_t y, int32_t dx, int32_t dy,
                   double distance, bool wraps)
{
    float steepest = 0, height = 0, own = tw_floats(map)[y * map->width + x];
    for (int32_t sign = -1; sign <= 1; sign += 2)
        if (height_at(map, x, y, sign * dx, sign * dy, distance, wraps, &height))
            steepest = fmaxf(steepest, fabsf(height - own));
    return steepest;
}

static float reference_at(const struct tw_value *map, int32_t x, int32_t y, double distance,
                          bool wraps)
{
    float dx = along(map, x, y, 1, 0, distance, wraps);
    float dy = along(map, x, y, 0, 1, distance, wraps);
    float slope = sqrtf(dx * dx + dy * dy) * (float)(map->width / distance);
    float d = slope < 2 ? 2 - slope : slope > 5 ? slope - 5 : 0;
    float t = 1 - (d / 1.5f < 1 ? d / 1.5f : 1);
    return t * t * (3 - 2 * t);
}

static void equals_the_definition_at_every_size(void **state)
{
    const int32_t sizes[][2] = {{1, 1}, {1, 40}, {40, 1}, {2, 2}, {9, 5}, {257, 129}};
    (void)state;
    for (int i = 0; i < 24; i++) {
        bool wraps = i >= 12;
        const int32_t *size = sizes[i / 2 % 6];
        struct tw_value map = harness_terrain(size[0], size[1], 3);
        float *expected = malloc(tw_value_count(&map) * sizeof *expected);
        double distance = i % 2 ? floor(0.3 * map.width * 256 + 0.5) / 256 : 1;
        assert_non_null(expected);
        for (int32_t y = 0; y < map.height; y++)
            for (int32_t x = 0; x < map.width; x++)
                expected[y * map.width + x] =
                    reference_at(&map, x, y, distance < 1 ? 1 : distance, wraps);
        harness_give(0, &map);
        everywhere(
            (struct harness){.width = map.width,
                             .height = map.height,
                             .head = wraps ? "borders: wrap\n" : "borders: closed\n",
                             .nodes = i % 2 ? "in: {type: test.map}\n"
                                              "s: {type: mask.slope, in: in, radius: 0.3, " OPTIONS
                                              "}"
                                            : "in: {type: test.map}\n"
                                              "s: {type: mask.slope, in: in, " OPTIONS "}"},
            "s", expected);
        free(expected);
        free(map.data);
    }
}

/* The greatest fall in eight directions, in doubles. */
static double fall_at(const struct tw_value *map, int32_t x, int32_t y, double distance, bool wraps)
{
    double greatest = 0, own = (double)tw_floats(map)[y * map->width + x];
    for (int32_t i = 0; i < 9; i++) {
        int32_t dx = i % 3 - 1, dy = i / 3 - 1;
        double length = sqrt(dx * dx + dy * dy) * distance / map->width, heights[2];
        bool exists = i != 4;
        for (int32_t k = 0; k < 2; k++) {
            int32_t cells = (int32_t)(k ? ceil(distance) : floor(distance));
            int32_t i_at = x + cells * dx, j_at = y + cells * dy;
            exists &= wraps || (i_at >= 0 && j_at >= 0 && i_at < map->width && j_at < map->height);
            heights[k] = (double)tw_floats(
                map)[tw_wrap(j_at, map->height) * map->width + tw_wrap(i_at, map->width)];
        }
        double share = distance - floor(distance);
        if (exists)
            greatest =
                fmax(greatest, (own - heights[0] - share * (heights[1] - heights[0])) / length);
    }
    return greatest;
}

static void compare_downhill(const struct tw_value *map, double distance, bool wraps)
{
    char nodes[300];
    snprintf(nodes, sizeof nodes,
             "in: {type: test.map}\n"
             "s: {type: mask.slope, in: in, kind: downhill, radius: %s, border: %s, " OPTIONS "}\n",
             distance > 1 ? "0.3" : "0", wraps ? "wrap" : "closed");
    struct harness h = {.width = map->width,
                        .height = map->height,
                        .simd = "base",
                        .nodes = nodes,
                        .outputs = "value: s.value\n"};
    harness_give(0, map);
    struct tw_result *result = harness_run(&h);
    const float *value = tw_floats(tw_result_output(result, "value"));
    const float *mask = tw_floats(tw_result_output(result, "s"));
    for (int32_t i = 0; i < map->width * map->height; i++) {
        double s = fall_at(map, i % map->width, i / map->width, distance, wraps);
        double d = s < 2 ? 2 - s : s > 5 ? s - 5 : 0, t = 1 - fmin(d / 1.5, 1);
        if (!(fabs((double)value[i] - s) <= 1e-5 * (1 + s)))
            fail_msg("cell %d of %d x %d: %g, not %g", (int)i, (int)map->width, (int)map->height,
                     (double)value[i], s);
        assert_true(fabs((double)mask[i] - t * t * (3 - 2 * t)) < 3e-5 * (1 + s));
    }
    everywhere(h, "value", value);
    everywhere(h, "s", mask);
    h.outputs = NULL; /* the mask alone */
    everywhere(h, "s", mask);
    tw_result_release(result);
}

static void downhill_equals_the_definition_at_every_size(void **state)
{
    const int32_t sizes[][2] = {{1, 1}, {1, 40}, {40, 1}, {2, 2}, {9, 5}, {67, 129}};
    (void)state;
    for (int i = 0; i < 24; i++) {
        const int32_t *size = sizes[i / 2 % 6];
        struct tw_value map = harness_terrain(size[0], size[1], 5);
        double distance = i % 2 ? floor(0.3 * map.width * 256 + 0.5) / 256 : 1;
        compare_downhill(&map, distance < 1 ? 1 : distance, i >= 12);
        free(map.data);
    }
}

/* The slope itself is what the mask selects by. */
static void gives_the_slope_itself(void **state)
{
    struct tw_value map = harness_terrain(50, 31, 8);
    (void)state;
    harness_give(0, &map);
    for (int wraps = 0; wraps < 2; wraps++) {
        struct tw_result *result = harness_run(
            &(struct harness){.width = 50,
                              .height = 31,
                              .head = wraps ? "borders: wrap\n" : "borders: closed\n",
                              .nodes = "in: {type: test.map}\n"
                                       "s: {type: mask.slope, in: in, radius: 0.05}\n"
                                       "again: {type: mask.height, in: s.value, low: 2, high: 1e9, "
                                       "softness: 0.5}\n",
                              .outputs = "value: s.value\n"});
        for (int i = 0; i < 50 * 31; i++) {
            float dx = along(&map, i % 50, i / 50, 1, 0, 2.5, wraps);
            float dy = along(&map, i % 50, i / 50, 0, 1, 2.5, wraps);
            float expected = sqrtf(dx * dx + dy * dy) * (50 / 2.5f);
            assert_true(tw_floats(tw_result_output(result, "value"))[i] == expected);
        }
        harness_same(tw_result_output(result, "s"), tw_floats(tw_result_output(result, "again")));
        tw_result_release(result);
    }
    free(map.data);
}

/* A mesa: its brink falls, the ground at its foot does not, though the gradient is steep there. */
static void the_foot_of_a_cliff_does_not_fall(void **state)
{
    static float cells[32 * 32];
    struct tw_value map = {TW_HEIGHTMAP, 32, 32, cells};
    (void)state;
    for (int i = 0; i < 32 * 32; i++)
        cells[i] = i % 32 >= 16 ? 1 : 0.5f;
    harness_give(0, &map);
    struct tw_result *result = harness_run(&(struct harness){
        .width = 32,
        .height = 32,
        .head = "borders: closed\n",
        .nodes = "in: {type: test.map}\n"
                 "fall: {type: mask.slope, in: in, kind: downhill, low: 16, softness: 0}\n"
                 "steep: {type: mask.slope, in: in, low: 16, softness: 0}\n",
        .outputs = "value: fall.value\n"});
    for (int i = 0; i < 32 * 32; i++) {
        float brink = i % 32 == 16 ? 1.0f : 0.0f, foot = i % 32 == 15 ? 1.0f : 0.0f;
        assert_true(tw_floats(tw_result_output(result, "fall"))[i] == brink);
        assert_true(tw_floats(tw_result_output(result, "value"))[i] == 16 * brink);
        assert_true(tw_floats(tw_result_output(result, "steep"))[i] == brink + foot);
    }
    tw_result_release(result);
}

/* Crests and valley floors are as steep as their flanks: no hairlines where they are level. */
static void knows_the_slope_of_a_crest(void **state)
{
    static float cells[32 * 32];
    struct tw_value map = {TW_HEIGHTMAP, 32, 32, cells};
    (void)state;
    for (int i = 0; i < 32 * 32; i++)
        cells[i] = (float)(i % 16 < 8 ? i % 16 : 16 - i % 16) * 4 / 32;
    harness_give(0, &map);
    struct tw_result *result = harness_run(&(struct harness){
        .width = 32,
        .height = 32,
        .nodes = "in: {type: test.map}\n"
                 "on: {type: mask.slope, in: in, low: 3.99, high: 4.01, softness: 0}\n"});
    for (int i = 0; i < 32 * 32; i++)
        assert_true(tw_floats(tw_result_output(result, "on"))[i] == 1);
    tw_result_release(result);
}

/* A plane that rises by 3 over the width has that slope in every cell, borders included. */
static void knows_the_slope_of_a_plane(void **state)
{
    static float cells[32 * 48];
    struct tw_value map = {TW_HEIGHTMAP, 32, 48, cells};
    (void)state;
    for (int i = 0; i < 32 * 48; i++)
        cells[i] = 3 * (float)(i % 32) / 32;
    harness_give(0, &map);
    struct tw_result *result = harness_run(&(struct harness){
        .width = 32,
        .height = 48,
        .head = "borders: closed\n",
        .nodes = "in: {type: test.map}\n"
                 "on: {type: mask.slope, in: in, low: 2.99, high: 3.01, softness: 0}\n"
                 "above: {type: mask.slope, in: in, low: 3.01, softness: 0}"});
    for (int i = 0; i < 32 * 48; i++) {
        assert_true(tw_floats(tw_result_output(result, "on"))[i] == 1);
        assert_true(tw_floats(tw_result_output(result, "above"))[i] == 0);
    }
    tw_result_release(result);
}

/* The radius is in sides: of how many cells it is does not matter. */
static void means_the_same_at_every_resolution(void **state)
{
    double means[4] = {0};
    (void)state;
    for (int i = 0; i < 4; i++) {
        int32_t side = 100 + 61 * i;
        struct tw_result *result = harness_run(&(struct harness){
            .width = side,
            .height = side,
            .nodes = "in: {type: noise.perlin, octaves: 2}\n"
                     "on: {type: mask.slope, in: in, low: 3, high: 100, radius: 0.0155}\n"});
        const struct tw_value *on = tw_result_output(result, "on");
        for (size_t c = 0; c < tw_value_count(on); c++)
            means[i] += (double)tw_floats(on)[c] / (double)tw_value_count(on);
        tw_result_release(result);
        if (getenv("THALWEG_SHOW"))
            print_message("%d: %.4f\n", (int)side, means[i]);
        assert_true(fabs(means[i] - means[0]) < 0.006);
    }
    assert_true(means[0] > 0.2 && means[0] < 0.8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_definition_at_every_size),
        cmocka_unit_test(downhill_equals_the_definition_at_every_size),
        cmocka_unit_test(gives_the_slope_itself),
        cmocka_unit_test(the_foot_of_a_cliff_does_not_fall),
        cmocka_unit_test(means_the_same_at_every_resolution),
        cmocka_unit_test(knows_the_slope_of_a_crest),
        cmocka_unit_test(knows_the_slope_of_a_plane)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
