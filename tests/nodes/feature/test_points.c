/* SPDX-License-Identifier: MIT */
#include "support/harness.h"

#include <string.h>

static void keeps_rows_and_numbers_features(void **state)
{
    (void)state;
    struct tw_result *result = harness_run(
        &(struct harness){.nodes = "p: {type: feature.points, points: [{x: 0.25, y: 0.5, cost: 3}, "
                                   "{x: 1, y: 0, feature: 7, profile: 2}, [0, 1, 9]]}\n"});
    const struct tw_value *out = tw_result_output(result, "p");
    const struct tw_point *p = tw_points(out);
    assert_int_equal(out->width, 3);
    assert_true(p[0].x == 0.25f && p[0].y == 0.5f && p[0].cost == 3.0f && p[0].profile == 0);
    assert_int_equal(p[0].feature, 8);
    assert_int_equal(p[1].feature, 7);
    assert_int_equal(p[1].profile, 2);
    assert_int_equal(p[2].feature, 9);
    tw_result_release(result);
}

static void draws_within_area_and_cost(void **state)
{
    double sum_x = 0;
    (void)state;
    struct tw_result *result = harness_run(
        &(struct harness){.nodes = "p: {type: feature.points, count: 4000, cost: [3, 5], "
                                   "area: [0.5, 0.25, 1, 0.5], profiles: 3}\n"});
    const struct tw_value *out = tw_result_output(result, "p");
    int32_t profiles[3] = {0, 0, 0};
    assert_int_equal(out->width, 4000);
    for (int32_t i = 0; i < out->width; i++) {
        struct tw_point p = tw_points(out)[i];
        assert_true(p.x >= 0.5f && p.x < 1 && p.y >= 0.25f && p.y < 0.5f);
        assert_true(p.cost >= 3 && p.cost < 5);
        assert_int_equal(p.feature, i);
        profiles[p.profile]++;
        sum_x += (double)p.x;
    }
    assert_true(sum_x > 4000 * 0.74 && sum_x < 4000 * 0.76);
    for (int i = 0; i < 3; i++)
        assert_in_range(profiles[i], 1200, 1460);
    tw_result_release(result);
}

static void names_what_is_wrong(void **state)
{
    (void)state;
    struct tw_error error =
        harness_fail(&(struct harness){.nodes = "p: {type: feature.points, cost: [5, 3]}\n"});
    assert_non_null(strstr(error.message, "expected [low, high]"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_rows_and_numbers_features),
        cmocka_unit_test(draws_within_area_and_cost),
        cmocka_unit_test(names_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
