/* SPDX-License-Identifier: MIT */
#include "support/kernel.h"
#include "support/pointwise.h"

static float range_equation(float a, float b, float c)
{
    float t = (a - 1) / (-0.5f - 1);
    (void)b;
    (void)c;
    return t > 0 ? t < 1 ? t : 1 : 0;
}

static void equals_the_equation_everywhere(void **state)
{
    (void)state;
    pointwise_check("\"a\": {type: test.map}\n"
                    "out: {type: mask.from, in: a, range: [1, -0.5]}\n",
                    range_equation);
}

static void refuses_ranges_that_are_none(void **state)
{
    (void)state;
    kernel_refuses("{type: mask.from, in: in, range: [1, 1]}", "two different values");
    kernel_refuses("{type: mask.from, in: in, range: [1]}", "range is [1]; expected [low, high]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_the_equation_everywhere),
                                       cmocka_unit_test(refuses_ranges_that_are_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
