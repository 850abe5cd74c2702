/* SPDX-License-Identifier: MIT */
#include "reference/olsen.h"
#include "support/kernel.h"

static bool bands, closed;
static ref_visit *visit;

static void thermal(struct tw_value *map, float *water)
{
    const struct ref_map m = {.h = tw_floats(map),
                              .width = map->width,
                              .height = map->height,
                              .closed = closed,
                              .threshold = 2.0f / (float)map->width};
    (void)water;
    for (int i = 0; i < 7; i++)
        ref_pass(&m, bands, i, visit);
}

static void equals_the_plain_loop_in_bands(void **state)
{
    (void)state;
    bands = true;
    visit = ref_thermal_rotated_visit;
    kernel_equals(thermal, "{type: erosion.thermal_fast, in: in, talus: 2, iterations: 7}", false);
}

static void equals_the_plain_loop_with_closed_borders(void **state)
{
    (void)state;
    closed = true;
    visit = ref_thermal_rotated_visit;
    for (int i = 0; i < 2; i++) {
        bands = i == 0;
        kernel_equals(
            thermal,
            bands ? "{type: erosion.thermal_fast, in: in, talus: 2, iterations: 7, border: closed}"
                  : "{type: erosion.thermal_fast, in: in, talus: 2, iterations: 7, border: closed, "
                    "order: raster}",
            false);
    }
    closed = false;
}

static void equals_the_plain_loop_in_raster(void **state)
{
    (void)state;
    bands = false;
    visit = ref_thermal_rotated_visit;
    kernel_equals(thermal,
                  "{type: erosion.thermal_fast, in: in, talus: 2, iterations: 7, order: raster}",
                  false);
}

static void equals_the_plain_loop_on_four_sides(void **state)
{
    (void)state;
    bands = true;
    visit = ref_thermal_cross_visit;
    kernel_equals(thermal,
                  "{type: erosion.thermal_fast, in: in, talus: 2, iterations: 7, neighbourhood: "
                  "von-neumann}",
                  false);
}

/* One visit of the peak: half of the drop goes to the first of the equal corners. */
static void moves_half_to_the_first_lowest(void **state)
{
    float cells[8 * 8] = {0}, expected[8 * 8] = {0};
    struct tw_value in = {TW_HEIGHTMAP, 8, 8, cells};
    (void)state;
    cells[3 * 8 + 3] = 1;
    expected[3 * 8 + 3] = 0.5f;
    expected[2 * 8 + 2] = 0.5f;
    kernel_gives(&in, "{type: erosion.thermal_fast, in: in, talus: 4, iterations: 1}", expected);
}

static void keeps_the_sum_of_heights(void **state)
{
    (void)state;
    kernel_keeps_sum("{type: erosion.thermal_fast, in: in, iterations: 20}", 1e-5);
    kernel_keeps_sum(
        "{type: erosion.thermal_fast, in: in, talus: 1, iterations: 20, border: closed}", 1e-5);
}

static void does_nothing_in_no_iterations(void **state)
{
    (void)state;
    kernel_is_identity("{type: erosion.thermal_fast, in: in, iterations: 0}");
}

static void refuses_no_talus(void **state)
{
    (void)state;
    kernel_refuses("{type: erosion.thermal_fast, in: in, talus: 0}", "talus");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_plain_loop_in_bands),
        cmocka_unit_test(equals_the_plain_loop_in_raster),
        cmocka_unit_test(equals_the_plain_loop_with_closed_borders),
        cmocka_unit_test(equals_the_plain_loop_on_four_sides),
        cmocka_unit_test(moves_half_to_the_first_lowest),
        cmocka_unit_test(keeps_the_sum_of_heights),
        cmocka_unit_test(does_nothing_in_no_iterations),
        cmocka_unit_test(refuses_no_talus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
