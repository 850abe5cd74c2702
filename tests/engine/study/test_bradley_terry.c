/* SPDX-License-Identifier: MIT */
/* Rankings from choices, against numbers computed by hand and a published fit. */
#include "study/statistics/bradley_terry.h"

#include "support/harness.h"

#include <math.h>

/* With two items the strengths' ratio is that of their wins. */
static void two_items_have_the_ratio_of_their_wins(void **state)
{
    const double wins[] = {0, 3, 1, 0};
    double logs[2];
    (void)state;
    tw_bradley_terry_fit(wins, 2, 0, logs);
    assert_true(fabs(logs[0] - logs[1] - log(3)) < 1e-8);
    assert_true(fabs(logs[0] + logs[1]) < 1e-12);
}

/* Baseball, American League East, 1987: the wins of Agresti 2002, "Categorical Data Analysis",
 * table 10.10, and the fit relative to Baltimore: to two digits his table 10.11, which the tests of
 * the R package BradleyTerry2 have as 0.68, 1.11, 1.25, 1.29, 1.44 and 1.58; the others are the
 * greatest likelihood found by SciPy 1.10.1, another way than ours:
 *
 *     def loss(b):
 *         d = numpy.subtract.outer([*b, 0], [*b, 0])
 *         return (wins * numpy.logaddexp(0, -d)).sum()
 *     minimize(loss, numpy.zeros(6), method="BFGS", options={"gtol": 1e-10}).x
 */
static void baseball_has_the_published_fit(void **state)
{
    enum { TEAMS = 7 };
    static const double wins[TEAMS * TEAMS] = {
        0, 7, 9, 7, 7,  9, 11, /* Milwaukee */
        6, 0, 7, 5, 11, 9, 9,  /* Detroit */
        4, 6, 0, 7, 7,  8, 12, /* Toronto */
        6, 8, 6, 0, 6,  7, 10, /* New York */
        6, 2, 6, 7, 0,  7, 12, /* Boston */
        4, 4, 5, 6, 6,  0, 6,  /* Cleveland */
        2, 4, 1, 3, 1,  7, 0,  /* Baltimore */
    };
    static const double fitted[TEAMS] = {1.581356, 1.436409, 1.294485, 1.247618,
                                         1.107698, 0.683853, 0};
    double logs[TEAMS];
    (void)state;
    tw_bradley_terry_fit(wins, TEAMS, 0, logs);
    for (int i = 0; i < TEAMS; i++)
        if (!(fabs(logs[i] - logs[TEAMS - 1] - fitted[i]) < 2e-6))
            fail_msg("team %d: %.6f is not %.6f", i, logs[i] - logs[TEAMS - 1], fitted[i]);
}

/* Half a choice more for and against each: 4.5 to 0.5 against an average item at 1, solved by hand
 * for two items p and 1 / p: 4.5 = 4 p / (p + 1 / p) + p / (p + 1). */
static void an_item_that_never_loses_stays_finite(void **state)
{
    const double wins[] = {0, 4, 0, 0};
    double logs[2];
    (void)state;
    tw_bradley_terry_fit(wins, 2, 0.5, logs);
    double p = exp(logs[0]);
    assert_true(p > 1 && p < 100);
    assert_true(fabs(4.5 - (4 * p / (p + 1 / p) + p / (p + 1))) < 1e-6);
}

/* Two that always beat two others, which also win: without a prior their ratio grows for ever,
 * slower and slower. After 10,000 steps it is this (Python 3.11, the same steps). */
static void what_has_no_fit_comes_to_an_end(void **state)
{
    const double wins[] = {0, 2, 3, 3, 2, 0, 3, 3, 0, 0, 0, 2, 0, 0, 2, 0};
    double logs[4];
    (void)state;
    tw_bradley_terry_fit(wins, 4, 0, logs);
    assert_true(fabs(logs[0] - logs[2] - 10.53203848) < 1e-6);
}

static void intervals_hold_the_strength_and_ties_are_halves(void **state)
{
    enum { COUNT = 60 };
    struct tw_choice_made choices[COUNT];
    struct tw_strength s[3];
    (void)state;
    for (int i = 0; i < COUNT; i++)
        choices[i] = (struct tw_choice_made){i % 3, (i + 1) % 3, 0.5};
    assert_int_equal(tw_bradley_terry(choices, COUNT, 3, s, NULL), TW_OK);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(s[i].chance - 0.5) < 1e-9 && s[i].low <= s[i].high);
    for (int i = 0; i < COUNT; i++) /* 0 beats all, 1 beats 2, three times in four */
        choices[i] = (struct tw_choice_made){i % 3 == 2, 1 + (i % 3 > 0), i % 4 != 0};
    assert_int_equal(tw_bradley_terry(choices, COUNT, 3, s, NULL), TW_OK);
    for (int i = 0; i < 3; i++)
        assert_true(s[i].low < s[i].chance && s[i].chance < s[i].high);
    assert_true(s[0].log > s[1].log && s[1].log > s[2].log);
}

/* Resamples are drawn by counter: the digits of an interval are those of any run and machine. */
static void intervals_are_the_same_on_any_machine(void **state)
{
    enum { COUNT = 20 };
    static const double expected[3][2] = {{0.464212711409850, 0.848688507281521},
                                          {0.354990277047589, 0.735545318214958},
                                          {0.102157932570994, 0.500000000000000}};
    struct tw_choice_made choices[COUNT];
    struct tw_strength s[3];
    (void)state;
    for (int i = 0; i < COUNT; i++)
        choices[i] = (struct tw_choice_made){i % 3 == 2, 1 + (i % 3 > 0), i % 4 != 0};
    assert_int_equal(tw_bradley_terry(choices, COUNT, 3, s, NULL), TW_OK);
    for (int i = 0; i < 3; i++)
        if (fabs(s[i].low - expected[i][0]) > 1e-12 || fabs(s[i].high - expected[i][1]) > 1e-12)
            fail_msg("item %d: %.15f to %.15f", i, s[i].low, s[i].high);
}

/* Wilson's interval of 8 of 10: 0.4902 to 0.9433. */
static void a_share_has_wilsons_interval(void **state)
{
    double low, high;
    (void)state;
    tw_wilson(0.8, 10, &low, &high);
    assert_true(fabs(low - 0.49016) < 1e-4 && fabs(high - 0.94331) < 1e-4);
    tw_wilson(0, 0, &low, &high);
    assert_true(low == 0 && high == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_items_have_the_ratio_of_their_wins),
        cmocka_unit_test(baseball_has_the_published_fit),
        cmocka_unit_test(an_item_that_never_loses_stays_finite),
        cmocka_unit_test(what_has_no_fit_comes_to_an_end),
        cmocka_unit_test(intervals_hold_the_strength_and_ties_are_halves),
        cmocka_unit_test(intervals_are_the_same_on_any_machine),
        cmocka_unit_test(a_share_has_wilsons_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
