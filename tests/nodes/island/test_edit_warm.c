/* SPDX-License-Identifier: MIT */
#include "support/brush.h"

static float *corners(const struct tw_polymap *map) { return map->corner_temperature; }
static float *cells(const struct tw_polymap *map) { return map->cell_temperature; }

static const struct brush_layer layer = {"island.edit_warm", corners, cells};

static void a_brush_warms_and_ends(void **state)
{
    (void)state;
    brush_check(&layer, "{x: 0.5, y: 0.5}", (struct brush){0.5, 0.5, 0.1, 0.25});
    brush_check(&layer, "[0.4, 0.5, 0.3, 0.5]", (struct brush){0.4, 0.5, 0.3, 0.5});
    brush_check(&layer, "[0, 1, 0.6, 0.1]", (struct brush){0, 1, 0.6, 0.1});
    brush_check(&layer, "[0.5, 0.5, 2, 0]", (struct brush){0.5, 0.5, 2, 0});
    brush_check(&layer, "", (struct brush){0.5, 0.5, 1, 0});
}

static void temperature_stays_in_0_to_1(void **state)
{
    (void)state;
    assert_true(brush_check(&layer, "[0.5, 0.5, 2, 10]", (struct brush){0.5, 0.5, 2, 10}) > 100);
    brush_check_one_corner(&layer);
}

/* Needs no more than elevation, and that. */
static void works_between_elevation_and_biomes(void **state)
{
    struct tw_polymap warm;
    (void)state;
    struct tw_result *result =
        island_run(3, 'e', "w: {type: island.edit_warm, in: e, at: [[0.5, 0.5, 2, 10]]}\n", NULL);
    brush_view(result, "w", &warm);
    assert_int_equal(warm.head->layers, TW_LAYER_SHAPE | TW_LAYER_ELEVATION);
    tw_result_release(result);
    struct tw_error error =
        harness_fail(&(struct harness){.nodes = "p: {type: island.polygons, cells: 100}\n"
                                                "s: {type: island.shape, in: p}\n"
                                                "w: {type: island.edit_warm, in: s}\n"});
    assert_string_equal(error.path, "w");
    assert_non_null(strstr(error.message, "island.elevation"));
}

/* Two brushes add to each other before they are cut. */
static void brushes_add_up(void **state)
{
    struct tw_polymap e, two, one;
    (void)state;
    struct tw_result *result = island_run(
        7, 'e',
        "two: {type: island.edit_warm, in: e, at: [[0.5, 0.5, 0.4, 0.1], [0.5, 0.5, 0.4, 0.2]]}\n"
        "one: {type: island.edit_warm, in: e, at: [[0.5, 0.5, 0.4, 0.3]]}\n",
        &e);
    brush_view(result, "two", &two);
    brush_view(result, "one", &one);
    for (int32_t c = 0; c < e.corners; c++)
        assert_true(fabsf(two.corner_temperature[c] - one.corner_temperature[c]) < 1e-6f);
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_brush_warms_and_ends),
        cmocka_unit_test(temperature_stays_in_0_to_1),
        cmocka_unit_test(works_between_elevation_and_biomes),
        cmocka_unit_test(brushes_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
