/* SPDX-License-Identifier: MIT */
/* Sobol's sequence against the points that Joe and Kuo publish with their direction numbers. */
#include "study/statistics/sobol.h"
#include "support/harness.h"

/* The first ten points in three dimensions: the output of their program sobol.cc for
 * "sobol 10 3 new-joe-kuo-6.21201". */
static void the_first_points_are_those_published(void **state)
{
    static const double points[][3] = {
        {0, 0, 0},
        {0.5, 0.5, 0.5},
        {0.75, 0.25, 0.25},
        {0.25, 0.75, 0.75},
        {0.375, 0.375, 0.625},
        {0.875, 0.875, 0.125},
        {0.625, 0.125, 0.875},
        {0.125, 0.625, 0.375},
        {0.1875, 0.3125, 0.9375},
        {0.6875, 0.8125, 0.4375},
    };
    (void)state;
    for (uint32_t i = 0; i < sizeof points / sizeof points[0]; i++)
        for (int32_t d = 0; d < 3; d++)
            assert_true(tw_sobol(i, d) == points[i][d]);
}

/* Every interval of 2^-k has one of the first 2^k points, in each dimension. */
static void points_fill_every_interval_once(void **state)
{
    enum { POINTS = 64 };
    (void)state;
    for (int32_t d = 0; d < TW_SOBOL_DIMENSIONS_MAX; d++) {
        int seen[POINTS] = {0};
        for (uint32_t i = 0; i < POINTS; i++)
            seen[(int)(tw_sobol(i, d) * POINTS)]++;
        for (int i = 0; i < POINTS; i++)
            assert_int_equal(seen[i], 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_points_are_those_published),
        cmocka_unit_test(points_fill_every_interval_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
