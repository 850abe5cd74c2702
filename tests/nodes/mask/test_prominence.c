/* SPDX-License-Identifier: MIT */
#include "support/symmetry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double reference(const struct tw_value *map, int x, int y, double radius, bool relative,
                        bool wrap)
{
    int w = map->width, h = map->height, reach = (int)(radius * w);
    double sum = 0, squares = 0, count = 0;
    for (int j = -reach; j <= reach; j++)
        for (int i = -reach; i <= reach; i++) {
            bool inside = x + i >= 0 && x + i < w && y + j >= 0 && y + j < h;
            if (i * i + j * j > radius * w * radius * w || !(wrap || inside))
                continue;
            double v = (double)tw_floats(map)[((y + j) % h + h) % h * w + ((x + i) % w + w) % w];
            sum += v;
            squares += v * v;
            count++;
        }
    double mean = sum / count, above = (double)tw_floats(map)[y * w + x] - mean;
    double deviation = sqrt(fmax(squares / count - mean * mean, 0));
    return !relative ? above : deviation < 1e-6 ? 0 : above / deviation;
}

static void equals_the_definition(void **state)
{
    const int32_t sizes[][2] = {{1, 1}, {1, 30}, {30, 1}, {2, 2}, {41, 23}, {270, 9}};
    const double radii[] = {0, 0.11, 0.5};
    (void)state;
    for (int i = 0; i < 72; i++) {
        struct tw_value map = harness_terrain(sizes[i % 6][0], sizes[i % 6][1], 3);
        bool wrap = i / 6 % 2, relative = i / 12 % 2;
        double radius = radii[i / 24] * (map.width > 100 ? 0.1 : 1);
        char node[200];
        snprintf(node, sizeof node,
                 "type: mask.prominence, in: in, radius: %.17g, relative: %s, border: %s", radius,
                 relative ? "true" : "false", wrap ? "wrap" : "closed");
        struct tw_value value = symmetry_run(&map, node, "value");
        for (int k = 0; k < map.width * map.height; k++) {
            double expected = reference(&map, k % map.width, k / map.width, (double)(float)radius,
                                        relative, wrap);
            double found = (double)tw_floats(&value)[k];
            if (!(fabs(found - expected) < 1e-5))
                fail_msg("%d: %g, not %g", i, found, expected);
        }
        free(value.data);
        free(map.data);
    }
}

static void sums_to_nothing_on_a_torus(void **state)
{
    struct tw_value map = harness_terrain(64, 64, 4);
    struct tw_value value =
        symmetry_run(&map, "type: mask.prominence, in: in, radius: 0.1, border: wrap", "value");
    double sum = 0, size = 0;
    (void)state;
    for (int i = 0; i < 64 * 64; i++) {
        sum += (double)tw_floats(&value)[i];
        size += fabs((double)tw_floats(&value)[i]);
    }
    assert_true(size > 1 && fabs(sum) < 1e-6 * size);
    free(map.data);
    free(value.data);
}

/* A plane stands nowhere above itself, where the disc is whole. */
static void is_nothing_on_planes(void **state)
{
    static float cells[64 * 64];
    const struct tw_value map = {TW_HEIGHTMAP, 64, 64, cells};
    (void)state;
    for (int i = 0; i < 64 * 64; i++)
        cells[i] = (float)(3 * (i % 64) - 2 * (i / 64));
    for (int relative = 0; relative < 2; relative++) {
        struct tw_value value = symmetry_run(
            &map,
            relative ? "type: mask.prominence, in: in, relative: true, radius: 0.1, border: closed"
                     : "type: mask.prominence, in: in, radius: 0.1, border: closed",
            "value");
        for (int y = 7; y < 57; y++)
            for (int x = 7; x < 57; x++)
                assert_true(fabsf(tw_floats(&value)[y * 64 + x]) < 1e-5f);
        assert_true(fabsf(tw_floats(&value)[0]) > 0.1f);
        free(value.data);
    }
}

static void reaches_the_decimal_that_is_written(void **state)
{
    (void)state;
    symmetry_reaches("mask.prominence", "value");
}

static void turns_and_rolls_with_the_map(void **state)
{
    (void)state;
    symmetry_turns("type: mask.prominence, in: in, radius: 0.2, border: closed", "out", 1e-5, 0);
    symmetry_rolls("type: mask.prominence, in: in, radius: 0, border: wrap", "value", 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_the_definition),
                                       cmocka_unit_test(sums_to_nothing_on_a_torus),
                                       cmocka_unit_test(is_nothing_on_planes),
                                       cmocka_unit_test(reaches_the_decimal_that_is_written),
                                       cmocka_unit_test(turns_and_rolls_with_the_map)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
