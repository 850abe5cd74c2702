/* SPDX-License-Identifier: MIT */
#include "support/symmetry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 48, CELLS = SIDE * SIDE };

/* Beyond a closed border z(-k) = 2 z(0) - z(k). */
static double at(const struct tw_value *map, int x, int y, bool wrap)
{
    int w = map->width, h = map->height;
    x = wrap ? (x % w + w) % w : w == 1 ? 0 : x;
    y = wrap ? (y % h + h) % h : h == 1 ? 0 : y;
    int border_x = x < 0 ? 0 : w - 1, border_y = y < 0 ? 0 : h - 1;
    if (x < 0 || x >= w)
        return 2 * at(map, border_x, y, wrap) - at(map, 2 * border_x - x, y, wrap);
    if (y < 0 || y >= h)
        return 2 * at(map, x, border_y, wrap) - at(map, x, 2 * border_y - y, wrap);
    return (double)tw_floats(map)[y * w + x];
}

/* The azimuth of the way down, or -1. */
static double azimuth_of(const struct tw_value *map, int x, int y, bool wrap, double least)
{
    double n = map->width, east = (at(map, x - 1, y, wrap) - at(map, x + 1, y, wrap)) * n / 2;
    double north = (at(map, x, y + 1, wrap) - at(map, x, y - 1, wrap)) * n / 2;
    double slope = hypot(east, north), degrees = atan2(east, north) * 180 / acos(-1);
    return slope == 0 || slope < least ? -1 : degrees < 0 ? degrees + 360 : degrees;
}

static void equals_the_definition(void **state)
{
    const int32_t sizes[][2] = {{1, 1}, {1, 30}, {30, 1}, {2, 2}, {33, 21}};
    (void)state;
    for (int i = 0; i < 10; i++) {
        struct tw_value map = harness_terrain(sizes[i / 2][0], sizes[i / 2][1], 3);
        bool wrap = i % 2;
        char node[200];
        snprintf(node, sizeof node,
                 "type: mask.aspect, in: in, azimuth: 300, width: 120, softness: 60, least_slope: "
                 "1.5, border: %s",
                 wrap ? "wrap" : "closed");
        struct tw_value out = symmetry_run(&map, node, "out");
        struct tw_value value = symmetry_run(&map, node, "value");
        for (int k = 0; k < map.width * map.height; k++) {
            double a = azimuth_of(&map, k % map.width, k / map.width, wrap, 1.5), d = fabs(a - 300);
            d = d > 180 ? 360 - d : d;
            double t = d <= 60 ? 1 : d >= 120 ? 0 : 1 - (d - 60) / 60;
            t = a < 0 ? 0 : t * t * (3 - 2 * t);
            assert_true(fabs((double)tw_floats(&out)[k] - t) < 1e-5);
            assert_true(fabs((double)tw_floats(&value)[k] - (a < 0 ? 0 : a)) < 1e-4);
        }
        free(out.data);
        free(value.data);
        free(map.data);
    }
}

/* Ground that falls to one side faces that way, and level ground nowhere. */
static void knows_the_four_sides(void **state)
{
    static float cells[CELLS];
    const struct tw_value map = {TW_HEIGHTMAP, SIDE, SIDE, cells};
    (void)state;
    for (int side = 0; side < 5; side++) {
        for (int i = 0; i < CELLS; i++)
            cells[i] =
                (float)(side == 4 ? 3 : (side % 2 ? i % SIDE : i / SIDE) * (side % 3 ? -1 : 1));
        struct tw_value value =
            symmetry_run(&map, "type: mask.aspect, in: in, border: closed", "value");
        struct tw_value out =
            symmetry_run(&map, "type: mask.aspect, in: in, width: 360, border: closed", "out");
        for (int i = 0; i < CELLS; i++) {
            assert_true(tw_floats(&value)[i] == (float)(side == 4 ? 0 : 90 * side));
            assert_true(tw_floats(&out)[i] == (side == 4 ? 0.0f : 1.0f));
        }
        free(value.data);
        free(out.data);
    }
}

static void four_quarters_are_the_whole(void **state)
{
    static float sum[CELLS];
    struct tw_value map = harness_terrain(SIDE, SIDE, 9);
    (void)state;
    for (int quarter = 0; quarter < 4; quarter++) {
        char node[200];
        snprintf(node, sizeof node, "type: mask.aspect, in: in, azimuth: %d, softness: 0",
                 90 * quarter + 10);
        struct tw_value out = symmetry_run(&map, node, "out");
        for (int i = 0; i < CELLS; i++)
            sum[i] += tw_floats(&out)[i];
        free(out.data);
    }
    for (int i = 0; i < CELLS; i++)
        assert_true(sum[i] == 1);
    free(map.data);
}

/* A map that is turned faces another way: only mirroring from west to east keeps the south. */
static void rolls_with_the_map(void **state)
{
    (void)state;
    symmetry_rolls("type: mask.aspect, in: in, border: wrap", "out", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_definition), cmocka_unit_test(knows_the_four_sides),
        cmocka_unit_test(four_quarters_are_the_whole), cmocka_unit_test(rolls_with_the_map)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
