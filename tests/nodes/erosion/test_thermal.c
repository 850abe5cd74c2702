/* SPDX-License-Identifier: MIT */
#include "reference/olsen.h"
#include "support/kernel.h"

#include <math.h>

static void thermal(struct tw_value *map, float *water)
{
    (void)water;
    ref_thermal(tw_floats(map), (struct ref_size){map->width, map->height, false},
                3.0f / (float)map->width, 0.25f, 6);
}

static void closed(struct tw_value *map, float *water)
{
    (void)water;
    ref_thermal(tw_floats(map), (struct ref_size){map->width, map->height, true},
                3.0f / (float)map->width, 0.25f, 6);
}

static void equals_the_plain_loop(void **state)
{
    (void)state;
    kernel_equals(thermal, "{type: erosion.thermal, in: in, talus: 3, rate: 0.25, iterations: 6}",
                  false);
    kernel_equals(closed,
                  "{type: erosion.thermal, in: in, talus: 3, rate: 0.25, iterations: 6, "
                  "border: closed}",
                  false);
}

/* T = 1/4: the peak loses (1 - T) / 2, an eighth of it to each of the equal neighbours. */
static void spreads_a_peak_evenly(void **state)
{
    float cells[8 * 8] = {0}, expected[8 * 8] = {0};
    struct tw_value in = {TW_HEIGHTMAP, 8, 8, cells};
    (void)state;
    cells[3 * 8 + 3] = 1;
    for (int i = 0; i < 9; i++)
        expected[(2 + i / 3) * 8 + 2 + i % 3] = 0.375f / 8;
    expected[3 * 8 + 3] = 0.625f;
    kernel_gives(&in, "{type: erosion.thermal, in: in, talus: 2, iterations: 1}", expected);
}

static void leaves_slopes_at_rest(void **state)
{
    float cells[16 * 16];
    struct tw_value in = {TW_HEIGHTMAP, 16, 16, cells};
    (void)state;
    for (int i = 0; i < 256; i++)
        cells[i] = (float)abs(i % 16 - 8) / 64; /* 1/64 a cell: 4 talus, T N = 16/64 */
    kernel_gives(&in, "{type: erosion.thermal, in: in, talus: 0.25, iterations: 9}", cells);
}

static void keeps_the_sum_of_heights(void **state)
{
    (void)state;
    kernel_keeps_sum("{type: erosion.thermal, in: in, talus: 2, iterations: 20}", 1e-5);
    kernel_keeps_sum("{type: erosion.thermal, in: in, talus: 2, iterations: 20, border: closed}",
                     1e-5);
}

static void does_nothing_in_no_iterations(void **state)
{
    (void)state;
    kernel_is_identity("{type: erosion.thermal, in: in, iterations: 0}");
}

static void refuses_no_talus(void **state)
{
    (void)state;
    kernel_refuses("{type: erosion.thermal, in: in, talus: 0}", "talus");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_plain_loop),         cmocka_unit_test(spreads_a_peak_evenly),
        cmocka_unit_test(leaves_slopes_at_rest),         cmocka_unit_test(keeps_the_sum_of_heights),
        cmocka_unit_test(does_nothing_in_no_iterations), cmocka_unit_test(refuses_no_talus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
