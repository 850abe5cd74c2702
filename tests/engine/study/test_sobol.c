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

/* Points 777 and 4095 in all dimensions, times 4096: those of SciPy 1.10.1's
 * qmc.Sobol(64, scramble=False). */
static void all_dimensions_are_those_of_scipy(void **state)
{
    static const int points[][TW_SOBOL_DIMENSIONS_MAX] = {
        {2836, 3836, 668,  1124, 2604, 1460, 780,  3124, 1428, 1324, 3052, 2852, 1572,
         1940, 2332, 2108, 1652, 3540, 1516, 3084, 972,  1116, 3876, 1972, 1412, 596,
         244,  3196, 260,  452,  2220, 3684, 460,  12,   3300, 3876, 1892, 1436, 1404,
         1468, 2956, 1092, 3884, 1644, 1316, 620,  1540, 132,  3180, 3900, 340,  148,
         2524, 2900, 2836, 3732, 1460, 2644, 3284, 2260, 2100, 2004, 564,  1748},
        {1,    3855, 1369, 3693, 3851, 323,  3889, 1601, 785,  1009, 2333, 1317, 1511,
         2129, 2257, 1707, 255,  2495, 3331, 2135, 925,  2999, 2777, 1825, 751,  2183,
         1551, 117,  3827, 3503, 1481, 359,  3115, 1077, 3903, 719,  2377, 1343, 679,
         931,  823,  43,   2743, 2773, 2741, 3983, 2865, 81,   3923, 2489, 1905, 151,
         2787, 4069, 227,  593,  2865, 2161, 2621, 2333, 1215, 1577, 2813, 2267},
    };
    (void)state;
    for (int32_t d = 0; d < TW_SOBOL_DIMENSIONS_MAX; d++) {
        assert_true(tw_sobol(777, d) * 4096 == points[0][d]);
        assert_true(tw_sobol(4095, d) * 4096 == points[1][d]);
    }
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
        cmocka_unit_test(all_dimensions_are_those_of_scipy),
        cmocka_unit_test(points_fill_every_interval_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
