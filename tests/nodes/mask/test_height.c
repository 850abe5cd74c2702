/* SPDX-License-Identifier: MIT */
#include "support/pointwise.h"

static float soft(float a, float b, float c)
{
    (void)b;
    (void)c;
    float d = a < -0.25f ? -0.25f - a : a > 0.5f ? a - 0.5f : 0;
    float t = 1 - (d / 0.3f < 1 ? d / 0.3f : 1);
    return t * t * (3 - 2 * t);
}

static float sharp(float a, float b, float c)
{
    (void)b;
    (void)c;
    return a >= 0.25f && a <= 0.5f ? 1 : 0;
}

static void equals_the_equation_everywhere(void **state)
{
    (void)state;
    pointwise_check("\"a\": {type: test.map}\n"
                    "out: {type: mask.height, in: a, low: -0.25, high: 0.5, softness: 0.3}\n",
                    soft);
    pointwise_check("\"a\": {type: test.map}\n"
                    "out: {type: mask.height, in: a, low: 0.25, high: 0.5, softness: 0}\n",
                    sharp);
}

static void refuses_a_band_upside_down(void **state)
{
    (void)state;
    struct tw_error error = harness_fail(
        &(struct harness){.nodes = "a: {type: source.constant}\n"
                                   "out: {type: mask.height, in: a, low: 2, high: 1}"});
    assert_non_null(strstr(error.message, "expected at most high"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_the_equation_everywhere),
                                       cmocka_unit_test(refuses_a_band_upside_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
