/* SPDX-License-Identifier: MIT */
#include "reference/flood.h"
#include "support/harness.h"

#include <math.h>
#include <stdio.h>
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

/* ---- epsilon: the lowest surface that falls to its outlets ---- */

static struct tw_result *fill_rising(const struct tw_value *map, double epsilon, bool wrap)
{
    char nodes[200], number[32];
    snprintf(number, sizeof number, "%.9g", epsilon);
    snprintf(nodes, sizeof nodes,
             "in: {type: test.map}\n"
             "out: {type: shape.fill_depressions, in: in, epsilon: %s, border: %s}\n",
             epsilon < 0 ? "auto" : number, wrap ? "wrap" : "closed");
    return fill(map, nodes, 2, NULL);
}

static void compare_rising(struct tw_value map, float epsilon, bool wrap)
{
    struct tw_result *result = fill_rising(&map, (double)epsilon, wrap);
    float *expected = flood_rising_reference(&map, wrap, (double)epsilon / map.width);
    harness_same(tw_result_output(result, "out"), expected);
    tw_result_release(result);
    free(expected);
    free(map.data);
}

/* The reference finds the least surface without any order of the cells. */
static void epsilon_gives_the_least_surface_that_falls_to_its_outlets(void **state)
{
    static const int32_t sizes[][2] = {{61, 47}, {3, 3},  {1, 1},  {1, 9},  {9, 1},
                                       {2, 40},  {40, 3}, {3, 40}, {96, 80}};
    static const float epsilons[] = {0.001f, 0.2f, 30};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t k = 0; k < sizeof epsilons / sizeof *epsilons; k++) {
            compare_rising(harness_terrain(sizes[i][0], sizes[i][1], 3 + i), epsilons[k], false);
            compare_rising(harness_terrain(sizes[i][0], sizes[i][1], 3 + i), epsilons[k], true);
        }
}

static struct tw_value flat_map(int32_t side, float height)
{
    struct tw_value map = harness_terrain(side, side, 1);
    for (int32_t i = 0; i < side * side; i++)
        tw_floats(&map)[i] = height;
    return map;
}

/* Of a plain in a rim: octile distances from the border. */
static void epsilon_makes_a_roof_of_a_plain(void **state)
{
    struct tw_value map = flat_map(33, 2);
    (void)state;
    struct tw_result *result = fill_rising(&map, 3.3, false);
    const float *out = tw_floats(tw_result_output(result, "out"));
    for (int32_t i = 0; i < 33 * 33; i++) {
        int32_t x = i % 33 < 16 ? i % 33 : 32 - i % 33, y = i / 33 < 16 ? i / 33 : 32 - i / 33;
        assert_float_equal(out[i], 2 + 0.1f * (float)(x < y ? x : y), 1e-6f);
    }
    tw_result_release(result);
    free(map.data);
}

static void epsilon_turns_with_the_map(void **state)
{
    enum { SIDE = 64 };
    struct tw_value map = harness_terrain(SIDE, SIDE, 6), turned = harness_terrain(SIDE, SIDE, 6);
    (void)state;
    for (int32_t i = 0; i < SIDE * SIDE; i++) { /* ties, too */
        float *z = tw_floats(&map) + i;
        *z = (float)(int)(*z * 20) / 20;
        tw_floats(&turned)[i % SIDE * SIDE + SIDE - 1 - i / SIDE] = *z;
    }
    for (int wrap = 0; wrap < 2; wrap++) {
        struct tw_result *plain_result = fill_rising(&map, 0.3, wrap);
        float *expected = malloc(sizeof *expected * SIDE * SIDE);
        const float *out = tw_floats(tw_result_output(plain_result, "out"));
        for (int32_t i = 0; i < SIDE * SIDE; i++)
            expected[i % SIDE * SIDE + SIDE - 1 - i / SIDE] = out[i];
        struct tw_result *turned_result = fill_rising(&turned, 0.3, wrap);
        harness_same(tw_result_output(turned_result, "out"), expected);
        tw_result_release(plain_result);
        tw_result_release(turned_result);
        free(expected);
    }
    free(map.data);
    free(turned.data);
}

/* Every cell but the outlets has a lower neighbour. */
static void assert_no_flat(const struct tw_value *map, double epsilon)
{
    struct tw_result *result = fill_rising(map, epsilon, false);
    const float *out = tw_floats(tw_result_output(result, "out"));
    int32_t w = map->width;
    for (int32_t y = 1; y < map->height - 1; y++)
        for (int32_t x = 1; x < w - 1; x++) {
            float least = FLT_MAX;
            for (int32_t k = 0; k < 9; k++)
                least = fminf(least, out[(y + k / 3 - 1) * w + x + k % 3 - 1]);
            assert_true(out[y * w + x] > least);
        }
    tw_result_release(result);
}

static void auto_epsilon_is_the_least_that_leaves_no_flat(void **state)
{
    static const float heights[] = {0, 1, 0.7f, -5, 1023.99f, 2e30f};
    (void)state;
    for (size_t i = 0; i < sizeof heights / sizeof *heights; i++) {
        struct tw_value map = flat_map(40, heights[i]), rough = harness_terrain(64, 50, 5);
        assert_no_flat(&map, -1);
        for (int32_t k = 0; k < 64 * 50; k++)
            tw_floats(&rough)[k] = heights[i] + (float)(int)(tw_floats(&rough)[k] * 9) *
                                                    (heights[i] > 1e9f ? 1e28f : 0.01f);
        assert_no_flat(&rough, -1);
        free(map.data);
        free(rough.data);
    }
    struct tw_value map = flat_map(64, 1);
    struct tw_result *result = fill_rising(&map, -1, false);
    const float *out = tw_floats(tw_result_output(result, "out"));
    assert_true(out[5 * 64 + 1] == 1 + 0x1p-22f && out[5 * 64 + 3] == 1 + 3 * 0x1p-22f);
    tw_result_release(result);
    assert_no_flat(&map, 64 * 0x1p-22);
    free(map.data);
}

static void refuses_an_epsilon_that_floats_lose(void **state)
{
    struct tw_value map = flat_map(64, 1);
    (void)state;
    harness_give(0, &map);
    struct tw_error error = harness_fail(&(struct harness){
        .nodes = "in: {type: test.map}\n"
                 "out: {type: shape.fill_depressions, in: in, epsilon: 1.5e-5, border: closed}\n"});
    if (!strstr(error.message, "expected 0, auto (1.52587891e-05) or more"))
        fail_msg("%s", error.message);
    free(map.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_plain_reference),
        cmocka_unit_test(copes_with_flats_and_negative_heights),
        cmocka_unit_test(copes_with_a_pit_beside_every_cell),
        cmocka_unit_test(fills_a_bowl_to_its_notch),
        cmocka_unit_test(epsilon_gives_the_least_surface_that_falls_to_its_outlets),
        cmocka_unit_test(epsilon_makes_a_roof_of_a_plain),
        cmocka_unit_test(epsilon_turns_with_the_map),
        cmocka_unit_test(auto_epsilon_is_the_least_that_leaves_no_flat),
        cmocka_unit_test(refuses_an_epsilon_that_floats_lose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
