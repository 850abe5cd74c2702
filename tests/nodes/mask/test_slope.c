/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS "low: 2, high: 5, softness: 1.5"

/* The steeper of the differences to both sides, where they are on the map, or on a torus. */
static float along(const struct tw_value *map, int32_t x, int32_t y, int32_t dx, int32_t dy,
                   bool wraps)
{
    float steepest = 0;
    for (int32_t sign = -1; sign <= 1; sign += 2) {
        int32_t i = x + sign * dx, j = y + sign * dy;
        i = wraps ? tw_wrap(i, map->width) : i;
        j = wraps ? tw_wrap(j, map->height) : j;
        if (i < 0 || j < 0 || i >= map->width || j >= map->height)
            continue;
        float rise = tw_floats(map)[j * map->width + i] - tw_floats(map)[y * map->width + x];
        steepest = fmaxf(steepest, fabsf(rise));
    }
    return steepest;
}

static float reference_at(const struct tw_value *map, int32_t x, int32_t y, int32_t distance,
                          bool wraps)
{
    float dx = along(map, x, y, distance, 0, wraps), dy = along(map, x, y, 0, distance, wraps);
    float slope = sqrtf(dx * dx + dy * dy) * ((float)map->width / (float)distance);
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
        int32_t distance = i % 2 ? (int32_t)(0.3f * (float)map.width + 0.5f) : 1;
        assert_non_null(expected);
        for (int32_t y = 0; y < map.height; y++)
            for (int32_t x = 0; x < map.width; x++)
                expected[y * map.width + x] =
                    reference_at(&map, x, y, distance ? distance : 1, wraps);
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_the_definition_at_every_size),
                                       cmocka_unit_test(knows_the_slope_of_a_crest),
                                       cmocka_unit_test(knows_the_slope_of_a_plane)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
