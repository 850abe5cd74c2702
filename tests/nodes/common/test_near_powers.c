/* SPDX-License-Identifier: MIT */
/* Near powers against the C library's, and the floats that follow from them. */
#include "common/near_powers.h"

#include "base/os/cpu.h"
#include "support/harness.h"

#include <thalweg/kernel.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 20000 };

#define SERIES_ERROR 0x1p-42 /* of what decides where a float is in doubt */

static float float_of(uint32_t bits)
{
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* Of all sizes, with both signs; next to 1; and next to where one part of 1..2 follows another. */
static float value_of(uint32_t i)
{
    struct tw_random4 r = tw_random(5, i, 0, 0, 0);
    switch (i % 4) {
    case 0:
        return 1 + (float)((int32_t)(r.at[0] % 4096) - 2048) * FLT_EPSILON / 2;
    case 1:
        return ldexpf(1 + (float)(r.at[0] % 17) / 16 + (float)(r.at[1] % 5) * FLT_EPSILON,
                      (int)(r.at[2] % 8) - 6);
    case 2:
        return tw_uniform(r.at[0]) + 0x1p-30f;
    default:
        return float_of(r.at[0] % 0x7F800000u | (r.at[1] & 0x80000000u));
    }
}

static void all_values(float *values)
{
    for (uint32_t i = 0; i < COUNT; i++)
        values[i] = value_of(i);
}

/* How far above the power the near one lies, of its spread; -1 where floats are far away. */
static double place_in_spread(double v, double near, const struct tw_near_powers *n)
{
    double binary = n->exponent * log2(v);
    if (binary < -199 || binary > 999)
        return -1;
    double power = pow(v, n->exponent);
    double series = tw_vector_exp2(n->exponent * tw_vector_log2(v));
    assert_true(fabs(series - power) <= SERIES_ERROR * power);
    /* The series' power must lie in the spread wherever in its error it is. */
    assert_true(near >= power * (1 + SERIES_ERROR));
    assert_true(near * (1 - n->spread) <= power * (1 - SERIES_ERROR));
    return (near / power - 1) / n->spread;
}

static void check_spread(enum tw_simd simd, double exponent, const float *values, double *ends)
{
    double *powers = malloc(COUNT * sizeof *powers);
    struct tw_near_powers n;
    assert_non_null(powers);
    tw_near_powers_init(&n, simd, exponent);
    assert_true(n.spread <= 0x1p-34);
    tw_near_powers(&n, values, COUNT, powers);
    for (int i = 0; i < COUNT; i++) {
        double place = place_in_spread((double)fabsf(values[i]), powers[i], &n);
        ends[0] = place >= 0 ? fmin(ends[0], place) : ends[0];
        ends[1] = fmax(ends[1], place);
    }
    free(powers);
}

static void powers_lie_in_the_spread(void **state)
{
    static const double exponents[] = {0.01, 0.1,   0.45, 0.5, 0.999, 1,  1.1, 1.3,
                                       1.5,  2.345, 3,    7,   20,    33, 61,  100};
    float *values = malloc(COUNT * sizeof *values);
    (void)state;
    assert_non_null(values);
    all_values(values);
    for (int simd = 0; simd <= (int)tw_cpu_simd(); simd++) {
        double ends[2] = {1, 0};
        for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++)
            check_spread((enum tw_simd)simd, exponents[i], values, ends);
        assert_true(ends[0] < 0.3 && ends[1] > 0.7); /* and the spread is not too wide */
    }
    free(values);
}

static void what_is_far_below_floats_becomes_0(void **state)
{
    static const float values[] = {0, -0.0f, 0x1p-11f, -0x1p-149f, 0x1p-126f, 0x1p-4f};
    (void)state;
    for (int simd = 0; simd <= (int)tw_cpu_simd(); simd++) {
        double powers[TW_NEAR_POWERS_GROUP];
        float raised[6];
        struct tw_near_powers n;
        tw_near_powers_init(&n, (enum tw_simd)simd, 100);
        tw_near_powers(&n, values, 6, powers);
        assert_true(tw_near_powers_round(powers, n.spread, values, 6, raised));
        for (int i = 0; i < 6; i++)
            assert_true(raised[i] == 0 && !signbit(raised[i]) == (i != 3));
    }
}

/* Groups of which only some cells are there, at the end of their memory. */
static void any_count_has_the_same_powers(void **state)
{
    (void)state;
    for (int simd = 0; simd <= (int)tw_cpu_simd(); simd++) {
        struct tw_near_powers n;
        tw_near_powers_init(&n, (enum tw_simd)simd, 1.3);
        for (int32_t count = 1; count <= 24; count++) {
            double powers[25], one[TW_NEAR_POWERS_GROUP];
            float *values = malloc((size_t)count * sizeof *values);
            assert_non_null(values);
            for (int32_t i = 0; i < count; i++)
                values[i] = 0.1f * (float)(i + 1);
            powers[24] = -1;
            tw_near_powers(&n, values, count, powers);
            for (int32_t i = 0; i < count; i++) {
                tw_near_powers(&n, &values[i], 1, one);
                assert_memory_equal(&powers[i], one, sizeof *one);
            }
            assert_true(powers[24] == -1);
            free(values);
        }
    }
}

/* Numbers just below and above the middle of two floats, further away than the spread or not. */
static void floats_next_to_the_middle_are_in_doubt(void **state)
{
    static const double floats[] = {1, 0.75, 1e-30, 0x1p-126, 0x1p-149, 3e38};
    const double spread = 0x1p-37;
    (void)state;
    for (int i = 0; i < 6; i++) {
        const float v = (float)floats[i], next = nextafterf(v, INFINITY), in = i % 2 ? -1 : 1;
        const double middle = ((double)v + (double)next) / 2;
        float out;
        double power = middle * (1 + spread / 2);
        assert_false(tw_near_powers_round(&power, spread, &in, 1, &out));
        power = middle * (1 + 2 * spread);
        assert_true(tw_near_powers_round(&power, spread, &in, 1, &out) && out == in * next);
        power = middle * (1 - spread / 2);
        assert_true(tw_near_powers_round(&power, spread, &in, 1, &out) && out == in * v);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(powers_lie_in_the_spread),
                                       cmocka_unit_test(what_is_far_below_floats_becomes_0),
                                       cmocka_unit_test(any_count_has_the_same_powers),
                                       cmocka_unit_test(floats_next_to_the_middle_are_in_doubt)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
