/* SPDX-License-Identifier: MIT */
#include "reference/flood.h"
#include "support/harness.h"

#include <string.h>

static const char plain[] = "in: {type: test.map}\n"
                            "out: {type: shape.fill_depressions, in: in, border: closed}\n";
static const char torus[] = "in: {type: test.map}\n"
                            "out: {type: shape.fill_depressions, in: in, border: wrap}\n";

static struct tw_result *fill(const struct tw_value *map, const char *nodes, int32_t threads,
                              const char *simd)
{
    harness_give(0, map);
    return harness_run(&(struct harness){.width = map->width,
                                         .height = map->height,
                                         .nodes = nodes,
                                         .outputs = "depth: out.depth\n",
                                         .threads = threads,
                                         .simd = simd});
}

static void compare(const struct tw_value *map, bool wrap)
{
    static const char *const levels[] = {"base", "avx2", NULL};
    float *expected = flood_reference(map, wrap);
    for (int i = 0; i < 9; i++) {
        struct tw_result *result =
            fill(map, wrap ? torus : plain, (int32_t[]){1, 2, 8}[i / 3], levels[i % 3]);
        harness_same(tw_result_output(result, "out"), expected);
        tw_result_release(result);
    }
    free(expected);
}

static void equals_the_plain_reference(void **state)
{
    /* The largest has so many passes that threads share the rounds in which they join basins. */
    static const int32_t sizes[][2] = {{61, 47}, {400, 257}, {3, 3},  {1, 1}, {1, 9},
                                       {9, 1},   {2, 40},    {40, 3}, {3, 40}};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct tw_value map = harness_terrain(sizes[i][0], sizes[i][1], 3 + i);
        compare(&map, false);
        compare(&map, true);
        free(map.data);
    }
}

/* Coarse steps make flats and ties, and the sign and -0 matter to the order of passes. */
static void copes_with_flats_and_negative_heights(void **state)
{
    (void)state;
    for (int steps = 1; steps < 12; steps += 3) {
        struct tw_value map = harness_terrain(83, 71, 9);
        for (size_t i = 0; i < tw_value_count(&map); i++) {
            float *z = tw_floats(&map) + i;
            *z = (float)((int)(*z * (float)steps * 2) - steps) / (float)steps;
            *z = *z == 0 && i % 2 ? -0.0f : *z;
        }
        bool wrap = steps % 2 == 0;
        float *expected = flood_reference(&map, wrap);
        struct tw_result *result = fill(&map, wrap ? torus : plain, 1, NULL);
        const float *out = tw_floats(tw_result_output(result, "out"));
        for (size_t i = 0; i < tw_value_count(&map); i++)
            assert_true(out[i] == expected[i]);
        tw_result_release(result);
        free(expected);
        free(map.data);
    }
}

/* A pit in four cells: more passes than the node keeps, so that it goes the way of flow. */
static void copes_with_a_pit_beside_every_cell(void **state)
{
    struct tw_value map = harness_terrain(64, 48, 11);
    (void)state;
    for (int32_t i = 0; i < 64 * 48; i++)
        tw_floats(&map)[i] += i % 2 && i / 64 % 2 ? 0 : 2;
    compare(&map, false);
    compare(&map, true);
    free(map.data);
}

static void fills_a_bowl_to_its_notch(void **state)
{
    float cells[25] = {9, 9, 9, 9, 9, 9, 2, 3, 4, 9, 9, 1, 0, 6, 5, 9, 2, 3, 4, 9, 9, 9, 9, 9, 9};
    struct tw_value map = {TW_HEIGHTMAP, 5, 5, cells};
    (void)state;
    struct tw_result *result = fill(&map, plain, 1, NULL);
    const float *out = tw_floats(tw_result_output(result, "out"));
    const float *depth = tw_floats(tw_result_output(result, "depth"));
    assert_true(out[12] == 5 && out[6] == 5 && out[13] == 6 && out[14] == 5 && out[0] == 9);
    assert_true(depth[12] == 5 && depth[13] == 0 && depth[14] == 0);
    tw_result_release(result);
}

static void epsilon_leaves_no_flat(void **state)
{
    struct tw_value map = harness_terrain(64, 50, 5);
    (void)state;
    struct tw_result *result = fill(&map,
                                    "in: {type: test.map}\nout: {type: shape.fill_depressions, "
                                    "in: in, epsilon: 0.001, border: closed}\n",
                                    2, NULL);
    const float *out = tw_floats(tw_result_output(result, "out"));
    for (int32_t y = 1; y < 49; y++)
        for (int32_t x = 1; x < 63; x++) {
            float least = FLT_MAX;
            for (int32_t k = 0; k < 9; k++) {
                float near = out[(y + k / 3 - 1) * 64 + x + k % 3 - 1];
                least = near < least ? near : least;
            }
            assert_true(out[y * 64 + x] > least);
        }
    tw_result_release(result);
    free(map.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_plain_reference),
        cmocka_unit_test(copes_with_flats_and_negative_heights),
        cmocka_unit_test(copes_with_a_pit_beside_every_cell),
        cmocka_unit_test(fills_a_bowl_to_its_notch),
        cmocka_unit_test(epsilon_leaves_no_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
