/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"

#include <stdio.h>
#include <stdlib.h>

static void assert_colour(const struct tw_value *image, int cell, int red, int green, int blue)
{
    const uint8_t *pixel = tw_pixels(image) + 3 * cell;
    assert_true(pixel[0] == red && pixel[1] == green && pixel[2] == blue);
}

static struct tw_result *paint(float *cells, int32_t width, const char *options)
{
    static struct tw_value map;
    char nodes[300];
    map = (struct tw_value){TW_HEIGHTMAP, width, 1, cells};
    snprintf(nodes, sizeof nodes, "a: {type: test.map}\nout: {type: render.relief, in: a, %s}",
             options);
    harness_give(0, &map);
    return harness_run(&(struct harness){.width = width, .height = 1, .nodes = nodes});
}

static void colours_follow_height_and_sea(void **state)
{
    float cells[] = {-1, -0.0001f, 0, 2, 5, -7, 1.5f};
    (void)state;
    struct tw_result *result = paint(cells, 7, "low: -1, high: 2, shading: 0");
    const struct tw_value *out = tw_result_output(result, "out");
    assert_colour(out, 0, 30, 66, 112);   /* the deepest point */
    assert_colour(out, 1, 150, 198, 206); /* just below the sea */
    assert_colour(out, 2, 112, 148, 98);  /* the shore */
    assert_colour(out, 3, 248, 248, 246); /* the top */
    assert_colour(out, 4, 248, 248, 246); /* above it */
    assert_colour(out, 5, 30, 66, 112);   /* below the deepest point */
    assert_colour(out, 6, 150, 122, 104); /* three quarters of the way up */
    tw_result_release(result);
}

static void low_equal_to_high_takes_the_map_s_range(void **state)
{
    float cells[] = {10, 14, 13, 10};
    (void)state;
    struct tw_result *result = paint(cells, 4, "shading: 0");
    const struct tw_value *out = tw_result_output(result, "out");
    assert_colour(out, 0, 112, 148, 98);
    assert_colour(out, 1, 248, 248, 246);
    assert_colour(out, 2, 150, 122, 104);
    tw_result_release(result);
}

static void level_ground_keeps_its_colour_in_the_light(void **state)
{
    (void)state;
    struct tw_result *result = harness_run(&(struct harness){
        .nodes =
            "flat: {type: source.constant, value: 0.75}\n"
            "one: {type: source.constant, value: 1}\n"
            "half: {type: source.constant, value: 0.5}\n"
            "lit: {type: mask.height, in: one}\n"
            "dim: {type: mask.height, in: half, low: 0.6, high: 0.7, softness: 0.2}\n"
            "own: {type: render.relief, in: flat, low: 0, high: 1, shading: 1}\n"
            "night: {type: render.relief, in: flat, low: 0, high: 1, altitude: 0, softness: 0}\n"
            "given: {type: render.relief, in: flat, shade: lit, low: 0, high: 1, shading: 1}\n"
            "less: {type: render.relief, in: flat, shade: dim, low: 0, high: 1, shading: 1}"});
    assert_colour(tw_result_output(result, "own"), 7, 150, 122, 104);
    assert_colour(tw_result_output(result, "given"), 7, 150, 122, 104);
    assert_colour(tw_result_output(result, "less"), 7, 75, 61, 52);
    tw_result_release(result);
}

static void gives_the_same_bytes_everywhere(void **state)
{
    const int32_t sizes[][2] = {{1, 1}, {1, 33}, {33, 1}, {257, 129}};
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct tw_value map = harness_terrain(sizes[i][0], sizes[i][1], 3);
        harness_give(0, &map);
        everywhere_image((struct harness){.width = map.width,
                                          .height = map.height,
                                          .nodes =
                                              "a: {type: test.map}\n"
                                              "out: {type: render.relief, in: a, sea_level: 0.4}"},
                         "out");
        free(map.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(colours_follow_height_and_sea),
                                       cmocka_unit_test(low_equal_to_high_takes_the_map_s_range),
                                       cmocka_unit_test(level_ground_keeps_its_colour_in_the_light),
                                       cmocka_unit_test(gives_the_same_bytes_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
