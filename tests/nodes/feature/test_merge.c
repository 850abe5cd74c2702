/* SPDX-License-Identifier: MIT */
#include "support/harness.h"

#include <stdio.h>
#include <string.h>

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

/* Each merge of a list with itself doubles the numbers: 1 000 001 becomes more than 2^31 in 12. */
static void numbers_stay_within_32_bits(void **state)
{
    char nodes[1000] = "m0: {type: feature.points, points: [[0, 0, 1, 1000000]]}\n";
    (void)state;
    for (int i = 1; i <= 12; i++)
        snprintf(nodes + strlen(nodes), sizeof nodes - strlen(nodes),
                 "m%d: {type: feature.merge, generators: [m%d, m%d]}\n", i, i - 1, i - 1);
    struct tw_result *result = harness_run(
        &(struct harness){.nodes = "a: {type: feature.points, points: [[0, 0, 1, 1000000]]}\n"
                                   "b: {type: feature.merge, generators: [a, a, a, a]}\n"
                                   "c: {type: feature.merge, generators: [b, b, b, b]}\n"
                                   "d: {type: feature.merge, generators: [c, c, c, c]}\n"
                                   "e: {type: feature.merge, generators: [d, d, d, d]}\n"
                                   "f: {type: feature.merge, generators: [e, e, e, e]}\n"
                                   "g: {type: feature.merge, generators: [f, f]}\n"});
    const struct tw_value *g = tw_result_output(result, "g");
    for (int32_t i = 0; i < g->width; i++)
        assert_int_equal(tw_points(g)[i].feature, 1000001 * i + 1000000);
    tw_result_release(result);
    struct tw_error error = harness_fail(&(struct harness){.nodes = nodes});
    assert_non_null(strstr(error.message, "list 2 has features numbered up to 4096004095; "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists_never_share_a_feature),
                                       cmocka_unit_test(numbers_stay_within_32_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
