/* SPDX-License-Identifier: MIT */
/* Tiles as the input of a recipe: our own exports come back, every file is an input of the recipe,
 * its lock and its cache, and a recipe of others reads none outside of its folder. */
#include "support/command.h"
#include "support/harness.h"

#include "base/os/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct command_result result;

static void run(const char *arguments, int code) { command_expect(arguments, code, &result); }

static void write_text(const char *name, const char *text)
{
    command_write(name, text, strlen(text));
}

/* Exports a map whole and as tiles with these settings. */
static void write_tiles(int side, const char *file, const char *settings)
{
    char text[600];
    snprintf(text, sizeof text,
             "thalweg: 1\nsize: %d\nseed: 7\nnodes:\n  land: {type: noise.midpoint}\n"
             "outputs: {h: land}\nexport:\n  whole.npy: h\n  %s: {from: h, tiles: %s}\n",
             side, file, settings);
    write_text("make.yaml", text);
    run("run make.yaml -o .", 0);
}

/* in.yaml reads them and exports h.npy. */
static void write_reader(int side, const char *entries)
{
    char text[600];
    snprintf(text, sizeof text,
             "thalweg: 1\nsize: %d\nnodes:\n  dem: {type: source.heightmap, %s}\n"
             "outputs: {h: dem}\nexport: {h.npy: h}\n",
             side, entries);
    write_text("in.yaml", text);
}

static void expect_same(const char *a, const char *b)
{
    unsigned char *one = NULL, *two = NULL;
    size_t length = 0, other = 0;
    assert_int_equal(tw_file_read(a, 1 << 20, &one, &length, NULL), TW_OK);
    assert_int_equal(tw_file_read(b, 1 << 20, &two, &other, NULL), TW_OK);
    assert_int_equal(length, other);
    assert_memory_equal(one, two, length);
    free(one);
    free(two);
}

/* ---- our own exports ---- */

static void exported_tiles_come_back(void **state)
{
    static const struct {
        int side;
        const char *file, *settings, *entries;
    } rows[] = {
        {64, "a/t.npy", "16", "file: a/t_*.npy"},
        {61, "b/t.npy", "{cells: 16, share_edge: true}", "file: b/*.npy, overlap: 1"},
        {65, "c/t.npy", "{cells: 17, share_edge: true, pattern: unity}", "file: c/*.npy"},
        {64, "d/t.exr", "{cells: 32, pattern: gaea}", "file: d/t_y*.exr"},
        {64, "e/t.npy", "{cells: 16, origin: 1, flip_y: true, pattern: \"-x%03x%-y%y%\"}",
         "file: e/*.npy, first_row: south"},
        {64, "f/t.r32", "{cells: 16}", "file: f/t*.r32, width: 16, height: 16"},
        {64, "g/t.tif", "{cells: 16}", "file: g/t*.tif"}, /* of no place */
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_tiles(rows[i].side, rows[i].file, rows[i].settings);
        write_reader(rows[i].side, rows[i].entries);
        run("run in.yaml -o .", 0);
        expect_same("whole.npy", "h.npy");
    }
}

/* ---- inputs ---- */

static void every_tile_is_an_input(void **state)
{
    (void)state;
    write_tiles(64, "t/t.npy", "32");
    write_reader(64, "file: t/t_x*.npy");
    run("list in.yaml --inputs", 0);
    for (int i = 0; i < 4; i++) {
        char name[40];
        snprintf(name, sizeof name, "t/t_x%d_y%d.npy", i % 2, i / 2);
        command_expect_words(result.out, name);
    }
    run("run in.yaml -o . --depfile in.d -q", 0);
    unsigned char *text = NULL;
    size_t length = 0;
    assert_int_equal(tw_file_read("in.d", 1 << 16, &text, &length, NULL), TW_OK);
    command_expect_words((const char *)text, "t/t_x1_y1.npy");
    free(text);
    write_text("over.yaml", "thalweg: 1\nsize: 64\nnodes:\n"
                            "  dem: {type: source.heightmap, file: t/t_x*.npy}\noutputs: {h: dem}\n"
                            "export: {t/t_x0_y0.npy: h}\n");
    run("run over.yaml -o .", 3);
    command_expect_words(result.err, "t/t_x0_y0.npy");
}

static void locks_and_caches_know_every_tile(void **state)
{
    (void)state;
    write_tiles(64, "t/t.npy", "32");
    write_reader(64, "file: t/t_x*.npy");
    run("lock in.yaml", 0);
    run("verify in.yaml", 0);
    run("run in.yaml -o .", 0);
    run("run in.yaml -o . --explain", 0);
    command_expect_words(result.out, "hit");
    /* Two tiles change places: the bytes stay, their names do not. */
    assert_int_equal(rename("t/t_x0_y0.npy", "t/other"), 0);
    assert_int_equal(rename("t/t_x1_y0.npy", "t/t_x0_y0.npy"), 0);
    assert_int_equal(rename("t/other", "t/t_x1_y0.npy"), 0);
    run("run in.yaml -o . --explain", 0);
    command_expect_words(result.out, "computed: file");
    run("verify in.yaml", 1);
}

/* ---- the sandbox ---- */

static void tiles_stay_in_the_folder(void **state)
{
    (void)state;
    write_tiles(64, "t/t.npy", "32");
    assert_int_equal(mkdir("inner", 0777), 0);
    write_text("inner/in.yaml", "thalweg: 1\nsize: 64\nnodes:\n"
                                "  dem: {type: source.heightmap, file: ../t/t_x*.npy}\n"
                                "outputs: {h: dem}\nexport: {h.npy: h}\n");
    run("check inner/in.yaml", 3);
    command_expect_words(result.err, "../t/t_x*.npy lies outside the recipe's folder");
    run("check inner/in.yaml --allow-path t", 0);
    assert_int_equal(symlink("../t", "inner/link"), 0);
    write_text("inner/in.yaml", "thalweg: 1\nsize: 64\nnodes:\n"
                                "  dem: {type: source.heightmap, file: link/t_x*.npy}\n"
                                "outputs: {h: dem}\nexport: {h.npy: h}\n");
    run("check inner/in.yaml", 3);
    command_expect_words(result.err, "lies outside the recipe's folder");
    write_reader(64, "file: t/t_x*.npy");
    run("run in.yaml -o . --untrusted", 0);
    write_text("picture.yaml",
               "thalweg: 1\nsize: 64\nnodes:\n"
               "  dem: {type: source.image, file: t/t_x*.npy}\noutputs: {h: dem}\n");
    run("check picture.yaml", 3);
    command_expect_words(result.err, "tiles are for source.heightmap");
}

/* ---- gaps, and a world ---- */

static void a_world_from_tiles(void **state)
{
    (void)state;
    write_text("a.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2\n3 40\n");
    write_text("b.asc", "ncols 2\nnrows 2\nxllcorner 20\nyllcorner 0\ncellsize 10\n5 6\n7 8\n");
    write_text("c.asc", "ncols 2\nnrows 2\nxllcorner 20\nyllcorner 20\ncellsize 10\n5 6\n7 8\n");
    write_text("w.yaml", "thalweg: 1\nworld: {from: dem}\nnodes:\n"
                         "  dem: {type: source.heightmap, file: '*.asc'}\noutputs: {h: dem}\n"
                         "export: {h.tif: {from: h, metres: true}}\n");
    run("run w.yaml -o .", 0);
    command_expect_words(result.err, "*.asc has no height for 4 cells of the map, which get the "
                                     "least, 0.025; nothing reads the output gaps");
    run("inspect h.tif", 0);
    command_expect_words(result.out, "4 x 4");
    command_expect_words(result.out, "40");
    run("check w.yaml --size 2", 3);
    command_expect_words(result.err, "*.asc is 4 x 4 cells of 10 x 10 m, the recipe 2 x 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(exported_tiles_come_back, command_set_up,
                                        command_tear_down),
        cmocka_unit_test_setup_teardown(every_tile_is_an_input, command_set_up, command_tear_down),
        cmocka_unit_test_setup_teardown(locks_and_caches_know_every_tile, command_set_up,
                                        command_tear_down),
        cmocka_unit_test_setup_teardown(tiles_stay_in_the_folder, command_set_up,
                                        command_tear_down),
        cmocka_unit_test_setup_teardown(a_world_from_tiles, command_set_up, command_tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
