/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

static double height_at(const struct tw_value *map, int32_t x, int32_t y)
{
    x = tw_clamp_index(x, map->width);
    y = tw_clamp_index(y, map->height);
    return (double)tw_floats(map)[y * map->width + x];
}

/* The picture in double, from angles instead of vectors: Burrough and McDonnell's form of the law.
 */
static double reference_at(const struct tw_value *map, int32_t x, int32_t y, double azimuth,
                           double altitude, double scale, double softness)
{
    double dx = 0, dy = 0;
    for (int i = -1; i <= 1; i++) {
        dx += (2 - abs(i)) * (height_at(map, x + 1, y + i) - height_at(map, x - 1, y + i));
        dy += (2 - abs(i)) * (height_at(map, x + i, y + 1) - height_at(map, x + i, y - 1));
    }
    double slope = atan(sqrt(dx * dx + dy * dy) * scale / 8);
    double downhill = atan2(-dx, dy); /* clockwise from north */
    double zenith = (90 - altitude) * pi / 180;
    double c =
        cos(zenith) * cos(slope) + sin(zenith) * sin(slope) * cos(azimuth * pi / 180 - downhill);
    return (c + sqrt(c * c + softness * softness)) / (1 + sqrt(1 + softness * softness));
}

static void check(int32_t width, int32_t height, int azimuth, int altitude, int softness)
{
    struct tw_value map = harness_terrain(width, height, 2);
    char nodes[300];
    snprintf(nodes, sizeof nodes,
             "a: {type: test.map}\nout: {type: render.hillshade, in: a, azimuth: %d, altitude: "
             "%d, softness: %d, exaggeration: 0.5}",
             azimuth, altitude, softness);
    struct harness harness = {.width = width, .height = height, .nodes = nodes};
    harness_give(0, &map);
    struct tw_result *result = harness_run(&harness);
    const uint8_t *pixels = tw_pixels(tw_result_output(result, "out"));
    for (int32_t i = 0; i < width * height; i++) {
        double expected = 255 * reference_at(&map, i % width, i / width, azimuth, altitude,
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
    for (int i = 0; i < 7; i++) {
        check(sizes[i][0], sizes[i][1], 315, 45, 0);
        check(sizes[i][0], sizes[i][1], 70, 20, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(follows_the_cosine_law)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
