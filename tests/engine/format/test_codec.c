/* SPDX-License-Identifier: MIT */
/* The codecs against valid files and hostile ones: round trips, every truncation, every bit flip
 * of a header, sizes beyond the limits, and messages that name what was found. Inputs are copied
 * into exact-size blocks, so that a sanitizer sees a read one byte past the end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory/byte_order.h"
#include "support/little_endian.h"

#include "format/format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tw_value make_map(int32_t width, int32_t height, double full)
{
    struct tw_value value = {0};
    assert_int_equal(tw_field_alloc(&value, TW_HEIGHTMAP, width, height, NULL), TW_OK);
    for (size_t i = 0; i < tw_value_count(&value); i++)
        tw_floats(&value)[i] = (float)(i * 37 % 256) / (float)full;
    return value;
}

/* The reader of rows gives the same value or the same message, where the file can be read so. */
static void expect_same_by_rows(const unsigned char *data, size_t length,
                                const struct tw_value *whole, const struct tw_error *refused)
{
    const struct tw_codec_head head = {.at = data, .length = length, .file_length = length};
    const struct tw_format *format = tw_format_recognise(tw_formats, data, length, "test file");
    struct tw_value value = {0};
    struct tw_error error = {0};
    if (!format || !format->read_rows)
        return;
    enum tw_status status =
        tw_codec_decode(format->read_rows, data, length, NULL, TW_NO_WISH, &value, &error);
    if (!whole->data)
        assert_string_equal(error.message, refused->message);
    else if (!tw_format_has_rows(format, &head, &(uint64_t){0}))
        assert_non_null(strstr(error.message, "changed while it was read"));
    else
        assert_int_equal(status, TW_OK);
    if (status == TW_OK) {
        assert_true(value.width == whole->width && value.height == whole->height);
        assert_memory_equal(value.data, whole->data,
                            tw_value_count(whole) * tw_type_size(whole->type));
    }
    tw_field_clear(&value);
}

/* Decodes a copy of exactly `length` bytes. A failure must leave a message and no block. */
static enum tw_status decode(const unsigned char *data, size_t length, struct tw_value *out,
                             struct tw_error *err)
{
    unsigned char *copy = malloc(length ? length : 1);
    assert_non_null(copy);
    if (length)
        memcpy(copy, data, length);
    *out = (struct tw_value){0};
    *err = (struct tw_error){0};
    enum tw_status status = tw_format_decode(copy, length, "test file", out, err);
    expect_same_by_rows(copy, length, out, err);
    free(copy);
    if (status == TW_OK) {
        assert_non_null(out->data);
    } else {
        assert_int_equal(err->status, status);
        assert_true(err->message[0] != '\0');
        assert_null(out->data);
    }
    return status;
}

static void expect_refused(const unsigned char *data, size_t length, const char *part)
{
    struct tw_value out;
    struct tw_error err;
    enum tw_status status = decode(data, length, &out, &err);
    tw_field_clear(&out);
    assert_true(status == TW_INPUT || status == TW_LIMIT);
    if (!strstr(err.message, part))
        fail_msg("message \"%s\" lacks \"%s\"", err.message, part);
}

static void expect_same(const struct tw_bytes *file, const struct tw_value *map)
{
    struct tw_value out;
    struct tw_error err;
    assert_int_equal(decode(file->at, file->length, &out, &err), TW_OK);
    assert_int_equal(out.width, map->width);
    assert_int_equal(out.height, map->height);
    assert_true(memcmp(out.data, map->data, tw_value_count(map) * sizeof(float)) == 0);
    tw_field_clear(&out);
}

/* A version-1 .npy (or `version`) with the dictionary and body given. */
static struct tw_bytes make_npy(int version, const char *dict, const void *body, size_t length)
{
    struct tw_bytes file = {0};
    size_t size = strlen(dict);
    unsigned char head[12] = {0x93, 'N', 'U', 'M', 'P', 'Y', (unsigned char)version};
    head[8] = (unsigned char)size;
    head[9] = (unsigned char)(size >> 8);
    assert_int_equal(tw_bytes_append(&file, head, version == 1 ? 10 : 12, NULL), TW_OK);
    assert_int_equal(tw_bytes_append(&file, dict, size, NULL), TW_OK);
    assert_int_equal(tw_bytes_append(&file, body, length, NULL), TW_OK);
    return file;
}

static void refuse_npy(const char *dict, const void *body, size_t length, const char *part)
{
    struct tw_bytes file = make_npy(1, dict, body, length);
    expect_refused(file.at, file.length, part);
    free(file.at);
}

static void expect_npy(int version, const char *dict, const void *body, size_t length,
                       const float *expected, size_t count)
{
    struct tw_value out;
    struct tw_error err;
    struct tw_bytes file = make_npy(version, dict, body, length);
    if (decode(file.at, file.length, &out, &err) != TW_OK)
        fail_msg("%s: %s", dict, err.message);
    assert_int_equal(tw_value_count(&out), count);
    assert_true(memcmp(out.data, expected, count * sizeof(float)) == 0);
    tw_field_clear(&out);
    free(file.at);
}

static struct tw_bytes make_png(const struct tw_value *map, int bits)
{
    struct tw_bytes file = {0};
    struct tw_export_range range = {.low = 0, .high = 1, .bits = bits};
    assert_int_equal(tw_png_encode(map, &range, &file, NULL), TW_OK);
    return file;
}

static void test_png_round_trip(void **state)
{
    (void)state;
    static const int32_t sides[][2] = {{1, 1}, {7, 3}, {64, 65}};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        for (int bits = 8; bits <= 16; bits += 8) {
            struct tw_value map = make_map(sides[i][0], sides[i][1], bits == 8 ? 255 : 65535);
            struct tw_bytes file = make_png(&map, bits);
            expect_same(&file, &map);
            free(file.at);
            tw_field_clear(&map);
        }
}

static void test_npy_round_trip(void **state)
{
    (void)state;
    static const int32_t sides[][2] = {{1, 1}, {7, 3}, {64, 65}};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        struct tw_value map = make_map(sides[i][0], sides[i][1], 7);
        struct tw_bytes file = {0};
        assert_int_equal(tw_npy_encode(&map, &file, NULL), TW_OK);
        expect_same(&file, &map);
        free(file.at);
        tw_field_clear(&map);
    }
}

/* More rows than are read at a time, and a last group of fewer. */
static void npy_is_read_by_groups_of_rows(void **state)
{
    const struct tw_format *npy = tw_format_find(".npy", TW_HEIGHTMAP, false);
    struct tw_value map = make_map(1000, 150, 7), back;
    struct tw_bytes file = {0};
    (void)state;
    assert_int_equal(tw_npy_encode(&map, &file, NULL), TW_OK);
    assert_int_equal(
        tw_codec_decode(npy->read_rows, file.at, file.length, NULL, TW_NO_WISH, &back, NULL),
        TW_OK);
    assert_true(back.width == map.width && back.height == map.height);
    assert_memory_equal(back.data, map.data, tw_value_count(&map) * sizeof(float));
    tw_field_clear(&back);
    assert_int_equal(
        tw_codec_decode(npy->read_rows, file.at, file.length - 1, NULL, TW_NO_WISH, &back, NULL),
        TW_INPUT);
    free(file.at);
    tw_field_clear(&map);
}

/* Where a format has a head, the file is that and the cells. */
static void a_head_is_followed_by_the_cells(void **state)
{
    struct tw_value map = make_map(64, 65, 7);
    const struct tw_value *values[] = {&map};
    const struct tw_encoding encoding = {.values = values, .count = 1};
    int count = 0;
    (void)state;
    for (const struct tw_format *const *format = tw_formats; *format; format++) {
        struct tw_bytes file = {0}, parts = {0};
        if (!(*format)->head)
            continue;
        count++;
        assert_int_equal(tw_format_encode(*format, encoding, &file, NULL), TW_OK);
        assert_int_equal((*format)->head(&encoding, &parts, NULL), TW_OK);
        assert_int_equal(
            tw_bytes_append(&parts, map.data, tw_value_count(&map) * sizeof(float), NULL), TW_OK);
        assert_int_equal(parts.length, file.length);
        assert_memory_equal(parts.at, file.at, file.length);
        free(file.at);
        free(parts.at);
    }
    assert_int_equal(count, TW_LITTLE_ENDIAN ? 1 : 0);
    tw_field_clear(&map);
}

static void test_truncations(void **state)
{
    (void)state;
    struct tw_value map = make_map(5, 4, 255);
    struct tw_bytes files[2] = {make_png(&map, 16), {0}};
    assert_int_equal(tw_npy_encode(&map, &files[1], NULL), TW_OK);
    for (size_t f = 0; f < 2; f++) {
        for (size_t length = 0; length < files[f].length; length++)
            expect_refused(files[f].at, length, "");
        free(files[f].at);
    }
    tw_field_clear(&map);
}

/* Some flips leave a valid file, so only crashes and the error's shape are checked. */
static void test_npy_header_flips(void **state)
{
    (void)state;
    struct tw_value map = make_map(3, 2, 255), out;
    struct tw_error err;
    struct tw_bytes file = {0};
    assert_int_equal(tw_npy_encode(&map, &file, NULL), TW_OK);
    for (size_t bit = 0; bit < 8 * 128; bit++) {
        file.at[bit / 8] ^= (unsigned char)(1u << bit % 8);
        (void)decode(file.at, file.length, &out, &err);
        tw_field_clear(&out);
        file.at[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    free(file.at);
    tw_field_clear(&map);
}

static void put_be(unsigned char *to, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(word >> (24 - 8 * i));
}

static uint32_t find_crc(const unsigned char *at, size_t length)
{
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t i = 0; i < length; i++) {
        crc ^= at[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (0xEDB88320u & (0u - (crc & 1)));
    }
    return ~crc;
}

/* Byte 16 on: width, height, depth, colour type, compression, filter, interlace; then the CRC. */
static void patch_ihdr(struct tw_bytes *file, uint32_t width, uint32_t height)
{
    put_be(file->at + 16, width);
    put_be(file->at + 20, height);
    put_be(file->at + 29, find_crc(file->at + 12, 17));
}

/* Deflate makes 1,032 bytes of one at most: what a file says beyond that is refused by its header,
 * before a block for it is allocated. */
static void a_png_that_cannot_hold_its_pixels_is_refused(void **state)
{
    struct tw_value map = make_map(8, 8, 255);
    struct tw_bytes file = {0};
    const struct tw_export_range range = {.high = 1, .bits = 16};
    struct tw_file_facts facts;
    const struct tw_format *format;
    struct tw_error err;
    (void)state;
    assert_int_equal(tw_png_encode(&map, &range, &file, NULL), TW_OK);
    struct tw_codec_head head = {.at = file.at, .length = file.length, .file_length = file.length};
    uint32_t side = 1; /* the greatest whose rows of 1 + 2 side bytes fit */
    while ((1 + 2 * (uint64_t)side) * side / 1032 <= file.length)
        side++;
    patch_ihdr(&file, side, side);
    expect_refused(file.at, file.length, "bytes cannot hold");
    assert_int_equal(tw_format_probe(&head, "x.png", &format, &facts, &err), TW_INPUT);
    assert_non_null(strstr(err.message, "bytes cannot hold"));
    patch_ihdr(&file, 60000, 4000);
    expect_refused(file.at, file.length, "bytes cannot hold 60000 x 4000 pixels");
    patch_ihdr(&file, side - 1, side - 1);
    expect_refused(file.at, file.length, "damaged PNG"); /* there are too few, that is all */
    assert_int_equal(tw_format_probe(&head, "x.png", &format, &facts, &err), TW_OK);
    free(file.at);
    tw_field_clear(&map);
}

static void put_chunk(struct tw_bytes *file, const char *name, const unsigned char *data,
                      size_t length)
{
    unsigned char word[4];
    size_t begin = file->length + 4;
    put_be(word, (uint32_t)length);
    assert_int_equal(tw_bytes_append(file, word, 4, NULL), TW_OK);
    assert_int_equal(tw_bytes_append(file, name, 4, NULL), TW_OK);
    assert_int_equal(tw_bytes_append(file, data, length, NULL), TW_OK);
    put_be(word, find_crc(file->at + begin, length + 4));
    assert_int_equal(tw_bytes_append(file, word, 4, NULL), TW_OK);
}

/* One row of two pixels in a stored (uncompressed) block; a palette of two colours on request. */
static struct tw_bytes make_rgb_png(int type, int bits, const unsigned char *row, size_t length)
{
    struct tw_bytes file = {0};
    unsigned char head[13] = {0, 0, 0, 2, 0, 0, 0, 1, (unsigned char)bits, (unsigned char)type};
    unsigned char body[64] = {0x78, 0x01, 1}; /* zlib; then the filter byte 0 and the row */
    static const unsigned char palette[] = {0, 255, 1, 10, 200, 30};
    uint32_t a = 1, b = 1, size = (uint32_t)length + 1; /* Adler-32 after the filter byte */
    body[3] = (unsigned char)size;
    body[5] = (unsigned char)~size;
    body[6] = 255;
    memcpy(body + 8, row, length);
    for (size_t i = 0; i < length; i++) {
        a = (a + row[i]) % 65521;
        b = (b + a) % 65521;
    }
    put_be(body + 8 + length, b << 16 | a);
    assert_int_equal(tw_bytes_append(&file, "\x89PNG\r\n\x1a\n", 8, NULL), TW_OK);
    put_chunk(&file, "IHDR", head, sizeof head);
    if (type == 3)
        put_chunk(&file, "PLTE", palette, sizeof palette);
    put_chunk(&file, "IDAT", body, length + 12);
    put_chunk(&file, "IEND", NULL, 0);
    return file;
}

static void test_png_sizes(void **state)
{
    (void)state;
    static const uint32_t sides[][2] = {
        {1000000, 1000000}, {0, 4}, {4, 0}, {65536, 65536}, {65537, 1}};
    struct tw_value map = make_map(4, 4, 255);
    struct tw_bytes file = make_png(&map, 8);
    patch_ihdr(&file, 4, 4); /* the patch itself must be right */
    expect_same(&file, &map);
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        patch_ihdr(&file, sides[i][0], sides[i][1]);
        expect_refused(file.at, file.length, "");
    }
    free(file.at);
    tw_field_clear(&map);
}

/* A chunk that says it is longer than the file is refused before libpng makes room for it. */
static void test_png_long_chunk(void **state)
{
    (void)state;
    struct tw_value map = make_map(4, 4, 255);
    struct tw_bytes file = make_png(&map, 8);
    const unsigned char chunk[12] = {0x7F, 0xFF, 0xFF, 0xFF, 't', 'E', 'X', 't', 'a', 0, 'b', 'c'};
    assert_int_equal(tw_bytes_append(&file, chunk, sizeof chunk, NULL), TW_OK);
    expect_same(&file, &map); /* after the end nobody looks */
    memmove(file.at + 33 + 12, file.at + 33, file.length - 33 - 12);
    memcpy(file.at + 33, chunk, sizeof chunk);
    expect_refused(file.at, file.length, "damaged PNG: the file ends too early");
    free(file.at);
    tw_field_clear(&map);
}

static void test_png_colour_round_trip(void **state)
{
    (void)state;
    struct tw_value image = {0}, out;
    struct tw_error err;
    struct tw_bytes file = {0};
    assert_int_equal(tw_field_alloc(&image, TW_IMAGE, 7, 5, NULL), TW_OK);
    for (int i = 0; i < 3 * 7 * 5; i++)
        tw_pixels(&image)[i] = (uint8_t)(i * 37);
    assert_int_equal(tw_png_encode(&image, NULL, &file, NULL), TW_OK);
    assert_int_equal(decode(file.at, file.length, &out, &err), TW_OK);
    assert_true(out.type == TW_IMAGE && out.width == 7 && out.height == 5);
    assert_memory_equal(out.data, image.data, 3 * 7 * 5);
    tw_field_clear(&out);
    for (size_t length = 0; length < file.length; length++)
        expect_refused(file.at, length, "");
    for (size_t bit = 0; bit < 8 * file.length; bit++) { /* any flip: no crash, a proper error */
        file.at[bit / 8] ^= (unsigned char)(1u << bit % 8);
        (void)decode(file.at, file.length, &out, &err);
        tw_field_clear(&out);
        file.at[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    free(file.at);
    tw_field_clear(&image);
}

/* Two pixels of (10, 200, 30) and (0, 255, 1) in each kind of colour that PNG knows. */
static void expect_colours(int type, int bits, const unsigned char *row, size_t length)
{
    static const unsigned char expected[] = {10, 200, 30, 0, 255, 1};
    struct tw_value out;
    struct tw_error err;
    struct tw_bytes file = make_rgb_png(type, bits, row, length);
    if (decode(file.at, file.length, &out, &err) != TW_OK)
        fail_msg("colour type %d, %d bits: %s", type, bits, err.message);
    assert_true(out.type == TW_IMAGE && out.width == 2 && out.height == 1);
    assert_memory_equal(out.data, expected, sizeof expected);
    tw_field_clear(&out);
    free(file.at);
}

static void test_png_kinds_of_colour(void **state)
{
    (void)state;
    static const unsigned char rgb[] = {10, 200, 30, 0, 255, 1};
    static const unsigned char rgba[] = {10, 200, 30, 0, 0, 255, 1, 99};
    static const unsigned char wide[] = {10, 10, 200, 200, 30, 30, 0, 0, 255, 255, 1, 1};
    static const unsigned char wide_alpha[] = {10, 10, 200, 200, 30, 30, 7, 7,
                                               0,  0,  255, 255, 1,  1,  9, 9};
    expect_colours(2, 8, rgb, sizeof rgb);
    expect_colours(6, 8, rgba, sizeof rgba);
    expect_colours(2, 16, wide, sizeof wide);
    expect_colours(6, 16, wide_alpha, sizeof wide_alpha);
    expect_colours(3, 8, (const unsigned char[]){1, 0}, 2);
    expect_colours(3, 1, (const unsigned char[]){0x80}, 1);
}

static void test_npy_layouts(void **state)
{
    (void)state;
    static const unsigned char big[] = {0x3F, 0x80, 0, 0, 0xC0, 0, 0, 0};
    static const unsigned char pairs[] = {0xFF, 0xFF, 0, 0}, bytes[] = {255, 0};
    static const float rows[] = {1, 2, 3, 4, 5, 6};
    float floats[] = {1, 4, 2, 5, 3, 6};
    static const float big_wanted[] = {1, -2}, unit[] = {1, 0}, negative[] = {-1, 0};
    double wide[] = {1, 0};
    to_little_endian(floats, 6, sizeof *floats);
    to_little_endian(wide, 2, sizeof *wide);
    expect_npy(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", floats,
               sizeof floats, rows, 6);
    for (int version = 1; version <= 3; version++)
        expect_npy(version, "{'descr': '>f4', 'fortran_order': False, 'shape': (1, 2), }", big,
                   sizeof big, big_wanted, 2);
    expect_npy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }", wide, sizeof wide,
               unit, 2);
    expect_npy(1, "{'descr': '>u2', 'fortran_order': False, 'shape': (1, 2), }", pairs, 4, unit, 2);
    expect_npy(1, "{'descr': '<i2', 'fortran_order': False, 'shape': (1, 2), }", pairs, 4, negative,
               2);
    expect_npy(1, "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 2), }", bytes, 2, unit, 2);
    expect_npy(1, "{'descr': '|i1', 'fortran_order': False, 'shape': (1, 2), }", bytes, 2, negative,
               2);
    static const unsigned char halves[] = {0, 0x3c, 0, 0xc0, 1, 0, 0xff, 0x7b, 0, 0x80, 0x55, 0x35};
    static const float half_cells[] = {1,     -2,    5.9604644775390625e-8f,
                                       65504, -0.0f, 0.333251953125f};
    expect_npy(1, "{'descr': '<f2', 'fortran_order': False, 'shape': (2, 3, 1), }", halves, 12,
               half_cells, 6);
    static const unsigned char longs[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                          1,    0,    0,    0,    1,    0,    0,    0};
    static const float long_cells[] = {-1, 4294967297.0f}, shares[] = {1, 0x1p-32f};
    expect_npy(1, "{'descr': '<i8', 'fortran_order': False, 'shape': (1, 1, 2), }", longs, 16,
               long_cells, 2);
    expect_npy(1, "{'descr': '<u8', 'fortran_order': False, 'shape': (2, 1, 1), }", longs, 16,
               shares, 2);
    expect_npy(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3, 1), }", floats,
               sizeof floats, rows, 6);
    expect_npy(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2, 3), }", floats,
               sizeof floats, rows, 6);
}

static void test_npy_refused(void **state)
{
    (void)state;
    static const float cells[6] = {0};
    static const char *const shapes[] = {"(6,)",         "()",
                                         "(2, 3, 2)",    "(0, 6)",
                                         "(-2, 3)",      "(2, 3",
                                         "(2 3)",        "(2, 1, 3)",
                                         "(1, 2, 3, 1)", "(1, 2, 3",
                                         "(2,, 3)",      "(65537, 1)",
                                         "(2, 4)",       "(99999999999999999999, 1)"};
    char dict[160];
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        snprintf(dict, sizeof dict, "{'descr': '<f4', 'fortran_order': False, 'shape': %s, }",
                 shapes[i]);
        refuse_npy(dict, cells, sizeof cells, "shape");
    }
    /* as many bytes as that shape takes: none */
    refuse_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 6), }", cells, 0, "1 to");
    refuse_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (6, 0), }", cells, 0, "1 to");
    refuse_npy("{'descr': '|O', 'fortran_order': False, 'shape': (2, 3), }", cells, sizeof cells,
               "|O");
    refuse_npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2, 3), }", cells,
               sizeof cells, ".npy");
    refuse_npy("{'descr': '<f1', 'fortran_order': False, 'shape': (2, 3), }", cells, sizeof cells,
               "of type '<f1'; expected f2-f8, i1-i8, u1-u8");
    refuse_npy("{'descr': '|b1', 'fortran_order': False, 'shape': (2, 3), }", cells, sizeof cells,
               "of type '|b1'; expected floats");
    refuse_npy("{'fortran_order': False, 'shape': (2, 3), }", cells, sizeof cells, "descr");
    refuse_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (65536, 65536), }", cells,
               sizeof cells, "");
}

static void test_npy_strict(void **state)
{
    (void)state;
    static const float cells[6] = {0};
    struct tw_bytes file = make_npy(
        9, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", cells, sizeof cells);
    expect_refused(file.at, file.length, "version");
    free(file.at);
    refuse_npy("{'descr': '<f4', 'fortran_order': Maybe, 'shape': (2, 3), }", cells, sizeof cells,
               "fortran_order");
    refuse_npy("{'descr': '|f4', 'fortran_order': False, 'shape': (2, 3), }", cells, sizeof cells,
               "|f4");
}

static void test_npy_nonfinite(void **state)
{
    (void)state;
    double huge[] = {0, 0, 0, 0, 0, 1e300}; /* finite until it is cast */
    float cells[6] = {0, 0, 0, 0, NAN, 0};
    to_little_endian(huge, 6, sizeof *huge);
    to_little_endian(cells, 6, sizeof *cells);
    refuse_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", cells, sizeof cells,
               "x 1, y 1");
    refuse_npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }", huge, sizeof huge,
               "x 2, y 1");
}

static void test_export_range(void **state)
{
    (void)state;
    struct tw_error err;
    struct tw_bytes file = {0};
    struct tw_export_range range = {.low = 0, .high = 1, .bits = 16};
    struct tw_value map = make_map(2, 1, 255);
    tw_floats(&map)[0] = -0.5f;
    tw_floats(&map)[1] = 1.5f;
    assert_int_equal(tw_png_encode(&map, &range, &file, &err), TW_NODE);
    assert_non_null(strstr(err.message, "from -0.5 to 1.5"));
    free(file.at);
    file = (struct tw_bytes){0};
    range.clip = true;
    assert_int_equal(tw_png_encode(&map, &range, &file, &err), TW_OK);
    tw_floats(&map)[0] = 0;
    tw_floats(&map)[1] = 1;
    expect_same(&file, &map);
    free(file.at);
    tw_field_clear(&map);
}

/* A range of no width has no share to compute; it must not reach an undefined cast. */
static void test_export_degenerate(void **state)
{
    (void)state;
    struct tw_error err;
    struct tw_bytes file = {0};
    struct tw_export_range range = {.low = 0, .high = 0, .bits = 8, .clip = true};
    struct tw_value map = make_map(1, 1, 255);
    assert_int_equal(tw_png_encode(&map, &range, &file, &err), TW_NODE);
    free(file.at);
    tw_field_clear(&map);
}

static void test_unknown_format(void **state)
{
    (void)state;
    expect_refused((const unsigned char *)"GIF89a......", 12, "png");
    expect_refused((const unsigned char *)"", 0, "npy");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_png_round_trip),
        cmocka_unit_test(test_npy_round_trip),
        cmocka_unit_test(npy_is_read_by_groups_of_rows),
        cmocka_unit_test(a_head_is_followed_by_the_cells),
        cmocka_unit_test(test_truncations),
        cmocka_unit_test(a_png_that_cannot_hold_its_pixels_is_refused),
        cmocka_unit_test(test_npy_header_flips),
        cmocka_unit_test(test_png_sizes),
        cmocka_unit_test(test_png_colour_round_trip),
        cmocka_unit_test(test_png_kinds_of_colour),
        cmocka_unit_test(test_png_long_chunk),
        cmocka_unit_test(test_npy_layouts),
        cmocka_unit_test(test_npy_refused),
        cmocka_unit_test(test_npy_strict),
        cmocka_unit_test(test_npy_nonfinite),
        cmocka_unit_test(test_export_range),
        cmocka_unit_test(test_export_degenerate),
        cmocka_unit_test(test_unknown_format),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
