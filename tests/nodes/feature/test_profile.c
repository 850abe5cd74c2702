/* SPDX-License-Identifier: MIT */
#include "support/picture.h"

#include <string.h>

/* Output values of lists other than points come out as they are: pairs of floats. */
static struct tw_result *profile(const char *nodes)
{
    return harness_run(&(struct harness){.nodes = nodes});
}

static void keeps_points(void **state)
{
    (void)state;
    struct tw_result *result = profile(
        "p: {type: feature.profile, points: [[0, 1], [10, 0.5], {x: 40, p: 0.5}, [50, 0]]}\n");
    const struct tw_value *out = tw_result_output(result, "p");
    const float expected[] = {0, 1, 10, 0.5f, 40, 0.5f, 50, 0};
    assert_int_equal(out->width, 4);
    assert_memory_equal(out->data, expected, sizeof expected);
    tw_result_release(result);
}

static void stretches_to_a_length(void **state)
{
    (void)state;
    struct tw_result *result =
        profile("p: {type: feature.profile, points: [[0, 1], [5, 0.5], [20, 0]], length: 80}\n");
    const float expected[] = {0, 1, 20, 0.5f, 80, 0};
    assert_memory_equal(tw_result_output(result, "p")->data, expected, sizeof expected);
    tw_result_release(result);
}

/* Writes a grey picture from characters: '#' is ink. The tests run in a folder of their own. */
static void write_drawing(const char *const *rows, int32_t width, int32_t height)
{
    float cells[64];
    struct tw_value picture = {TW_HEIGHTMAP, width, height, cells};
    for (int32_t i = 0; i < width * height; i++)
        cells[i] = rows[i / width][i % width] == '#' ? 0.1f : 0.9f;
    picture_write("drawn-profile.png", &picture, 8);
}

static void reads_a_drawing(void **state)
{
    static const char *const rows[] = {"        ", " ##     ", " # #  # ", "  ##### ", "      ##"};
    const float expected[] = {0, 3, 1, 3, 2, 2, 3, 1, 4, 1, 5, 1, 6, 0};
    (void)state;
    write_drawing(rows, 8, 5);
    struct tw_result *result = profile("p: {type: feature.profile, file: drawn-profile.png}\n");
    const struct tw_value *out = tw_result_output(result, "p");
    assert_int_equal(out->width, 7);
    assert_memory_equal(out->data, expected, sizeof expected);
    tw_result_release(result);
}

/* Of a colour the mean counts: 383 of 765 is ink, 384 is not. */
static void reads_a_drawing_in_colour(void **state)
{
    uint8_t rgb[9][3] = {{127, 128, 128}, {128, 128, 128}, {255, 129, 0},
                         {255, 255, 255}, {255, 127, 1},   {0, 255, 129},
                         {255, 255, 255}, {255, 255, 255}, {0, 0, 0}};
    const float expected[] = {0, 2, 1, 1, 2, 0};
    struct tw_value picture = {TW_IMAGE, 3, 3, rgb};
    (void)state;
    picture_write("drawn-profile.png", &picture, 8);
    struct tw_result *result = profile("p: {type: feature.profile, file: drawn-profile.png}\n");
    const struct tw_value *out = tw_result_output(result, "p");
    assert_int_equal(out->width, 3);
    assert_memory_equal(out->data, expected, sizeof expected);
    tw_result_release(result);
}

/* The shortest line that falls. */
static void two_columns_are_a_line(void **state)
{
    static const char *const rows[] = {"# ", " #"};
    const float expected[] = {0, 1, 1, 0};
    (void)state;
    write_drawing(rows, 2, 2);
    struct tw_result *result = profile("p: {type: feature.profile, file: drawn-profile.png}\n");
    const struct tw_value *out = tw_result_output(result, "p");
    assert_int_equal(out->width, 2);
    assert_memory_equal(out->data, expected, sizeof expected);
    tw_result_release(result);
}

static void says_what_a_drawing_lacks(void **state)
{
    static const char *const blank[] = {"    ", "    "}, *const level[] = {"    ", "####"};
    const struct harness harness = {.nodes =
                                        "p: {type: feature.profile, file: drawn-profile.png}\n"};
    (void)state;
    write_drawing(blank, 4, 2);
    assert_non_null(strstr(harness_fail(&harness).message, "found it in 0 of 4 columns"));
    write_drawing(level, 4, 2);
    assert_non_null(strstr(harness_fail(&harness).message, "found it in 4 of 4 columns"));
}

static void must_fall(void **state)
{
    const struct {
        const char *nodes, *part;
    } cases[] = {
        {"p: {type: feature.profile, points: [[0, 1], [10, 0.5], [20, 0.6]]}\n",
         "points must fall"},
        {"p: {type: feature.profile, points: [[0, 1], [0, 0.5]]}\n", "points must fall"},
        {"p: {type: feature.profile, points: [[0, 1], [9, 1]]}\n", "points must fall"},
        {"p: {type: feature.profile, points: [[0, 1]]}\n", "at least two points"},
        {"p: {type: feature.profile}\n", "or a file"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tw_error error = harness_fail(&(struct harness){.nodes = cases[i].nodes});
        if (!strstr(error.message, cases[i].part))
            fail_msg("'%s' should say '%s'", error.message, cases[i].part);
        assert_int_equal(error.status, TW_RECIPE); /* before anything runs */
        assert_true(error.line > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_points),
        cmocka_unit_test(stretches_to_a_length),
        cmocka_unit_test(reads_a_drawing),
        cmocka_unit_test(reads_a_drawing_in_colour),
        cmocka_unit_test(two_columns_are_a_line),
        cmocka_unit_test(says_what_a_drawing_lacks),
        cmocka_unit_test(must_fall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
