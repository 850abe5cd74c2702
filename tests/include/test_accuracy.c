/* SPDX-License-Identifier: MIT */
/* The functions of kernel.h against correctly rounded values: their worst error in units of the
 * last place of a double, and that nothing is left of it in a float. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <thalweg/kernel.h>

#include "include/correct_values.h"

static double call(const struct correct_value *row)
{
    switch (row->function) {
    case EXP2:
        return tw_exp2(row->x);
    case EXP:
        return tw_exp(row->x);
    case LOG2:
        return tw_log2(row->x);
    case POW:
        return tw_pow(row->x, row->y);
    case SIN:
        return tw_sin(row->x);
    case COS:
        return tw_cos(row->x);
    case SIN_DEGREES:
        return tw_sin_degrees(row->x);
    case COS_DEGREES:
        return tw_cos_degrees(row->x);
    case ATAN2:
        return tw_atan2(row->x, row->y);
    case FUNCTIONS:
        break;
    }
    fail();
    return 0;
}

/* Errors are at most that, in ulp of the value, or, with `absolute`, of 1: sines near a zero take
 * over the error of their argument in degrees. */
static const struct {
    const char *name;
    double ulp_max;
    bool absolute;
} bounds[FUNCTIONS] = {
    [EXP2] = {"tw_exp2", 1, false},
    [EXP] = {"tw_exp", 40, false},
    [LOG2] = {"tw_log2", 1, false},
    [POW] = {"tw_pow", 20, false},
    [SIN] = {"tw_sin", 3, true},
    [COS] = {"tw_cos", 3, true},
    [SIN_DEGREES] = {"tw_sin_degrees", 2, true},
    [COS_DEGREES] = {"tw_cos_degrees", 2, true},
    [ATAN2] = {"tw_atan2", 3, false},
};

/* Of the doubles that are as large as v: 2^-52 of the power of two below it. */
static double ulp_of(double v)
{
    int exponent;
    (void)frexp(v, &exponent);
    return ldexp(1, exponent - 53);
}

enum { ROWS = sizeof correct_values / sizeof correct_values[0] };

static void errors_are_within_their_bounds(void **state)
{
    double worst[FUNCTIONS] = {0};
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        const struct correct_value *row = &correct_values[i];
        double unit = bounds[row->function].absolute ? ulp_of(1) : ulp_of(row->value);
        double error = fabs(call(row) - row->value) / unit;
        worst[row->function] = error > worst[row->function] ? error : worst[row->function];
    }
    int failures = 0;
    for (int f = 0; f < FUNCTIONS; f++) {
        print_message("%s: %.2f ulp\n", bounds[f].name, worst[f]);
        if (worst[f] <= bounds[f].ulp_max)
            continue;
        failures++;
        print_error("%s errs by %.2f ulp, expected at most %.0f\n", bounds[f].name, worst[f],
                    bounds[f].ulp_max);
    }
    assert_int_equal(failures, 0);
}

/* What maps hold. */
static void floats_are_correctly_rounded(void **state)
{
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        const struct correct_value *row = &correct_values[i];
        double value = call(row);
        if (fabs(row->value) < 0x1p127 && (float)value != (float)row->value)
            fail_msg("%s(%a, %a) is %a, expected %a", bounds[row->function].name, row->x, row->y,
                     value, row->value);
    }
}

static void certain_values_are_exact(void **state)
{
    (void)state;
    assert_true(tw_exp2(0) == 1 && tw_exp2(10) == 1024 && tw_exp2(-3) == 0.125);
    assert_true(tw_log2(1) == 0 && tw_log2(1024) == 10 && tw_log2(0x1p-1000) == -1000);
    assert_true(tw_pow(0, 2) == 0 && tw_pow(0, 0) == 1 && tw_pow(7, 0) == 1 && tw_pow(2, 5) == 32);
    assert_true(tw_sin_degrees(90) == 1 && tw_sin_degrees(-90) == -1 && tw_sin_degrees(180) == 0);
    assert_true(tw_cos_degrees(0) == 1 && tw_cos_degrees(180) == -1 && tw_cos_degrees(90) == 0);
    assert_true(tw_atan2(0, 0) == 0 && tw_atan2(0, 1) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_within_their_bounds),
        cmocka_unit_test(floats_are_correctly_rounded),
        cmocka_unit_test(certain_values_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
