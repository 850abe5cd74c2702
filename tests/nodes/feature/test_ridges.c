/* SPDX-License-Identifier: MIT */
#include "support/harness.h"

#include <stdlib.h>

static void a_ridge_joins_its_generator(void **state)
{
    (void)state;
    struct tw_result *result = harness_run(&(struct harness){
        .width = 100,
        .height = 80,
        .nodes = "p: {type: feature.points, points: [{x: 0.1, y: 0.5, cost: 4, feature: 7, profile:"
                 " 2}, {x: 0.9, y: 0.5, cost: 1, feature: 8}]}\n"
                 "t: {type: feature.points, points: [[0.4, 0.2, 24]]}\n"
                 "r: {type: feature.ridges, generators: p, targets: t}\n"});
    const struct tw_value *out = tw_result_output(result, "r");
    float last = 30;
    int32_t x = 40, y = 16;
    assert_true(out->width > 2 + 29);
    for (int32_t i = 2; i < out->width; i++) {
        struct tw_point p = tw_points(out)[i];
        int32_t u = (int32_t)(p.x * 100), v = (int32_t)(p.y * 80);
        assert_true(abs(u - x) <= 1 && abs(v - y) <= 1);
        assert_int_equal(p.feature, 7);
        assert_int_equal(p.profile, 2);
        assert_true(p.cost < last && p.cost >= 4);
        last = p.cost;
        x = u;
        y = v;
    }
    assert_true(tw_points(out)[2].cost == 24.0f);
    assert_true(abs(x - 10) <= 1 && abs(y - 40) <= 1);
    tw_result_release(result);
}

static void uniform_paths_are_straight(void **state)
{
    (void)state;
    struct tw_result *result = harness_run(&(struct harness){
        .width = 64,
        .height = 64,
        .nodes = "p: {type: feature.points, points: [[0.5, 0.5, 0]]}\n"
                 "t: {type: feature.points, points: [[0.5, 0.1, 8], [0.1, 0.1, 8], [0.5, 0.5, 1]]}"
                 "\nr: {type: feature.ridges, generators: p, targets: t, deviation: 0}\n"});
    const struct tw_value *out = tw_result_output(result, "r");
    assert_int_equal(out->width, 1 + 26 + 26);
    for (int32_t i = 1; i < out->width; i++) {
        int32_t dx = 32 - (int32_t)(tw_points(out)[i].x * 64);
        int32_t dy = 32 - (int32_t)(tw_points(out)[i].y * 64);
        assert_true(dx == 0 || dx == dy);
    }
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ridge_joins_its_generator),
        cmocka_unit_test(uniform_paths_are_straight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
