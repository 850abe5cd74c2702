/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"

#include <stdlib.h>

enum { SIDE = 64 };

static float cells[SIDE * SIDE];

/* A wall 10 cells high along column 40, light at 45 degrees: the shadow is 10 cells long. */
static void a_wall_casts_a_shadow_of_its_height(void **state)
{
    struct tw_value map = {TW_HEIGHTMAP, SIDE, SIDE, cells};
    (void)state;
    for (int32_t i = 0; i < SIDE * SIDE; i++)
        cells[i] = i % SIDE == 40 ? 10.5f / SIDE : 0;
    harness_give(0, &map);
    struct tw_result *result = harness_run(&(struct harness){
        .nodes = "in: {type: test.map}\n"
                 "west: {type: mask.light, in: in, azimuth: 270, altitude: 45, exaggeration: 1}\n"
                 "east: {type: mask.light, in: in, azimuth: 90, altitude: 45, exaggeration: 1}\n"
                 "flat: {type: mask.light, in: in, azimuth: 90, altitude: 45, exaggeration: 0}\n"});
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        int32_t x = i % SIDE;
        bool behind = x > 40 && x <= 50, before = x < 40 && x >= 30;
        assert_true(tw_floats(tw_result_output(result, "west"))[i] == (behind ? 0.0f : 1.0f));
        assert_true(tw_floats(tw_result_output(result, "east"))[i] == (before ? 0.0f : 1.0f));
        assert_true(tw_floats(tw_result_output(result, "flat"))[i] == 1.0f);
    }
    tw_result_release(result);
}

/* The node and feature.shadow march the same rays. */
static void agrees_with_the_shadows_that_a_terrain_was_made_for(void **state)
{
    (void)state;
    struct tw_result *result = harness_run(&(struct harness){
        .nodes = "base: {type: source.constant, value: 0.1}\n"
                 "spots: {type: voronoi.cells}\n"
                 "image: {type: voronoi.domain, domain: spots.domain, values: binary}\n"
                 "land: {type: feature.shadow, in: base, image: image, azimuth: 250, tilt: 70, "
                 "exaggeration: 0.5}\n"
                 "light: {type: mask.light, in: land, azimuth: 250, altitude: 20, "
                 "exaggeration: 0.5}\n",
        .outputs = "shadow: land.shadow\n"});
    int32_t different = 0;
    for (int32_t i = 0; i < SIDE * SIDE; i++)
        different += tw_floats(tw_result_output(result, "light"))[i] !=
                     tw_floats(tw_result_output(result, "shadow"))[i];
    assert_true(different < SIDE * SIDE / 200); /* out is rounded to float */
    tw_result_release(result);
}

static void same_bytes_everywhere(void **state)
{
    struct tw_value map = harness_terrain(257, 129, 3);
    struct harness h = {.width = 257,
                        .height = 129,
                        .simd = "base",
                        .nodes = "in: {type: test.map}\n"
                                 "light: {type: mask.light, in: in, azimuth: 33, altitude: 12}\n"};
    (void)state;
    harness_give(0, &map);
    struct tw_result *first = harness_run(&h);
    everywhere(h, "light", tw_floats(tw_result_output(first, "light")));
    tw_result_release(first);
    free(map.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wall_casts_a_shadow_of_its_height),
        cmocka_unit_test(agrees_with_the_shadows_that_a_terrain_was_made_for),
        cmocka_unit_test(same_bytes_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
