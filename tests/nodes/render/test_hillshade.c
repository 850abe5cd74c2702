/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/* Of a torus, or beyond a border that ends the map straight on: z(-k) = 2 z(0) - z(k). */
static double height_at(const struct tw_value *map, bool wrap, int32_t x, int32_t y)
{
    int32_t w = map->width, h = map->height;
    x = wrap || w == 1 ? tw_wrap(x, w) : x;
    y = wrap || h == 1 ? tw_wrap(y, h) : y;
    if (x < 0 || x >= w) {
        int32_t border = x < 0 ? 0 : w - 1;
        return 2 * height_at(map, wrap, border, y) - height_at(map, wrap, 2 * border - x, y);
    }
    if (y < 0 || y >= h) {
        int32_t border = y < 0 ? 0 : h - 1;
        return 2 * height_at(map, wrap, x, border) - height_at(map, wrap, x, 2 * border - y);
    }
    return (double)tw_floats(map)[y * w + x];
}

/* From (x - dx, y - dy) to (x + dx, y + dy). */
static double rise(const struct tw_value *map, bool wrap, int32_t x, int32_t y, int dx, int dy,
                   int across)
{
    x += dy * across;
    y += dx * across;
    return height_at(map, wrap, x + dx, y + dy) - height_at(map, wrap, x - dx, y - dy);
}

/* The picture in double, from angles instead of vectors: Burrough and McDonnell's form of the law.
 */
static double reference_at(const struct tw_value *map, bool wrap, int32_t x, int32_t y,
                           double azimuth, double altitude, double scale, double softness)
{
    double dx = 0, dy = 0;
    for (int i = -1; i <= 1; i++) {
        dx += (2 - abs(i)) * rise(map, wrap, x, y, 1, 0, i);
        dy += (2 - abs(i)) * rise(map, wrap, x, y, 0, 1, i);
    }
    double slope = atan(sqrt(dx * dx + dy * dy) * scale / 8);
    double downhill = atan2(-dx, dy); /* clockwise from north */
    double zenith = (90 - altitude) * pi / 180;
    double c =
        cos(zenith) * cos(slope) + sin(zenith) * sin(slope) * cos(azimuth * pi / 180 - downhill);
    return (c + sqrt(c * c + softness * softness)) / (1 + sqrt(1 + softness * softness));
}

static void check(int32_t width, int32_t height, bool wrap, int azimuth, int altitude, int softness)
{
    struct tw_value map = harness_terrain(width, height, 2);
    char nodes[300];
    snprintf(nodes, sizeof nodes,
             "a: {type: test.map}\nout: {type: render.hillshade, in: a, azimuth: %d, altitude: "
             "%d, softness: %d, exaggeration: 0.5}",
             azimuth, altitude, softness);
    struct harness harness = {.width = width,
                              .height = height,
                              .nodes = nodes,
                              .head = wrap ? "borders: wrap\n" : "borders: closed\n"};
    harness_give(0, &map);
    struct tw_result *result = harness_run(&harness);
    const uint8_t *pixels = tw_pixels(tw_result_output(result, "out"));
    for (int32_t i = 0; i < width * height; i++) {
        double expected = 255 * reference_at(&map, wrap, i % width, i / width, azimuth, altitude,
                                             0.5 * width, softness);
        assert_true(fabs(pixels[3 * i] - expected) < 0.501);
        assert_true(pixels[3 * i] == pixels[3 * i + 1] && pixels[3 * i] == pixels[3 * i + 2]);
    }
    everywhere_image(harness, "out");
    tw_result_release(result);
    free(map.data);
}

static void follows_the_cosine_law(void **state)
{
    const int32_t sizes[][2] = {{1, 1}, {1, 30}, {300, 1}, {2, 2}, {257, 29}, {256, 9}, {513, 7}};
    (void)state;
    for (int i = 0; i < 14; i++) {
        const int32_t *size = sizes[i / 2];
        check(size[0], size[1], i % 2, 315, 45, 0);
        check(size[0], size[1], i % 2, 70, 20, 1);
    }
}

/* A plane is as bright at its border as inland, and a moved torus gives the moved picture. */
static void borders_leave_no_frame(void **state)
{
    enum { SIDE = 40, SHIFT = 13 };
    static float plane[SIDE * SIDE], moved[SIDE * SIDE];
    struct tw_value terrain = harness_terrain(SIDE, SIDE, 5);
    struct tw_value maps[] = {{TW_HEIGHTMAP, SIDE, SIDE, plane}, {TW_HEIGHTMAP, SIDE, SIDE, moved}};
    (void)state;
    for (int i = 0; i < SIDE * SIDE; i++) {
        int x = i % SIDE, y = i / SIDE;
        plane[i] = (3.0f * (float)x + 5.0f * (float)y) / 512;
        moved[i] = tw_floats(&terrain)[(y + SHIFT) % SIDE * SIDE + (x + SHIFT) % SIDE];
    }
    harness_give(0, &maps[0]);
    harness_give(1, &terrain);
    harness_give(2, &maps[1]);
    struct tw_result *result = harness_run(&(struct harness){
        .width = SIDE,
        .height = SIDE,
        .head = "borders: wrap\n",
        .nodes = "a: {type: test.map}\nb: {type: test.map, slot: 1}\nc: {type: test.map, slot: 2}\n"
                 "plane: {type: render.hillshade, in: a, border: closed}\n"
                 "torus: {type: render.hillshade, in: b}\n"
                 "moved: {type: render.hillshade, in: c}"});
    const uint8_t *even = tw_pixels(tw_result_output(result, "plane"));
    const uint8_t *torus = tw_pixels(tw_result_output(result, "torus"));
    const uint8_t *shown = tw_pixels(tw_result_output(result, "moved"));
    for (int i = 0; i < SIDE * SIDE; i++) {
        int from = (i / SIDE + SHIFT) % SIDE * SIDE + (i % SIDE + SHIFT) % SIDE;
        assert_int_equal(even[3 * i], even[0]);
        assert_int_equal(shown[3 * i], torus[3 * from]);
    }
    tw_result_release(result);
    free(terrain.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(follows_the_cosine_law),
                                       cmocka_unit_test(borders_leave_no_frame)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
