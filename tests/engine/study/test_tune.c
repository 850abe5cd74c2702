/* SPDX-License-Identifier: MIT */
/* How far a candidate of `tune:` is from its goals: the sum of squares of shares of each target. */
#include "study/experiment.h"

#include "support/harness.h"

static double loss_of(struct tw_tune_goal *goals, int32_t count, const double *means)
{
    const struct tw_tune tune = {.goals = goals, .goal_count = count};
    return tw_tune_loss(&tune, means);
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
    struct tw_tune_goal most = {.measure = 1, .direction = 1},
                        least = {.measure = 1, .direction = -1};
    (void)state;
    assert_true(loss_of(&most, 1, means) == -3);
    assert_true(loss_of(&least, 1, means) == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_goal_is_missed_by_a_share_of_its_target),
        cmocka_unit_test(a_goal_of_0_is_missed_by_its_distance),
        cmocka_unit_test(extremes_have_signs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
