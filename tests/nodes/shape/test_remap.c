/* SPDX-License-Identifier: MIT */
#include "support/pointwise.h"

static float line_equation(float a, float b, float c)
{
    (void)b;
    (void)c;
    float t = (a + 1) / 2;
    return 10 * (1 - t) + 30 * t;
}

static float clamped_equation(float a, float b, float c)
{
    (void)b;
    (void)c;
    float t = 1 - a;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return 2 * (1 - t) + 3 * t;
}

static void equals_the_equation_everywhere(void **state)
{
    (void)state;
    pointwise_check("\"a\": {type: test.map}\n"
                    "out: {type: shape.remap, in: a, from: [-1, 1], to: [10, 30]}\n",
                    line_equation);
    pointwise_check("\"a\": {type: test.map}\n"
                    "out: {type: shape.remap, in: a, from: [1, 0], to: [2, 3], clamp: true}\n",
                    clamped_equation);
}

static void refuses_an_empty_range(void **state)
{
    (void)state;
    struct tw_error error =
        harness_fail(&(struct harness){.nodes = "a: {type: source.constant}\n"
                                                "out: {type: shape.remap, in: a, from: [2, 2]}\n"});
    assert_non_null(strstr(error.message, "two different heights"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_the_equation_everywhere),
                                       cmocka_unit_test(refuses_an_empty_range)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
