/* SPDX-License-Identifier: MIT */
#include "reference/olsen.h"
#include "support/kernel.h"

#include <math.h>
#include <stdio.h>

static const struct ref_rain rain = {0.02f, 0.03f, 0.4f, 0.01f, 6, NULL, NULL};

static void run_reference(struct tw_value *map, float *water, bool closed)
{
    size_t count = tw_value_count(map);
    float *maps = malloc(2 * count * sizeof *maps);
    assert_non_null(maps);
    ref_hydraulic(tw_floats(map), maps, (struct ref_size){map->width, map->height, closed}, &rain);
    memcpy(water, maps, count * sizeof *maps);
    free(maps);
}

static void hydraulic(struct tw_value *map, float *water) { run_reference(map, water, false); }

static void closed(struct tw_value *map, float *water) { run_reference(map, water, true); }

static void equals_the_plain_loop(void **state)
{
    (void)state;
    kernel_equals(hydraulic,
                  "{type: erosion.hydraulic, in: in, rain: 0.02, solubility: 0.03, evaporation: "
                  "0.4, capacity: 0.01, iterations: 6}",
                  true);
    kernel_equals(closed,
                  "{type: erosion.hydraulic, in: in, rain: 0.02, solubility: 0.03, evaporation: "
                  "0.4, capacity: 0.01, iterations: 6, border: closed}",
                  true);
}

static void same_bytes(const struct tw_value *map, const char *a, const char *b)
{
    char nodes[600];
    snprintf(nodes, sizeof nodes, "in: {type: test.map}\na: {in: in, %s}\nb: {in: in, %s}\n", a, b);
    harness_give(0, map);
    struct tw_result *result =
        harness_run(&(struct harness){.width = map->width, .height = map->height, .nodes = nodes});
    harness_same(tw_result_output(result, "a"), tw_floats(tw_result_output(result, "b")));
    tw_result_release(result);
}

/* a = h + w / 32, with Ks w and Kc w off and onto h. */
static void takes_water_in_units_of_the_world(void **state)
{
    struct tw_value map = harness_terrain(61, 47, 3);
    (void)state;
    same_bytes(&map, "type: erosion.hydraulic, height_scale: 32, iterations: 9",
               "type: erosion.hydraulic, rain: 0.0003125, solubility: 0.32, capacity: 0.32, "
               "iterations: 9");
    same_bytes(&map, "type: erosion.hydraulic_fast, height_scale: 32, iterations: 9",
               "type: erosion.hydraulic_fast, rain: 0.0003125, solubility: 0.32, capacity: 0.32, "
               "iterations: 9");
    free(map.data);
}

/* Cells of the border give nothing: what they gain of their neighbours' water stays. */
static void keeps_the_border(void **state)
{
    struct tw_value map = harness_terrain(40, 30, 5);
    (void)state;
    for (int i = 0; i < 40 * 30; i++)
        tw_floats(&map)[i] += i % 40 == 0 || i / 40 == 0 || i % 40 == 39 || i / 40 == 29 ? 9 : 0;
    harness_give(0, &map);
    struct tw_result *result = harness_run(
        &(struct harness){.width = 40,
                          .height = 30,
                          .nodes = "in: {type: test.map}\n"
                                   "out: {type: erosion.hydraulic, in: in, border: kept}\n"});
    const float *out = tw_floats(tw_result_output(result, "out"));
    for (int i = 0; i < 40 * 30; i++) /* rain falls there, dissolves a little and dries up */
        if (tw_floats(&map)[i] > 5)
            assert_true(fabsf(out[i] - tw_floats(&map)[i]) < 1e-3f);
    tw_result_release(result);
    free(map.data);
}

/* Rain, dissolution and deposit on level ground: what was dissolved comes back. */
static void leaves_level_ground(void **state)
{
    float cells[6 * 5];
    struct tw_value in = {TW_HEIGHTMAP, 6, 5, cells};
    (void)state;
    for (int i = 0; i < 30; i++)
        cells[i] = 0.5f;
    harness_give(0, &in);
    struct tw_result *result = harness_run(
        &(struct harness){.width = 6,
                          .height = 5,
                          .nodes = "in: {type: test.map}\n"
                                   "out: {type: erosion.hydraulic, in: in, iterations: 3}\n",
                          .outputs = "water: out.water\nsediment: out.sediment\n"});
    for (int i = 0; i < 30; i++) {
        float water = tw_floats(tw_result_output(result, "water"))[i];
        assert_true(fabsf(tw_floats(tw_result_output(result, "out"))[i] - 0.5f) < 1e-6f);
        assert_true(fabsf(water - 0.00875f) < 1e-6f); /* 0.01 (1/2 + 1/4 + 1/8) */
        assert_true(tw_floats(tw_result_output(result, "sediment"))[i] <= 0.01001f * water);
    }
    tw_result_release(result);
}

static void keeps_the_sum_of_heights(void **state)
{
    (void)state;
    kernel_keeps_sum("{type: erosion.hydraulic, in: in, iterations: 50}", 1e-4);
    kernel_keeps_sum("{type: erosion.hydraulic, in: in, iterations: 50, border: closed}", 1e-4);
}

static void does_nothing_in_no_iterations(void **state)
{
    (void)state;
    kernel_is_identity("{type: erosion.hydraulic, in: in, iterations: 0}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_plain_loop),
        cmocka_unit_test(takes_water_in_units_of_the_world),
        cmocka_unit_test(keeps_the_border),
        cmocka_unit_test(leaves_level_ground),
        cmocka_unit_test(keeps_the_sum_of_heights),
        cmocka_unit_test(does_nothing_in_no_iterations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
