/* SPDX-License-Identifier: MIT */
/* The .bmp codec against valid files and hostile ones. Inputs are copied into blocks of their exact
 * size, so that a sanitizer sees a read one byte past the end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "format/format.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = 54, PALETTE = 1024 };

static struct tw_value make_map(int32_t width, int32_t height)
{
    struct tw_value value = {0};
    assert_int_equal(tw_field_alloc(&value, TW_HEIGHTMAP, width, height, NULL), TW_OK);
    for (size_t i = 0; i < tw_value_count(&value); i++)
        tw_floats(&value)[i] = (float)(i * 37 % 256) / 255.0f;
    return value;
}

static struct tw_bytes make_file(int32_t width, int32_t height)
{
    struct tw_value map = make_map(width, height);
    struct tw_bytes file = {0};
    struct tw_export_range range = {.low = 0, .high = 1, .bits = 16};
    assert_int_equal(tw_bmp_encode(&map, &range, &file, NULL), TW_OK);
    tw_field_clear(&map);
    return file;
}

/* Decodes a copy of exactly `length` bytes. A failure must leave a message and no block. */
static enum tw_status decode(const unsigned char *data, size_t length, struct tw_value *out,
                             struct tw_error *err)
{
    unsigned char *copy = malloc(length ? length : 1);
    assert_non_null(copy);
    memcpy(copy, data, length);
    *out = (struct tw_value){0};
    *err = (struct tw_error){0};
    enum tw_status status = tw_format_decode(copy, length, "test file", out, err);
    free(copy);
    if (status != TW_OK) {
        assert_int_equal(err->status, status);
        assert_true(err->message[0] != '\0');
        assert_null(out->data);
    }
    return status;
}

static void expect_refused(const struct tw_bytes *file, const char *part)
{
    struct tw_value out;
    struct tw_error err;
    enum tw_status status = decode(file->at, file->length, &out, &err);
    tw_field_clear(&out);
    assert_true(status == TW_INPUT || status == TW_LIMIT);
    if (!strstr(err.message, part))
        fail_msg("message \"%s\" lacks \"%s\"", err.message, part);
}

static void put_u32(struct tw_bytes *file, size_t at, uint32_t number)
{
    for (size_t i = 0; i < 4; i++)
        file->at[at + i] = (unsigned char)(number >> (8 * i));
}

static void round_trip(void **state)
{
    static const int32_t sides[][2] = {{1, 1}, {2, 3}, {7, 3}, {64, 65}, {65, 65}, {3, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        struct tw_value map = make_map(sides[i][0], sides[i][1]), out;
        struct tw_bytes file = make_file(sides[i][0], sides[i][1]);
        struct tw_error err;
        assert_int_equal(decode(file.at, file.length, &out, &err), TW_OK);
        assert_int_equal(out.width, map.width);
        assert_int_equal(out.height, map.height);
        assert_memory_equal(out.data, map.data, tw_value_count(&map) * sizeof(float));
        tw_field_clear(&out);
        tw_field_clear(&map);
        free(file.at);
    }
}

/* The bytes that another program expects: sizes in the headers, rows from the south, padded. */
static void layout_of_the_file(void **state)
{
    struct tw_bytes file = make_file(5, 2);
    (void)state;
    assert_int_equal(file.length, HEAD + PALETTE + 2 * 8);
    assert_memory_equal(file.at,
                        "BM\x46\x04\0\0\0\0\0\0\x36\x04\0\0\x28\0\0\0\5\0\0\0\2\0\0\0\1\0\x8", 29);
    assert_int_equal(file.at[HEAD + 4 * 200], 200);
    assert_int_equal(file.at[HEAD + 4 * 200 + 3], 0);
    static const unsigned char pixels[] = {
        5 * 37, 6 * 37 % 256, 7 * 37 % 256, 8 * 37 % 256, 9 * 37 % 256, 0, 0, 0,
        0,      37,           74,           111,          148,          0, 0, 0};
    assert_memory_equal(file.at + HEAD + PALETTE, pixels, sizeof pixels);
    free(file.at);
}

/* floor(255 share + 0.5) */
static void rounds_half_up(void **state)
{
    struct tw_value map = make_map(4, 1);
    struct tw_bytes file = {0};
    struct tw_export_range range = {.low = 0, .high = 510, .bits = 8};
    const float heights[] = {0, 1, 509, 510};
    (void)state;
    memcpy(map.data, heights, sizeof heights);
    assert_int_equal(tw_bmp_encode(&map, &range, &file, NULL), TW_OK);
    assert_memory_equal(file.at + HEAD + PALETTE, "\x00\x01\xff\xff", 4);
    tw_field_clear(&map);
    free(file.at);
}

static void rows_from_the_north_too(void **state)
{
    struct tw_bytes file = make_file(4, 3);
    struct tw_value out;
    struct tw_error err;
    (void)state;
    put_u32(&file, 22, (uint32_t)-3);
    assert_int_equal(decode(file.at, file.length, &out, &err), TW_OK);
    assert_true(tw_floats(&out)[0] == (float)(8 * 37 % 256) / 255.0f);
    tw_field_clear(&out);
    free(file.at);
}

static void every_truncation_is_refused(void **state)
{
    struct tw_bytes file = make_file(5, 4);
    (void)state;
    for (size_t length = 0; length < file.length; length++)
        expect_refused(&(struct tw_bytes){.at = file.at, .length = length}, "");
    free(file.at);
}

/* Some flips leave a valid file, so only reads out of bounds and the error's shape are checked. */
static void every_flip_of_the_header_is_survived(void **state)
{
    struct tw_bytes file = make_file(5, 4);
    (void)state;
    for (size_t bit = 0; bit < 8 * HEAD; bit++) {
        struct tw_value out;
        struct tw_error err;
        file.at[bit / 8] ^= (unsigned char)(1u << bit % 8);
        (void)decode(file.at, file.length, &out, &err);
        tw_field_clear(&out);
        file.at[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    free(file.at);
}

/* A second header may be longer than ours, up to where the file ends. */
static void headers_end_within_the_file(void **state)
{
    struct tw_bytes file = make_file(5, 4);
    (void)state;
    for (uint32_t info = HEAD - 14; info <= 124; info++)
        for (uint32_t over = 0; over <= 1 && info + over <= 124; over++) {
            put_u32(&file, 14, info + over);
            expect_refused(&(struct tw_bytes){.at = file.at, .length = 14 + info},
                           over ? "damaged .bmp: a header of" : "damaged .bmp: the file ends");
        }
    free(file.at);
}

static void hostile_numbers_are_refused(void **state)
{
    static const struct {
        size_t at;
        uint32_t number;
        const char *part;
    } cases[] = {
        {18, 0, "pixels"},
        {18, 0xFFFFFFFF, "pixels"},
        {18, 65537, "pixels"},
        {22, 0, "pixels"},
        {22, 0x80000000, "pixels"},
        {22, 65537, "pixels"},
        {18, 65536, "ends too early"},
        {10, 0xFFFFFFFF, "ends too early"},
        {10, 1100, "ends too early"},
        {14, 12, "a .bmp of OS/2, with a header of 12 bytes, is not supported"},
        {14, 16, "a .bmp of OS/2, with a header of 16 bytes, is not supported"},
        {14, 13, "damaged .bmp: a header of 13 bytes"},
        {14, 0xFFFFFFFF, "header"},
        {10, 1077, "begin inside the palette"},
        {10, 0, "begin inside the palette"},
        {14, 125, "header"},
        {14, 1000, "header"},
        {46, 257, "palette"},
        {46, 0xFFFFFFFF, "palette"},
        {30, 1, "packing 1 (run lengths), is not supported"},
        {30, 3, "packing 3, is not supported"},
        {28, 16, "16 bits"},
        {28, 24, "ends too early"},
        {46, 3, "no colour"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tw_bytes file = make_file(5, 4);
        put_u32(&file, cases[i].at, cases[i].number);
        expect_refused(&file, cases[i].part);
        free(file.at);
    }
}

/* In a file of 5 x 4 pixels, rows from the south, of that many bits and packing. */
static void expect_pixels(unsigned bits, uint32_t packing, const unsigned char *more,
                          size_t more_length, const unsigned char *rows, size_t length,
                          const uint8_t *first)
{
    struct tw_bytes file = make_file(5, 4);
    struct tw_value out;
    struct tw_error err;
    file.length = HEAD;
    file.at[28] = (unsigned char)bits;
    put_u32(&file, 30, packing);
    put_u32(&file, 46, 0);
    put_u32(&file, 10, (uint32_t)(HEAD + more_length));
    assert_int_equal(tw_bytes_append(&file, more, more_length, NULL), TW_OK);
    assert_int_equal(tw_bytes_append(&file, rows, length, NULL), TW_OK);
    if (decode(file.at, file.length, &out, &err) != TW_OK)
        fail_msg("%u bits: %s", bits, err.message);
    assert_int_equal(out.type, TW_IMAGE);
    assert_memory_equal(out.data, first, 6);
    tw_field_clear(&out);
    expect_refused(&(struct tw_bytes){.at = file.at, .length = file.length - 1}, "ends too early");
    free(file.at);
}

static void colours_are_read(void **state)
{
    static const unsigned char masks[] = {0, 0, 255, 0, 0, 0, 0, 255, 255, 0, 0, 0};
    static unsigned char rows[4 * 20], palette[PALETTE];
    (void)state;
    memcpy(rows + 3 * 16, "\1\2\3\4\5\6", 6); /* the row in the north comes last */
    expect_pixels(24, 0, NULL, 0, rows, 64, (const uint8_t *)"\3\2\1\6\5\4");
    memset(rows, 0, sizeof rows);
    memcpy(rows + 3 * 20, "\1\2\3\xff\4\5\6\xff", 8);
    expect_pixels(32, 0, NULL, 0, rows, 80, (const uint8_t *)"\3\2\1\6\5\4");
    expect_pixels(32, 3, masks, sizeof masks, rows, 80, (const uint8_t *)"\3\xff\1\6\xff\4");
    memset(rows, 0, sizeof rows);
    memcpy(palette + 4 * 7, "\11\12\13", 3);
    rows[3 * 8] = 7;
    expect_pixels(8, 0, palette, PALETTE, rows, 32, (const uint8_t *)"\13\12\11\0\0\0");
}

static void other_masks_are_refused(void **state)
{
    struct tw_bytes file = make_file(5, 4);
    (void)state;
    file.at[28] = 32;
    put_u32(&file, 18, 1);
    put_u32(&file, 22, 1);
    put_u32(&file, 30, 3);
    put_u32(&file, 54, 0x3ff00000);
    expect_refused(&file, "mask 3ff00000");
    free(file.at);
}

static void what_cannot_be_written_is_refused(void **state)
{
    struct tw_error err;
    struct tw_bytes file = {0};
    struct tw_value map = make_map(2, 1), image = {0};
    struct tw_export_range range = {.low = 0, .high = 1, .bits = 8};
    (void)state;
    tw_floats(&map)[0] = -0.5f;
    assert_int_equal(tw_bmp_encode(&map, &range, &file, &err), TW_NODE);
    assert_non_null(strstr(err.message, "heights run from -0.5"));
    assert_int_equal(tw_field_alloc(&image, TW_IMAGE, 2, 2, NULL), TW_OK);
    assert_int_equal(tw_bmp_encode(&image, &range, &file, &err), TW_NODE);
    assert_non_null(strstr(err.message, "image"));
    tw_field_clear(&map);
    tw_field_clear(&image);
    free(file.at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(layout_of_the_file),
        cmocka_unit_test(rounds_half_up),
        cmocka_unit_test(rows_from_the_north_too),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(every_flip_of_the_header_is_survived),
        cmocka_unit_test(headers_end_within_the_file),
        cmocka_unit_test(hostile_numbers_are_refused),
        cmocka_unit_test(colours_are_read),
        cmocka_unit_test(other_masks_are_refused),
        cmocka_unit_test(what_cannot_be_written_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
