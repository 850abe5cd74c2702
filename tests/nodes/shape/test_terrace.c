/* SPDX-License-Identifier: MIT */
#include "support/pointwise.h"

#include <math.h>

static float soft_equation(float a, float b, float c)
{
    (void)b;
    (void)c;
    float level = 2.0f / 5, t = (a + 0.5f) / level;
    if (t <= 0 || t >= 5)
        return a;
    float f = t - floorf(t);
    return a + (f * 0.25f / (0.5f * (1 - f) + 0.25f) - f) * level;
}

static float none_equation(float a, float b, float c)
{
    (void)b;
    (void)c;
    return a;
}

static float warped_equation(float a, float b, float c)
{
    float level = 2.0f / 5, t = (a + c + 0.5f) / level;
    (void)b;
    if (t <= 0 || t >= 5)
        return a;
    float f = t - floorf(t);
    return a + (f * 0.25f / (0.5f * (1 - f) + 0.25f) - f) * level;
}

static void equals_the_equation_everywhere(void **state)
{
    (void)state;
    pointwise_check(
        "\"a\": {type: test.map}\n"
        "out: {type: shape.terrace, in: a, levels: 5, sharpness: 0.5, low: -0.5, high: 1.5}\n",
        soft_equation);
    pointwise_check("\"a\": {type: test.map}\nc: {type: test.map, slot: 2}\n"
                    "out: {type: shape.terrace, in: a, warp: c, levels: 5, sharpness: 0.5, low: "
                    "-0.5, high: 1.5}\n",
                    warped_equation);
    pointwise_check("\"a\": {type: test.map}\nzero: {type: source.constant, value: 0}\n"
                    "out: {type: shape.terrace, in: a, warp: zero, levels: 5, sharpness: 0.5, low: "
                    "-0.5, high: 1.5}\n",
                    soft_equation);
    pointwise_check("\"a\": {type: test.map}\n"
                    "out: {type: shape.terrace, in: a, levels: 3, sharpness: 0}\n",
                    none_equation);
}

/* Fully sharp: every height falls to the foot of its terrace. */
static void full_sharpness_makes_steps(void **state)
{
    struct tw_value terrain = harness_terrain(64, 64, 1);
    (void)state;
    harness_give(0, &terrain);
    struct tw_result *result = harness_run(
        &(struct harness){.nodes = "a: {type: test.map}\n"
                                   "out: {type: shape.terrace, in: a, levels: 4, sharpness: 1}"});
    const float *out = tw_floats(tw_result_output(result, "out"));
    for (int i = 0; i < 64 * 64; i++)
        assert_true(fabsf(out[i] - floorf(tw_floats(&terrain)[i] * 4) / 4) < 1e-6f);
    tw_result_release(result);
    free(terrain.data);
}

static void refuses_a_range_upside_down(void **state)
{
    (void)state;
    struct tw_error error = harness_fail(
        &(struct harness){.nodes = "a: {type: source.constant}\n"
                                   "out: {type: shape.terrace, in: a, low: 1, high: 1}\n"});
    assert_non_null(strstr(error.message, "expected less than high"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_the_equation_everywhere),
                                       cmocka_unit_test(full_sharpness_makes_steps),
                                       cmocka_unit_test(refuses_a_range_upside_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
