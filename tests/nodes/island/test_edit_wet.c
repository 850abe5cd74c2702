/* SPDX-License-Identifier: MIT */
#include "support/brush.h"

static float *corners(const struct tw_polymap *map) { return map->corner_moisture; }
static float *cells(const struct tw_polymap *map) { return map->cell_moisture; }

static const struct brush_layer layer = {"island.edit_wet", corners, cells};

static void a_brush_moistens_and_ends(void **state)
{
    (void)state;
    brush_check(&layer, "{x: 0.5, y: 0.5}", (struct brush){0.5, 0.5, 0.1, 0.25});
    brush_check(&layer, "[0.4, 0.5, 0.3, 0.5]", (struct brush){0.4, 0.5, 0.3, 0.5});
    brush_check(&layer, "[1, 0, 0.6, 0.1]", (struct brush){1, 0, 0.6, 0.1});
    brush_check(&layer, "[0.5, 0.5, 2, 0]", (struct brush){0.5, 0.5, 2, 0});
    brush_check(&layer, "", (struct brush){0.5, 0.5, 1, 0});
}

static void moisture_stays_in_0_to_1(void **state)
{
    (void)state;
    assert_true(brush_check(&layer, "[0.5, 0.5, 2, 10]", (struct brush){0.5, 0.5, 2, 10}) > 100);
    brush_check_one_corner(&layer);
}

/* An island without rivers is dry; a brush is then all its moisture, and its biomes follow. */
static void a_dry_island_is_as_wet_as_its_brush(void **state)
{
    const struct brush brush = {0.5, 0.5, 0.5, 0.9};
    struct tw_polymap wet, dry_biomes, wet_biomes;
    int32_t others = 0;
    (void)state;
    struct tw_result *result =
        island_run(3, 'e',
                   "r: {type: island.rivers, in: e, count: 0}\n"
                   "m: {type: island.moisture, in: r}\n"
                   "wet: {type: island.edit_wet, in: m, at: [[0.5, 0.5, 0.5, 0.9]]}\n"
                   "dry_biomes: {type: island.biomes, in: m}\n"
                   "wet_biomes: {type: island.biomes, in: wet}\n",
                   NULL);
    brush_view(result, "wet", &wet);
    brush_view(result, "dry_biomes", &dry_biomes);
    brush_view(result, "wet_biomes", &wet_biomes);
    for (int32_t c = 0; c < wet.corners; c++)
        assert_true(fabs((double)wet.corner_moisture[c] - brush_adds(brush, wet.corner_at[c])) <
                    1e-5);
    for (int32_t i = 0; i < wet.cells; i++)
        others += wet_biomes.cell_biome[i] != dry_biomes.cell_biome[i];
    assert_true(others > 0);
    tw_result_release(result);
}

static void expects_moisture(void **state)
{
    (void)state;
    struct tw_error error =
        harness_fail(&(struct harness){.nodes = "p: {type: island.polygons, cells: 100}\n"
                                                "s: {type: island.shape, in: p}\n"
                                                "e: {type: island.elevation, in: s}\n"
                                                "w: {type: island.edit_wet, in: e}\n"});
    assert_string_equal(error.path, "w");
    assert_non_null(strstr(error.message, "island.moisture"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_brush_moistens_and_ends),
        cmocka_unit_test(moisture_stays_in_0_to_1),
        cmocka_unit_test(a_dry_island_is_as_wet_as_its_brush),
        cmocka_unit_test(expects_moisture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
