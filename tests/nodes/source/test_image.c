/* SPDX-License-Identifier: MIT */
#include "support/command.h"
#include "support/everywhere.h"
#include "support/picture.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 7, HEIGHT = 5 };

static void write_colours(const char *name)
{
    static uint8_t pixels[3 * WIDTH * HEIGHT];
    struct tw_value picture = {TW_IMAGE, WIDTH, HEIGHT, pixels};
    for (int i = 0; i < 3 * WIDTH * HEIGHT; i++)
        pixels[i] = (uint8_t)(i * 53);
    memset(pixels, 255, 3);
    memset(pixels + 3, 0, 3);
    picture_write(name, &picture, 8);
}

static void splits_a_picture_into_channels(void **state)
{
    const float weights[] = {0.2126f, 0.7152f, 0.0722f};
    const char *const names[] = {"r", "g", "b"};
    (void)state;
    write_colours("channels.png");
    struct tw_result *result = harness_run(
        &(struct harness){.width = WIDTH,
                          .height = HEIGHT,
                          .nodes = "l: {type: source.image, file: channels.png}\n"
                                   "r: {type: source.image, file: channels.png, channel: red}\n"
                                   "g: {type: source.image, file: channels.png, channel: green}\n"
                                   "b: {type: source.image, file: channels.png, channel: blue}\n"});
    const float *luminance = tw_floats(tw_result_output(result, "l"));
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        float sum = 0;
        for (int k = 0; k < 3; k++) {
            int level = i == 0 ? 255 : i == 1 ? 0 : (uint8_t)((3 * i + k) * 53);
            float channel = tw_floats(tw_result_output(result, names[k]))[i];
            assert_true(channel == (float)level / 255.0f);
            sum += weights[k] * channel;
        }
        assert_true(fabsf(luminance[i] - sum) < 1e-6f);
    }
    assert_true(luminance[0] == 1 && luminance[1] == 0);
    tw_result_release(result);
}

/* Sample i of the picture is 16 bits of its own, in no way those of 8. */
static unsigned deep_level(int i) { return (unsigned)(i * 7919 + 13) % 65536; }

static bool fill_deep(void *context, int32_t y, unsigned char *row)
{
    (void)context;
    for (int i = 0; i < 3 * WIDTH; i++) {
        const unsigned level = y == 0 && i < 3 ? 65535 : deep_level(3 * WIDTH * y + i);
        row[2 * i] = (unsigned char)(level >> 8);
        row[2 * i + 1] = (unsigned char)level;
    }
    return true;
}

static void keeps_16_bits_of_a_channel(void **state)
{
    const struct tw_png_rows rows = {
        .width = WIDTH, .height = HEIGHT, .channels = 3, .bits = 16, .fill = fill_deep};
    struct tw_bytes bytes = {0};
    (void)state;
    assert_int_equal(tw_png_encode_rows(&rows, &bytes, NULL), TW_OK);
    FILE *out = fopen("deep.png", "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes.at, 1, bytes.length, out), bytes.length);
    assert_int_equal(fclose(out), 0);
    free(bytes.at);
    struct tw_result *result =
        harness_run(&(struct harness){.width = WIDTH,
                                      .height = HEIGHT,
                                      .nodes = "l: {type: source.image, file: deep.png}\n"
                                               "g: {type: source.image, file: deep.png, "
                                               "channel: green}\n"
                                               "p: {type: source.picture, file: deep.png}"});
    const float *luminance = tw_floats(tw_result_output(result, "l"));
    const float *green = tw_floats(tw_result_output(result, "g"));
    const uint8_t *picture = tw_pixels(tw_result_output(result, "p"));
    assert_true(luminance[0] == 1 && green[0] == 1);
    for (int i = 1; i < WIDTH * HEIGHT; i++) {
        const double rgb[] = {deep_level(3 * i), deep_level(3 * i + 1), deep_level(3 * i + 2)};
        assert_true(green[i] == (float)rgb[1] / 65535.0f);
        double sum = (0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]) / 65535;
        assert_true(fabs((double)luminance[i] - sum) < 1e-7);
        for (int k = 0; k < 3; k++)
            assert_int_equal(picture[3 * i + k], (int)floor(rgb[k] / 257 + 0.5));
    }
    tw_result_release(result);
}

static void reads_grey_pictures_whatever_the_channel(void **state)
{
    float cells[] = {0, 0.25f, 0.5f, 1};
    struct tw_value picture = {TW_HEIGHTMAP, 2, 2, cells};
    (void)state;
    picture_write("grey.png", &picture, 16);
    struct tw_result *result = harness_run(
        &(struct harness){.width = 2,
                          .height = 2,
                          .nodes = "g: {type: source.image, file: grey.png, channel: blue}"});
    for (int i = 0; i < 4; i++)
        assert_true(fabsf(tw_floats(tw_result_output(result, "g"))[i] - cells[i]) < 1e-5f);
    tw_result_release(result);
}

/* Twice the size: the middle of four new cells is an old one; a crop is the corner. */
static void fits_a_picture_to_the_recipe(void **state)
{
    struct tw_value terrain = harness_terrain(64, 48, 3);
    (void)state;
    picture_write("terrain.png", &terrain, 16);
    struct harness harness = {.width = 32,
                              .height = 24,
                              .nodes =
                                  "half: {type: source.image, file: terrain.png, fit: bilinear}\n"
                                  "crop: {type: source.image, file: terrain.png, fit: crop}"};
    struct tw_result *result = harness_run(&harness);
    const float *in = tw_floats(&terrain);
    for (int y = 0; y < 24; y++)
        for (int x = 0; x < 32; x++) {
            const float *corner = in + 2 * y * 64 + 2 * x;
            float mean = (corner[0] + corner[1] + corner[64] + corner[65]) / 4;
            float half = tw_floats(tw_result_output(result, "half"))[y * 32 + x];
            float crop = tw_floats(tw_result_output(result, "crop"))[y * 32 + x];
            assert_true(fabsf(half - mean) < 2e-5f && fabsf(crop - in[y * 64 + x]) < 1e-5f);
        }
    everywhere(harness, "half", tw_floats(tw_result_output(result, "half")));
    tw_result_release(result);
    free(terrain.data);
}

static void refuse(int32_t width, int32_t height, const char *nodes, const char *message)
{
    struct tw_error error =
        harness_fail(&(struct harness){.width = width, .height = height, .nodes = nodes});
    if (!strstr(error.message, message))
        fail_msg("\"%s\" lacks \"%s\"", error.message, message);
}

static void says_what_does_not_fit(void **state)
{
    (void)state;
    write_colours("channels.png");
    refuse(9, 9, "i: {type: source.image, file: channels.png}",
           "channels.png is 7 x 5 cells, the recipe 9 x 9: set fit: bilinear or crop");
    refuse(9, 5, "i: {type: source.image, file: channels.png, fit: crop}",
           "too small to crop to 9 x 5");
    refuse(
        7, 5, "i: {type: source.heightmap, file: channels.png}",
        "channels.png is a colour picture; a height map is grey. source.image reads one channel, "
        "at full depth");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(splits_a_picture_into_channels),
                                       cmocka_unit_test(keeps_16_bits_of_a_channel),
                                       cmocka_unit_test(reads_grey_pictures_whatever_the_channel),
                                       cmocka_unit_test(fits_a_picture_to_the_recipe),
                                       cmocka_unit_test(says_what_does_not_fit)};
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
