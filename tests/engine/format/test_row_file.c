/* SPDX-License-Identifier: MIT */
/* Files written by rows have the bytes of files written whole, and the same digest of what a reader
 * gets, however the rows come. */
#include "support/harness.h"

#include "format/row_file.h"
#include "node/param.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 33, HEIGHT = 21, TALL = 540, OPTIONS_BYTES = 64 };

static enum tw_status append(void *context, const void *at, size_t length, struct tw_error *err)
{
    return tw_bytes_append(context, at, length, err);
}

static enum tw_status patch(void *context, uint64_t offset, const void *at, size_t length,
                            struct tw_error *err)
{
    struct tw_bytes *bytes = context;
    assert_true(offset + length <= bytes->length);
    return tw_bytes_write_at(bytes, (size_t)offset, at, length, err);
}

static struct tw_value map_of(enum tw_type type, int32_t width, int32_t height)
{
    struct tw_value map = {.type = type};
    assert_int_equal(tw_field_alloc(&map, type, width, height, NULL), TW_OK);
    unsigned char *bytes = map.data;
    for (size_t i = 0; i < tw_value_count(&map) * tw_type_size(type); i++)
        bytes[i] = (unsigned char)(i * 37);
    if (type == TW_HEIGHTMAP || type == TW_MASK)
        for (size_t i = 0; i < tw_value_count(&map); i++)
            tw_floats(&map)[i] = (float)(i % 1021) / 1021;
    return map;
}

static struct tw_encoding encoding_of(const struct tw_value *const *value, const void *options)
{
    static const struct tw_provenance provenance = {"rows.yaml", 7};
    static const struct tw_world world = {.side_m = 4096, .height_m = 600};
    return (struct tw_encoding){.values = value,
                                .count = 1,
                                .range = {0, 1, false, true},
                                .options = options,
                                .world = &world,
                                .provenance = &provenance};
}

/* `step` rows at a time. */
static void write_rows(const struct tw_format *format, const struct tw_value *map, int32_t step,
                       const void *options, bool digested)
{
    const struct tw_value head = {map->type, map->width, map->height, NULL};
    const struct tw_value *without = &head;
    const struct tw_encoding rows = encoding_of(&without, options);
    const struct tw_encoding whole = encoding_of(&map, options);
    const size_t row = (size_t)map->width * tw_type_size(map->type);
    struct tw_bytes expected = {0}, bytes = {0};
    struct tw_row_file file = {0};
    struct tw_sha256 content, digest;
    assert_null(tw_row_file_lacks(format, &rows));
    assert_int_equal(tw_row_file_begin(&file, format, &rows,
                                       (struct tw_byte_target){append, patch, &bytes}, digested,
                                       NULL),
                     TW_OK);
    for (int32_t y = 0; y < map->height; y += step) {
        const struct tw_value part = {map->type, map->width,
                                      map->height - y < step ? map->height - y : step,
                                      (unsigned char *)map->data + (size_t)y * row};
        assert_int_equal(tw_row_file_add(&file, &part, NULL), TW_OK);
    }
    assert_int_equal(tw_row_file_end(&file, &content, NULL), TW_OK);
    tw_row_file_release(&file);
    assert_int_equal(tw_format_encode(format, whole, &expected, NULL), TW_OK);
    assert_int_equal(bytes.length, expected.length);
    assert_memory_equal(bytes.at, expected.at, bytes.length);
    if (digested) {
        assert_int_equal(tw_format_sha256(format, &whole, &digest, NULL), TW_OK);
        assert_memory_equal(&content, &digest, sizeof digest);
    }
    free(bytes.at);
    free(expected.at);
}

static void bytes_are_those_of_whole_files(void **state)
{
    static const struct {
        const char *ending;
        enum tw_type type;
        bool digested;
    } rows[] = {
        {".npy", TW_HEIGHTMAP, true}, {".npy", TW_MASK, true},      {".npy", TW_IMAGE, false},
        {".npy", TW_LABELS, false},   {".npy", TW_VECTORS, false},  {".r16", TW_MASK, true},
        {".raw", TW_HEIGHTMAP, true}, {".r32", TW_HEIGHTMAP, true}, {".png", TW_MASK, true},
        {".png", TW_IMAGE, true},     {".tif", TW_HEIGHTMAP, true}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct tw_format *format = tw_format_find(rows[i].ending, rows[i].type, false);
        static const unsigned char options[OPTIONS_BYTES];
        assert_non_null(format);
        if (format->lacks)
            continue;
        struct tw_value map = map_of(rows[i].type, WIDTH, HEIGHT);
        for (int32_t step = 1; step <= HEIGHT; step += 4)
            write_rows(format, &map, step, options, rows[i].digested);
        tw_field_clear(&map);
    }
}

/* Several strips of a PNG, several waves of them in a wide one; strips of a TIFF, and rows of its
 * tiles. */
static void large_files_are_packed_alike(void **state)
{
    static const struct {
        const char *ending;
        enum tw_type type;
        int32_t width, height, step;
    } rows[] = {{".png", TW_MASK, 900, TALL, 1},     {".png", TW_MASK, 9000, 300, 70},
                {".png", TW_IMAGE, 6000, 240, 239},  {".tif", TW_MASK, 300, TALL, 1},
                {".tif", TW_HEIGHTMAP, 30000, 7, 3}, {".tif", TW_HEIGHTMAP, 9, TALL, 300}};
    static const unsigned char tiled[OPTIONS_BYTES] = {false, true}; /* after `metres` */
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct tw_format *format = tw_format_find(rows[i].ending, rows[i].type, false);
        static const unsigned char options[OPTIONS_BYTES];
        if (format->lacks)
            continue;
        struct tw_value map = map_of(rows[i].type, rows[i].width, rows[i].height);
        write_rows(format, &map, rows[i].step, options, true);
        if (strcmp(rows[i].ending, ".tif") == 0)
            write_rows(format, &map, rows[i].step, tiled, true);
        tw_field_clear(&map);
    }
}

static void only_some_formats_go_by_rows(void **state)
{
    static const unsigned char none[OPTIONS_BYTES];
    struct tw_value map = {TW_HEIGHTMAP, WIDTH, HEIGHT, NULL};
    const struct tw_value *value = &map;
    struct tw_encoding encoding = encoding_of(&value, none);
    char known[100];
    (void)state;
    tw_format_list_by_rows(known, sizeof known);
    assert_non_null(strstr(known, ".png, .npy"));
    assert_non_null(strstr(known, ", .raw or .r32"));
    assert_string_equal(tw_row_file_lacks(tw_format_find(".obj", TW_HEIGHTMAP, false), &encoding),
                        ".obj");
    encoding.range.fit = true;
    assert_string_equal(tw_row_file_lacks(tw_format_find(".r16", TW_HEIGHTMAP, false), &encoding),
                        "range: fit");
    encoding.count = 2;
    assert_string_equal(tw_row_file_lacks(tw_format_find(".r16", TW_HEIGHTMAP, false), &encoding),
                        "several values in one file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bytes_are_those_of_whole_files),
                                       cmocka_unit_test(large_files_are_packed_alike),
                                       cmocka_unit_test(only_some_formats_go_by_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
