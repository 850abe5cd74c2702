/* SPDX-License-Identifier: MIT */
#include "reference/flood.h"
#include "support/everywhere.h"
#include "support/record.h"

#include <math.h>
#include <stdlib.h>

#define RECIPE "a: {type: test.map}\np: {type: measure.pits, in: a, border: closed}"
#define TORUS "a: {type: test.map}\np: {type: measure.pits, in: a, border: wrap}"

/* A plane that falls to the east, with a basin of 3 x 3 cells whose middle is deepest. */
static void a_basin_is_one_pit_and_its_hollow(void **state)
{
    enum { WIDTH = 20, HEIGHT = 11 };
    struct tw_value plane = harness_terrain(WIDTH, HEIGHT, 1);
    float *h = tw_floats(&plane);
    double depth = 0;
    (void)state;
    for (int32_t y = 0; y < HEIGHT; y++)
        for (int32_t x = 0; x < WIDTH; x++)
            h[y * WIDTH + x] = (float)(WIDTH - x);
    for (int32_t y = 4; y < 7; y++)
        for (int32_t x = 8; x < 11; x++)
            h[y * WIDTH + x] = y == 5 && x == 9 ? 2 : 4;
    /* its lowest way out is the plane at x = 11 */
    depth = (8 * (WIDTH - 11 - 4) + (WIDTH - 11 - 2)) / (double)(WIDTH * HEIGHT);
    harness_give(0, &plane);
    struct tw_result *result =
        harness_run(&(struct harness){.width = WIDTH, .height = HEIGHT, .nodes = RECIPE});
    const struct tw_value *record = tw_result_output(result, "p");
    assert_true(fabs(record_number(record, "pits") - 1.0 / (WIDTH * HEIGHT)) < 1e-12);
    assert_true(fabs(record_number(record, "hollows") - 9.0 / (WIDTH * HEIGHT)) < 1e-12);
    assert_true(fabs(record_number(record, "depth") - depth) < 1e-9);
    tw_result_release(result);
    free(plane.data);
}

/* 1 in cells without a lower neighbour, outlets left out; free(). */
static float *plain_pits(const struct tw_value *map, bool wrap)
{
    const float *z = tw_floats(map);
    int32_t w = map->width, h = map->height;
    float *pits = calloc(tw_value_count(map), sizeof *pits), least = z[0];
    assert_non_null(pits);
    for (int32_t i = 0; i < w * h; i++)
        least = fminf(least, z[i]);
    for (int32_t y = 0; y < h; y++)
        for (int32_t x = 0; x < w; x++) {
            float lowest = z[y * w + x];
            bool border = x == 0 || y == 0 || x == w - 1 || y == h - 1;
            for (int32_t k = 0; k < 9; k++)
                lowest = fminf(lowest, z[(y + k / 3 - 1 + h) % h * w + (x + k % 3 - 1 + w) % w]);
            bool outlet = wrap ? z[y * w + x] <= least : border;
            pits[y * w + x] = outlet || lowest < z[y * w + x] ? 0.0f : 1.0f;
        }
    return pits;
}

static void pits_are_those_of_the_plain_loop_everywhere(void **state)
{
    struct tw_value terrain = harness_terrain(257, 129, 3);
    (void)state;
    harness_give(0, &terrain);
    for (int wrap = 0; wrap < 2; wrap++) {
        float *expected = plain_pits(&terrain, wrap);
        struct harness harness = {
            .width = 257, .height = 129, .nodes = wrap ? TORUS : RECIPE, .outputs = "m: p.out\n"};
        everywhere(harness, "m", expected);
        free(expected);
    }
    free(terrain.data);
}

/* Below the lowest outlet: the least surface that a plain relaxation finds. */
static void hollows_are_what_a_plain_flood_covers(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        struct tw_value terrain = harness_terrain(83 - 9 * i, 61, 20 + (uint64_t)i);
        float *level = flood_reference(&terrain, i % 2);
        size_t cells = tw_value_count(&terrain);
        double hollows = 0, depth = 0;
        for (size_t k = 0; k < cells; k++) {
            double deep = (double)level[k] - (double)tw_floats(&terrain)[k];
            hollows += deep > 0;
            depth += deep;
        }
        harness_give(0, &terrain);
        struct tw_result *result = harness_run(&(struct harness){
            .width = terrain.width, .height = terrain.height, .nodes = i % 2 ? TORUS : RECIPE});
        const struct tw_value *record = tw_result_output(result, "p");
        assert_true(fabs(record_number(record, "hollows") - hollows / (double)cells) < 1e-12);
        assert_true(fabs(record_number(record, "depth") - depth / (double)cells) < 1e-7);
        tw_result_release(result);
        free(level);
        free(terrain.data);
    }
}

static void nothing_is_left_after_filling(void **state)
{
    struct tw_value terrain = harness_terrain(97, 71, 4);
    (void)state;
    harness_give(0, &terrain);
    struct tw_result *result = harness_run(&(struct harness){
        .width = 97,
        .height = 71,
        .nodes = "a: {type: test.map}\nf: {type: shape.fill_depressions, in: a, epsilon: 0.01}\n"
                 "before: {type: measure.pits, in: a}\nafter: {type: measure.pits, in: f}"});
    const struct tw_value *before = tw_result_output(result, "before");
    const struct tw_value *after = tw_result_output(result, "after");
    assert_true(record_number(before, "pits") > 0.01 && record_number(before, "depth") > 0);
    assert_true(record_number(before, "hollows") > record_number(before, "pits"));
    assert_true(record_number(after, "pits") == 0 && record_number(after, "hollows") == 0);
    tw_result_release(result);
    free(terrain.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_basin_is_one_pit_and_its_hollow),
        cmocka_unit_test(pits_are_those_of_the_plain_loop_everywhere),
        cmocka_unit_test(hollows_are_what_a_plain_flood_covers),
        cmocka_unit_test(nothing_is_left_after_filling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
