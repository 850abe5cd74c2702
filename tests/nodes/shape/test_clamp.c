/* SPDX-License-Identifier: MIT */
#include "support/pointwise.h"

static float cut_equation(float a, float b, float c)
{
    (void)b;
    (void)c;
    return a < -0.25f ? -0.25f : a > 0.5f ? 0.5f : a;
}

static void equals_the_equation_everywhere(void **state)
{
    (void)state;
    pointwise_check("\"a\": {type: test.map}\n"
                    "out: {type: shape.clamp, in: a, low: -0.25, high: 0.5}\n",
                    cut_equation);
}

static void refuses_a_range_upside_down(void **state)
{
    (void)state;
    struct tw_error error = harness_fail(
        &(struct harness){.nodes = "a: {type: source.constant}\n"
                                   "out: {type: shape.clamp, in: a, low: 2, high: 1}\n"});
    assert_non_null(strstr(error.message, "expected at most high"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_the_equation_everywhere),
                                       cmocka_unit_test(refuses_a_range_upside_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
