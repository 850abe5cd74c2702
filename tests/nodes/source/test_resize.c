/* SPDX-License-Identifier: MIT */
/* Maps made while their file is read, row by row, are those that the whole file gives. */
#include "support/command.h"
#include "support/everywhere.h"
#include "support/picture.h"

#include "common/sample.h"

#include <string.h>

struct size {
    int32_t width, height;
};

static float expected(const struct tw_value *file, bool crop, struct size map, int32_t x, int32_t y)
{
    if (crop)
        return tw_floats(file)[(size_t)y * (size_t)file->width + (size_t)x];
    return tw_sample(tw_floats(file), file->width, file->height,
                     ((float)x + 0.5f) * ((float)file->width / (float)map.width) - 0.5f,
                     ((float)y + 0.5f) * ((float)file->height / (float)map.height) - 0.5f, false);
}

/* PNG comes by rows, .npy whole. */
static void compare(struct size from, struct size map, bool crop)
{
    struct tw_value terrain = harness_terrain(from.width, from.height, 3), read = {0};
    struct tw_bytes png = {0}, npy = {0};
    const struct tw_export_range range = {.low = 0, .high = 1, .bits = 16};
    char nodes[300];
    assert_int_equal(tw_png_encode(&terrain, &range, &png, NULL), TW_OK);
    assert_int_equal(tw_png_decode(png.at, png.length, &read, NULL), TW_OK);
    assert_int_equal(tw_npy_encode(&read, &npy, NULL), TW_OK);
    command_write("map.png", png.at, png.length);
    command_write("map.npy", npy.at, npy.length);
    snprintf(nodes, sizeof nodes,
             "png: {type: source.heightmap, file: map.png, fit: %s, range: [-1, 2]}\n"
             "npy: {type: source.heightmap, file: map.npy, fit: %s, range: [-1, 2]}\n",
             crop ? "crop" : "bilinear", crop ? "crop" : "bilinear");
    struct tw_result *result =
        harness_run(&(struct harness){.width = map.width, .height = map.height, .nodes = nodes});
    const float *by_rows = tw_floats(tw_result_output(result, "png"));
    const float *whole = tw_floats(tw_result_output(result, "npy"));
    for (int32_t y = 0; y < map.height; y++)
        for (int32_t x = 0; x < map.width; x++) {
            size_t i = (size_t)y * (size_t)map.width + (size_t)x;
            float v = -1 + expected(&read, crop, map, x, y) * 3;
            if (by_rows[i] != v || whole[i] != v)
                fail_msg("%d x %d to %d x %d at %d, %d: %.9g and %.9g, expected %.9g",
                         (int)from.width, (int)from.height, (int)map.width, (int)map.height, (int)x,
                         (int)y, (double)by_rows[i], (double)whole[i], (double)v);
        }
    tw_result_release(result);
    tw_field_clear(&read);
    free(terrain.data);
    free(png.at);
    free(npy.at);
}

static void bilinear_rows_are_those_of_the_whole_file(void **state)
{
    static const struct size sizes[] = {{1, 1}, {1, 9}, {2, 3}, {17, 16}, {33, 64}, {100, 7}};
    enum { COUNT = sizeof sizes / sizeof sizes[0] };
    (void)state;
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < COUNT; k++)
            compare(sizes[i], sizes[k], false);
}

static void a_crop_is_the_corner_of_the_whole_file(void **state)
{
    (void)state;
    compare((struct size){33, 64}, (struct size){17, 16}, true);
    compare((struct size){33, 64}, (struct size){33, 64}, true);
    compare((struct size){100, 7}, (struct size){1, 1}, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bilinear_rows_are_those_of_the_whole_file),
        cmocka_unit_test(a_crop_is_the_corner_of_the_whole_file),
    };
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
