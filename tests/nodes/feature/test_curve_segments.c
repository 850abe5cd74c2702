/* SPDX-License-Identifier: MIT */
/* What lies between the control points of a curve: smooth, monotone or straight. */
#include "feature/kernels/curve_segments.h"

#include <thalweg/kernel.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { POINTS = 7, STEPS = 200 };

/* Of the segment from point i to the next. */
static void coefficients(enum tw_interpolation by, const double *z, int i, double c[4])
{
    const double b[4] = {z[i ? i - 1 : 0], z[i], z[i + 1], z[i + 2 < POINTS ? i + 2 : POINTS - 1]};
    tw_curve_coefficients(by, b, i == 0, i + 2 == POINTS, c);
}

static double slope_at(const double *c, double t) { return (3 * c[3] * t + 2 * c[2]) * t + c[1]; }

/* Steep beside gentle, level stretches and turns. */
static void draw(uint32_t curve, double *z)
{
    for (uint32_t k = 0; k < POINTS; k++) {
        struct tw_random4 u = tw_random(3, curve, k, 0, 0);
        double step = (double)tw_uniform(u.at[0]) - 0.4;
        z[k] = (k ? z[k - 1] : 0) + (u.at[1] % 4 == 0 ? 0 : u.at[1] % 3 == 0 ? 50 * step : step);
    }
}

static void joins_the_points(void **state)
{
    (void)state;
    for (uint32_t curve = 0; curve < 300; curve++)
        for (int by = TW_CURVE_CUBIC; by <= TW_CURVE_STRAIGHT; by++) {
            double z[POINTS], c[4], before = 0;
            draw(curve, z);
            for (int i = 0; i + 1 < POINTS; i++) {
                coefficients((enum tw_interpolation)by, z, i, c);
                assert_true(c[0] == z[i]);
                assert_true(fabs(tw_curve_cubic_at(c, 1) - z[i + 1]) < 1e-12);
                if (i > 0 && by != TW_CURVE_STRAIGHT) /* without a kink */
                    assert_true(fabs(slope_at(c, 0) - before) < 1e-12);
                before = slope_at(c, 1);
            }
        }
}

static void monotone_rises_and_falls_as_its_points_do(void **state)
{
    (void)state;
    for (uint32_t curve = 0; curve < 1000; curve++) {
        double z[POINTS], c[4];
        draw(curve, z);
        for (int i = 0; i + 1 < POINTS; i++) {
            coefficients(TW_CURVE_MONOTONE, z, i, c);
            double rise = z[i + 1] - z[i];
            for (int k = 0; k <= STEPS; k++) {
                double slope = slope_at(c, (double)k / STEPS);
                assert_true(rise > 0 ? slope > -1e-12 : rise < 0 ? slope < 1e-12 : slope == 0);
            }
        }
    }
}

/* Where the cubic is monotone with tangents of at most three times the rises, it is kept; and the
 * example of the page. */
static void monotone_differs_only_where_the_cubic_overshoots(void **state)
{
    static const double gentle[POINTS] = {0, 1, 2.5, 4.5, 6, 7, 7.5};
    static const double ramp[4] = {0.56, 0.56, 0.56, 0.2};
    double a[4], b[4];
    (void)state;
    for (int i = 0; i + 1 < POINTS; i++) {
        coefficients(TW_CURVE_CUBIC, gentle, i, a);
        coefficients(TW_CURVE_MONOTONE, gentle, i, b);
        for (int k = 0; k < 4; k++)
            assert_true(fabs(a[k] - b[k]) < 1e-12);
    }
    tw_curve_coefficients(TW_CURVE_CUBIC, ramp, true, false, a);
    tw_curve_coefficients(TW_CURVE_MONOTONE, ramp, true, false, b);
    assert_true(fabs(tw_curve_cubic_at(a, 0.5) - 0.605) < 1e-12);
    assert_true(tw_curve_cubic_at(b, 0.5) == 0.56);
}

static void straight_is_straight(void **state)
{
    (void)state;
    for (uint32_t curve = 0; curve < 100; curve++) {
        double z[POINTS], c[4];
        draw(curve, z);
        for (int i = 0; i + 1 < POINTS; i++) {
            coefficients(TW_CURVE_STRAIGHT, z, i, c);
            assert_true(c[1] == z[i + 1] - z[i] && c[2] == 0 && c[3] == 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joins_the_points),
        cmocka_unit_test(monotone_rises_and_falls_as_its_points_do),
        cmocka_unit_test(monotone_differs_only_where_the_cubic_overshoots),
        cmocka_unit_test(straight_is_straight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
