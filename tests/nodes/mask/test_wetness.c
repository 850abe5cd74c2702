/* SPDX-License-Identifier: MIT */
#include "support/symmetry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double along(const struct tw_value *map, int x, int y, int dx, int dy, bool wrap)
{
    int w = map->width, h = map->height;
    int back = wrap || (x - dx >= 0 && y - dy >= 0), ahead = wrap || (x + dx < w && y + dy < h);
    int from_x = (x - back * dx + w) % w, from_y = (y - back * dy + h) % h;
    int to_x = (x + ahead * dx) % w, to_y = (y + ahead * dy) % h;
    double from = (double)tw_floats(map)[from_y * w + from_x];
    double to = (double)tw_floats(map)[to_y * w + to_x];
    return back + ahead ? (to - from) / (back + ahead) : 0;
}

static void equals_the_definition(void **state)
{
    const int32_t sizes[][2] = {{1, 1}, {1, 20}, {3, 2}, {50, 41}};
    (void)state;
    for (int i = 0; i < 8; i++) {
        bool wrap = i >= 4;
        struct tw_value map = harness_terrain(sizes[i % 4][0], sizes[i % 4][1], 6);
        int lakes = 0;
        harness_give(0, &map);
        struct tw_result *result = harness_run(
            &(struct harness){.width = map.width,
                              .height = map.height,
                              .head = wrap ? "borders: wrap\n" : "borders: closed\n",
                              .nodes = "in: {type: test.map}\n"
                                       "flow: {type: measure.flow, in: in, method: mfd}\n"
                                       "fill: {type: shape.fill_depressions, in: in}\n"
                                       "wet: {type: mask.wetness, in: in, low: -3, softness: 2}\n",
                              .outputs = "value: wet.value\n"});
        const float *flow = tw_floats(tw_result_output(result, "flow"));
        const float *fill = tw_floats(tw_result_output(result, "fill"));
        double count = map.width * map.height;
        for (int k = 0; k < map.width * map.height; k++) {
            int x = k % map.width, y = k / map.width;
            double slope =
                hypot(along(&map, x, y, 1, 0, wrap), along(&map, x, y, 0, 1, wrap)) * map.width;
            bool lake = fill[k] > tw_floats(&map)[k];
            slope = lake || slope < (double)0.01f ? (double)0.01f : slope;
            double area = (double)flow[k] * count / map.width;
            double expected = log(area / slope);
            double found = (double)tw_floats(tw_result_output(result, "value"))[k];
            double t = fmin(fmax(1 - (-3 - expected) / 2, 0), 1);
            assert_true(fabs(found - expected) < 1e-5);
            assert_true(fabs((double)tw_floats(tw_result_output(result, "wet"))[k] -
                             t * t * (3 - 2 * t)) < 1e-4);
            lakes += lake;
        }
        assert_true(i % 4 < 3 || lakes > 20);
        tw_result_release(result);
        free(map.data);
    }
}

/* On a plane of slope 1 the index is the logarithm of the distance from the top. */
static void knows_a_plane(void **state)
{
    enum { W = 32, H = 128 };
    static float cells[W * H];
    const struct tw_value map = {TW_HEIGHTMAP, W, H, cells};
    (void)state;
    for (int i = 0; i < W * H; i++)
        cells[i] = (float)(i % W) / W;
    struct tw_value value =
        symmetry_run(&map, "type: mask.wetness, in: in, border: closed", "value");
    for (int x = 1; x < W - 1; x++) {
        /* The last column is a border: water that would flow there, from it, does not. */
        double distance = (double)(W - 1 - x) / W;
        double found = (double)tw_floats(&value)[H / 2 * W + x];
        if (fabs(found - log(distance)) > 1e-4)
            fail_msg("%d: %g, not %g", x, found, log(distance));
    }
    free(value.data);
}

/* On a cone of slope 1 the area per length of contour is r / 2. */
static void knows_a_cone(void **state)
{
    (void)state;
    for (int n = 64; n <= 256; n *= 2) {
        struct tw_value map = harness_terrain(n, n, 1);
        double sum = 0, square = 0, count = 0;
        for (int i = 0; i < n * n; i++)
            tw_floats(&map)[i] =
                -hypotf((float)(i % n) - 0.5f * (float)n, (float)(i / n) - 0.5f * (float)n) /
                (float)n;
        struct tw_value value =
            symmetry_run(&map, "type: mask.wetness, in: in, border: closed", "value");
        for (int i = 0; i < n * n; i++) {
            double r = hypot(i % n - 0.5 * n, i / n - 0.5 * n) / n;
            if (r < 0.1 || r > 0.45)
                continue;
            double ratio = exp((double)tw_floats(&value)[i]) / (r / 2);
            sum += ratio;
            square += ratio * ratio;
            count++;
        }
        double mean = sum / count, scatter = sqrt(square / count - mean * mean) / mean;
        if (!(mean > 1 && mean < (n == 64 ? 1.15 : 1.12) && scatter < 0.04))
            fail_msg("%d: %g, scatter %g", n, mean, scatter);
        free(value.data);
        free(map.data);
    }
}

/* Lakes are level: the way that water takes across them depends on the order of cells. */
static void turns_with_the_map(void **state)
{
    (void)state;
    symmetry_turns("type: mask.wetness, in: in", "value", 1e-4, 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_definition), cmocka_unit_test(knows_a_plane),
        cmocka_unit_test(knows_a_cone), cmocka_unit_test(turns_with_the_map)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
