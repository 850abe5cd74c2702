/* SPDX-License-Identifier: MIT */
#include "support/command.h"
#include "support/everywhere.h"
#include "support/picture.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 7, HEIGHT = 5 };

static uint8_t pixels[3 * WIDTH * HEIGHT];

static void write_colours(void)
{
    const struct tw_value picture = {TW_IMAGE, WIDTH, HEIGHT, pixels};
    for (int i = 0; i < 3 * WIDTH * HEIGHT; i++)
        pixels[i] = (uint8_t)(i * 53);
    picture_write("colours.png", &picture, 8);
}

static struct tw_result *read_picture(int width, int height, const char *nodes)
{
    return harness_run(&(struct harness){.width = width, .height = height, .nodes = nodes});
}

static void a_picture_keeps_its_colours(void **state)
{
    (void)state;
    write_colours();
    struct tw_result *result =
        read_picture(WIDTH, HEIGHT, "out: {type: source.picture, file: colours.png}");
    const struct tw_value *out = tw_result_output(result, "out");
    assert_int_equal(out->type, TW_IMAGE);
    assert_memory_equal(tw_pixels(out), pixels, sizeof pixels);
    tw_result_release(result);
}

static void a_crop_is_the_north_west_corner(void **state)
{
    (void)state;
    write_colours();
    struct tw_result *result =
        read_picture(3, 2, "out: {type: source.picture, file: colours.png, fit: crop}");
    const uint8_t *out = tw_pixels(tw_result_output(result, "out"));
    for (int y = 0; y < 2; y++)
        assert_memory_equal(out + (size_t)(9 * y), pixels + (size_t)(3 * WIDTH * y), 9);
    tw_result_release(result);
}

/* Bilinear in double, clamped at the border, each channel for itself. */
static double reference(double x, double y, int channel)
{
    double sum = 0;
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++) {
            double u = floor(x) + i, v = floor(y) + j;
            double weight = (1 - fabs(x - u)) * (1 - fabs(y - v));
            u = u < 0 ? 0 : u > WIDTH - 1 ? WIDTH - 1 : u;
            v = v < 0 ? 0 : v > HEIGHT - 1 ? HEIGHT - 1 : v;
            sum += weight * pixels[3 * ((int)v * WIDTH + (int)u) + channel];
        }
    return sum;
}

static void another_size_is_mixed(void **state)
{
    enum { W = 16, H = 3 };
    (void)state;
    write_colours();
    struct tw_result *result =
        read_picture(W, H, "out: {type: source.picture, file: colours.png, fit: bilinear}");
    const uint8_t *out = tw_pixels(tw_result_output(result, "out"));
    for (int i = 0; i < 3 * W * H; i++) {
        double x = (i / 3 % W + 0.5) * WIDTH / W - 0.5, y = (i / 3 / W + 0.5) * HEIGHT / H - 0.5;
        assert_true(fabs(out[i] - reference(x, y, i % 3)) < 0.51);
    }
    tw_result_release(result);
}

static void grey_is_grey_in_all_channels(void **state)
{
    float cells[] = {0, 0.25f, 0.5f, 1};
    const uint8_t levels[] = {0, 64, 128, 255};
    const struct tw_value picture = {TW_HEIGHTMAP, 2, 2, cells};
    (void)state;
    picture_write("grey.png", &picture, 16);
    struct tw_result *result = read_picture(2, 2, "out: {type: source.picture, file: grey.png}");
    for (int i = 0; i < 12; i++)
        assert_int_equal(tw_pixels(tw_result_output(result, "out"))[i], levels[i / 3]);
    tw_result_release(result);
}

static void every_thread_and_instruction_set_agrees(void **state)
{
    (void)state;
    write_colours();
    everywhere_image(
        (struct harness){.width = 67,
                         .height = 45,
                         .nodes = "out: {type: source.picture, file: colours.png, fit: bilinear}"},
        "out");
}

static void says_what_does_not_fit(void **state)
{
    (void)state;
    write_colours();
    struct tw_error error = harness_fail(&(struct harness){
        .width = 8, .height = 5, .nodes = "out: {type: source.picture, file: colours.png}"});
    assert_non_null(strstr(error.message, "colours.png is 7 x 5 cells, the recipe 8 x 5"));
}

/* A red ground: most of what a view shows is red, less green and least blue. */
static void a_picture_is_the_ground_of_a_view(void **state)
{
    static uint8_t red[3 * 16];
    const struct tw_value picture = {TW_IMAGE, 4, 4, red};
    (void)state;
    for (int i = 0; i < 16; i++)
        memcpy(red + (size_t)(3 * i), "\xc8\x50\x14", 3);
    picture_write("red.png", &picture, 8);
    struct tw_result *result =
        read_picture(48, 48,
                     "land: {type: noise.perlin, frequency: 2}\n"
                     "ground: {type: source.picture, file: red.png, fit: bilinear}\n"
                     "lit: {type: render.surface, in: land, image: ground}\n"
                     "out: {type: render.relief, in: land, surface: lit, mood: temperate}");
    const uint8_t *out = tw_pixels(tw_result_output(result, "out"));
    long sums[3] = {0};
    for (int i = 0; i < 3 * 48 * 48; i++)
        sums[i % 3] += out[i];
    if (!(sums[0] > 3 * sums[1] / 2 && sums[1] > sums[2]))
        fail_msg("red %ld, green %ld, blue %ld", sums[0], sums[1], sums[2]);
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_picture_keeps_its_colours),
                                       cmocka_unit_test(a_crop_is_the_north_west_corner),
                                       cmocka_unit_test(another_size_is_mixed),
                                       cmocka_unit_test(grey_is_grey_in_all_channels),
                                       cmocka_unit_test(every_thread_and_instruction_set_agrees),
                                       cmocka_unit_test(says_what_does_not_fit),
                                       cmocka_unit_test(a_picture_is_the_ground_of_a_view)};
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
