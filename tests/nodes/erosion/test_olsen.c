/* SPDX-License-Identifier: MIT */
#include "support/harness.h"

#include <stdlib.h>

static void keeps_the_sum_of_heights(void **state)
{
    struct tw_value terrain = harness_terrain(61, 47, 1);
    double before = 0, after = 0;
    (void)state;
    harness_give(0, &terrain);
    struct tw_result *result = harness_run(
        &(struct harness){.width = 61,
                          .height = 47,
                          .nodes = "in: {type: test.map}\n"
                                   "out: {type: erosion.olsen, in: in, iterations: 20}\n"});
    const struct tw_value *out = tw_result_output(result, "out");
    for (size_t i = 0; i < tw_value_count(out); i++) {
        before += (double)tw_floats(&terrain)[i];
        after += (double)tw_floats(out)[i];
    }
    assert_true(before - after < 1e-4 * before && after - before < 1e-4 * before);
    tw_result_release(result);
    free(terrain.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(keeps_the_sum_of_heights)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
