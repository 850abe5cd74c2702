/* SPDX-License-Identifier: MIT */
#include "reference/olsen.h"
#include "support/kernel.h"

static bool bands, closed;

static void olsen(struct tw_value *map, float *water)
{
    const struct ref_map m = {.h = tw_floats(map),
                              .width = map->width,
                              .height = map->height,
                              .closed = closed,
                              .threshold = 24.0f / (float)map->width};
    (void)water;
    for (int i = 0; i < 7; i++)
        ref_pass(&m, bands, i, ref_olsen_visit);
}

static void equals_the_plain_loop_in_bands(void **state)
{
    (void)state;
    bands = true;
    kernel_equals(olsen, "{type: erosion.olsen, in: in, talus: 24, iterations: 7}", false);
}

static void equals_the_plain_loop_with_closed_borders(void **state)
{
    (void)state;
    closed = true;
    for (int i = 0; i < 2; i++) {
        bands = i == 0;
        kernel_equals(
            olsen,
            bands ? "{type: erosion.olsen, in: in, talus: 24, iterations: 7, border: closed}"
                  : "{type: erosion.olsen, in: in, talus: 24, iterations: 7, border: closed, "
                    "order: raster}",
            false);
    }
    closed = false;
}

static void equals_the_plain_loop_in_raster(void **state)
{
    (void)state;
    bands = false;
    kernel_equals(olsen, "{type: erosion.olsen, in: in, talus: 24, iterations: 7, order: raster}",
                  false);
}

static void keeps_steep_slopes(void **state)
{
    float cells[32 * 32];
    struct tw_value in = {TW_HEIGHTMAP, 32, 32, cells};
    (void)state;
    for (int i = 0; i < 32 * 32; i++)
        cells[i] = i % 32 < 16 ? 0.25f : 0.75f;
    kernel_gives(&in, "{type: erosion.olsen, in: in, talus: 15, iterations: 3}", cells);
}

static void keeps_the_sum_of_heights(void **state)
{
    (void)state;
    kernel_keeps_sum("{type: erosion.olsen, in: in, iterations: 20}", 1e-5);
    kernel_keeps_sum("{type: erosion.olsen, in: in, iterations: 20, border: closed}", 1e-5);
}

static void does_nothing_in_no_iterations(void **state)
{
    (void)state;
    kernel_is_identity("{type: erosion.olsen, in: in, iterations: 0}");
}

static void refuses_no_talus(void **state)
{
    (void)state;
    kernel_refuses("{type: erosion.olsen, in: in, talus: 0}", "talus");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_plain_loop_in_bands),
        cmocka_unit_test(equals_the_plain_loop_in_raster),
        cmocka_unit_test(equals_the_plain_loop_with_closed_borders),
        cmocka_unit_test(keeps_steep_slopes),
        cmocka_unit_test(keeps_the_sum_of_heights),
        cmocka_unit_test(does_nothing_in_no_iterations),
        cmocka_unit_test(refuses_no_talus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
