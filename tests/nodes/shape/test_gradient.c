/* SPDX-License-Identifier: MIT */
#include "support/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static struct tw_result *run(const struct tw_value *map, const char *options, int threads,
                             const char *simd)
{
    char nodes[200];
    snprintf(nodes, sizeof nodes, "in: {type: test.map}\nout: {type: shape.gradient, in: in%s}\n",
             options);
    harness_give(0, map);
    return harness_run(&(struct harness){.width = map->width,
                                         .height = map->height,
                                         .threads = threads,
                                         .simd = simd,
                                         .nodes = nodes});
}

static struct tw_value plane(int32_t size, float east, float south)
{
    struct tw_value map = harness_terrain(size, size, 1);
    for (int32_t i = 0; i < size * size; i++)
        tw_floats(&map)[i] = (east * (float)(i % size) + south * (float)(i / size)) / (float)size;
    return map;
}

static void expect(const struct tw_value *map, const char *options, float east, float south)
{
    struct tw_result *result = run(map, options, 2, NULL);
    const struct tw_value *out = tw_result_output(result, "out");
    assert_int_equal(out->type, TW_VECTORS);
    for (size_t i = 0; i < tw_value_count(out); i++)
        assert_true(tw_vectors(out)[i].x == east && tw_vectors(out)[i].y == south);
    tw_result_release(result);
}

/* A plane of 3 to the east and -4 to the south, in rise per map side at two sizes, at its rim too;
 * the way up and down, along the contour, and all of length 1. */
static void a_plane_has_its_slope_at_every_size(void **state)
{
    (void)state;
    for (int32_t size = 64; size <= 256; size *= 4) {
        struct tw_value map = plane(size, 3, -4), flat = plane(size, 0, 0);
        expect(&map, ", border: closed", 3, -4);
        expect(&map, ", border: closed, direction: descent", -3, 4);
        expect(&map, ", border: closed, direction: left", -4, -3);
        expect(&map, ", border: closed, unit: true", 3 * 0.2f, -4 * 0.2f);
        expect(&map, ", border: closed, unit: true, direction: left", -4 * 0.2f, -3 * 0.2f);
        expect(&flat, "", 0, 0);
        expect(&flat, ", unit: true", 0, 0);
        free(map.data);
        free(flat.data);
    }
}

/* (z(x + 1) - z(x - 1)) / 2c, c = 1 / width; where the map ends over the cell and one neighbour. */
static float along(const struct tw_value *map, int32_t x, int32_t y, bool south, bool wrap)
{
    int32_t count = south ? map->height : map->width, at = south ? y : x;
    int32_t before = wrap ? (at + count - 1) % count : at > 0 ? at - 1 : 0;
    int32_t after = wrap ? (at + 1) % count : at < count - 1 ? at + 1 : at;
    float cells = wrap || (at > 0 && at < count - 1) ? 2 : 1;
    const float *z = tw_floats(map) + (south ? x : y * map->width);
    int32_t stride = south ? map->width : 1;
    return (z[after * stride] - z[before * stride]) * (1 / cells * (float)map->width);
}

static void check(const struct tw_value *map, bool wrap, int threads, const char *simd)
{
    struct tw_result *result =
        run(map, wrap ? ", border: wrap" : ", border: closed", threads, simd);
    const struct tw_vector *out = tw_vectors(tw_result_output(result, "out"));
    for (int32_t i = 0; i < map->width * map->height; i++) {
        int32_t x = i % map->width, y = i / map->width;
        assert_true(out[i].x == along(map, x, y, false, wrap) &&
                    out[i].y == along(map, x, y, true, wrap));
    }
    tw_result_release(result);
}

static void equals_the_equation_at_every_size(void **state)
{
    static const int32_t sizes[][2] = {{1, 1}, {1, 37}, {41, 1}, {2, 2}, {9, 5}, {257, 129}};
    static const char *const levels[] = {"base", "avx2", NULL};
    (void)state;
    for (int i = 0; i < 36; i++) {
        struct tw_value map = harness_terrain(sizes[i / 6][0], sizes[i / 6][1], 3);
        check(&map, i % 2, i % 3 + 1, levels[i % 3]);
        free(map.data);
    }
}

/* Slopes of less than 1e-9 have no direction, and steeper ones have length 1. */
static void unit_vectors_have_length_1_or_0(void **state)
{
    static const float slopes[] = {0.99e-9f, 1.01e-9f, 1e-3f, 1e6f};
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct tw_value map = plane(16, 0, slopes[i]);
        struct tw_result *result = run(&map, ", unit: true, border: closed", 1, NULL);
        const struct tw_vector *out = tw_vectors(tw_result_output(result, "out"));
        for (int32_t c = 0; c < 16 * 16; c++)
            assert_true(out[c].x == 0 && fabsf(out[c].y - (i > 0 ? 1.0f : 0.0f)) < 1e-6f);
        tw_result_release(result);
        free(map.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plane_has_its_slope_at_every_size),
        cmocka_unit_test(equals_the_equation_at_every_size),
        cmocka_unit_test(unit_vectors_have_length_1_or_0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
