/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS "low: 2, high: 5, softness: 1.5"

static float reference_at(const struct tw_value *map, int32_t x, int32_t y)
{
    const float *h = tw_floats(map);
    int32_t w = map->width, left = tw_clamp_index(x - 1, w), right = tw_clamp_index(x + 1, w);
    int32_t up = tw_clamp_index(y - 1, map->height), down = tw_clamp_index(y + 1, map->height);
    float dx = right == left ? 0 : (h[y * w + right] - h[y * w + left]) * (float)w;
    float dy = down == up ? 0 : (h[down * w + x] - h[up * w + x]) * (float)w;
    dx = right - left == 2 ? dx / 2 : dx;
    dy = down - up == 2 ? dy / 2 : dy;
    float slope = sqrtf(dx * dx + dy * dy);
    float d = slope < 2 ? 2 - slope : slope > 5 ? slope - 5 : 0;
    float t = 1 - (d / 1.5f < 1 ? d / 1.5f : 1);
    return t * t * (3 - 2 * t);
}

static void equals_the_definition_at_every_size(void **state)
{
    const int32_t sizes[][2] = {{1, 1}, {1, 40}, {40, 1}, {2, 2}, {257, 129}};
    (void)state;
    for (int i = 0; i < 5; i++) {
        struct tw_value map = harness_terrain(sizes[i][0], sizes[i][1], 3);
        float *expected = malloc(tw_value_count(&map) * sizeof *expected);
        assert_non_null(expected);
        for (int32_t y = 0; y < map.height; y++)
            for (int32_t x = 0; x < map.width; x++)
                expected[y * map.width + x] = reference_at(&map, x, y);
        harness_give(0, &map);
        everywhere((struct harness){.width = map.width,
                                    .height = map.height,
                                    .nodes = "in: {type: test.map}\n"
                                             "s: {type: mask.slope, in: in, " OPTIONS "}"},
                   "s", expected);
        free(expected);
        free(map.data);
    }
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
                                       cmocka_unit_test(knows_the_slope_of_a_plane)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
