/* SPDX-License-Identifier: MIT */
#include "reference/olsen.h"
#include "support/kernel.h"

static bool bands, closed, kept;

static void hydraulic(struct tw_value *map, float *water)
{
    const struct ref_map m = {.h = tw_floats(map),
                              .w = water,
                              .width = map->width,
                              .height = map->height,
                              .closed = closed,
                              .kept = kept,
                              .carried = 0.02f,
                              .evaporate = 0.4f};
    ref_hydraulic_fast(&m, bands, 7, 0.03f);
}

static void equals_the_plain_loop_in_bands(void **state)
{
    (void)state;
    bands = true;
    kernel_equals(hydraulic,
                  "{type: erosion.hydraulic_fast, in: in, rain: 0.03, solubility: 0.02, capacity: "
                  "0.02, evaporation: 0.4, iterations: 7}",
                  true);
}

static void equals_the_plain_loop_with_closed_borders(void **state)
{
    (void)state;
    closed = true;
    for (int i = 0; i < 2; i++) {
        bands = i == 0;
        kernel_equals(
            hydraulic,
            bands
                ? "{type: erosion.hydraulic_fast, in: in, rain: 0.03, solubility: 0.02, capacity: "
                  "0.02, evaporation: 0.4, iterations: 7, border: closed}"
                : "{type: erosion.hydraulic_fast, in: in, rain: 0.03, solubility: 0.02, capacity: "
                  "0.02, evaporation: 0.4, iterations: 7, border: closed, order: raster}",
            true);
    }
    closed = false;
}

static void equals_the_plain_loop_with_kept_borders(void **state)
{
    (void)state;
    kept = true;
    for (int i = 0; i < 2; i++) {
        bands = i == 0;
        kernel_equals(
            hydraulic,
            bands
                ? "{type: erosion.hydraulic_fast, in: in, rain: 0.03, solubility: 0.02, capacity: "
                  "0.02, evaporation: 0.4, iterations: 7, border: kept}"
                : "{type: erosion.hydraulic_fast, in: in, rain: 0.03, solubility: 0.02, capacity: "
                  "0.02, evaporation: 0.4, iterations: 7, border: kept, order: raster}",
            true);
    }
    kept = false;
}

static void equals_the_plain_loop_in_raster(void **state)
{
    (void)state;
    bands = false;
    kernel_equals(hydraulic,
                  "{type: erosion.hydraulic_fast, in: in, rain: 0.03, solubility: 0.02, capacity: "
                  "0.02, evaporation: 0.4, iterations: 7, order: raster}",
                  true);
}

static void keeps_the_sum_of_heights(void **state)
{
    (void)state;
    kernel_keeps_sum("{type: erosion.hydraulic_fast, in: in, iterations: 50}", 1e-4);
    kernel_keeps_sum("{type: erosion.hydraulic_fast, in: in, iterations: 50, border: closed}",
                     1e-4);
}

static void does_nothing_in_no_iterations(void **state)
{
    (void)state;
    kernel_is_identity("{type: erosion.hydraulic_fast, in: in, iterations: 0}");
}

static void refuses_a_capacity_of_its_own(void **state)
{
    (void)state;
    kernel_refuses("{type: erosion.hydraulic_fast, in: in, capacity: 0.02}", "erosion.hydraulic");
}

static void visits_few_rows_in_raster_order(void **state)
{
    (void)state;
    kernel_is_raster_below_24_rows("erosion.hydraulic_fast");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_plain_loop_in_bands),
        cmocka_unit_test(equals_the_plain_loop_in_raster),
        cmocka_unit_test(equals_the_plain_loop_with_closed_borders),
        cmocka_unit_test(visits_few_rows_in_raster_order),
        cmocka_unit_test(equals_the_plain_loop_with_kept_borders),
        cmocka_unit_test(keeps_the_sum_of_heights),
        cmocka_unit_test(does_nothing_in_no_iterations),
        cmocka_unit_test(refuses_a_capacity_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
