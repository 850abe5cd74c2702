/* SPDX-License-Identifier: MIT */
/* Rows of formats: chosen by ending and type, recognised by content, complete. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/little_endian.h"

#include "format/format.h"
#include "node/param.h"

#include <stdlib.h>
#include <string.h>

static void every_row_is_complete(void **state)
{
    (void)state;
    for (const struct tw_format *const *row = tw_formats; *row; row++) {
        const struct tw_format *f = *row;
        assert_true(f->ending[0] == '.' && f->ending[1] != 0 && f->help[0] != 0);
        assert_true(f->lacks || f->encode || f->decode || f->read_rows);
        assert_int_equal(f->lacks || f->encode, (f->types | f->several) != 0);
        assert_true((f->options == NULL) == (f->options_size == 0));
        assert_true(!f->magic || ((f->lacks || f->decode) && f->magic_length > 0));
    }
}

static void a_format_is_chosen_by_ending_and_type(void **state)
{
    char list[100];
    (void)state;
    assert_string_equal(tw_format_ending("a/b.c.png"), ".png");
    assert_string_equal(tw_format_ending("png"), "");
    assert_non_null(tw_format_find(".png", TW_IMAGE, false));
    assert_null(tw_format_find(".png", TW_VECTORS, false));
    assert_non_null(tw_format_find(".png", TW_MASK, true));
    assert_null(tw_format_find(".png", TW_HEIGHTMAP, true));
    assert_non_null(tw_format_find(".json", TW_RECORD, true));
    assert_null(tw_format_find(".jpg", TW_TYPE_COUNT, false));
    tw_format_list(TW_VECTORS, false, list, sizeof list);
    assert_string_equal(list, ".npy");
    tw_format_list(TW_PLACEMENTS, false, list, sizeof list);
    assert_string_equal(list, ".json or .csv");
    tw_format_list(TW_POLYMAP, false, list, sizeof list);
    assert_string_equal(list, "");
    tw_format_list_read(list, sizeof list);
    assert_string_equal(list, ".png, .npy, .exr, .tif, .tiff, .r16, .raw, .r32, .bmp, .asc, .hgt, "
                              ".bil, .flt or .dem");
}

/* A type whose elements are tables or cells of one kind goes into some file without more ado. */
static void every_type_but_a_packed_one_can_be_written(void **state)
{
    (void)state;
    for (int type = 0; type < TW_TYPE_COUNT; type++) {
        enum tw_shape shape = tw_type((enum tw_type)type)->shape;
        const struct tw_format *row =
            tw_format_find(shape == TW_GRID ? ".npy" : ".csv", (enum tw_type)type, false);
        assert_int_equal(row != NULL, shape != TW_PACKED);
    }
}

static enum tw_status encode(const struct tw_format *format, const struct tw_value *value,
                             struct tw_bytes *out, struct tw_error *err)
{
    struct tw_encoding encoding = {.values = &value, .count = 1, .range = {.high = 1}};
    void *options = calloc(1, format->options_size + 1);
    assert_non_null(options);
    tw_param_defaults(format->options, options);
    encoding.options = options;
    enum tw_status status = tw_format_encode(format, encoding, out, err);
    free(options);
    return status;
}

static enum tw_status write_value(const char *ending, const struct tw_value *value,
                                  struct tw_bytes *out)
{
    const struct tw_format *format = tw_format_find(ending, value->type, false);
    assert_non_null(format);
    return encode(format, value, out, NULL);
}

/* Large files take seconds, so every format has to notice. */
static void every_format_stops(void **state)
{
    atomic_bool stop = true;
    (void)state;
    for (const struct tw_format *const *row = tw_formats; *row; row++) {
        const unsigned types = (*row)->encode ? (*row)->types : 0;
        const enum tw_type type = types ? (enum tw_type)__builtin_ctz(types) : TW_TYPE_COUNT;
        struct tw_bytes out = {.stop = &stop};
        struct tw_value value;
        struct tw_error error = {.status = TW_OK};
        if (types == 0)
            continue;
        assert_int_equal(
            tw_field_alloc(&value, type, 4, tw_type(type)->shape == TW_GRID ? 4 : 1, NULL), TW_OK);
        memset(value.data, 0, tw_value_count(&value) * tw_type_size(type));
        assert_int_equal(encode(*row, &value, &out, &error), TW_CANCELLED);
        assert_string_equal(error.message, "stopped");
        free(out.at);
        tw_field_clear(&value);
    }
}

static void expect_text(const char *ending, const struct tw_value *value, const char *expected)
{
    struct tw_bytes out = {0};
    assert_int_equal(write_value(ending, value, &out), TW_OK);
    assert_int_equal(tw_bytes_append(&out, "", 1, NULL), TW_OK);
    assert_string_equal((const char *)out.at, expected);
    free(out.at);
}

static void lists_have_a_column_per_member(void **state)
{
    struct tw_placement things[2] = {{0.1f, 0.5f, 0.25f, 359, 5}, {1, 0, 1e-8f, 0, -1}};
    struct tw_section pairs[1] = {{2, 0.5f}};
    struct tw_entry entries[2] = {{"mean", 0.1}, {"max", 3}};
    struct tw_value list = {TW_PLACEMENTS, 2, 1, things}, profile = {TW_PROFILE, 1, 1, pairs};
    struct tw_value record = {TW_RECORD, 2, 1, entries}, none = {TW_PLACEMENTS, 0, 1, things};
    (void)state;
    expect_text(".csv", &list,
                "x,y,size,rotation,kind\n0.100000001,0.5,0.25,359,5\n1,0,9.99999994e-09,0,-1\n");
    expect_text(".csv", &none, "x,y,size,rotation,kind\n");
    expect_text(".csv", &profile, "x,p\n2,0.5\n");
    expect_text(".csv", &record, "mean,max\n0.10000000000000001,3\n");
    expect_text(".json", &profile, "[\n  {\n    \"x\": 2.0,\n    \"p\": 0.5\n  }\n]\n");
    expect_text(".json", &none, "[]\n");
}

/* Vectors have a third axis, so any program reads which number is which. */
static void vectors_go_into_npy(void **state)
{
    struct tw_vector cells[6] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}, {11, 12}};
    struct tw_value value = {TW_VECTORS, 3, 2, cells};
    struct tw_bytes out = {0};
    (void)state;
    assert_int_equal(write_value(".npy", &value, &out), TW_OK);
    assert_int_equal(out.length, 128 + sizeof cells);
    to_little_endian(out.at + 128, 12, sizeof(float));
    assert_memory_equal(out.at + 128, cells, sizeof cells);
    out.at[127] = 0;
    assert_non_null(strstr((char *)out.at + 10, "'<f4'"));
    assert_non_null(strstr((char *)out.at + 10, "(2, 3, 2)"));
    free(out.at);
}

static enum tw_status refuse(const unsigned char *data, size_t length, struct tw_value *out,
                             struct tw_error *err)
{
    (void)data, (void)length, (void)out;
    return tw_error_set(err, TW_INPUT, "refused");
}

static void files_are_known_by_content_or_by_ending(void **state)
{
    static const struct tw_format first = {
        .ending = ".one", .magic = "A\0B", .magic_length = 3, .decode = refuse};
    static const struct tw_format raw = {.ending = ".raw", .decode = refuse};
    static const struct tw_format only_written = {.ending = ".raw"};
    static const struct tw_format *const formats[] = {&only_written, &first, &raw, NULL};
    static const unsigned char data[] = {'A', 0, 'B', 'C'};
    struct tw_value out;
    struct tw_error error;
    (void)state;
    tw_format_forbid_gdal();
    assert_ptr_equal(tw_format_recognise(formats, data, 4, "x.raw"), &first);
    assert_ptr_equal(tw_format_recognise(formats, data, 2, "x.raw"), &raw);
    assert_ptr_equal(tw_format_recognise(formats, data + 1, 3, "x.raw"), &raw);
    assert_null(tw_format_recognise(formats, data + 1, 3, "x.one"));
    assert_int_equal(tw_format_decode(data, 4, "x.raw", &out, &error), TW_INPUT);
    assert_string_equal(error.message, "x.raw has no header: its size is not known here");
    assert_int_equal(tw_format_decode(data, 4, "x.dat", &out, &error), TW_INPUT);
    assert_string_equal(error.message, "x.dat is of an unknown format; expected .png, .npy, .exr, "
                                       ".tif, .tiff, .r16, .raw, .r32, .bmp, .asc, .hgt, .bil, "
                                       ".flt or .dem");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_complete),
        cmocka_unit_test(a_format_is_chosen_by_ending_and_type),
        cmocka_unit_test(every_type_but_a_packed_one_can_be_written),
        cmocka_unit_test(every_format_stops),
        cmocka_unit_test(lists_have_a_column_per_member),
        cmocka_unit_test(vectors_go_into_npy),
        cmocka_unit_test(files_are_known_by_content_or_by_ending),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
