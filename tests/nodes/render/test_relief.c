/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"

#include <stdio.h>
#include <stdlib.h>

static bool is_near(const struct tw_value *image, int cell, int red, int green, int blue)
{
    const uint8_t *pixel = tw_pixels(image) + 3 * cell;
    return abs(pixel[0] - red) <= 3 && abs(pixel[1] - green) <= 3 && abs(pixel[2] - blue) <= 3;
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

static void flat_colours_follow_height_and_sea(void **state)
{
    float cells[] = {-1, 0, 0.6f, 1.24f, 2, 5, -7};
    (void)state;
    struct tw_result *result = paint(cells, 7,
                                     "low: -1, high: 2, sea: -0.5, shading: 0, "
                                     "exaggeration: 0");
    const struct tw_value *out = tw_result_output(result, "out");
    assert_true(is_near(out, 4, 250, 247, 240));        /* the top */
    assert_true(is_near(out, 5, 250, 247, 240));        /* above it */
    assert_true(tw_pixels(out)[0] < tw_pixels(out)[2]); /* water is blue */
    assert_true(tw_pixels(out)[3 * 2] < tw_pixels(out)[3 * 3]);
    tw_result_release(result);
}

/* Depth is shown by colour relative to the deepest water, be that a twentieth of a cell; what
 * is shallower still is shore. */
static void the_deepest_water_is_deep_blue(void **state)
{
    static const float depths[] = {2, 0.05f};
    (void)state;
    for (int i = 0; i < 2; i++) {
        float cells[] = {0, 0, 0, 0, 0, 0, 0, 3};
        char options[80];
        snprintf(options, sizeof options, "sea: %.9g, shading: 0, exaggeration: 1",
                 (double)depths[i]);
        struct tw_result *result = paint(cells, 8, options);
        assert_true(is_near(tw_result_output(result, "out"), 0, 128, 174, 204));
        tw_result_release(result);
    }
}

static void low_equal_to_high_takes_the_map_s_range(void **state)
{
    float cells[] = {10, 14, 10, 10};
    (void)state;
    struct tw_result *result = paint(cells, 4, "shading: 0, exaggeration: 0");
    const struct tw_value *out = tw_result_output(result, "out");
    assert_true(is_near(out, 0, 172, 190, 164));
    assert_true(is_near(out, 1, 250, 247, 240));
    tw_result_release(result);
}

/* The darkest and the brightest byte of green. */
static void range_of(const struct tw_value *image, int *low, int *high)
{
    *low = 255;
    *high = 0;
    for (size_t i = 0; i < tw_value_count(image); i++) {
        int green = tw_pixels(image)[3 * i + 1];
        *low = green < *low ? green : *low;
        *high = green > *high ? green : *high;
    }
}

/* Shade given as a mask of 0 dims; nothing is black, whoever lights it. */
static void shade_dims_and_does_not_blacken(void **state)
{
    int low, high;
    (void)state;
    struct tw_result *result = harness_run(&(struct harness){
        .nodes = "a: {type: noise.midpoint}\n"
                 "zero: {type: source.constant, value: 0}\n"
                 "dark: {type: mask.height, in: zero, low: 0.5, high: 1}\n"
                 "own: {type: render.relief, in: a, exaggeration: 3}\n"
                 "map: {type: render.relief, in: a, shade: dark}\n"
                 "mood: {type: render.relief, in: a, shade: dark, mood: temperate}\n"
                 "light: {type: render.relief, in: a, mood: temperate}"});
    range_of(tw_result_output(result, "own"), &low, &high);
    assert_true(low > 60 && high > 200);
    range_of(tw_result_output(result, "map"), &low, &high);
    assert_true(low > 60 && high < 200);
    range_of(tw_result_output(result, "mood"), &low, &high);
    assert_true(low > 20 && high < 170);
    range_of(tw_result_output(result, "light"), &low, &high);
    assert_true(high > 150);
    tw_result_release(result);
}

/* Light comes from the north-west: slopes that face it are brighter than those that look away. */
static void slopes_to_the_north_west_are_bright(void **state)
{
    static float cells[64 * 64];
    struct tw_value map = {TW_HEIGHTMAP, 64, 64, cells};
    (void)state;
    for (int i = 0; i < 64 * 64; i++)
        cells[i] = 1 - (float)(abs(i % 64 - 32) + abs(i / 64 - 32)) / 64;
    harness_give(0, &map);
    struct tw_result *result = harness_run(&(struct harness){
        .nodes = "a: {type: test.map}\nout: {type: render.relief, in: a, exaggeration: 0.5}"});
    const uint8_t *out = tw_pixels(tw_result_output(result, "out"));
    assert_true(out[3 * (22 * 64 + 22) + 1] > out[3 * (42 * 64 + 42) + 1] + 40);
    tw_result_release(result);
}

/* Far from the borders waves of 64 cells look alike, wherever pieces and strips of them end. */
static void waves_are_painted_alike(void **state)
{
    enum { SIDE = 900, WAVE = 64, FAR = 192, FROM = 320 };
    static float cells[SIDE * SIDE];
    struct tw_value map = {TW_HEIGHTMAP, SIDE, SIDE, cells};
    (void)state;
    for (int i = 0; i < SIDE * SIDE; i++) {
        float x = (float)(i % SIDE % WAVE) / WAVE - 0.5f,
              y = (float)(i / SIDE % WAVE) / WAVE - 0.5f;
        cells[i] = (x * x * x - x / 4) * (y + 0.7f) * (0.5f - y) * (y + 0.5f);
    }
    harness_give(0, &map);
    struct tw_result *result = harness_run(&(struct harness){
        .width = SIDE,
        .height = SIDE,
        .threads = 2,
        .nodes = "a: {type: test.map}\nout: {type: render.relief, in: a, exaggeration: 4}"});
    const uint8_t *out = tw_pixels(tw_result_output(result, "out"));
    for (int y = FAR; y < SIDE - FAR; y++)
        for (int x = FAR; x < SIDE - FAR; x++)
            for (int k = 0; k < 3; k++)
                if (out[3 * (y * SIDE + x) + k] !=
                    out[3 * ((FROM + y % WAVE) * SIDE + FROM + x % WAVE) + k])
                    fail_msg("at %d, %d", x, y);
    tw_result_release(result);
}

/* 48 x 48 cells as a picture of 110 pixels, three times as many cells a side. */
static struct tw_result *paint_large(float *cells, const char *mood)
{
    static struct tw_value map;
    char nodes[120];
    map = (struct tw_value){TW_HEIGHTMAP, 48, 48, cells};
    snprintf(nodes, sizeof nodes,
             "a: {type: test.map}\nout: {type: render.relief, in: a, size: 110, mood: %s}", mood);
    harness_give(0, &map);
    return harness_run(&(struct harness){.width = 48, .height = 48, .nodes = nodes});
}

/* The greatest difference between bytes of the pictures of two maps. */
static int difference_of(float *a, float *b, const char *mood)
{
    int most = 0;
    struct tw_result *one = paint_large(a, mood), *other = paint_large(b, mood);
    const struct tw_value *image = tw_result_output(one, "out");
    const uint8_t *pixels = tw_pixels(image), *others = tw_pixels(tw_result_output(other, "out"));
    for (size_t i = 0; i < 3 * tw_value_count(image); i++)
        most = abs(pixels[i] - others[i]) > most ? abs(pixels[i] - others[i]) : most;
    tw_result_release(one);
    tw_result_release(other);
    return most;
}

/* Level ground looks alike at any height. What rounding left on it does not take all colours from
 * low to high, as relief of 1 in 200,000 of its height does, or less that can be seen. */
static void level_ground_is_level(void **state)
{
    static const float heights[] = {0.3f, 1.0f / 3, -7.77f, 1e6f};
    static const char *const moods[] = {"swiss", "alpine", "moon"};
    static float zero[48 * 48], level[48 * 48], rounded[48 * 48], faint[48 * 48], hills[48 * 48];
    (void)state;
    for (int k = 0; k < 12; k++) {
        for (int i = 0; i < 48 * 48; i++)
            level[i] = heights[k / 3];
        assert_int_equal(difference_of(zero, level, moods[k % 3]), 0);
    }
    for (int i = 0; i < 48 * 48; i++) {
        level[i] = 0.3f;
        rounded[i] = level[i] + 0x1p-25f * (float)(i % 7 % 3);
        faint[i] = level[i] + 1.5e-6f * (float)(i % 48 < 24);
        hills[i] = 1e6f + (float)(i % 48 < 24);
    }
    assert_in_range(difference_of(level, rounded, "swiss"), 0, 8);
    assert_in_range(difference_of(level, rounded, "alpine"), 0, 8);
    assert_in_range(difference_of(level, faint, "swiss"), 40, 255);
    assert_in_range(difference_of(level, hills, "swiss"), 40, 255);
}

static void gives_the_same_bytes_everywhere(void **state)
{
    const int32_t sizes[][2] = {{1, 1}, {1, 33}, {33, 1}, {257, 129}};
    const char *const options[] = {"sea: 0.4", "mood: alpine", "size: 64", "size: [300, 200]"};
    char nodes[200];
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct tw_value map = harness_terrain(sizes[i][0], sizes[i][1], 3);
        harness_give(0, &map);
        snprintf(nodes, sizeof nodes, "a: {type: test.map}\nout: {type: render.relief, in: a, %s}",
                 options[i]);
        everywhere_image((struct harness){.width = map.width, .height = map.height, .nodes = nodes},
                         "out");
        free(map.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(flat_colours_follow_height_and_sea),
                                       cmocka_unit_test(the_deepest_water_is_deep_blue),
                                       cmocka_unit_test(low_equal_to_high_takes_the_map_s_range),
                                       cmocka_unit_test(shade_dims_and_does_not_blacken),
                                       cmocka_unit_test(slopes_to_the_north_west_are_bright),
                                       cmocka_unit_test(waves_are_painted_alike),
                                       cmocka_unit_test(level_ground_is_level),
                                       cmocka_unit_test(gives_the_same_bytes_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
