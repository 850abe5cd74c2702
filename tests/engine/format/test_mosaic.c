/* SPDX-License-Identifier: MIT */
/* Tiles of one map: where their corners or names put them, what overlaps, what is missing, and
 * every fault with the file that has it. */
#include "support/command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "format/mosaic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct tw_file_wish wish = {.gaps = true};
static struct tw_raw_given given;
static struct tw_error error;
static struct tw_value map;

static float height(int x, int y) { return (float)(100 * y + x); }

/* A part of the map of height() as .asc, in cells of 10 m whose north-west corner is 1000, 5000. */
static void write_asc(const char *name, int west, int north, int width, int rows, int bias)
{
    char text[8000];
    int used = snprintf(text, sizeof text,
                        "ncols %d\nnrows %d\nxllcorner %d\nyllcorner %d\ncellsize 10\n"
                        "NODATA_value -9999\n",
                        width, rows, 1000 + 10 * west, 5000 - 10 * (north + rows));
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < width; x++)
            used +=
                snprintf(text + used, sizeof text - (size_t)used, "%g%c",
                         (double)height(west + x, north + y) + bias, x + 1 == width ? '\n' : ' ');
    command_write(name, text, (size_t)used);
}

/* Writes a tile that says nothing of where it lies, with the heights of that part of the ground. */
static void write_npy(const char *name, int west, int north, int width, int rows)
{
    struct tw_value tile = {0};
    struct tw_bytes bytes = {0};
    assert_int_equal(tw_field_alloc(&tile, TW_HEIGHTMAP, width, rows, NULL), TW_OK);
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < width; x++)
            tw_floats(&tile)[y * width + x] = height(west + x, north + y);
    assert_int_equal(tw_npy_encode(&tile, &bytes, NULL), TW_OK);
    command_write(name, bytes.at, bytes.length);
    free(bytes.at);
    tw_field_clear(&tile);
}

static enum tw_status read_tiles(const char *pattern, struct tw_mosaic *mosaic)
{
    const struct tw_raw_place place = {".", pattern, NULL};
    struct tw_sha256 digest, again;
    error = (struct tw_error){0};
    tw_field_clear(&map);
    enum tw_status status = tw_mosaic_open(&place, &given, wish, mosaic, &error);
    const struct tw_row_sink sink = tw_codec_sink(&map);
    if (status == TW_OK)
        status = tw_mosaic_read_rows(mosaic, &sink, &digest, &error);
    if (status == TW_OK) {
        struct tw_mosaic found;
        assert_int_equal(tw_mosaic_find(&place, &found, &error), TW_OK);
        assert_int_equal(tw_mosaic_sha256(&place, &given, &found, &again, &error), TW_OK);
        assert_memory_equal(&digest, &again, sizeof digest);
        tw_mosaic_release(&found);
    }
    return status;
}

static void expect_map(const char *pattern, int width, int rows)
{
    struct tw_mosaic mosaic;
    if (read_tiles(pattern, &mosaic) != TW_OK)
        fail_msg("%s", error.message);
    assert_int_equal(map.width, width);
    assert_int_equal(map.height, rows);
    for (int i = 0; i < width * rows; i++)
        assert_true(tw_floats(&map)[i] == height(i % width, i / width));
    tw_mosaic_release(&mosaic);
}

static void expect_fault(const char *pattern, const char *words)
{
    struct tw_mosaic mosaic;
    assert_int_not_equal(read_tiles(pattern, &mosaic), TW_OK);
    if (!strstr(error.message, words))
        fail_msg("%s\nlacks: %s", error.message, words);
    tw_mosaic_release(&mosaic);
}

static void clear(void)
{
    command_leave();
    command_enter();
    given = (struct tw_raw_given){.layout.overlap = -1};
}

/* ---- by corners ---- */

static void corners_place_tiles(void **state)
{
    (void)state;
    clear();
    write_asc("b.asc", 0, 0, 7, 5, 0);
    write_asc("a.asc", 7, 0, 4, 5, 0);
    write_asc("d.asc", 0, 5, 3, 6, 0);
    write_asc("c.asc", 3, 5, 8, 6, 0);
    write_asc("other.txt", 3, 5, 8, 6, 0);
    expect_map("*.asc", 11, 11);
}

/* Different numbers of shared cells, also between tiles of different heights. */
static void tiles_overlap(void **state)
{
    struct tw_mosaic mosaic;
    (void)state;
    clear();
    write_asc("a.asc", 0, 0, 7, 6, 0);
    write_asc("b.asc", 6, 0, 5, 9, 1000);
    write_asc("c.asc", 0, 3, 7, 8, 0);
    write_asc("d.asc", 5, 9, 6, 2, 0);
    assert_int_equal(read_tiles("*.asc", &mosaic), TW_OK);
    for (int y = 0; y < 11; y++)
        for (int x = 0; x < 11; x++) {
            /* Of several the northernmost, then the westernmost. */
            const bool b = x >= 6 && y < 9 && !(x == 6 && y < 6);
            assert_true(tw_floats(&map)[11 * y + x] == height(x, y) + (b ? 1000 : 0));
        }
    tw_mosaic_release(&mosaic);
}

static void what_no_tile_has_is_a_gap(void **state)
{
    struct tw_mosaic mosaic;
    (void)state;
    clear();
    write_asc("a.asc", 0, 0, 4, 4, 0);
    write_asc("b.asc", 4, 4, 4, 4, 0);
    assert_int_equal(read_tiles("*.asc", &mosaic), TW_OK);
    assert_true(mosaic.facts.may_have_gaps && mosaic.has_place);
    assert_true(mosaic.at.west == 1000 && mosaic.at.north == 5000);
    for (int i = 0; i < 64; i++)
        assert_int_equal(isnan(tw_floats(&map)[i]), (i % 8 < 4) != (i / 8 < 4));
    tw_mosaic_release(&mosaic);
}

static void write_hgt(const char *name, int first)
{
    enum { SIDE = 1201 };
    unsigned char *bytes = malloc(2 * SIDE * SIDE);
    assert_non_null(bytes);
    for (int i = 0; i < SIDE * SIDE; i++) {
        const int value = first + i % SIDE;
        bytes[2 * i] = (unsigned char)(value >> 8);
        bytes[2 * i + 1] = (unsigned char)value;
    }
    command_write(name, bytes, 2 * SIDE * SIDE);
    free(bytes);
}

/* Tiles of SRTM share a column, and lie where their names say. */
static void degrees_share_an_edge(void **state)
{
    struct tw_mosaic mosaic;
    (void)state;
    clear();
    write_hgt("N36W085.hgt", 0);
    write_hgt("N36W084.hgt", 1200);
    assert_int_equal(read_tiles("N*.hgt", &mosaic), TW_OK);
    assert_int_equal(map.width, 2401);
    assert_int_equal(map.height, 1201);
    for (int x = 0; x < 2401; x++)
        assert_true(tw_floats(&map)[2401 * 700 + x] == (float)x);
    tw_mosaic_release(&mosaic);
    write_hgt("N36W080.hgt", 0);
    expect_fault("N*.hgt",
                 "no tile has the 3599 columns of cells between N36W084.hgt and N36W080.hgt");
    write_hgt("N89E179.hgt", 0);
    expect_fault("N*.hgt", "cells east and 0 south of the first; expected a map of at most");
}

static void corners_that_do_not_fit(void **state)
{
    (void)state;
    clear();
    write_asc("a.asc", 0, 0, 4, 4, 0);
    write_asc("b.asc", 4, 0, 4, 4, 0);
    write_asc("c.asc", 0, 6, 4, 4, 0);
    expect_fault("*.asc", "no tile has the 2 rows of cells between");
    write_asc("c.asc", 4, 0, 4, 4, 0);
    expect_fault("*.asc", "b.asc and c.asc lie in the same place");
    command_write("c.asc", "ncols 1\nnrows 1\nxllcorner 1043\nyllcorner 4960\ncellsize 10\n1\n",
                  60);
    expect_fault("*.asc", "c.asc lies 0.3 cells east and 0 south of the cells of the other tiles");
    command_write("c.asc",
                  "ncols 9\nnrows 1\nxllcorner 1040\nyllcorner 4960\ncellsize 20\n"
                  "1 1 1 1 1 1 1 1 1\n",
                  76);
    expect_fault("*.asc", "c.asc has cells of 20 x 20; a.asc of 10 x 10");
    write_npy("c.npy", 0, 0, 4, 4);
    expect_fault("*", "c.npy does not say where it lies; a.asc does");
    command_write("c.asc", "ncols 4\n", 8);
    expect_fault("*.asc", "c.asc: ");
    write_asc("c.asc", 8, 0, 4, 4, 0);
    expect_map("*.asc", 12, 4);
}

/* ---- by names ---- */

static void numbers_in_names(void **state)
{
    static const struct {
        const char *name;
        int column, row;
    } rows[] = {{"land_x3_y10.png", 3, 10},
                {"tiles/a/land_y07_x002.png", 2, 7},
                {"land_3_10.raw", 3, 10},
                {"x3y10.tif", 3, 10},
                {"land-x3-y10-height.png", 3, 10},
                {"v2_land_X3_Y10.exr", 3, 10},
                {"4_5.png", 4, 5},
                {"land_x000003_y10.png", 3, 10}};
    static const char *const none[] = {"land.png",
                                       "land_3.png",
                                       "land_x3.png",
                                       "land_x3_x4.png",
                                       "land_x3_4.png",
                                       "landx3_y4b",
                                       "land_3_10_height.png",
                                       "land_x1234567_y0.png",
                                       "x_y.png",
                                       "",
                                       "_.png"};
    int32_t column, row;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!tw_mosaic_numbers(rows[i].name, &column, &row))
            fail_msg("%s has no numbers", rows[i].name);
        if (column != rows[i].column || row != rows[i].row)
            fail_msg("%s is %d, %d", rows[i].name, (int)column, (int)row);
    }
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (tw_mosaic_numbers(none[i], &column, &row))
            fail_msg("%s has numbers", none[i]);
}

static void names_place_tiles(void **state)
{
    (void)state;
    clear();
    write_npy("t_x1_y1.npy", 0, 0, 4, 6);
    write_npy("t_x2_y1.npy", 4, 0, 2, 6);
    write_npy("t_x1_y2.npy", 0, 6, 4, 3);
    write_npy("t_x2_y2.npy", 4, 6, 2, 3);
    expect_map("t*.npy", 6, 9);
    clear();
    write_npy("t_y1_x0.npy", 0, 0, 4, 4);
    write_npy("t_y0_x0.npy", 0, 4, 4, 4);
    given.layout.south_first = true;
    expect_map("t*.npy", 4, 8);
    clear();
    write_npy("t_0_0.npy", 0, 0, 5, 5);
    write_npy("t_1_0.npy", 4, 0, 5, 5);
    write_npy("t_0_1.npy", 0, 4, 5, 5);
    write_npy("t_1_1.npy", 4, 4, 5, 5);
    expect_map("t_*_*.npy", 9, 9);
    given.layout.overlap = 1;
    expect_map("t_*.npy", 9, 9);
    write_npy("t_1_0.npy", 5, 0, 5, 5); /* not shared */
    write_npy("t_0_1.npy", 0, 5, 5, 5);
    write_npy("t_1_1.npy", 5, 5, 5, 5);
    given.layout.overlap = -1;
    expect_fault("t*.npy",
                 "t_1_0.npy: its cell x 0, y 0 is not that of the tile beside it, which it "
                 "would share; expected overlap: 0");
    given.layout.overlap = 0;
    expect_map("t*.npy", 10, 10);
}

static void names_that_do_not_fit(void **state)
{
    (void)state;
    clear();
    expect_fault("t*.npy", "no file fits t*.npy");
    expect_fault("none/t*.npy", "cannot list none/: No such file or directory");
    write_npy("t_x0_y0.npy", 0, 0, 4, 4);
    write_npy("t_x2_y0.npy", 8, 0, 4, 4);
    expect_fault("t*.npy", "there is no tile between x 0, t_x0_y0.npy, and 2, t_x2_y0.npy");
    write_npy("t_x1_y3.npy", 8, 0, 4, 4);
    expect_fault("t*.npy", "there is no tile between y 0, t_x2_y0.npy, and 3, t_x1_y3.npy");
    unlink("t_x1_y3.npy");
    write_npy("t_x1_y0.npy", 8, 0, 4, 5);
    expect_fault("t*.npy",
                 "t_x1_y0.npy is 5 cells high; t_x0_y0.npy, with the same y in its name, 4");
    write_npy("t_x1_y0.npy", 4, 0, 4, 4);
    write_npy("t_x01_y0.npy", 4, 0, 4, 4);
    expect_fault("t*.npy", "t_x01_y0.npy and t_x1_y0.npy lie in the same place");
    unlink("t_x01_y0.npy");
    write_npy("there.npy", 4, 0, 4, 4);
    expect_fault("t*.npy", "there.npy says neither in its file nor in its name where it lies");
    unlink("there.npy");
    given.layout.overlap = 4;
    expect_fault("t*.npy", "is 4 x 4 cells; expected more than the overlap of 4");
    given.layout.overlap = 0;
    given.layout.width = 4;
    expect_fault("t*.npy", "t_x0_y0.npy: the file has a header; expected no 'width'");
    given.layout.width = 0;
    expect_map("t*.npy", 12, 4);
}

/* Without a header: the layout of all, and a sidecar of each. */
static void levels_of_tiles(void **state)
{
    const unsigned char levels[8] = {0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF};
    struct tw_mosaic mosaic;
    (void)state;
    clear();
    command_write("t_x0_y0.r16", levels, sizeof levels);
    command_write("t_x1_y0.r16", levels, sizeof levels);
    expect_fault("t*.r16", "t_x0_y0.r16 has 8 bytes and no header");
    given.layout.width = given.layout.height = 2;
    assert_int_equal(read_tiles("t*.r16", &mosaic), TW_OK);
    assert_int_equal(map.width, 4);
    assert_true(tw_floats(&map)[3] == 1 && tw_floats(&map)[2] == 0);
    tw_mosaic_release(&mosaic);
    static const char sidecar[] = "{\"schema\": \"thalweg.sidecar/1\", \"range\": {\"low\": 0, "
                                  "\"high\": 300}}";
    command_write("t_x1_y0.r16.json", sidecar, sizeof sidecar - 1);
    expect_fault("t*.r16", "t_x1_y0.r16 has another range of levels than t_x0_y0.r16");
    command_write("t_x0_y0.r16.json", sidecar, sizeof sidecar - 1);
    assert_int_equal(read_tiles("t*.r16", &mosaic), TW_OK);
    assert_true(mosaic.facts.scale == TW_SCALE_KNOWN && mosaic.facts.high == 300);
    tw_mosaic_release(&mosaic);
}

/* ---- limits ---- */

static void limits(void **state)
{
    char name[40];
    (void)state;
    clear();
    for (int i = 0; i <= TW_MOSAIC_TILES_MAX; i++) {
        snprintf(name, sizeof name, "t_x%d_y0.npy", i);
        command_write(name, "", 0);
    }
    expect_fault("t*.npy", "t*.npy fits more than 4096 files");
    clear();
    command_write("t_x0_y0.r16", "", 0);
    command_write("t_x1_y0.r16", "", 0);
    if (truncate("t_x0_y0.r16", (off_t)40 << 30) == 0 &&
        truncate("t_x1_y0.r16", (off_t)40 << 30) == 0)
        expect_fault("t*.r16", "the files of t*.r16 have more than 64 GiB");
    clear();
    mkdir("folder_x0_y0.npy", 0777);
    command_write(".t_x0_y0.npy", "", 0);
    write_npy("t_x0_y0.npy", 0, 0, 4, 4);
    assert_int_equal(symlink("t_x0_y0.npy", "u_x1_y0.npy"), 0);
    expect_map("*.npy", 4, 4); /* no folders, hidden files and links */
    assert_true(tw_mosaic_is("a/*.tif") && !tw_mosaic_is("a*/b.tif") && !tw_mosaic_is("a.tif"));
}

/* A file that grows or is replaced between opening and reading is noticed. */
static void changes_are_noticed(void **state)
{
    const struct tw_raw_place place = {".", "t*.npy", NULL};
    const struct tw_row_sink sink = tw_codec_sink(&map);
    struct tw_mosaic mosaic;
    struct tw_sha256 digest;
    (void)state;
    clear();
    write_npy("t_x0_y0.npy", 0, 0, 4, 4);
    write_npy("t_x1_y0.npy", 4, 0, 4, 4);
    assert_int_equal(tw_mosaic_open(&place, &given, wish, &mosaic, &error), TW_OK);
    write_npy("t_x1_y0.npy", 4, 0, 4, 5);
    tw_field_clear(&map);
    assert_int_equal(tw_mosaic_read_rows(&mosaic, &sink, &digest, &error), TW_INPUT);
    assert_non_null(strstr(error.message, "t_x1_y0.npy: the file changed while it was read"));
    unlink("t_x1_y0.npy");
    tw_field_clear(&map);
    assert_int_not_equal(tw_mosaic_read_rows(&mosaic, &sink, &digest, &error), TW_OK);
    tw_mosaic_release(&mosaic);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_place_tiles),       cmocka_unit_test(tiles_overlap),
        cmocka_unit_test(what_no_tile_has_is_a_gap), cmocka_unit_test(degrees_share_an_edge),
        cmocka_unit_test(corners_that_do_not_fit),   cmocka_unit_test(numbers_in_names),
        cmocka_unit_test(names_place_tiles),         cmocka_unit_test(names_that_do_not_fit),
        cmocka_unit_test(levels_of_tiles),           cmocka_unit_test(limits),
        cmocka_unit_test(changes_are_noticed)};
    int code = cmocka_run_group_tests(tests, command_set_up, command_tear_down);
    tw_field_clear(&map);
    return code;
}
