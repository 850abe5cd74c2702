/* SPDX-License-Identifier: MIT */
/* Maps made while their file is read, row by row, are those that the whole file gives. */
#include "support/command.h"
#include "support/everywhere.h"
#include "support/picture.h"

#include <thalweg/sample.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct size {
    int32_t width, height;
};

enum fit { BILINEAR, CROP, LANCZOS };
static const char *const fits[] = {"bilinear", "crop", "lanczos"};

/* Of cell j for a sample at `centre`, before weights are made to add up to 1. */
static double lobe(int32_t j, double centre, double stretch)
{
    const double pi = 3.14159265358979323846, x = (j - centre) / stretch;
    if (fabs(x) >= 3)
        return 0;
    return x == 0 ? 1 : sin(pi * x) / (pi * x) * (sin(pi * x / 3) / (pi * x / 3));
}

static int32_t within(int32_t i, int32_t count) { return i < 0 ? 0 : i < count ? i : count - 1; }

/* A plain sum over the square of cells around, in doubles. */
static double lanczos(const struct tw_value *file, struct size map, int32_t x, int32_t y)
{
    const double across = (double)file->width / map.width, down = (double)file->height / map.height;
    const double wide = across > 1 ? across : 1, high = down > 1 ? down : 1;
    const double u = (x + 0.5) * across - 0.5, v = (y + 0.5) * down - 0.5;
    double sum = 0, weights = 0;
    for (int32_t j = (int32_t)(v - 3 * high) - 1; j <= (int32_t)(v + 3 * high) + 1; j++)
        for (int32_t i = (int32_t)(u - 3 * wide) - 1; i <= (int32_t)(u + 3 * wide) + 1; i++) {
            const double weight = lobe(i, u, wide) * lobe(j, v, high);
            const int32_t at = within(j, file->height) * file->width + within(i, file->width);
            weights += weight;
            sum += weight * (double)tw_floats(file)[at];
        }
    return sum / weights;
}

static float expected(const struct tw_value *file, enum fit fit, struct size map, int32_t x,
                      int32_t y)
{
    if (fit == CROP)
        return tw_floats(file)[(size_t)y * (size_t)file->width + (size_t)x];
    if (fit == LANCZOS)
        return (float)lanczos(file, map, x, y);
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

static void compare(struct size from, struct size map, enum fit fit)
{
    struct tw_value read = {0};
    char nodes[600] = "", name[8];
    write_files(from, &read);
    for (int i = 0; i < FILES; i++)
        snprintf(nodes + strlen(nodes), sizeof nodes - strlen(nodes),
                 "f%d: {type: source.heightmap, file: %s, fit: %s, range: [-1, 2]}\n", i, names[i],
                 fits[fit]);
    struct tw_result *result =
        harness_run(&(struct harness){.width = map.width, .height = map.height, .nodes = nodes});
    for (int i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "f%d", i);
        const float *cells = tw_floats(tw_result_output(result, name));
        for (int32_t y = 0; y < map.height; y++)
            for (int32_t x = 0; x < map.width; x++, cells++) {
                float v = -1 + expected(&read, fit, map, x, y) * 3;
                if (fit == LANCZOS ? fabsf(*cells - v) > 2e-6f : *cells != v)
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
            compare(sizes[i], sizes[k], BILINEAR);
}

static void lanczos_is_the_plain_sum(void **state)
{
    static const struct size sizes[] = {{1, 1}, {1, 9}, {2, 3}, {17, 16}, {33, 64}, {100, 7}};
    enum { COUNT = sizeof sizes / sizeof sizes[0] };
    (void)state;
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < COUNT; k++)
            compare(sizes[i], sizes[k], LANCZOS);
}

/* What the map cannot show is left out: stripes a cell wide become their mean, where bilinear shows
 * some of them. */
static void lanczos_leaves_out_what_is_finer_than_the_map(void **state)
{
    enum { FILE_SIDE = 96, SIDE = 24 };
    float *stripes = malloc(sizeof *stripes * FILE_SIDE * FILE_SIDE);
    (void)state;
    assert_non_null(stripes);
    for (int i = 0; i < FILE_SIDE * FILE_SIDE; i++)
        stripes[i] = (float)(i % FILE_SIDE % 2);
    const struct tw_value file = {TW_HEIGHTMAP, FILE_SIDE, FILE_SIDE, stripes};
    struct tw_bytes bytes = {0};
    assert_int_equal(tw_npy_encode(&file, &bytes, NULL), TW_OK);
    command_write("stripes.npy", bytes.at, bytes.length);
    struct tw_result *result = harness_run(
        &(struct harness){.width = SIDE,
                          .height = SIDE,
                          .nodes = "f: {type: source.heightmap, file: stripes.npy, fit: lanczos}\n"
                                   "m: {type: source.image, file: stripes.npy, fit: lanczos}\n"});
    const float *cells = tw_floats(tw_result_output(result, "f"));
    for (int i = 0; i < SIDE * SIDE; i++)
        if (i % SIDE > 3 && i % SIDE < SIDE - 3)
            assert_float_equal(cells[i], 0.5f, 0.01f);
    const float *mask = tw_floats(tw_result_output(result, "m"));
    for (int i = 0; i < SIDE * SIDE; i++)
        assert_true(mask[i] >= 0 && mask[i] <= 1);
    tw_result_release(result);
    free(bytes.at);
    free(stripes);
}

static void a_crop_is_the_corner_of_the_whole_file(void **state)
{
    (void)state;
    compare((struct size){33, 64}, (struct size){17, 16}, CROP);
    compare((struct size){33, 64}, (struct size){33, 64}, CROP);
    compare((struct size){100, 7}, (struct size){1, 1}, CROP);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bilinear_rows_are_those_of_the_whole_file),
        cmocka_unit_test(lanczos_is_the_plain_sum),
        cmocka_unit_test(lanczos_leaves_out_what_is_finer_than_the_map),
        cmocka_unit_test(a_crop_is_the_corner_of_the_whole_file),
    };
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
