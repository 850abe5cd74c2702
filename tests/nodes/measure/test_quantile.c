/* SPDX-License-Identifier: MIT */
#include "support/harness.h"
#include "support/record.h"

#include <math.h>
#include <stdlib.h>

/* 0, 1, 2 and so on to 10, in no order: the quantile of share p is 10 p. */
static void a_quantile_is_the_cell_at_its_place(void **state)
{
    enum { WIDTH = 11 };
    static const char *const nodes[] = {
        "a: {type: test.map}\nq: {type: measure.quantile, in: a, share: 0}",
        "a: {type: test.map}\nq: {type: measure.quantile, in: a, share: 0.25}",
        "a: {type: test.map}\nq: {type: measure.quantile, in: a}",
        "a: {type: test.map}\nq: {type: measure.quantile, in: a, share: 1}",
    };
    static const double expected[] = {0, 2.5, 5, 10};
    struct tw_value map = harness_terrain(WIDTH, 1, 1);
    (void)state;
    for (int x = 0; x < WIDTH; x++)
        tw_floats(&map)[x] = (float)(7 * x % WIDTH);
    for (size_t i = 0; i < sizeof nodes / sizeof nodes[0]; i++) {
        harness_give(0, &map);
        struct tw_result *result =
            harness_run(&(struct harness){.width = WIDTH, .height = 1, .nodes = nodes[i]});
        double found = record_number(tw_result_output(result, "q"), "quantile");
        if (!(fabs(found - expected[i]) < 1e-12))
            fail_msg("row %zu: %g; expected %g", i, found, expected[i]);
        tw_result_release(result);
    }
    free(map.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quantile_is_the_cell_at_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
