/* SPDX-License-Identifier: MIT */
/* Warnings where a file says something else than `world:`, and of cells that are no heights. */
#include "support/command.h"
#include "support/harness.h"

#include "base/os/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORLD "side_m: 400, epsg: 32632, west: 500000, north: 5200000"

static struct command_result result;

/* What `check` prints of a recipe that reads the file at that size, `world` or "" and `options`. */
static const char *check(const char *file, const char *size, const char *world, const char *options)
{
    char text[500];
    int length = snprintf(text, sizeof text,
                          "thalweg: 1\nsize: %s\nworld: {%s}\nnodes:\n"
                          "  h: {type: source.heightmap, file: %s%s}\noutputs: {h: h}\n",
                          size, world, file, options);
    if (!world[0]) /* a comment */
        *strstr(text, "world") = '#';
    command_write("in.yaml", text, (size_t)length);
    command_expect("check in.yaml", 0, &result);
    return result.err;
}

static void expect_warning(const char *err, const char *words)
{
    command_expect_words(err, "in.yaml:5:");
    command_expect_words(err, "warning: ");
    command_expect_words(err, words);
}

static void replace_bytes(const char *from_path, const char *path, const void *from, const void *to,
                          size_t length)
{
    unsigned char *data = NULL;
    size_t size = 0, at = 0;
    assert_int_equal(tw_file_read(from_path, 1 << 20, &data, &size, NULL), TW_OK);
    while (at + length < size && memcmp(data + at, from, length) != 0)
        at++;
    assert_memory_equal(data + at, from, length);
    memcpy(data + at, to, length);
    command_write(path, data, size);
    free(data);
}

static int set_up(void **state)
{
    static const char geo[] = "thalweg: 1\nsize: [40, 20]\nworld: {" WORLD "}\nnodes:\n"
                              "  h: {type: noise.midpoint}\noutputs: {h: h}\nexport: {h.tif: h}\n";
    command_set_up(state);
    command_write("geo.yaml", geo, strlen(geo));
    command_expect("run geo.yaml -o . -q", 0, &result);
    return 0;
}

static void a_world_that_agrees_is_silent(void **state)
{
    (void)state;
    assert_string_equal(check("h.tif", "[40, 20]", WORLD, ""), "");
    assert_string_equal(check("h.tif", "[40, 20]", "side_m: 401", ""), ""); /* nearly */
    assert_string_equal(check("h.tif", "[40, 20]", "", ""), "");
    assert_string_equal(check("h.tif", "[80, 40]", WORLD, ", fit: bilinear"), "");
    assert_string_equal(check("h.tif", "20", "side_m: 200", ", fit: crop"), "");
}

static void cells_and_corners_are_compared(void **state)
{
    static const double square[] = {10, 10}, oblong[] = {10, 25};
    (void)state;
    expect_warning(check("h.tif", "[40, 20]", "side_m: 800", ""),
                   "by the cells of h.tif, of 10 m, the map's side is 400 m; world.side_m is 800");
    expect_warning(check("h.tif", "[40, 20]", "height_m: 900", ""), "world.side_m is 4096");
    expect_warning(check("h.tif", "20", "side_m: 400", ", fit: crop"), "the map's side is 200 m");
    expect_warning(
        check("h.tif", "[40, 20]", "side_m: 400, epsg: 2056, west: 500000, north: 5200000", ""),
        "h.tif is in EPSG:32632; world.epsg is 2056");
    expect_warning(
        check("h.tif", "[40, 20]", "side_m: 400, epsg: 32632, west: 500020, north: 5200000", ""),
        "corner of h.tif is west 500000, north 5200000; world: has west 500020");
    replace_bytes("h.tif", "oblong.tif", square, oblong, sizeof square);
    expect_warning(check("oblong.tif", "[40, 20]", WORLD, ""),
                   "10 m from west to east and 25 m from north to south; expected squares");
    static const char grid[] = "ncols 4\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 30\n"
                               "1 2 3 4 5 6 7 8\n";
    command_write("grid.asc", grid, strlen(grid));
    expect_warning(check("grid.asc", "[4, 2]", "side_m: 400", ""),
                   "by the cells of grid.asc, of 30 m, the map's side is 120 m");
}

/* The projection's key, its code and, of degrees, the place itself. */
static void feet_and_degrees_are_no_metres(void **state)
{
    static const char code[] = "\x00\x0c\x00\x00\x01\x00\x78\x7f";    /* 3072: 32632 */
    static const char feet[] = "\x00\x0c\x00\x00\x01\x00\xd7\x08";    /* 2263 */
    static const char degrees[] = "\x00\x08\x00\x00\x01\x00\xe6\x10"; /* 2048: 4326 */
    static const double corner[] = {500000, 5200000}, zurich[] = {8.5, 47.5};
    (void)state;
    replace_bytes("h.tif", "feet.tif", code, feet, 8);
    expect_warning(check("feet.tif", "[40, 20]", "side_m: 121.92", ""),
                   "the cells of feet.tif are 10 in US survey feet, and lengths of world: are "
                   "metres");
    assert_null(strstr(result.err, "side_m"));
    replace_bytes("h.tif", "degrees.tif", code, degrees, 8);
    replace_bytes("degrees.tif", "degrees.tif", corner, zurich, sizeof corner);
    expect_warning(check("degrees.tif", "[40, 20]", WORLD, ""),
                   "the cells of degrees.tif are 10 degrees, and lengths of world: are metres: "
                   "gdalwarp -t_srs EPSG:32632 converts them");
    assert_string_equal(check("degrees.tif", "[40, 20]", "", ""), "");
}

/* A corner in degrees where the projection has metres. */
static void a_corner_in_degrees_is_reported(void **state)
{
    (void)state;
    command_expect_words(
        check("h.tif", "[40, 20]", "side_m: 400, epsg: 32632, west: 8.5, north: 47.25", ""),
        "in.yaml:3:28: warning: west 8.5 and north 47.25 look like degrees; "
        "expected metres in EPSG:32632");
    check("h.tif", "[40, 20]", "side_m: 400, epsg: 32632, west: 8.5, north: 5200000", "");
    assert_null(strstr(result.err, "degrees"));
    check("h.tif", "[40, 20]", "side_m: 400, epsg: 32632", "");
    assert_null(strstr(result.err, "degrees"));
}

static void a_turned_map_is_reported(void **state)
{
    (void)state;
    /* six numbers of a tie point become the first of the 16 of a transformation */
    replace_bytes("h.tif", "turned.tif", "\x82\x84\x0c\0\x06\0\0", "\xd8\x85\x0c\0\x10\0\0", 8);
    expect_warning(check("turned.tif", "[40, 20]", WORLD, ""),
                   "turned.tif is turned against north, which is ignored");
    expect_warning(check("turned.tif", "[40, 20]", "", ""), "turned.tif is turned against north");
}

static void cells_without_a_height_are_reported(void **state)
{
    static const char grid[] = "ncols 4\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 30\n"
                               "1 -32768 3 4 5 -32768 7 8\n";
    static const float none[] = {0, 1, -3.4028235e38f, 2};
    (void)state;
    command_write("voids.asc", grid, strlen(grid));
    expect_warning(check("voids.asc", "[4, 2]", "", ""),
                   "voids.asc has 2 cells of -32768 and names no value for cells without a height");
    command_write("none.r32", none, sizeof none);
    expect_warning(check("none.r32", "2", "", ", width: 2, height: 2"),
                   "none.r32 has 1 cell of -3.40282347e+38 and names");
    command_write("none.r32", none, 2 * sizeof *none);
    assert_string_equal(check("none.r32", "[2, 1]", "", ", width: 2, height: 1"), "");
}

/* Beyond what is read while a recipe is loaded. */
static void large_files_are_searched_as_they_are_read(void **state)
{
    enum { WIDTH = 1100, HEIGHT = 1000 };
    float *cells = calloc((size_t)WIDTH * HEIGHT, sizeof *cells);
    (void)state;
    assert_non_null(cells);
    cells[(size_t)WIDTH * HEIGHT - 1] = -32768;
    command_write("large.r32", cells, (size_t)WIDTH * HEIGHT * sizeof *cells);
    free(cells);
    assert_string_equal(check("large.r32", "8", "", ", width: 1100, height: 1000, fit: bilinear"),
                        "");
    command_expect("run in.yaml --no-cache", 0, &result);
    command_expect_words(result.err, "large.r32 has 1 cell of -32768 and names no value");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_that_agrees_is_silent),
        cmocka_unit_test(cells_and_corners_are_compared),
        cmocka_unit_test(feet_and_degrees_are_no_metres),
        cmocka_unit_test(a_corner_in_degrees_is_reported),
        cmocka_unit_test(a_turned_map_is_reported),
        cmocka_unit_test(cells_without_a_height_are_reported),
        cmocka_unit_test(large_files_are_searched_as_they_are_read),
    };
    return cmocka_run_group_tests(tests, set_up, command_tear_down);
}
