/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 61, HEIGHT = 45 };

/* The camera of the test: azimuth 200, pitch 30, distance 1.5, view 50, exaggeration 0.3. */
#define CAMERA                                                                                     \
    "azimuth: 200, pitch: 30, distance: 1.5, view: 50, exaggeration: 0.3, samples: 1, shading: 0"

static const double degree = 3.14159265358979323846 / 180;

static void shoot(int32_t px, int32_t py, double middle, double *from, double *along)
{
    double a = 200 * degree, p = 30 * degree, spread = tan(25 * degree);
    double u = (2 * (px + 0.5) / WIDTH - 1) * spread;
    double v = (1 - 2 * (py + 0.5) / HEIGHT) * spread * HEIGHT / WIDTH;
    double forward[] = {-sin(a) * cos(p), cos(a) * cos(p), -sin(p)};
    double right[] = {-cos(a), -sin(a), 0}, up[] = {-sin(a) * sin(p), cos(a) * sin(p), cos(p)};
    double target[] = {0.5 * (WIDTH - 1), 0.5 * (HEIGHT - 1), middle};
    for (int i = 0; i < 3; i++) {
        from[i] = target[i] - 1.5 * WIDTH * forward[i];
        along[i] = forward[i] + u * right[i] + v * up[i];
    }
}

/* Bilinear between cells. */
static double value_at(const float *cells, double x, double y)
{
    int left = (int)x < WIDTH - 2 ? (int)x : WIDTH - 2,
        top = (int)y < HEIGHT - 2 ? (int)y : HEIGHT - 2;
    double fx = x - left, fy = y - top;
    const float *c = cells + top * WIDTH + left;
    return (1 - fy) * ((1 - fx) * (double)c[0] + fx * (double)c[1]) +
           fy * ((1 - fx) * (double)c[WIDTH] + fx * (double)c[WIDTH + 1]);
}

enum { SKY, WALL, GROUND };

/* Small steps along the ray until it is in the block. */
static int march(const float *cells, double low, double middle, int32_t px, int32_t py, double *at)
{
    double from[3], along[3], scale = 0.3 * WIDTH, bottom = low * scale - 0.03 * WIDTH;
    bool inside = false;
    shoot(px, py, middle * scale, from, along);
    for (int step = 50 * WIDTH; step < 400 * WIDTH; step++) {
        double t = step * 0.01;
        for (int i = 0; i < 3; i++)
            at[i] = from[i] + t * along[i];
        if (at[0] < 0 || at[1] < 0 || at[0] > WIDTH - 1 || at[1] > HEIGHT - 1 || at[2] < bottom)
            continue;
        if (at[2] < scale * value_at(cells, at[0], at[1]))
            return inside ? GROUND : WALL;
        inside = true;
    }
    return SKY;
}

static void make_ramps(float *x, float *y)
{
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        x[i] = (float)(i % WIDTH) / (WIDTH - 1);
        y[i] = (float)(i / WIDTH) / (HEIGHT - 1);
    }
}

static void extremes(const struct tw_value *map, double *low, double *high)
{
    *low = *high = (double)tw_floats(map)[0];
    for (size_t i = 0; i < tw_value_count(map); i++) {
        double h = (double)tw_floats(map)[i];
        *low = h < *low ? h : *low;
        *high = h > *high ? h : *high;
    }
}

static int colour_error(const uint8_t *pixel, const struct tw_value *image, const double *at)
{
    static float channel[WIDTH * HEIGHT];
    int worst = 0;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < WIDTH * HEIGHT; i++)
            channel[i] = (float)tw_pixels(image)[3 * i + k];
        int error = abs(pixel[k] - (int)(value_at(channel, at[0], at[1]) + 0.5));
        worst = error > worst ? error : worst;
    }
    return worst;
}

/* Colours that differ from place to place show where every pixel looks. */
static void sees_what_small_steps_find(void **state)
{
    static float ramp_x[WIDTH * HEIGHT], ramp_y[WIDTH * HEIGHT];
    struct tw_value terrain = harness_terrain(WIDTH, HEIGHT, 7);
    struct tw_value x = {TW_HEIGHTMAP, WIDTH, HEIGHT, ramp_x};
    double low, high, at[3];
    int kinds[3] = {0}, wrong = 0;
    (void)state;
    make_ramps(ramp_x, ramp_y);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        ramp_x[i] = 0.6f * ramp_x[i] + 0.3f * ramp_y[i];
    extremes(&terrain, &low, &high);
    harness_give(0, &terrain);
    harness_give(1, &x);
    struct tw_result *result = harness_run(
        &(struct harness){.width = WIDTH,
                          .height = HEIGHT,
                          .nodes = "a: {type: test.map}\nx: {type: test.map, slot: 1}\n"
                                   "c: {type: render.relief, in: x, low: 0, high: 1, shading: 0}\n"
                                   "out: {type: render.perspective, in: a, image: c, " CAMERA "}"});
    const uint8_t *pixels = tw_pixels(tw_result_output(result, "out"));
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const uint8_t *pixel = pixels + 3 * i;
        int kind = march(tw_floats(&terrain), low, (low + high) / 2, i % WIDTH, i / WIDTH, at);
        int seen = pixel[0] == 132 && pixel[1] == 112 && pixel[2] == 94 ? WALL
                   : pixel[2] > 210                                     ? SKY
                                                                        : GROUND;
        kinds[kind]++;
        wrong += kind != seen ||
                 (kind == GROUND && colour_error(pixel, tw_result_output(result, "c"), at) > 2);
    }
    assert_true(kinds[SKY] > 500 && kinds[WALL] > 50 && kinds[GROUND] > 500);
    assert_in_range(wrong, 0, 12); /* outlines, where a hair decides */
    tw_result_release(result);
    free(terrain.data);
}

/* From above with the camera in the south, the view is the map: north up, east right. */
static void looks_straight_down_as_on_the_map(void **state)
{
    static float cells[64 * 64];
    struct tw_value map = {TW_HEIGHTMAP, 64, 64, cells};
    (void)state;
    for (int i = 0; i < 64 * 64; i++)
        cells[i] = (float)(i % 64 + 2 * (i / 64)) / 200;
    harness_give(0, &map);
    struct tw_result *result = harness_run(&(struct harness){
        .nodes = "a: {type: test.map}\n"
                 "c: {type: render.relief, in: a, low: 0, high: 1, shading: 0}\n"
                 "flat: {type: source.constant}\n"
                 "out: {type: render.perspective, in: flat, image: c, azimuth: 180, pitch: 90, "
                 "distance: 1, view: 53.130102, shading: 0, samples: 1}"});
    const uint8_t *c = tw_pixels(tw_result_output(result, "c"));
    const uint8_t *out = tw_pixels(tw_result_output(result, "out"));
    for (int i = 0; i < 64 * 64; i++)
        for (int k = 0; k < 3; k++)
            assert_true(abs(c[3 * i + k] - out[3 * i + k]) <= 1 || i % 64 == 0 || i % 64 == 63 ||
                        i / 64 == 0 || i / 64 == 63);
    tw_result_release(result);
}

static void gives_the_same_bytes_everywhere(void **state)
{
    const int32_t sizes[][2] = {{2, 2}, {2, 9}, {9, 2}, {65, 65}, {257, 129}};
    (void)state;
    for (int i = 0; i < 5; i++) {
        struct tw_value map = harness_terrain(sizes[i][0], sizes[i][1], 3);
        harness_give(0, &map);
        everywhere_image((struct harness){.width = map.width,
                                          .height = map.height,
                                          .nodes = "a: {type: test.map}\n"
                                                   "out: {type: render.perspective, in: a}"},
                         "out");
        free(map.data);
    }
}

static void says_what_it_cannot_show(void **state)
{
    (void)state;
    struct tw_error error =
        harness_fail(&(struct harness){.width = 1,
                                       .height = 9,
                                       .nodes = "a: {type: source.constant}\n"
                                                "out: {type: render.perspective, in: a}"});
    assert_non_null(strstr(error.message, "at least 2 x 2 cells; the map has 1 x 9"));
    struct tw_value map = harness_terrain(64, 64, 1);
    harness_give(0, &map);
    error = harness_fail(&(struct harness){
        .nodes = "a: {type: test.map}\n"
                 "out: {type: render.perspective, in: a, exaggeration: 9, pitch: 0, distance: "
                 "0.4}"});
    assert_non_null(strstr(error.message, "the camera is below the terrain"));
    free(map.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sees_what_small_steps_find),
                                       cmocka_unit_test(looks_straight_down_as_on_the_map),
                                       cmocka_unit_test(gives_the_same_bytes_everywhere),
                                       cmocka_unit_test(says_what_it_cannot_show)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
