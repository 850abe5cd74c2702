/* SPDX-License-Identifier: MIT */
#include "support/harness.h"

static void lists_never_share_a_feature(void **state)
{
    const int32_t expected[] = {4, 2, 5, 6, 7, 8};
    (void)state;
    struct tw_result *result = harness_run(&(struct harness){
        .nodes = "a: {type: feature.points, points: [{x: 0, y: 0, feature: 4}, {x: 0, y: 0, "
                 "feature: 2}]}\n"
                 "b: {type: feature.points, count: 3}\n"
                 "c: {type: feature.points, points: [[1, 1, 9, 0, 1]]}\n"
                 "m: {type: feature.merge, generators: [a, b, c]}\n"
                 "n: {type: feature.merge, generators: [a, c], renumber: false}\n"});
    const struct tw_value *m = tw_result_output(result, "m"), *n = tw_result_output(result, "n");
    assert_int_equal(m->width, 6);
    for (int i = 0; i < 6; i++)
        assert_int_equal(tw_points(m)[i].feature, expected[i]);
    assert_int_equal(tw_points(m)[5].profile, 1);
    assert_int_equal(n->width, 3);
    assert_int_equal(tw_points(n)[2].feature, 0);
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists_never_share_a_feature)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
