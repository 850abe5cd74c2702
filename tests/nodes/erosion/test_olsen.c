/* SPDX-License-Identifier: MIT */
#include "reference/olsen.h"
#include "support/kernel.h"

#include <math.h>
#include <stdio.h>

static bool bands, closed, alternating;

static void olsen(struct tw_value *map, float *scratch)
{
    struct ref_map m = {.h = tw_floats(map),
                        .width = map->width,
                        .height = map->height,
                        .closed = closed,
                        .apron = closed ? 10 : 0,
                        .before = scratch,
                        .threshold = 24.0f / (float)map->width};
    m.range[0] = m.range[1] = m.h[0];
    for (size_t i = 0; i < tw_value_count(map); i++) {
        m.range[0] = fminf(m.range[0], m.h[i]);
        m.range[1] = fmaxf(m.range[1], m.h[i]);
    }
    for (int i = 0; i < 11; i++)
        if (alternating)
            ref_alternating_pass(&m, bands, i, 10 - i, ref_olsen_visit, ref_olsen_rotated_visit,
                                 true);
        else
            ref_pass(&m, bands, i, ref_olsen_visit);
}

/* In both orders. */
static void equals_olsen(const char *settings)
{
    static const char *const orders[] = {"raster", "bands"};
    char node[200];
    for (int i = 0; i < 2; i++) {
        bands = i == 1;
        snprintf(node, sizeof node,
                 "{type: erosion.olsen, in: in, talus: 24, iterations: 11, order: %s%s}", orders[i],
                 settings);
        kernel_equals(olsen, node, false);
    }
}

static void equals_the_plain_loop(void **state)
{
    (void)state;
    equals_olsen("");
}

static void equals_the_plain_loop_with_closed_borders(void **state)
{
    (void)state;
    closed = true;
    equals_olsen(", border: closed");
    closed = false;
}

static void equals_the_plain_loop_with_alternating_visits(void **state)
{
    (void)state;
    alternating = true;
    equals_olsen(", visits: alternating");
    closed = true;
    equals_olsen(", visits: alternating, border: closed");
    closed = alternating = false;
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
    kernel_keeps_sum("{type: erosion.olsen, in: in, iterations: 20, visits: alternating}", 1e-5);
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

static void visits_few_rows_in_raster_order(void **state)
{
    (void)state;
    kernel_is_raster_below_24_rows("erosion.olsen");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_plain_loop),
        cmocka_unit_test(equals_the_plain_loop_with_closed_borders),
        cmocka_unit_test(visits_few_rows_in_raster_order),
        cmocka_unit_test(equals_the_plain_loop_with_alternating_visits),
        cmocka_unit_test(keeps_steep_slopes),
        cmocka_unit_test(keeps_the_sum_of_heights),
        cmocka_unit_test(does_nothing_in_no_iterations),
        cmocka_unit_test(refuses_no_talus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
