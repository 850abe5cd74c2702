/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"
#include "support/record.h"

#include <math.h>
#include <stdlib.h>

#define RECIPE "a: {type: test.map}\np: {type: measure.pits, in: a}"

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

static void pits_are_those_of_the_plain_loop_everywhere(void **state)
{
    struct tw_value terrain = harness_terrain(257, 129, 3);
    const float *h = tw_floats(&terrain);
    float *expected = calloc(tw_value_count(&terrain), sizeof *expected);
    (void)state;
    assert_non_null(expected);
    for (int32_t y = 1; y < 128; y++)
        for (int32_t x = 1; x < 256; x++) {
            float lowest = h[y * 257 + x];
            for (int32_t dy = -1; dy <= 1; dy++)
                for (int32_t dx = -1; dx <= 1; dx++)
                    lowest = fminf(lowest, h[(y + dy) * 257 + x + dx]);
            expected[y * 257 + x] = lowest < h[y * 257 + x] ? 0.0f : 1.0f;
        }
    harness_give(0, &terrain);
    struct harness harness = {
        .width = 257, .height = 129, .nodes = RECIPE, .outputs = "m: p.out\n"};
    everywhere(harness, "m", expected);
    free(expected);
    free(terrain.data);
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
        cmocka_unit_test(nothing_is_left_after_filling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
