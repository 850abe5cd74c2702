/* SPDX-License-Identifier: MIT */
/* Every node that reads a map, from every format, with every fit and files as large as the map,
 * smaller, larger and of another shape: in bands of rows the run gives the bytes of the whole run,
 * or it is refused. */
#include "support/command.h"
#include "support/recipe.h"
#include "support/sanitized.h"

#include "base/os/file.h"
#include "format/format.h"
#include "runner/runner.h"

#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 50, HEIGHT = 41 }; /* of the files */

struct size {
    int32_t width, height;
};
static const struct size sizes[] = {{WIDTH, HEIGHT}, {30, HEIGHT}, {WIDTH, 20}, {31, 17},
                                    {64, 80},        {20, 60},     {90, 30},    {HEIGHT, WIDTH}};
static const char *const fits[] = {"none", "bilinear", "crop", "lanczos"};
static const int32_t bands[] = {1, 3, 24};

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Of a text that loads. */
static enum tw_status run_into(const char *text, const char *folder, int32_t rows,
                               struct tw_error *error)
{
    struct tw_recipe *recipe = recipe_of(text);
    struct tw_run_summary report = {0};
    const struct tw_run_options options = {.threads = 2};
    const struct tw_run_request request = {
        .options = &options, .export_folder = folder, .bands = rows, .report = &report};
    const enum tw_status status = tw_run_execute(recipe, &request, NULL, error);
    if (report.used_bytes > report.peak_bytes)
        fail_msg("more memory than was forecast:\n%s", text);
    tw_run_summary_release(&report);
    tw_recipe_release(recipe);
    return status;
}

static struct tw_bytes read_file(const char *path)
{
    struct tw_bytes bytes = {0};
    assert_int_equal(tw_file_read(path, 1 << 24, &bytes.at, &bytes.length, NULL), TW_OK);
    return bytes;
}

static bool is_read(const struct tw_format *format)
{
    return !format->lacks && format->encode && (format->types & TW_TYPE_BIT(TW_HEIGHTMAP)) &&
           (format->decode || format->read_rows);
}

/* A file of heights in every format that can be written and read, and a picture. */
static void write_files(void)
{
    struct tw_error error;
    char text[300];
    for (const struct tw_format *const *format = tw_formats; *format; format++) {
        snprintf(text, sizeof text,
                 "thalweg: 1\nsize: [%d, %d]\nnodes:\n  n: {type: noise.perlin}\n"
                 "export:\n  in%s: {from: n%s}\n",
                 WIDTH, HEIGHT, (*format)->ending, (*format)->ranged ? ", clip: true" : "");
        if (is_read(*format) && run_into(text, ".", 0, &error) != TW_OK)
            fail_msg("%s: %s", (*format)->ending, error.message);
    }
    snprintf(text, sizeof text,
             "thalweg: 1\nsize: [%d, %d]\nnodes:\n  n: {type: noise.perlin}\n"
             "  c: {type: render.normals, in: n}\nexport: {colour.png: c}\n",
             WIDTH, HEIGHT);
    assert_int_equal(run_into(text, ".", 0, &error), TW_OK);
}

/* One that cannot be loaded reads what it cannot: another size, colour as heights. */
static bool is_loaded(const char *text)
{
    struct tw_recipe *recipe = NULL;
    const bool loaded =
        tw_recipe_parse(text, strlen(text), "test.yaml", NULL, &recipe, NULL) == TW_OK;
    tw_recipe_release(recipe);
    return loaded;
}

/* Of the same text; true when the run went in bands. */
static bool expect_same(const char *text, int32_t rows, const struct tw_bytes *whole)
{
    struct tw_error error;
    const enum tw_status status = run_into(text, "bands", rows, &error);
    if (status == TW_LIMIT || status == TW_INPUT) {
        if (!strstr(error.message, "reads"))
            fail_msg("%s\n%s", error.message, text);
        return false;
    }
    if (status != TW_OK)
        fail_msg("in bands: %s\n%s", error.message, text);
    struct tw_bytes part = read_file("bands/f.npy");
    if (part.length != whole->length || memcmp(part.at, whole->at, part.length) != 0)
        fail_msg("in bands of %d rows f.npy differs:\n%s", (int)rows, text);
    free(part.at);
    return true;
}

/* How many runs went in bands. */
static int check_recipe(const char *node, const char *file, const char *fit, struct size size)
{
    char text[400];
    struct tw_error error;
    int count = 0;
    snprintf(text, sizeof text,
             "thalweg: 1\nsize: [%d, %d]\nborders: closed\nnodes:\n"
             "  f: {type: %s, file: %s, fit: %s}\nexport: {f.npy: f}\n",
             (int)size.width, (int)size.height, node, file, fit);
    if (!is_loaded(text))
        return 0;
    if (run_into(text, "whole", 0, &error) != TW_OK)
        fail_msg("whole: %s\n%s", error.message, text);
    struct tw_bytes whole = read_file("whole/f.npy");
    for (size_t b = 0; b < COUNT(bands); b++)
        count += expect_same(text, bands[b], &whole);
    free(whole.at);
    return count;
}

static int check_file(const char *node, const char *file)
{
    const int sizes_here = RACES_ONLY ? 1 : COUNT(sizes);
    int count = 0;
    for (size_t f = 0; f < COUNT(fits); f++)
        for (int s = 0; s < sizes_here; s++)
            count += check_recipe(node, file, fits[f], sizes[s]);
    return count;
}

/* A file that is read by rows and as large as the map goes in bands with every fit. */
static void bands_are_the_whole_run(void **state)
{
    const int all = COUNT(fits) * COUNT(bands);
    char file[40];
    (void)state;
    write_files();
    for (const struct tw_format *const *format = tw_formats; *format; format++) {
        if (!is_read(*format))
            continue;
        snprintf(file, sizeof file, "in%s", (*format)->ending);
        const bool streams = (*format)->read_rows && strcmp((*format)->ending, ".bmp") != 0;
        assert_int_equal(check_file("source.heightmap", file), streams ? all : 0);
        assert_int_equal(check_file("source.image", file), streams ? all : 0);
        assert_int_equal(check_file("source.picture", file), 0);
    }
    assert_int_equal(check_file("source.heightmap", "colour.png"), 0);
    assert_int_equal(check_file("source.image", "colour.png"), all);
    assert_int_equal(check_file("source.picture", "colour.png"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bands_are_the_whole_run)};
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
