/* SPDX-License-Identifier: MIT */
/* What reading a node's file takes: pages of the process when it is read by rows, the plan and the
 * limit when it is decoded whole, and what happens when it is another file by then. */
#define _DEFAULT_SOURCE /* wait4 */
#include "support/command.h"
#include "support/picture.h"
#include "support/recipe.h"
#include "support/sanitized.h"

#include "runner/runner.h"

#include <sys/resource.h>
#include <sys/wait.h>

/* 64 MiB of floats, 48 MiB of colours; sanitizers, which do not measure memory, get less of them.
 */
enum { LARGE = SANITIZED ? 1024 : 4096 };

static void write_map(const char *name, int32_t side)
{
    struct tw_value map = {0};
    assert_int_equal(tw_field_alloc(&map, TW_HEIGHTMAP, side, side, NULL), TW_OK);
    for (size_t i = 0; i < tw_value_count(&map); i++)
        tw_floats(&map)[i] = (float)(i % 251) / 250;
    picture_write(name, &map, 16);
    tw_field_clear(&map);
}

/* As .npy of floats and as .bmp. */
static void write_others(int32_t side)
{
    const struct tw_export_range range = {.low = 0, .high = 1, .bits = 8};
    struct tw_value map = {0};
    assert_int_equal(tw_field_alloc(&map, TW_HEIGHTMAP, side, side, NULL), TW_OK);
    memset(map.data, 0, tw_value_count(&map) * sizeof(float));
    for (int i = 0; i < 2; i++) {
        struct tw_bytes bytes = {0};
        assert_int_equal(i ? tw_npy_encode(&map, &bytes, NULL)
                           : tw_bmp_encode(&map, &range, &bytes, NULL),
                         TW_OK);
        command_write(i ? "large.npy" : "large.bmp", bytes.at, bytes.length);
        free(bytes.at);
    }
    tw_field_clear(&map);
}

static void write_colours(const char *name, int32_t side)
{
    struct tw_value map = {0};
    assert_int_equal(tw_field_alloc(&map, TW_IMAGE, side, side, NULL), TW_OK);
    memset(map.data, 0, tw_value_count(&map) * 3);
    tw_pixels(&map)[0] = 255;
    picture_write(name, &map, 8);
    tw_field_clear(&map);
}

/* Bytes that were resident at most; the run must succeed. */
static int64_t resident(const char *arguments)
{
    int process = command_start(arguments), status = 0;
    struct rusage usage;
    assert_int_equal(wait4(process, &status, 0, &usage), process);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return 1024 * (int64_t)usage.ru_maxrss;
}

#define SMALL_MAP "thalweg: 1\nsize: 32\nnodes:\n"
static const char by_rows[] = SMALL_MAP "  a: {type: source.heightmap, file: large.png, "
                                        "fit: bilinear}\n"
                                        "  b: {type: source.image, file: colours.png, fit: crop}\n"
                                        "  c: {type: source.heightmap, file: large.npy, "
                                        "fit: bilinear}\n"
                                        "  d: {type: source.heightmap, file: large.bmp, "
                                        "fit: bilinear}\n"
                                        "export: {a.npy: a, b.npy: b, c.npy: c, d.npy: d}\n";
static const char plain[] = SMALL_MAP "  a: {type: source.constant}\n"
                                      "  b: {type: source.constant}\n"
                                      "  c: {type: source.constant}\n"
                                      "  d: {type: source.constant}\n"
                                      "export: {a.npy: a, b.npy: b, c.npy: c, d.npy: d}\n";

static void a_large_file_takes_a_few_rows(void **state)
{
    (void)state;
    if (SANITIZED)
        skip(); /* their shadow memory counts, too */
    command_write("rows.yaml", by_rows, sizeof by_rows - 1);
    command_write("plain.yaml", plain, sizeof plain - 1);
    int64_t with = resident("run rows.yaml -q --max-memory 1M --no-cache -j 2");
    int64_t without = resident("run plain.yaml -q --no-cache -j 2");
    if (with > without + (4 << 20))
        fail_msg("%lld KiB with files, %lld without", (long long)with / 1024,
                 (long long)without / 1024);
}

/* The forecast of a file that a node needs whole is its value; of one that is decoded from memory,
 * its bytes as well. */
static void whole_files_are_planned_and_counted(void **state)
{
    static const char text[] = SMALL_MAP "  s: {type: feature.strokes, file: colours.png}\n"
                                         "outputs: {s: s}\n";
    static const char npy[] = SMALL_MAP "  a: {type: source.heightmap, file: columns.npy, "
                                        "fit: crop}\n"
                                        "outputs: {a: a}\n";
    const uint64_t colours = (uint64_t)3 * LARGE * LARGE, floats = (uint64_t)4 * 512 * 512;
    struct tw_value map = {0};
    (void)state;
    assert_int_equal(tw_field_alloc(&map, TW_HEIGHTMAP, 512, 512, NULL), TW_OK);
    memset(map.data, 0, floats);
    struct tw_bytes bytes = picture_columns(&map);
    command_write("columns.npy", bytes.at, bytes.length);
    const struct {
        const char *text;
        uint64_t bytes;
    } cases[] = {{text, colours}, {npy, floats + bytes.length}};
    for (int i = 0; i < 2; i++) {
        struct tw_recipe *recipe = recipe_of(cases[i].text);
        struct tw_run_summary report = {0};
        struct tw_result *result = NULL;
        const struct tw_run_request request = {.report = &report};
        assert_int_equal(tw_run_execute(recipe, &request, &result, NULL), TW_OK);
        assert_int_equal(report.nodes[0].forecast.scratch, cases[i].bytes);
        assert_int_equal(report.nodes[0].scratch_bytes, cases[i].bytes);
        assert_true(report.used_bytes >= cases[i].bytes);
        tw_run_summary_release(&report);
        tw_result_release(result);
        tw_recipe_release(recipe);
    }
    free(bytes.at);
    tw_field_clear(&map);
}

/* Read by rows, but the tiles beside each other are in memory together. */
static void the_tiles_of_a_tif_are_planned_and_counted(void **state)
{
    enum { SIDE = 512, TILES = SIDE * 256 * 4 };
    (void)state;
    if (tw_format_find(".tif", TW_HEIGHTMAP, false)->lacks)
        skip();
    struct tw_recipe *recipe =
        recipe_of("thalweg: 1\nsize: 512\nnodes:\n  n: {type: noise.perlin}\n"
                  "export: {tiles.tif: {from: n, tiled: true}}\n");
    const struct tw_run_options options = {.threads = 2, .max_memory = (4 << 20)};
    struct tw_run_request request = {.options = &options, .export_folder = "."};
    assert_int_equal(tw_run_execute(recipe, &request, NULL, NULL), TW_OK);
    tw_recipe_release(recipe);
    for (int bands = 0; bands < 2; bands++) {
        struct tw_run_summary report = {0};
        recipe = recipe_of("thalweg: 1\nsize: 512\nborders: closed\nnodes:\n"
                           "  a: {type: source.heightmap, file: tiles.tif}\n"
                           "export: {again.r32: a}\n");
        request.report = &report;
        request.bands = bands ? 16 : 0;
        assert_int_equal(tw_run_execute(recipe, &request, NULL, NULL), TW_OK);
        assert_in_range(report.nodes[0].forecast.scratch, TILES, TILES + 8192); /* and rows */
        assert_true(report.used_bytes >= TILES);
        assert_true(report.peak_bytes >= report.used_bytes);
        tw_run_summary_release(&report);
        tw_recipe_release(recipe);
    }
}

static struct tw_error run_fails(struct tw_recipe *recipe, uint64_t limit, enum tw_status status)
{
    struct tw_error error = {.status = TW_OK};
    struct tw_result *result = NULL;
    const struct tw_run_options options = {.threads = 2, .max_memory = limit};
    assert_int_equal(tw_recipe_run(recipe, &options, &result, &error), status);
    assert_null(result);
    tw_recipe_release(recipe);
    return error;
}

static void a_file_beyond_the_limit_is_refused_before_it_is_read(void **state)
{
    (void)state;
    struct tw_error error = run_fails(
        recipe_of(SMALL_MAP "  s: {type: feature.strokes, file: colours.png}\noutputs: {s: s}\n"),
        1 << 20, TW_LIMIT);
    assert_non_null(strstr(error.message, "MiB of scratch; expected at most 1 MiB"));
    assert_int_equal(error.line, 4);
}

/* Small when it was planned, large when it is read. */
static void a_file_that_grew_is_refused_when_it_is_read(void **state)
{
    static const char *const names[] = {"grown.png", "grown.npy"};
    static const char *const nodes[] = {"type: feature.strokes, file: grown.png",
                                        "type: source.heightmap, file: grown.npy, fit: crop"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct tw_bytes bytes = {0};
        struct tw_value map = {0};
        char text[300];
        enum tw_type type = i ? TW_HEIGHTMAP : TW_IMAGE;
        snprintf(text, sizeof text, SMALL_MAP "  s: {%s}\noutputs: {s: s}\n", nodes[i]);
        struct tw_recipe *recipe = NULL;
        for (int32_t side = 64; side <= 2048; side *= 32) {
            assert_int_equal(tw_field_alloc(&map, type, side, side, NULL), TW_OK);
            memset(map.data, 0, tw_value_count(&map) * tw_type_size(type));
            bytes = i ? picture_columns(&map) : (struct tw_bytes){0};
            if (i == 0)
                assert_int_equal(tw_png_encode(&map, NULL, &bytes, NULL), TW_OK);
            command_write(names[i], bytes.at, bytes.length);
            free(bytes.at);
            tw_field_clear(&map);
            recipe = recipe ? recipe : recipe_of(text);
        }
        struct tw_error error = run_fails(recipe, 1 << 20, TW_LIMIT);
        if (!strstr(error.message, "reading grown."))
            fail_msg("%s", error.message);
    }
}

static void a_file_that_shrank_is_no_longer_taken(void **state)
{
    (void)state;
    write_map("shrunk.png", 32);
    struct tw_recipe *recipe =
        recipe_of(SMALL_MAP "  a: {type: source.heightmap, file: shrunk.png}\noutputs: {a: a}\n");
    write_map("shrunk.png", 16);
    struct tw_error error = run_fails(recipe, 0, TW_INPUT);
    assert_non_null(strstr(error.message, "shrunk.png is 16 x 16 cells, the recipe 32 x 32"));
}

static int prepare(void **state)
{
    (void)state;
    command_enter();
    write_map("large.png", LARGE);
    write_colours("colours.png", LARGE);
    write_others(LARGE);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_large_file_takes_a_few_rows),
        cmocka_unit_test(whole_files_are_planned_and_counted),
        cmocka_unit_test(the_tiles_of_a_tif_are_planned_and_counted),
        cmocka_unit_test(a_file_beyond_the_limit_is_refused_before_it_is_read),
        cmocka_unit_test(a_file_that_grew_is_refused_when_it_is_read),
        cmocka_unit_test(a_file_that_shrank_is_no_longer_taken),
    };
    return cmocka_run_group_tests(tests, prepare, command_tear_down);
}
