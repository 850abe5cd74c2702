/* SPDX-License-Identifier: MIT */
#include "reference/olsen.h"
#include "support/kernel.h"

#include <stdio.h>
#include <stdlib.h>

static bool bands, closed, kept, cross, alternating;

static void thermal(struct tw_value *map, float *water)
{
    ref_visit *const visits[] = {ref_thermal_rotated_visit, ref_thermal_cross_visit};
    const struct ref_map m = {.h = tw_floats(map),
                              .width = map->width,
                              .height = map->height,
                              .closed = closed,
                              .kept = kept,
                              .threshold = 2.0f / (float)map->width};
    (void)water;
    for (int i = 0; i < 11; i++)
        if (alternating)
            ref_alternating_pass(&m, bands, i, 10 - i, visits[cross], visits[!cross], cross);
        else
            ref_pass(&m, bands, i, visits[cross]);
}

/* In both orders and neighbourhoods. */
static void equals_thermal(const char *settings)
{
    char node[200];
    for (int i = 0; i < 4; i++) {
        bands = i % 2 == 0;
        cross = i >= 2;
        snprintf(node, sizeof node,
                 "{type: erosion.thermal_fast, in: in, talus: 2, iterations: 11, order: %s, "
                 "neighbourhood: %s%s}",
                 bands ? "bands" : "raster", cross ? "von-neumann" : "rotated", settings);
        kernel_equals(thermal, node, false);
    }
}

static void equals_the_plain_loop(void **state)
{
    (void)state;
    equals_thermal("");
}

static void equals_the_plain_loop_with_closed_borders(void **state)
{
    (void)state;
    closed = true;
    equals_thermal(", border: closed");
    closed = false;
}

static void equals_the_plain_loop_with_kept_borders(void **state)
{
    (void)state;
    kept = true;
    equals_thermal(", border: kept");
    alternating = true;
    equals_thermal(", border: kept, visits: alternating");
    kept = alternating = false;
}

static void equals_the_plain_loop_with_alternating_visits(void **state)
{
    (void)state;
    alternating = true;
    equals_thermal(", visits: alternating");
    alternating = false;
}

/* More passes than are handed to the workers at once: 1024 of two bands. */
static void equals_the_plain_loop_in_many_passes(void **state)
{
    enum { WIDTH = 64, HEIGHT = 66, PASSES = 1030 };
    struct tw_value map = harness_terrain(WIDTH, HEIGHT, 4),
                    expected = harness_terrain(WIDTH, HEIGHT, 4);
    const struct ref_map m = {
        .h = tw_floats(&expected), .width = WIDTH, .height = HEIGHT, .threshold = 1.0f / WIDTH};
    (void)state;
    for (int i = 0; i < PASSES; i++)
        ref_pass(&m, true, i, ref_thermal_cross_visit);
    kernel_gives(&map,
                 "{type: erosion.thermal_fast, in: in, talus: 1, iterations: 1030, "
                 "neighbourhood: von-neumann}",
                 tw_floats(&expected));
    free(map.data);
    free(expected.data);
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

static void visits_few_rows_in_raster_order(void **state)
{
    (void)state;
    kernel_is_raster_below_24_rows("erosion.thermal_fast, talus: 0.5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_plain_loop),
        cmocka_unit_test(equals_the_plain_loop_with_closed_borders),
        cmocka_unit_test(visits_few_rows_in_raster_order),
        cmocka_unit_test(equals_the_plain_loop_with_kept_borders),
        cmocka_unit_test(equals_the_plain_loop_with_alternating_visits),
        cmocka_unit_test(equals_the_plain_loop_in_many_passes),
        cmocka_unit_test(moves_half_to_the_first_lowest),
        cmocka_unit_test(keeps_the_sum_of_heights),
        cmocka_unit_test(does_nothing_in_no_iterations),
        cmocka_unit_test(refuses_no_talus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
