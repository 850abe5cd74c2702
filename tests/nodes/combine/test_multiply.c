/* SPDX-License-Identifier: MIT */
#include "support/pointwise.h"

static float equation(float a, float b, float c)
{
    (void)c;
    return a * b;
}

static void equals_the_equation_everywhere(void **state)
{
    (void)state;
    pointwise_check("\"a\": {type: test.map}\n"
                    "b: {type: test.map, slot: 1}\n"

                    "out: {type: combine.multiply, a: a, b: b}\n",
                    equation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_the_equation_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
