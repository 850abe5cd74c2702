/* SPDX-License-Identifier: MIT */
#include "support/pointwise.h"

static float lowered_equation(float a, float b, float c)
{
    (void)b;
    (void)c;
    return a - 0.3f > 0 ? a - 0.3f : 0;
}

static float raised_equation(float a, float b, float c)
{
    (void)b;
    (void)c;
    return a + 2;
}

static void equals_the_equation_everywhere(void **state)
{
    (void)state;
    pointwise_check("\"a\": {type: test.map}\n"
                    "out: {type: shape.offset_clip, in: a, offset: 0.3}\n",
                    lowered_equation);
    pointwise_check("\"a\": {type: test.map}\n"
                    "out: {type: shape.offset_clip, in: a, offset: -2}\n",
                    raised_equation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_the_equation_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
