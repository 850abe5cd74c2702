/* SPDX-License-Identifier: MIT */
/* Maps made while their file is read, row by row, are those that the whole file gives. */
#include "support/command.h"
#include "support/everywhere.h"
#include "support/picture.h"

#include <thalweg/sample.h>

#include <stdio.h>
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

/* By rows from the north, from the north in floats, from the south, and whole. */
static const char *const names[] = {"map.png", "map.npy", "map.bmp", "columns.npy"};
enum { FILES = sizeof names / sizeof names[0] };

/* The same map in each; `read` is what it holds. */
static void write_files(struct size size, struct tw_value *read)
{
    struct tw_value terrain = harness_terrain(size.width, size.height, 3);
    struct tw_bytes files[FILES] = {{0}};
    const struct tw_export_range range = {.low = 0, .high = 1, .bits = 8};
    assert_int_equal(tw_png_encode(&terrain, &range, &files[0], NULL), TW_OK);
    assert_int_equal(tw_png_decode(files[0].at, files[0].length, read, NULL), TW_OK);
    assert_int_equal(tw_npy_encode(read, &files[1], NULL), TW_OK);
    assert_int_equal(tw_bmp_encode(read, &range, &files[2], NULL), TW_OK);
    files[3] = picture_columns(read);
    for (int i = 0; i < FILES; i++) {
        command_write(names[i], files[i].at, files[i].length);
        free(files[i].at);
    }
    free(terrain.data);
}

static void compare(struct size from, struct size map, bool crop)
{
    struct tw_value read = {0};
    char nodes[600] = "", name[8];
    write_files(from, &read);
    for (int i = 0; i < FILES; i++)
        snprintf(nodes + strlen(nodes), sizeof nodes - strlen(nodes),
                 "f%d: {type: source.heightmap, file: %s, fit: %s, range: [-1, 2]}\n", i, names[i],
                 crop ? "crop" : "bilinear");
    struct tw_result *result =
        harness_run(&(struct harness){.width = map.width, .height = map.height, .nodes = nodes});
    for (int i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "f%d", i);
        const float *cells = tw_floats(tw_result_output(result, name));
        for (int32_t y = 0; y < map.height; y++)
            for (int32_t x = 0; x < map.width; x++, cells++) {
                float v = -1 + expected(&read, crop, map, x, y) * 3;
                if (*cells != v)
                    fail_msg("%s, %d x %d to %d x %d at %d, %d: %.9g, expected %.9g", names[i],
                             (int)from.width, (int)from.height, (int)map.width, (int)map.height,
                             (int)x, (int)y, (double)*cells, (double)v);
            }
    }
    tw_result_release(result);
    tw_field_clear(&read);
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
