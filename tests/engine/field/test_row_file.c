/* SPDX-License-Identifier: MIT */
/* Files written by rows have the bytes of files written whole, and the same digest of what a reader
 * gets, however the rows come. */
#include "support/harness.h"

#include "field/row_file.h"
#include "node/param.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 33, HEIGHT = 21, OPTIONS_BYTES = 64 };

static enum tw_status append(void *context, const void *at, size_t length, struct tw_error *err)
{
    return tw_bytes_append(context, at, length, err);
}

static struct tw_value map_of(enum tw_type type)
{
    struct tw_value map = {.type = type};
    assert_int_equal(tw_field_alloc(&map, type, WIDTH, HEIGHT, NULL), TW_OK);
    struct tw_value terrain = harness_terrain(WIDTH, HEIGHT, 3);
    unsigned char *bytes = map.data;
    for (size_t i = 0; i < tw_value_count(&map) * tw_type_size(type); i++)
        bytes[i] = (unsigned char)(i * 37);
    if (type == TW_HEIGHTMAP || type == TW_MASK)
        memcpy(map.data, terrain.data, tw_value_count(&map) * sizeof(float));
    free(terrain.data);
    return map;
}

static struct tw_encoding encoding_of(const struct tw_value *const *value, const void *options)
{
    static const struct tw_world world = {.side_m = 4096, .height_m = 600};
    return (struct tw_encoding){.values = value,
                                .count = 1,
                                .range = {0, 1, false, true},
                                .options = options,
                                .world = &world};
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
    assert_int_equal(tw_row_file_begin(&file, format, &rows, (struct tw_row_target){append, &bytes},
                                       digested, NULL),
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
    } rows[] = {{".npy", TW_HEIGHTMAP, true}, {".npy", TW_MASK, true},
                {".npy", TW_IMAGE, false},    {".npy", TW_LABELS, false},
                {".npy", TW_VECTORS, false},  {".r16", TW_MASK, true},
                {".raw", TW_HEIGHTMAP, true}, {".r32", TW_HEIGHTMAP, true}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct tw_format *format = tw_format_find(rows[i].ending, rows[i].type, false);
        static const unsigned char options[OPTIONS_BYTES];
        struct tw_value map = map_of(rows[i].type);
        assert_non_null(format);
        for (int32_t step = 1; step <= HEIGHT; step += 4)
            write_rows(format, &map, step, options, rows[i].digested);
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
    tw_row_file_list(known, sizeof known);
    assert_non_null(strstr(known, ".npy"));
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
                                       cmocka_unit_test(only_some_formats_go_by_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
