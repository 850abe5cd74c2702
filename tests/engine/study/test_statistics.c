/* SPDX-License-Identifier: MIT */
/* The least and the greatest sample, in any order and of either sign. */
#include "support/harness.h"

#include "study/statistics/statistics.h"

#include <math.h>

enum { COUNT = 3 };

/* Samples are `from`, `from` + 1 and `from` + 2 in that order. */
static void expect_extremes(double from, const int order[COUNT])
{
    double samples[COUNT];
    for (int i = 0; i < COUNT; i++)
        samples[i] = from + order[i];
    for (int count = 1; count <= COUNT; count++) {
        struct tw_summary s = tw_summarise(samples, count);
        double least = samples[0], greatest = samples[0];
        for (int i = 1; i < count; i++) {
            least = fmin(least, samples[i]);
            greatest = fmax(greatest, samples[i]);
        }
        if (s.least != least || s.greatest != greatest)
            fail_msg("%d of %g, %g, %g are from %g to %g", count, samples[0], samples[1],
                     samples[2], s.least, s.greatest);
    }
}

static void extremes_are_those_of_the_samples(void **state)
{
    static const int orders[][COUNT] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                        {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    (void)state;
    for (int from = -5; from <= 3; from++)
        for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
            expect_extremes(from, orders[i]);
}

/* A zero's sign is printed. */
static void of_equal_samples_the_first_counts(void **state)
{
    static const double zeros[][2] = {{-0.0, 0.0}, {0.0, -0.0}};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct tw_summary s = tw_summarise(zeros[i], 2);
        assert_int_equal(signbit(s.least) != 0, i == 0);
        assert_int_equal(signbit(s.greatest) != 0, i == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extremes_are_those_of_the_samples),
        cmocka_unit_test(of_equal_samples_the_first_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
