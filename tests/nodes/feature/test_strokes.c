/* SPDX-License-Identifier: MIT */
#include "format/codec.h"
#include "support/command.h"
#include "support/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void cell_of(const struct tw_point *p, int32_t side, int32_t *x, int32_t *y)
{
    *x = (int32_t)(p->x * (float)side);
    *y = (int32_t)(p->y * (float)side);
}

static void strokes_are_connected_and_costs_linear(void **state)
{
    (void)state;
    struct tw_result *result = harness_run(
        &(struct harness){.nodes = "s: {type: feature.strokes, strokes: [[3, 0, 0.5, 10]"
                                   ", [3, 1, 0.5, 30]]}\n"});
    const struct tw_value *out = tw_result_output(result, "s");
    assert_int_equal(out->width, 64);
    for (int32_t i = 0; i < 64; i++) {
        struct tw_point p = tw_points(out)[i];
        assert_true(p.x == ((float)i + 0.5f) / 64.0f && p.y == 32.5f / 64.0f);
        assert_int_equal(p.feature, 3);
        assert_true(fabsf(p.cost - (10.0f + 20.0f * (float)i / 64.0f)) < 0.35f);
    }
    tw_result_release(result);
}

static void smooth_lines_pass_their_points_without_gaps(void **state)
{
    (void)state;
    struct tw_result *result = harness_run(&(struct harness){
        .width = 200,
        .height = 200,
        .nodes = "s: {type: feature.strokes, line: smooth, strokes: [[0, 0.1, 0.1], [0, 0.4, 0.8], "
                 "[0, 0.5, 0.1], [0, 0.9, 0.9]]}\n"});
    const struct tw_value *out = tw_result_output(result, "s");
    const float knots[] = {0.1f, 0.1f, 0.4f, 0.8f, 0.5f, 0.1f, 0.9f, 0.9f};
    int32_t found = 0, x = 0, y = 0, last_x = 0, last_y = 0;
    for (int32_t i = 0; i < out->width; i++, last_x = x, last_y = y) {
        cell_of(&tw_points(out)[i], 200, &x, &y);
        assert_true(!i || (abs(x - last_x) <= 1 && abs(y - last_y) <= 1));
        found += found < 4 && abs(x - (int32_t)(knots[2 * found] * 200)) <= 1 &&
                 abs(y - (int32_t)(knots[2 * found + 1] * 200)) <= 1;
    }
    assert_int_equal(found, 4);
    tw_result_release(result);
}

static void closed_strokes_have_an_inside(void **state)
{
    (void)state;
    struct tw_result *result = harness_run(&(struct harness){
        .width = 100,
        .height = 100,
        .nodes = "s: {type: feature.strokes, strokes: [{stroke: 0, x: 0.5, y: 0.5, radius: 0.3}, "
                 "[4, 0, 0], [4, 0.2, 0], [4, 0.2, 0.1], [4, 0, 0.1], [4, 0, 0]]}\n",
        .outputs = "inside: s.inside\n"});
    const int32_t *label = tw_labels(tw_result_output(result, "inside"));
    int32_t disc = 0, box = 0;
    for (int32_t i = 0; i < 10000; i++) {
        disc += label[i] == 1;
        box += label[i] == 5;
    }
    assert_in_range(disc, 2780, 2850); /* pi 30^2 = 2827 */
    assert_int_equal(box, 200);
    assert_int_equal(label[5050], 1);
    assert_int_equal(label[0], 5);
    tw_result_release(result);
}

static void write_picture(const char *name, struct tw_value *picture)
{
    struct tw_export_range range = {.low = 0, .high = 1, .bits = 8};
    struct tw_bytes bytes = {0};
    assert_int_equal(tw_png_encode(picture, &range, &bytes, NULL), TW_OK);
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.at, 1, bytes.length, file), bytes.length);
    assert_int_equal(fclose(file), 0);
    free(bytes.at);
}

/* Red at full and blue at half brightness on white and grey; thin on a larger picture. */
static void a_circle_is_round_on_any_map(void **state)
{
    (void)state;
    struct tw_result *result = harness_run(&(struct harness){
        .width = 200,
        .height = 100,
        .nodes =
            "s: {type: feature.strokes, strokes: [{stroke: 0, x: 0.5, y: 0.5, radius: 0.2}]}\n"});
    const struct tw_value *out = tw_result_output(result, "s");
    assert_true(out->width > 200);
    for (int32_t i = 0; i < out->width; i++) {
        struct tw_point p = tw_points(out)[i];
        assert_true(fabs(hypot((double)p.x * 200 - 100, (double)p.y * 100 - 50) - 40) < 1);
    }
    tw_result_release(result);
}

static void colours_are_features_and_brightness_is_cost(void **state)
{
    static uint8_t rgb[128 * 96 * 3];
    struct tw_value picture = {TW_IMAGE, 128, 96, rgb};
    (void)state;
    for (int32_t i = 0; i < 128 * 96; i++) {
        int32_t x = i % 128, y = i / 128;
        bool red = y == 20 && x >= 10 && x < 110, blue = x == 64 && y >= 40;
        uint8_t ground = x < 64 ? 255 : 120;
        rgb[3 * i] = red ? 255 : blue ? 0 : ground;
        rgb[3 * i + 1] = red || blue ? 0 : ground;
        rgb[3 * i + 2] = red ? 0 : blue ? 128 : ground;
    }
    write_picture("painted-strokes.png", &picture);
    struct tw_result *result = harness_run(&(struct harness){
        .width = 64,
        .height = 48,
        .nodes = "s: {type: feature.strokes, file: painted-strokes.png, hues: 6, cost: [0, 51], "
                 "profiles: [2, 0, 0, 0, 1]}\n"});
    const struct tw_value *out = tw_result_output(result, "s");
    int32_t counts[2] = {0, 0};
    for (int32_t i = 0; i < out->width; i++) {
        struct tw_point p = tw_points(out)[i];
        int32_t x = (int32_t)(p.x * 64), y = (int32_t)(p.y * 48);
        bool red = p.feature == 0;
        assert_true(red || p.feature == 4);
        assert_int_equal(p.profile, red ? 2 : 1);
        assert_true(fabsf(p.cost - (red ? 51.0f : 25.6f)) < 0.01f);
        assert_true(red ? y == 10 : x == 32 && y >= 20);
        counts[!red]++;
    }
    assert_int_equal(counts[0], 50);
    assert_int_equal(counts[1], 28);
    tw_result_release(result);
}

/* A feature for each degree of the colour circle; the last profile is for all hues beyond. */
static void every_hue_has_its_feature(void **state)
{
    static const struct {
        uint8_t rgb[3];
        int32_t hue, profile;
    } rows[] = {{{255, 0, 0}, 0, 7},     {{255, 5, 0}, 1, 8},     {{255, 9, 0}, 2, 9},
                {{255, 85, 0}, 20, 9},   {{255, 255, 0}, 60, 9},  {{85, 255, 0}, 100, 9},
                {{0, 255, 0}, 120, 9},   {{0, 255, 85}, 140, 9},  {{0, 255, 255}, 180, 9},
                {{0, 85, 255}, 220, 9},  {{0, 0, 255}, 240, 9},   {{85, 0, 255}, 260, 9},
                {{255, 0, 255}, 300, 9}, {{255, 0, 85}, 340, 9},  {{210, 100, 90}, 5, 9},
                {{10, 60, 190}, 224, 9}, {{60, 10, 190}, 256, 9}, {{90, 210, 100}, 125, 9}};
    enum { COUNT = sizeof rows / sizeof rows[0] };
    uint8_t rgb[COUNT][3];
    struct tw_value picture = {TW_IMAGE, COUNT, 1, rgb};
    (void)state;
    for (int i = 0; i < COUNT; i++)
        memcpy(rgb[i], rows[i].rgb, 3);
    write_picture("hues.png", &picture);
    struct tw_result *result = harness_run(&(struct harness){
        .width = COUNT,
        .height = 1,
        .nodes = "s: {type: feature.strokes, file: hues.png, hues: 360, cost: [10, 61], "
                 "profiles: [7, 8, 9]}\n"});
    const struct tw_value *out = tw_result_output(result, "s");
    assert_int_equal(out->width, COUNT);
    for (int i = 0; i < COUNT; i++) {
        struct tw_point p = tw_points(out)[i];
        int brightest = 0;
        for (int k = 0; k < 3; k++)
            brightest = rgb[i][k] > brightest ? rgb[i][k] : brightest;
        assert_int_equal((int)(p.x * COUNT), i);
        assert_int_equal(p.feature, rows[i].hue);
        assert_int_equal(p.profile, rows[i].profile);
        assert_true(fabsf(p.cost - (10 + 0.2f * (float)brightest)) < 1e-4f);
    }
    tw_result_release(result);
}

/* The first and the last row and column are as good as others. */
static void a_painted_frame_has_all_its_cells(void **state)
{
    static uint8_t rgb[12 * 9 * 3];
    struct tw_value picture = {TW_IMAGE, 12, 9, rgb};
    bool seen[12 * 9] = {false};
    (void)state;
    for (int32_t i = 0; i < 12 * 9; i++)
        if (i % 12 == 0 || i % 12 == 11 || i / 12 == 0 || i / 12 == 8)
            rgb[3 * i] = 255;
    write_picture("frame.png", &picture);
    struct tw_result *result = harness_run(&(struct harness){
        .width = 12, .height = 9, .nodes = "s: {type: feature.strokes, file: frame.png}\n"});
    const struct tw_value *out = tw_result_output(result, "s");
    assert_int_equal(out->width, 2 * 12 + 2 * 7);
    for (int32_t i = 0; i < out->width; i++) {
        int32_t x = (int32_t)(tw_points(out)[i].x * 12), y = (int32_t)(tw_points(out)[i].y * 9);
        assert_true(rgb[3 * (y * 12 + x)] == 255 && !seen[y * 12 + x]);
        seen[y * 12 + x] = true;
    }
    tw_result_release(result);
}

static void says_what_a_picture_lacks(void **state)
{
    float grey[16] = {0, 1, 0.5f};
    struct tw_value picture = {TW_HEIGHTMAP, 4, 4, grey};
    (void)state;
    write_picture("grey-strokes.png", &picture);
    struct tw_error error = harness_fail(
        &(struct harness){.nodes = "s: {type: feature.strokes, file: grey-strokes.png}\n"});
    assert_non_null(strstr(error.message, "grey-strokes.png is grey; strokes are painted in"));
    uint8_t pixels[48] = {0};
    struct tw_value colours = {TW_IMAGE, 4, 4, pixels};
    write_picture("black.png", &colours);
    error =
        harness_fail(&(struct harness){.nodes = "s: {type: feature.strokes, file: black.png}\n"});
    assert_non_null(strstr(error.message, "has no strokes: looked for coloured pixels"));
    assert_int_equal(error.status, TW_INPUT);
    error = harness_fail(&(struct harness){.nodes = "s: {type: feature.strokes}\n"});
    assert_non_null(strstr(error.message, "not given; expected at least one row, or a file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strokes_are_connected_and_costs_linear),
        cmocka_unit_test(smooth_lines_pass_their_points_without_gaps),
        cmocka_unit_test(closed_strokes_have_an_inside),
        cmocka_unit_test(a_circle_is_round_on_any_map),
        cmocka_unit_test(colours_are_features_and_brightness_is_cost),
        cmocka_unit_test(every_hue_has_its_feature),
        cmocka_unit_test(a_painted_frame_has_all_its_cells),
        cmocka_unit_test(says_what_a_picture_lacks),
    };
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
