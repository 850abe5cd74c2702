/* SPDX-License-Identifier: MIT */
#include "support/harness.h"

#include <string.h>

static void gives_the_points_in_order(void **state)
{
    (void)state;
    struct tw_result *result = harness_run(
        &(struct harness){.nodes = "c:\n"
                                   "  type: feature.curve\n"
                                   "  points:\n"
                                   "    - {curve: 2, x: 0.1, y: 0.2, z: -3, slope_right: 0.25}\n"
                                   "    - {curve: 2, x: 0.3, y: 0.2, angle_left: -45}\n"
                                   "    - [7, 0.5, 0.5, 1, 0, 0, 0, 0, 0, 0.5, 0.75, 0]\n"
                                   "    - [7, 0.5, 0.6, 1, 0, 0, 0, 0, 0, 0.5, 0.75, 1]\n"});
    const struct tw_value *out = tw_result_output(result, "c");
    const struct tw_control *at = out->data;
    assert_int_equal(out->type, TW_CURVES);
    assert_int_equal(out->width, 4);
    assert_true(at[0].x == 0.1f && at[0].z == -3 && at[0].slope_right == 0.25f);
    assert_true(at[1].angle_left == -45 && at[1].plateau == 0.01f);
    assert_true(at[2].envelope_left == 0.5f && at[2].envelope_right == 0.75f);
    assert_int_equal(at[0].curve, 2);
    assert_int_equal(at[3].curve, 7);
    assert_true(at[1].elevation == 1 && at[2].elevation == 0 && at[3].elevation == 1);
    tw_result_release(result);
}

static void says_how_to_go_between_points(void **state)
{
    static const char *const words[] = {"", ", interpolation: cubic", ", interpolation: monotone",
                                        ", interpolation: straight"};
    static const int32_t expected[] = {TW_CURVE_CUBIC, TW_CURVE_CUBIC, TW_CURVE_MONOTONE,
                                       TW_CURVE_STRAIGHT};
    (void)state;
    for (int i = 0; i < 4; i++) {
        char nodes[200] = "c: {type: feature.curve, points: [[0, 0, 0], [0, 1, 1]]";
        struct tw_result *result =
            harness_run(&(struct harness){.nodes = strcat(strcat(nodes, words[i]), "}\n")});
        const struct tw_control *at = tw_controls(tw_result_output(result, "c"));
        assert_true(at[0].interpolation == expected[i] && at[1].interpolation == expected[i]);
        tw_result_release(result);
    }
}

static void refuses(const char *points, const char *message)
{
    char nodes[400] = "c: {type: feature.curve, points: ";
    strcat(strcat(nodes, points), "}\n");
    struct tw_error error = harness_fail(&(struct harness){.nodes = nodes});
    if (!strstr(error.message, message))
        fail_msg("'%s' does not say '%s'", error.message, message);
}

static void refuses_curves_that_are_none(void **state)
{
    (void)state;
    refuses("[[0, 0.5, 0.5]]", "expected at least two rows of each curve");
    refuses("[[0, 0, 0], [0, 1, 1], [1, 0, 0]]", "expected at least two rows of each curve");
    refuses("[[0, 0, 0], [1, 1, 1], [1, 0, 0]]", "expected at least two rows of each curve");
    refuses("[[0, 0, 0], [0, 0, 0]]", "expected another place than in the row before");
    refuses("[[1, 0, 0], [1, 0, 1], [0, 0, 0], [0, 1, 0]]",
            "expected at least the number in the row before");
    refuses("[[0.5, 0, 0], [0.5, 0, 1]]", "whole number");
    refuses("[{y: 0.5}, {x: 0.5, y: 0}]", "needs 'x'");
    refuses("[{x: 0, y: 0, elevation: 0.5}, {x: 0.5, y: 0}]", "0 or 1");
    refuses("[{x: 0, y: 0, plateau: -1}, {x: 0.5, y: 0}]", "plateau");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gives_the_points_in_order),
                                       cmocka_unit_test(says_how_to_go_between_points),
                                       cmocka_unit_test(refuses_curves_that_are_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
