/* SPDX-License-Identifier: MIT */
#include "support/harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void is_the_log_of_the_area_between_thresholds(void **state)
{
    struct tw_value map = harness_terrain(60, 50, 6);
    (void)state;
    harness_give(0, &map);
    struct tw_result *result = harness_run(
        &(struct harness){.width = 60,
                          .height = 50,
                          .nodes = "in: {type: test.map}\n"
                                   "area: {type: measure.flow, in: in}\n"
                                   "out: {type: mask.flow, in: in, low: 0.001, high: 0.1}\n"
                                   "hard: {type: mask.flow, in: in, low: 0.01, high: 0.01}\n"});
    const float *area = tw_floats(tw_result_output(result, "area"));
    const float *out = tw_floats(tw_result_output(result, "out"));
    const float *hard = tw_floats(tw_result_output(result, "hard"));
    bool zero = false, one = false;
    for (int i = 0; i < 60 * 50; i++) {
        double expected = log((double)area[i] / 0.001) / log(100);
        expected = expected < 0 ? 0 : expected > 1 ? 1 : expected;
        assert_true(fabs((double)out[i] - expected) < 1e-5);
        zero |= out[i] == 0;
        one |= out[i] == 1;
        if (fabs((double)area[i] - 0.01) > 1e-6)
            assert_true(hard[i] == (area[i] > 0.01f ? 1.0f : 0.0f));
    }
    assert_true(zero && one);
    tw_result_release(result);
    free(map.data);
}

static void refuses_thresholds_the_wrong_way_round(void **state)
{
    (void)state;
    struct tw_error error = harness_fail(
        &(struct harness){.nodes = "in: {type: noise.midpoint}\n"
                                   "out: {type: mask.flow, in: in, low: 0.5, high: 0.1}\n"});
    assert_non_null(strstr(error.message, "expected at most high"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_log_of_the_area_between_thresholds),
        cmocka_unit_test(refuses_thresholds_the_wrong_way_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
