/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"

#include <stdlib.h>

/* The definition, cell by cell. */
static void reference(const struct tw_value *map, float low, float high, float *out)
{
    const float *in = tw_floats(map);
    float least = in[0], greatest = in[0];
    for (size_t i = 0; i < tw_value_count(map); i++) {
        least = in[i] < least ? in[i] : least;
        greatest = in[i] > greatest ? in[i] : greatest;
    }
    for (size_t i = 0; i < tw_value_count(map); i++) {
        float t = (in[i] - least) / (greatest > least ? greatest - least : 1.0f);
        out[i] = low * (1.0f - t) + high * t;
    }
}

static void check_size(int32_t width, int32_t height, bool negative)
{
    struct tw_value terrain = harness_terrain(width, height, 5);
    float *expected = malloc(tw_value_count(&terrain) * sizeof *expected);
    assert_non_null(expected);
    for (size_t i = 0; negative && i < tw_value_count(&terrain); i++)
        tw_floats(&terrain)[i] -= 0.5f;
    reference(&terrain, -3.0f, 7.5f, expected);
    harness_give(0, &terrain);
    everywhere((struct harness){.width = width,
                                .height = height,
                                .nodes = "in: {type: test.map}\n"
                                         "n: {type: shape.normalize, in: in, low: -3, high: 7.5}"},
               "n", expected);
    free(expected);
    free(terrain.data);
}

static void stretches_to_the_range_at_every_size(void **state)
{
    (void)state;
    check_size(1, 1, false);
    check_size(1, 37, true);
    check_size(61, 1, true);
    check_size(257, 129, false);
    check_size(257, 129, true);
    check_size(64, 200, true);
}

static void reaches_both_ends_exactly(void **state)
{
    struct tw_value terrain = harness_terrain(257, 129, 2);
    (void)state;
    harness_give(0, &terrain);
    struct tw_result *result = harness_run(&(struct harness){
        .width = 257,
        .height = 129,
        .nodes = "in: {type: test.map}\nn: {type: shape.normalize, in: in, low: 0.1, high: 0.7}"});
    const struct tw_value *out = tw_result_output(result, "n");
    float least = 9, greatest = -9;
    for (size_t i = 0; i < tw_value_count(out); i++) {
        least = tw_floats(out)[i] < least ? tw_floats(out)[i] : least;
        greatest = tw_floats(out)[i] > greatest ? tw_floats(out)[i] : greatest;
    }
    assert_true(least == 0.1f && greatest == 0.7f);
    tw_result_release(result);
    free(terrain.data);
}

static void flat_map_becomes_low(void **state)
{
    (void)state;
    struct tw_result *result = harness_run(
        &(struct harness){.nodes = "flat: {type: source.constant, value: 5}\n"
                                   "n: {type: shape.normalize, in: flat, low: 2, high: 3}"});
    const struct tw_value *out = tw_result_output(result, "n");
    for (size_t i = 0; i < tw_value_count(out); i++)
        assert_true(tw_floats(out)[i] == 2);
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stretches_to_the_range_at_every_size),
                                       cmocka_unit_test(reaches_both_ends_exactly),
                                       cmocka_unit_test(flat_map_becomes_low)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
