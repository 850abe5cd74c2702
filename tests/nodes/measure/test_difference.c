/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"
#include "support/record.h"

#include <math.h>
#include <stdlib.h>

#define RECIPE                                                                                     \
    "a: {type: test.map}\nb: {type: test.map, slot: 1}\n"                                          \
    "d: {type: measure.difference, a: a, b: b}"

static void is_100_percent_from_zeros_to_ones(void **state)
{
    (void)state;
    struct tw_result *result =
        harness_run(&(struct harness){.nodes = "a: {type: source.constant, value: 0}\n"
                                               "b: {type: source.constant, value: 1}\n"
                                               "d: {type: measure.difference, a: a, b: b}"});
    const struct tw_value *record = tw_result_output(result, "d");
    assert_true(record_number(record, "percent") == 100);
    assert_true(record_number(record, "mean") == 1 && record_number(record, "max") == 1);
    tw_result_release(result);
}

static void is_never_negative_and_the_same_everywhere(void **state)
{
    struct tw_value a = harness_terrain(257, 129, 1), b = harness_terrain(257, 129, 2);
    float *expected = malloc(tw_value_count(&a) * sizeof *expected);
    double mean = 0;
    (void)state;
    assert_non_null(expected);
    for (size_t i = 0; i < tw_value_count(&a); i++) {
        expected[i] = fabsf(tw_floats(&a)[i] - tw_floats(&b)[i]);
        mean += (double)expected[i] / (double)tw_value_count(&a);
    }
    harness_give(0, &a);
    harness_give(1, &b);
    struct harness harness = {
        .width = 257, .height = 129, .nodes = RECIPE, .outputs = "m: d.out\n"};
    everywhere(harness, "m", expected);
    struct tw_result *result = harness_run(&harness);
    const struct tw_value *record = tw_result_output(result, "d");
    assert_true(fabs(record_number(record, "mean") - mean) < 1e-9);
    tw_result_release(result);
    free(expected);
    free(a.data);
    free(b.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(is_100_percent_from_zeros_to_ones),
                                       cmocka_unit_test(is_never_negative_and_the_same_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
