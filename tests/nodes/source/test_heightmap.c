/* SPDX-License-Identifier: MIT */
/* Heights in a picture in colour, whose channels are equal: paint programs store .bmp so. */
#include "support/command.h"
#include "support/harness.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 6, HEIGHT = 4, ROW = 20, HEAD = 54 };

static int level(int x, int y) { return 40 * y + 7 * x; }

/* Of 24 bits, rows from the south; `blue` of the pixel at (2, 1). */
static void write_bmp(const char *name, int blue)
{
    unsigned char bytes[HEAD + ROW * HEIGHT] = "BM";
    bytes[10] = HEAD;
    bytes[14] = 40;
    bytes[18] = WIDTH;
    bytes[22] = HEIGHT;
    bytes[26] = 1;
    bytes[28] = 24;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            memset(bytes + HEAD + ROW * (HEIGHT - 1 - y) + 3 * x, level(x, y), 3);
    bytes[HEAD + ROW * (HEIGHT - 1 - 1) + 3 * 2] = (unsigned char)blue;
    FILE *out = fopen(name, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, sizeof bytes, out), sizeof bytes);
    assert_int_equal(fclose(out), 0);
}

static void equal_channels_are_heights(void **state)
{
    (void)state;
    write_bmp("grey.bmp", level(2, 1));
    struct tw_result *result =
        harness_run(&(struct harness){.width = WIDTH,
                                      .height = HEIGHT,
                                      .nodes = "out: {type: source.heightmap, file: grey.bmp, "
                                               "range: [0, 255]}"});
    const float *out = tw_floats(tw_result_output(result, "out"));
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        assert_true(out[i] == (float)level(i % WIDTH, i / WIDTH) / 255.0f * 255.0f);
    tw_result_release(result);
}

static void one_pixel_of_colour_is_refused(void **state)
{
    (void)state;
    write_bmp("blue.bmp", level(2, 1) + 1);
    struct tw_error error =
        harness_fail(&(struct harness){.width = WIDTH,
                                       .height = HEIGHT,
                                       .nodes = "out: {type: source.heightmap, file: blue.bmp}"});
    assert_int_equal(error.status, TW_INPUT);
    assert_non_null(strstr(error.message, "blue.bmp has colours, as red 0.212, green 0.212, "
                                          "blue 0.216; expected heights in all three alike"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equal_channels_are_heights),
                                       cmocka_unit_test(one_pixel_of_colour_is_refused)};
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
