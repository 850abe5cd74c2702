/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 128 };

static float cells[SIDE * SIDE];

/* The surface of `cells`; no enlarging, no roughness. */
static struct tw_result *light(const char *options)
{
    static struct tw_value map;
    char nodes[300];
    map = (struct tw_value){TW_HEIGHTMAP, SIDE, SIDE, cells};
    snprintf(nodes, sizeof nodes,
             "a: {type: test.map}\n"
             "out: {type: render.surface, in: a, size: 64, bump: 0, %s}",
             options);
    harness_give(0, &map);
    return harness_run(&(struct harness){.width = SIDE, .height = SIDE, .nodes = nodes});
}

static const struct tw_surface_cell *cell_at(const struct tw_result *result, int x, int y)
{
    return tw_surface(tw_result_output(result, "out")) + y * SIDE + x;
}

static bool same_light(const struct tw_surface_cell *a, const struct tw_surface_cell *b)
{
    return abs(a->red - b->red) < 900 && abs(a->green - b->green) < 900 &&
           abs(a->blue - b->blue) < 900;
}

/* A shore that rises by 1 in 100 is sand next to the water only, not as far as height allows. */
static void a_flat_shore_has_a_narrow_beach(void **state)
{
    (void)state;
    for (int i = 0; i < SIDE * SIDE; i++)
        cells[i] = 0.01f * (float)(i % SIDE - 8) / SIDE;
    struct tw_result *wet = light("mood: island, sea: 0, exaggeration: 1, sun: [0, 90]");
    struct tw_result *dry = light("mood: island, exaggeration: 1, sun: [0, 90]");
    int sand = 0, grass = 0;
    for (int y = 8; y < SIDE - 8; y++) {
        sand += !same_light(cell_at(wet, 10, y), cell_at(dry, 10, y));
        grass += same_light(cell_at(wet, 60, y), cell_at(dry, 60, y));
    }
    assert_true(sand == SIDE - 16 && grass == SIDE - 16);
    tw_result_release(wet);
    tw_result_release(dry);
}

/* Ridges below the sea, under a low sun: deep water is as bright above their shadows. */
static void nothing_casts_shadows_under_water(void **state)
{
    (void)state;
    for (int i = 0; i < SIDE * SIDE; i++)
        cells[i] = -1.0f + 0.3f * (float)(i % SIDE % 32 == 16);
    struct tw_result *result = light("mood: island, sea: 0, exaggeration: 1, sun: [270, 20]");
    for (int x = 0; x < SIDE; x++)
        for (int k = 0; k < 3; k++) {
            const uint16_t *at = &cell_at(result, x, 64)->red,
                           *first = &cell_at(result, 4, 64)->red;
            assert_true(10 * abs(at[k] - first[k]) < first[k]);
        }
    tw_result_release(result);
}

/* Water in a lake is no surf, however shallow. */
static void lakes_have_no_foam(void **state)
{
    static float depth[SIDE * SIDE];
    struct tw_value lakes = {TW_HEIGHTMAP, SIDE, SIDE, depth};
    (void)state;
    for (int i = 0; i < SIDE * SIDE; i++) {
        cells[i] = 0.5f;
        depth[i] = 1e-5f;
    }
    harness_give(1, &lakes);
    struct tw_value map = {TW_HEIGHTMAP, SIDE, SIDE, cells};
    harness_give(0, &map);
    struct tw_result *result = harness_run(
        &(struct harness){.width = SIDE,
                          .height = SIDE,
                          .nodes = "a: {type: test.map}\nlakes: {type: test.map, slot: 1}\n"
                                   "out: {type: render.surface, in: a, lakes: lakes, size: 64}"});
    for (int x = 0; x < SIDE; x++)
        assert_int_equal(cell_at(result, x, 64)->water, 65535);
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_flat_shore_has_a_narrow_beach),
                                       cmocka_unit_test(nothing_casts_shadows_under_water),
                                       cmocka_unit_test(lakes_have_no_foam)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
