/* SPDX-License-Identifier: MIT */
#include "support/pointwise.h"

static float half(float a, float b, float c)
{
    (void)c;
    return 0.5f * a + 0.5f * b;
}

static float third(float a, float b, float c)
{
    (void)c;
    return (1.0f - 0.33f) * a + 0.33f * b;
}

static float first(float a, float b, float c)
{
    (void)b;
    (void)c;
    return a;
}

static float second(float a, float b, float c)
{
    (void)a;
    (void)c;
    return b;
}

#define MIX(weight)                                                                                \
    "\"a\": {type: test.map}\n"                                                                    \
    "b: {type: test.map, slot: 1}\n"                                                               \
    "out: {type: combine.mix, a: a, b: b" weight "}\n"

static void equals_the_equation_everywhere(void **state)
{
    (void)state;
    pointwise_check(MIX(""), half);
    pointwise_check(MIX(", weight: 0.33"), third);
}

/* Weights 0 and 1 return the bytes of a and of b. */
static void the_ends_are_the_inputs(void **state)
{
    (void)state;
    pointwise_check(MIX(", weight: 0"), first);
    pointwise_check(MIX(", weight: 1"), second);
}

/* Two masks give a mask, a mask and a map give a map. */
static void masks_stay_masks(void **state)
{
    struct tw_value in = harness_terrain(64, 64, 1);
    (void)state;
    harness_give(0, &in);
    struct tw_result *result =
        harness_run(&(struct harness){.nodes = "in: {type: test.map}\n"
                                               "m: {type: test.mask}\n"
                                               "two: {type: combine.mix, a: m, b: m}\n"
                                               "one: {type: combine.mix, a: m, b: in}\n"});
    assert_int_equal(tw_result_output(result, "two")->type, TW_MASK);
    assert_int_equal(tw_result_output(result, "one")->type, TW_HEIGHTMAP);
    harness_same(tw_result_output(result, "two"), tw_floats(&in));
    harness_same(tw_result_output(result, "one"), tw_floats(&in));
    tw_result_release(result);
    free(in.data);
}

static void a_weight_beyond_0_to_1_is_refused(void **state)
{
    static const char *const nodes[] = {
        "in: {type: source.constant}\nout: {type: combine.mix, a: in, b: in, weight: -0.01}\n",
        "in: {type: source.constant}\nout: {type: combine.mix, a: in, b: in, weight: 1.01}\n"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct tw_error error = harness_fail(&(struct harness){.nodes = nodes[i]});
        assert_non_null(strstr(error.message, "combine.mix.weight"));
        assert_int_equal(error.line, 6);
        assert_int_equal(error.column, 50);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_equation_everywhere),
        cmocka_unit_test(the_ends_are_the_inputs),
        cmocka_unit_test(masks_stay_masks),
        cmocka_unit_test(a_weight_beyond_0_to_1_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
