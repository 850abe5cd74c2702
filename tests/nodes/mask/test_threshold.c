/* SPDX-License-Identifier: MIT */
#include "support/pointwise.h"

static float equation(float a, float b, float c)
{
    (void)b;
    (void)c;
    return a >= 0.125f ? 1 : 0;
}

static void equals_the_equation_everywhere(void **state)
{
    (void)state;
    pointwise_check("\"a\": {type: test.map}\n"
                    "out: {type: mask.threshold, in: a, level: 0.125}\n",
                    equation);
}

static void the_level_itself_belongs_to_it(void **state)
{
    (void)state;
    struct tw_result *result =
        harness_run(&(struct harness){.nodes = "a: {type: source.constant, value: 0.3}\n"
                                               "out: {type: mask.threshold, in: a, level: 0.3}"});
    assert_true(tw_floats(tw_result_output(result, "out"))[0] == 1);
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_the_equation_everywhere),
                                       cmocka_unit_test(the_level_itself_belongs_to_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
