/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tw_result *transform(const struct tw_value *map, const char *options)
{
    char nodes[300];
    snprintf(nodes, sizeof nodes, "a: {type: test.map}\nout: {type: shape.transform, in: a, %s}",
             options);
    harness_give(0, map);
    return harness_run(
        &(struct harness){.width = map->width, .height = map->height, .nodes = nodes});
}

static void defaults_change_nothing(void **state)
{
    const int32_t sizes[][2] = {{1, 1}, {1, 7}, {9, 1}, {257, 129}, {64, 64}};
    (void)state;
    for (int i = 0; i < 5; i++) {
        struct tw_value map = harness_terrain(sizes[i][0], sizes[i][1], 1);
        struct tw_result *result = transform(&map, "border: clamp");
        harness_same(tw_result_output(result, "out"), tw_floats(&map));
        tw_result_release(result);
        result = transform(&map, "shift_x: 1, shift_y: -2");
        harness_same(tw_result_output(result, "out"), tw_floats(&map));
        tw_result_release(result);
        free(map.data);
    }
}

static void a_shift_moves_cells_east_and_south(void **state)
{
    struct tw_value map = harness_terrain(64, 32, 1);
    (void)state;
    struct tw_result *result = transform(&map, "shift_x: 0.125, shift_y: 0.25");
    const float *in = tw_floats(&map), *out = tw_floats(tw_result_output(result, "out"));
    for (int y = 0; y < 32; y++)
        for (int x = 0; x < 64; x++)
            assert_true(out[y * 64 + x] == in[tw_wrap(y - 8, 32) * 64 + tw_wrap(x - 8, 64)]);
    tw_result_release(result);
    result = transform(&map, "shift_x: 0.125, border: clamp");
    out = tw_floats(tw_result_output(result, "out"));
    for (int x = 0; x < 64; x++)
        assert_true(out[x] == in[tw_clamp_index(x - 8, 64)]);
    tw_result_release(result);
    free(map.data);
}

/* North goes east: the cell (x, y) is seen at (n - 1 - y, x). */
static void a_quarter_turns_clockwise(void **state)
{
    struct tw_value map = harness_terrain(65, 65, 1);
    (void)state;
    struct tw_result *result = transform(&map, "rotate: 90");
    const float *in = tw_floats(&map), *out = tw_floats(tw_result_output(result, "out"));
    for (int y = 0; y < 65; y++)
        for (int x = 0; x < 65; x++)
            assert_true(out[x * 65 + 64 - y] == in[y * 65 + x]);
    tw_result_release(result);
    free(map.data);
}

/* The cell of a map of n x n that mirror `kind` and then `turns` quarters clockwise show at
 * (x, y). */
static int mirrored_cell(int kind, int turns, int n, int x, int y)
{
    for (int i = 0; i < turns; i++) { /* (x, y) shows what was at (y, n - 1 - x) */
        int old = x;
        x = y;
        y = n - 1 - old;
    }
    if (kind == 2)
        return x * n + y;
    return kind == 0 ? y * n + n - 1 - x : (n - 1 - y) * n + x;
}

static void mirrors_before_the_turn(void **state)
{
    static const char *const kinds[] = {"x", "y", "diagonal"};
    static const char *const borders[] = {"wrap", "clamp"};
    (void)state;
    for (int i = 0; i < 3 * 4 * 2 * 2; i++) {
        int kind = i % 3, turns = i / 3 % 4, n = i / 12 % 2 ? 64 : 33;
        char options[100];
        snprintf(options, sizeof options, "mirror: %s, rotate: %d, border: %s", kinds[kind],
                 90 * turns, borders[i / 24]);
        struct tw_value map = harness_terrain(n, n, 1);
        struct tw_result *result = transform(&map, options);
        const float *in = tw_floats(&map), *out = tw_floats(tw_result_output(result, "out"));
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++)
                assert_true(out[y * n + x] == in[mirrored_cell(kind, turns, n, x, y)]);
        tw_result_release(result);
        free(map.data);
    }
}

static void mirrors_maps_that_are_not_square(void **state)
{
    struct tw_value map = harness_terrain(40, 7, 1);
    (void)state;
    struct tw_result *result = transform(&map, "mirror: y, shift_x: 0.25");
    const float *in = tw_floats(&map), *out = tw_floats(tw_result_output(result, "out"));
    for (int y = 0; y < 7; y++)
        for (int x = 0; x < 40; x++)
            assert_true(out[y * 40 + x] == in[(6 - y) * 40 + tw_wrap(x - 10, 40)]);
    tw_result_release(result);
    struct tw_error error = harness_fail(
        &(struct harness){.width = 40,
                          .height = 7,
                          .nodes = "a: {type: test.map}\n"
                                   "out: {type: shape.transform, in: a, mirror: diagonal}"});
    assert_non_null(strstr(error.message, "40 x 7 cells; expected a square one"));
    free(map.data);
}

static void scale_2_doubles_distances_from_the_centre(void **state)
{
    struct tw_value map = harness_terrain(65, 65, 1);
    (void)state;
    struct tw_result *result = transform(&map, "scale: 2");
    const float *in = tw_floats(&map), *out = tw_floats(tw_result_output(result, "out"));
    for (int y = -16; y <= 16; y++)
        for (int x = -16; x <= 16; x++)
            assert_true(out[(32 + 2 * y) * 65 + 32 + 2 * x] == in[(32 + y) * 65 + 32 + x]);
    assert_true(fabsf(out[32 * 65 + 33] - (in[32 * 65 + 32] + in[32 * 65 + 33]) / 2) < 1e-6f);
    tw_result_release(result);
    free(map.data);
}

static void gives_the_same_bytes_everywhere(void **state)
{
    struct tw_value map = harness_terrain(257, 129, 1);
    (void)state;
    struct tw_result *result = transform(&map, "rotate: 33, scale: 0.3, shift_y: 0.1");
    everywhere((struct harness){.width = 257,
                                .height = 129,
                                .nodes = "a: {type: test.map}\n"
                                         "out: {type: shape.transform, in: a, rotate: 33, "
                                         "scale: 0.3, shift_y: 0.1}"},
               "out", tw_floats(tw_result_output(result, "out")));
    tw_result_release(result);
    free(map.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(defaults_change_nothing),
                                       cmocka_unit_test(a_shift_moves_cells_east_and_south),
                                       cmocka_unit_test(a_quarter_turns_clockwise),
                                       cmocka_unit_test(mirrors_before_the_turn),
                                       cmocka_unit_test(mirrors_maps_that_are_not_square),
                                       cmocka_unit_test(scale_2_doubles_distances_from_the_centre),
                                       cmocka_unit_test(gives_the_same_bytes_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
