/* SPDX-License-Identifier: MIT */
/* How far a candidate of `tune:` is from its goals: the sum of squares of shares of each target. */
#include "study/experiment.h"

#include "support/harness.h"

#include <math.h>

static const double base[] = {2, 0, 0};

static struct tw_loss find(struct tw_tune_goal *goals, int32_t count, const double *means)
{
    const struct tw_tune tune = {.goals = goals, .goal_count = count};
    return tw_tune_loss(&tune, means, base);
}

/* Of goals without constraints that count apart. */
static double loss_of(struct tw_tune_goal *goals, int32_t count, const double *means)
{
    struct tw_loss loss = find(goals, count, means);
    assert_true(loss.missed == 0);
    return loss.value;
}

static void a_goal_is_missed_by_a_share_of_its_target(void **state)
{
    static const double means[] = {0.75, -3, 20};
    struct tw_tune_goal goals[] = {
        {.measure = 0, .target = 0.5}, {.measure = 1, .target = -4}, {.measure = 2, .target = 10}};
    (void)state;
    assert_true(loss_of(goals, 1, means) == 0.25);
    assert_true(loss_of(goals, 2, means) == 0.25 + 0.0625);
    assert_true(loss_of(goals, 3, means) == 0.25 + 0.0625 + 1);
}

static void a_goal_of_0_is_missed_by_its_distance(void **state)
{
    static const double means[] = {0.5};
    struct tw_tune_goal goal = {.measure = 0, .target = 0};
    (void)state;
    assert_true(loss_of(&goal, 1, means) == 0.25);
}

static void extremes_have_signs(void **state)
{
    static const double means[] = {0, 3};
    struct tw_tune_goal most = {.measure = 1, .kind = TW_TUNE_EXTREME, .direction = 1},
                        least = {.measure = 1, .kind = TW_TUNE_EXTREME, .direction = -1};
    (void)state;
    assert_true(loss_of(&most, 1, means) == -3);
    assert_true(loss_of(&least, 1, means) == 3);
}

/* What is missed comes first, whatever the value. */
static void constraints_come_before_the_extreme(void **state)
{
    static const double kept[] = {2, 1, 5}, missed[] = {2, 9, 3};
    struct tw_tune_goal goals[] = {
        {.measure = 0, .target = 1.5, .within = 0.5},
        {.measure = 1, .kind = TW_TUNE_EXTREME, .direction = 1},
        {.measure = 2, .kind = TW_TUNE_BOUNDED, .min = 4, .max = HUGE_VAL}};
    struct tw_loss good = find(goals, 3, kept), bad = find(goals, 3, missed);
    (void)state;
    assert_true(good.missed == 0 && good.value == -1);
    assert_true(bad.missed == 0.0625 && bad.value == -9);
    assert_true(tw_loss_is_less(good, bad) && !tw_loss_is_less(bad, good));
}

static void the_baseline_is_a_target(void **state)
{
    static const double means[] = {2.1, 0, 0};
    struct tw_tune_goal goal = {.measure = 0, .of_baseline = true, .within = 0.06};
    (void)state;
    assert_true(tw_tune_miss(&goal, means, base) == 0);
    goal.within = 0.04;
    assert_true(fabs(tw_tune_miss(&goal, means, base) - 0.05) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_goal_is_missed_by_a_share_of_its_target),
        cmocka_unit_test(a_goal_of_0_is_missed_by_its_distance),
        cmocka_unit_test(extremes_have_signs),
        cmocka_unit_test(constraints_come_before_the_extreme),
        cmocka_unit_test(the_baseline_is_a_target),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
