/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"

#include <thalweg/kernel.h>
#include <thalweg/power.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 257, HEIGHT = 129 };

static struct tw_result *raise(const struct tw_value *map, const char *exponent)
{
    char nodes[200];
    snprintf(nodes, sizeof nodes,
             "a: {type: test.map}\nout: {type: shape.power, in: a, exponent: %s}", exponent);
    harness_give(0, map);
    return harness_run(
        &(struct harness){.width = map->width, .height = map->height, .nodes = nodes});
}

/* Against the C library in double: the last bit of a float may differ. */
static void check_exponent(const struct tw_value *map, const char *text)
{
    struct tw_result *result = raise(map, text);
    const float *in = tw_floats(map), *out = tw_floats(tw_result_output(result, "out"));
    for (size_t i = 0; i < tw_value_count(map); i++) {
        double expected = pow(fabs((double)in[i]), (double)strtof(text, NULL));
        expected = in[i] < 0 ? -expected : expected;
        assert_true(fabs((double)out[i] - expected) <=
                    fabs(expected) * (double)FLT_EPSILON * 0.5000001 + 1e-45);
    }
    tw_result_release(result);
}

static void equals_the_power(void **state)
{
    const char *const exponents[] = {"1", "1.5", "2", "0.01", "0.37", "3.3", "17"};
    struct tw_value map = harness_terrain(WIDTH, HEIGHT, 3);
    (void)state;
    for (size_t i = 0; i < tw_value_count(&map); i++)
        tw_floats(&map)[i] = tw_floats(&map)[i] * 4 - 2;
    for (int i = 0; i < 7; i++)
        check_exponent(&map, exponents[i]);
    free(map.data);
}

static float series_of(float v, float exponent)
{
    double size = (double)fabsf(v);
    double power = size > 0 ? tw_vector_exp2((double)exponent * tw_vector_log2(size)) : 0;
    return v < 0 ? -(float)power : (float)power;
}

/* Heights of all sizes, some whose squares lie halfway between two floats, 0 and its like. */
static void fill(struct tw_value *map, double largest)
{
    static const float ends[] = {0, -0.0f, 1, -1, FLT_MIN, -FLT_MIN, FLT_TRUE_MIN, -FLT_TRUE_MIN};
    for (size_t i = 0; i < tw_value_count(map); i++) {
        struct tw_random4 draw = tw_random(7, (uint32_t)i, 0, 0, 0);
        float *to = &tw_floats(map)[i], sign = draw.at[0] % 3 ? 1.0f : -1.0f;
        if (draw.at[0] % 5 == 0)
            *to = sign * (float)(2 * (draw.at[1] % 4096) + 1) * 0x1p-9f;
        else
            memcpy(to, &draw.at[1], sizeof *to);
        if (i % 29 == 0)
            *to = ends[i / 29 % 8];
        *to = fabs((double)*to) < largest ? *to : sign * tw_uniform(draw.at[2]);
    }
}

/* Byte for byte, where powers are products and a root, and beside them. */
static void products_are_what_the_series_gives(void **state)
{
    static const char *const exponents[] = {"0.5",    "1",   "1.5",  "2",    "2.5", "3",
                                            "1.4999", "3.5", "0.03", "0.01", "0.9", "1.1",
                                            "1.3",    "20",  "60",   "100"};
    static const char *const levels[] = {"base", "avx2", NULL};
    struct tw_value map = harness_terrain(WIDTH, HEIGHT, 3);
    float *expected = malloc(tw_value_count(&map) * sizeof *expected);
    (void)state;
    assert_non_null(expected);
    for (int i = 0; i < 16 * 3; i++) {
        float exponent = strtof(exponents[i / 3], NULL);
        char nodes[200];
        fill(&map, exponent > 1 ? exp2(126 / (double)exponent) : 1e38);
        for (size_t k = 0; k < tw_value_count(&map); k++)
            expected[k] = series_of(tw_floats(&map)[k], exponent);
        snprintf(nodes, sizeof nodes,
                 "a: {type: test.map}\nout: {type: shape.power, in: a, exponent: %s}",
                 exponents[i / 3]);
        harness_give(0, &map);
        struct tw_result *result = harness_run(&(struct harness){
            .width = WIDTH, .height = HEIGHT, .simd = levels[i % 3], .nodes = nodes});
        harness_same(tw_result_output(result, "out"), expected);
        tw_result_release(result);
    }
    free(expected);
    free(map.data);
}

static void keeps_zero_and_the_ends_of_the_range(void **state)
{
    float cells[] = {0, 1, -1, FLT_MIN, FLT_TRUE_MIN, -FLT_TRUE_MIN, 0.5f, -4, 1e9f};
    struct tw_value map = {TW_HEIGHTMAP, 9, 1, cells};
    (void)state;
    check_exponent(&map, "0.5");
    check_exponent(&map, "1");
    struct tw_result *result = raise(&map, "0.5");
    const float *out = tw_floats(tw_result_output(result, "out"));
    assert_true(out[0] == 0 && out[1] == 1 && out[2] == -1 && out[7] == -2);
    tw_result_release(result);
}

static void gives_the_same_bytes_everywhere(void **state)
{
    struct tw_value map = harness_terrain(WIDTH, HEIGHT, 3);
    struct tw_result *result = raise(&map, "2.345");
    (void)state;
    everywhere((struct harness){.width = WIDTH,
                                .height = HEIGHT,
                                .nodes = "\"a\": {type: test.map}\n"
                                         "out: {type: shape.power, in: a, exponent: 2.345}"},
               "out", tw_floats(tw_result_output(result, "out")));
    tw_result_release(result);
    free(map.data);
}

static void a_power_beyond_floats_is_refused(void **state)
{
    float cells[] = {0, 1, -1500, 20};
    struct tw_value map = {TW_HEIGHTMAP, 4, 1, cells};
    (void)state;
    harness_give(0, &map);
    struct tw_error error = harness_fail(&(struct harness){
        .width = 4,
        .height = 1,
        .nodes = "in: {type: test.map}\nout: {type: shape.power, in: in, exponent: 100}"});
    assert_string_equal(error.message,
                        "a height of -1500 to the power of 100 is beyond all heights");
    check_exponent(&map, "12");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_the_power),
                                       cmocka_unit_test(products_are_what_the_series_gives),
                                       cmocka_unit_test(keeps_zero_and_the_ends_of_the_range),
                                       cmocka_unit_test(gives_the_same_bytes_everywhere),
                                       cmocka_unit_test(a_power_beyond_floats_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
