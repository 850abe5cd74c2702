/* SPDX-License-Identifier: MIT */
/* kernel.h against libm (close) and against published vectors (equal). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <thalweg/kernel.h>
#include <thalweg/power.h>

/* Known answers of Philox4x32-10 from the Random123 distribution (kat_vectors). */
static void philox_gives_the_published_words(void **state)
{
    (void)state;
    struct tw_random4 zero = tw_random(0, 0, 0, 0, 0);
    const uint32_t expected[4] = {0x6627E8D5u, 0xE169C58Du, 0xBC57AC4Cu, 0x9B00DBD8u};
    assert_memory_equal(zero.at, expected, sizeof expected);
    struct tw_random4 ones = tw_random(UINT64_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX);
    const uint32_t all[4] = {0x408F276Du, 0x41C83B0Eu, 0xA20BC7C6u, 0x6D5451FDu};
    assert_memory_equal(ones.at, all, sizeof all);
}

static void near(double a, double b)
{
    double scale = fabs(b) > 1 ? fabs(b) : 1;
    if (fabs(a - b) > 2e-14 * scale)
        fail_msg("%.17g, libm %.17g", a, b);
}

static void functions_agree_with_libm(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 20000; i++) {
        struct tw_random4 r = tw_random(7, i, 0, 0, 0);
        double u = (double)tw_uniform(r.at[0]), v = (double)tw_uniform(r.at[1]);
        near(tw_exp2(20 * u - 15), exp2(20 * u - 15));
        near(tw_log2(1e-3 + 1e3 * u), log2(1e-3 + 1e3 * u));
        near(tw_pow(u + 1e-6, 3 * v), pow(u + 1e-6, 3 * v));
        near(tw_sin(12 * u - 6), sin(12 * u - 6));
        near(tw_cos(12 * u - 6), cos(12 * u - 6));
        near(tw_atan2(u - 0.5, v - 0.5), atan2(u - 0.5, v - 0.5));
        near(tw_sin_degrees(720 * u), sin(720 * u * 0.017453292519943295));
    }
    assert_true(tw_sin_degrees(90) == 1.0 && tw_pow(0, 2) == 0.0 && tw_pow(0, 0) == 1.0);
}

static void any_angle_has_a_sine(void **state)
{
    static const double angles[] = {0x1p30,     0x1p31, 1e12,  3.3e21,
                                    8.40626e26, 3e38,   1e300, INFINITY};
    (void)state;
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        volatile double angle = angles[i]; /* not computed by the compiler */
        assert_true(tw_sin_degrees(angle) == tw_sin_degrees(0x1p30));
        assert_true(tw_sin_degrees(-angle) == tw_sin_degrees(-0x1p30));
        assert_true(tw_cos_degrees(angle) >= -1 && tw_cos_degrees(angle) <= 1);
    }
}

static void vector_powers_have_the_bits_of_powers(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 100000; i++) {
        struct tw_random4 r = tw_random(11, i, 0, 0, 0);
        float x = tw_uniform(r.at[0]) + 0x1p-30f;
        double y = i % 3 ? (double)(r.at[1] % 4000) / 100 - 20 : 0.5 * (double)(r.at[1] % 80);
        double power = tw_pow((double)x, y), vector = tw_vector_pow((double)x, y);
        assert_memory_equal(&power, &vector, sizeof power);
    }
    assert_true(tw_vector_pow(0x1p-149, 20) == 0x1p-1000 && tw_vector_pow(1, 3) == 1);
}

/* What rounds to a float or not is decided with this bound. */
static void near_powers_are_as_near_as_they_say(void **state)
{
    double farthest = 0;
    (void)state;
    for (uint32_t i = 0; i < 200000; i++) {
        struct tw_random4 r = tw_random(12, i, 0, 0, 0);
        double x = tw_bits_double((uint64_t)r.at[0] << 20 | (uint64_t)(r.at[1] % 276 + 874) << 52);
        double y = (double)(r.at[2] % 20001) / 100 - 100;
        if (i % 4 == 0)
            x = 1 + (double)(int32_t)r.at[0] * 0x1p-55; /* a logarithm next to 0 */
        double power = tw_vector_exp2(y * tw_vector_log2(x)), size = fabs(y * log2(x));
        if (size < 999)
            farthest = fmax(farthest, fabs(tw_near_pow(x, y) / power - 1));
    }
    assert_true(farthest < 0x1p-39 && farthest > 0x1p-42);
    assert_true(tw_near_pow(2, 1001) == tw_near_pow(2, 1000));
    assert_true(tw_near_pow(2, -1001) == tw_near_pow(2, -1000));
}

static void floor_is_total(void **state)
{
    (void)state;
    assert_int_equal(tw_floor(2.5f), 2);
    assert_int_equal(tw_floor(-2.5f), -3);
    assert_int_equal(tw_floor(-0.0f), 0);
    assert_int_equal(tw_floor(0x1p30f), 1 << 30);
    assert_int_equal(tw_floor(3e38f), 1 << 30);
    assert_int_equal(tw_floor(-3e38f), -(1 << 30));
    assert_int_equal(tw_floor((float)INFINITY), 1 << 30);
    assert_int_equal(tw_floor((float)NAN), -(1 << 30));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_gives_the_published_words),
        cmocka_unit_test(functions_agree_with_libm),
        cmocka_unit_test(any_angle_has_a_sine),
        cmocka_unit_test(vector_powers_have_the_bits_of_powers),
        cmocka_unit_test(near_powers_are_as_near_as_they_say),
        cmocka_unit_test(floor_is_total),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
