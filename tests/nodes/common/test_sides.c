/* SPDX-License-Identifier: MIT */
#include "common/sides.h"
#include "support/harness.h"

/* Every decimal of three digits reaches as many cells as the decimal itself, and shares of the
 * width are whole; what is a little less than whole stays so. */
static void lengths_are_the_decimals_that_are_written(void **state)
{
    (void)state;
    for (int32_t k = 1; k <= 1000; k++)
        for (int32_t width = 1; width <= 2048; width += width < 300 ? 1 : 437) {
            int32_t cells = (int32_t)tw_sides_in_cells((float)k / 1000, width);
            double share = tw_sides_in_cells((float)(k % width) / (float)width, width);
            assert_int_equal(cells, k * width / 1000);
            assert_true(share == k % width);
        }
    assert_true(tw_sides_in_cells(0, 100) == 0);
    assert_true(tw_sides_in_cells(0.029999f, 100) < 3);
    assert_true(tw_sides_in_cells(0.025f, 100) == (double)0.025f * 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_are_the_decimals_that_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
