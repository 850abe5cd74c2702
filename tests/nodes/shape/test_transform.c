/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
                                       cmocka_unit_test(scale_2_doubles_distances_from_the_centre),
                                       cmocka_unit_test(gives_the_same_bytes_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
