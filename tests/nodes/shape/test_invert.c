/* SPDX-License-Identifier: MIT */
#include "support/pointwise.h"

static float one_less_equation(float a, float b, float c)
{
    (void)b;
    (void)c;
    return 1 - a;
}

static float about_equation(float a, float b, float c)
{
    (void)b;
    (void)c;
    return -1 - a;
}

static void equals_the_equation_everywhere(void **state)
{
    (void)state;
    pointwise_check("\"a\": {type: test.map}\n"
                    "out: {type: shape.invert, in: a}\n",
                    one_less_equation);
    pointwise_check("\"a\": {type: test.map}\n"
                    "out: {type: shape.invert, in: a, low: -3, high: 2}\n",
                    about_equation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_the_equation_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
