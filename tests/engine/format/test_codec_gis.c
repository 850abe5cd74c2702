/* SPDX-License-Identifier: MIT */
/* OpenEXR, TIFF and ESRI ASCII grids: round trips, files of others built byte by byte, every
 * truncation and every flipped byte. A build without a library must say what it lacks.
 * tests/formats/read_back.sh reads what is written with programs of others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "format/format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool read_place(const struct tw_format *format, const unsigned char *data, size_t length,
                       struct tw_georeference *place)
{
    const struct tw_codec_head head = {.at = data, .length = length, .file_length = length};
    return format->read_place(&head, place);
}

static const char *const endings[] = {".exr", ".tif"};
enum { ENDINGS = 2 };

static struct {
    bool first, second; /* half and metres of .exr; metres and tiled of .tif */
} set;
static const struct tw_world world = {.side_m = 700, .height_m = 100};

static enum tw_status encode(const char *ending, const struct tw_value *value, struct tw_bytes *out,
                             struct tw_error *err)
{
    const struct tw_encoding encoding = {
        .values = &value, .count = 1, .range = {.high = 1}, .options = &set, .world = &world};
    *out = (struct tw_bytes){0};
    return tw_format_encode(tw_format_find(ending, TW_HEIGHTMAP, false), encoding, out, err);
}

/* A copy of exactly `length` bytes is read. A failure leaves a message and no block. */
static enum tw_status decode(const void *data, size_t length, const char *name,
                             struct tw_value *out, struct tw_error *err)
{
    unsigned char *copy = malloc(length ? length : 1);
    assert_non_null(copy);
    if (length)
        memcpy(copy, data, length);
    *out = (struct tw_value){0};
    *err = (struct tw_error){0};
    enum tw_status status = tw_format_decode(copy, length, name, out, err);
    free(copy);
    assert_int_equal(status == TW_OK, out->data != NULL);
    assert_int_equal(status != TW_OK, err->message[0] != 0);
    return status;
}

static void expect_refused(const void *data, size_t length, const char *name, const char *part)
{
    struct tw_value out;
    struct tw_error err;
    assert_int_not_equal(decode(data, length, name, &out, &err), TW_OK);
    if (!strstr(err.message, part))
        fail_msg("\"%s\" lacks \"%s\"", err.message, part);
}

static struct tw_value make_map(int32_t width, int32_t height)
{
    struct tw_value value = {0};
    assert_int_equal(tw_field_alloc(&value, TW_HEIGHTMAP, width, height, NULL), TW_OK);
    for (size_t i = 0; i < tw_value_count(&value); i++)
        tw_floats(&value)[i] = (float)(i * 37 % 256) / 77 - 1;
    return value;
}

static struct tw_bytes encode_map(const char *ending, const struct tw_value *value)
{
    struct tw_bytes bytes;
    struct tw_error err;
    if (encode(ending, value, &bytes, &err) != TW_OK)
        fail_msg("%s", err.message);
    return bytes;
}

/* Skips what this build cannot write, after a look at what it says of that. */
static bool has(const char *ending)
{
    const struct tw_format *format = tw_format_find(ending, TW_HEIGHTMAP, false);
    struct tw_value value = make_map(2, 2), out;
    struct tw_bytes bytes;
    struct tw_error err;
    if (format->lacks) {
        assert_int_equal(encode(ending, &value, &bytes, &err), TW_LIMIT);
        assert_non_null(strstr(err.message, format->lacks));
        assert_int_equal(decode(format->magic, format->magic_length, "x", &out, &err), TW_LIMIT);
        assert_non_null(strstr(err.message, format->lacks));
    }
    tw_field_clear(&value);
    return !format->lacks;
}

static void write_and_read(const char *ending, int32_t width, int32_t height)
{
    struct tw_value value = make_map(width, height), out;
    struct tw_bytes bytes = encode_map(ending, &value);
    struct tw_error err;
    if (decode(bytes.at, bytes.length, "no ending", &out, &err) != TW_OK)
        fail_msg("%s", err.message);
    assert_int_equal(out.width, value.width);
    assert_int_equal(out.height, value.height);
    assert_memory_equal(out.data, value.data, tw_value_count(&value) * sizeof(float));
    free(bytes.at);
    tw_field_clear(&value);
    tw_field_clear(&out);
}

static void what_is_written_is_read(void **state)
{
    static const int32_t sizes[][2] = {{1, 1},    {7, 5},    {1, 40},   {300, 257},
                                       {256, 16}, {9, 9000}, {32768, 5}};
    (void)state;
    memset(&set, 0, sizeof set);
    for (int e = 0; e < ENDINGS; e++)
        for (size_t i = 0; has(endings[e]) && i < sizeof sizes / sizeof *sizes; i++)
            write_and_read(endings[e], sizes[i][0], sizes[i][1]);
    set.second = true;
    for (size_t i = 0; has(".tif") && i < sizeof sizes / sizeof *sizes; i++)
        write_and_read(".tif", sizes[i][0], sizes[i][1]);
    memset(&set, 0, sizeof set);
}

static void options_change_what_is_written(void **state)
{
    struct tw_value value = make_map(9, 4), out;
    struct tw_bytes bytes;
    struct tw_error err;
    (void)state;
    for (int e = 0; e < ENDINGS; e++) {
        if (!has(endings[e]))
            continue;
        set.first = e == 1;
        set.second = e == 0;
        bytes = encode_map(endings[e], &value);
        assert_int_equal(decode(bytes.at, bytes.length, "x", &out, &err), TW_OK);
        for (size_t i = 0; i < tw_value_count(&value); i++)
            assert_true(tw_floats(&out)[i] == tw_floats(&value)[i] * 100.0f);
        free(bytes.at);
        tw_field_clear(&out);
    }
    memset(&set, 0, sizeof set);
    if (has(".exr")) {
        set.first = true;
        bytes = encode_map(".exr", &value);
        assert_int_equal(decode(bytes.at, bytes.length, "x", &out, &err), TW_OK);
        for (size_t i = 0; i < tw_value_count(&value); i++)
            assert_true(fabsf(tw_floats(&out)[i] - tw_floats(&value)[i]) <= 0x1p-11f);
        free(bytes.at);
        tw_field_clear(&out);
        tw_floats(&value)[3] = 65505;
        assert_int_equal(encode(".exr", &value, &bytes, &err), TW_NODE);
        assert_non_null(strstr(err.message, "65505"));
        free(bytes.at);
    }
    memset(&set, 0, sizeof set);
    tw_field_clear(&value);
}

/* Of several channels one must be named as heights are; a single one may be called anything. */
static void a_single_channel_may_have_any_name(void **state)
{
    static const char head[] = "channels\0chlist";
    (void)state;
    if (!has(".exr"))
        skip();
    struct tw_value value = make_map(7, 5), out;
    struct tw_bytes bytes = encode_map(".exr", &value);
    struct tw_error err;
    char *at = (char *)bytes.at;
    while (memcmp(at, head, sizeof head) != 0)
        at++;
    at += sizeof head + 4; /* the list's size */
    assert_string_equal(at, "Y");
    *at = 'R';
    assert_int_equal(decode(bytes.at, bytes.length, "x", &out, &err), TW_OK);
    assert_memory_equal(out.data, value.data, 7 * 5 * sizeof(float));
    tw_field_clear(&out);
    tw_field_clear(&value);
    free(bytes.at);
}

/* What a cut file lacks may be a note at its end. */
static void damage_is_refused_or_harmless(void **state)
{
    (void)state;
    memset(&set, 0, sizeof set);
    for (int e = 0; e < ENDINGS; e++) {
        if (!has(endings[e]))
            continue;
        struct tw_value value = make_map(7, 5), out;
        struct tw_bytes bytes = encode_map(endings[e], &value);
        struct tw_error err;
        for (size_t length = 4; length < bytes.length; length++) {
            if (decode(bytes.at, length, "x", &out, &err) == TW_OK)
                assert_memory_equal(out.data, value.data, 7 * 5 * sizeof(float));
            tw_field_clear(&out);
        }
        expect_refused(bytes.at, bytes.length / 2, "x", endings[e]);
        for (size_t i = 0; i < bytes.length; i++) {
            bytes.at[i] ^= 0xff;
            if (decode(bytes.at, bytes.length, "x", &out, &err) == TW_OK)
                assert_true(out.width >= 1 && out.height >= 1 &&
                            tw_field_first_nonfinite(&out) < 0);
            tw_field_clear(&out);
            bytes.at[i] ^= 0xff;
        }
        tw_floats(&value)[9] = NAN;
        free(bytes.at);
        bytes = encode_map(endings[e], &value);
        expect_refused(bytes.at, bytes.length, "x", "not finite at x 2, y 1");
        free(bytes.at);
        tw_field_clear(&value);
    }
}

/* Sides are found with what a head of a few bytes leaves out read from the file. */
static void a_probe_reads_on(void **state)
{
    char path[] = "/tmp/thalweg-test-XXXXXX";
    int descriptor = mkstemp(path);
    (void)state;
    assert_true(descriptor >= 0);
    memset(&set, 0, sizeof set);
    for (int e = 0; e < ENDINGS; e++) {
        if (!has(endings[e]))
            continue;
        struct tw_value value = make_map(70, 50);
        struct tw_bytes bytes = encode_map(endings[e], &value);
        struct tw_codec_head head = {
            .at = bytes.at, .length = 16, .file_length = bytes.length, .path = path};
        struct tw_file_facts facts = {0};
        struct tw_error err;
        const struct tw_format *format = tw_format_find(endings[e], TW_HEIGHTMAP, false);
        assert_int_equal(pwrite(descriptor, bytes.at, bytes.length, 0), bytes.length);
        if (format->probe(&head, &facts, &err) != TW_OK)
            fail_msg("%s: %s", endings[e], err.message);
        assert_true(facts.type == TW_HEIGHTMAP && facts.width == 70 && facts.height == 50);
        head.path = NULL;
        assert_int_not_equal(format->probe(&head, &facts, &err), TW_OK);
        free(bytes.at);
        tw_field_clear(&value);
    }
    close(descriptor);
    unlink(path);
}

/* ---- TIFF of others, one strip ---- */

struct tiff {
    bool big_endian;
    int width, height, bits, format, planes;
    const char *no_data; /* of 4 characters at least, which stand outside the entry */
    const unsigned char *cells;
    int photometric, orientation; /* 0: black is 0, rows from the north */
};

static const double *matrix; /* ModelTransformation, of 16 numbers; NULL: none */
static unsigned char file[2000];
static size_t file_length;

static void put(const struct tiff *tiff, size_t at, uint32_t number, int bytes)
{
    for (int i = 0; i < bytes; i++)
        file[at + (size_t)(tiff->big_endian ? bytes - 1 - i : i)] =
            (unsigned char)(number >> 8 * i);
}

static void put_entry(const struct tiff *tiff, size_t at, int tag, int type, uint32_t count,
                      uint32_t number)
{
    put(tiff, at, (uint32_t)tag, 2);
    put(tiff, at + 2, (uint32_t)type, 2);
    put(tiff, at + 4, count, 4);
    put(tiff, at + 8, number, type == 3 && count == 1 ? 2 : 4);
}

static void build(const struct tiff *tiff)
{
    enum { SHORT = 3, LONG = 4, ASCII = 2, DOUBLE = 12 };
    enum { CELLS = 300, TEXT = 380, PALETTE = 400, MATRIX = 1800 };
    size_t size = (size_t)(tiff->width * tiff->height * tiff->planes * tiff->bits / 8);
    const int entries[][3] = {{256, LONG, tiff->width},
                              {257, LONG, tiff->height},
                              {258, SHORT, tiff->bits},
                              {259, SHORT, 1},
                              {262, SHORT, tiff->photometric ? tiff->photometric - 1 : 1},
                              {273, LONG, CELLS},
                              {274, SHORT, tiff->orientation ? tiff->orientation : 1},
                              {277, SHORT, tiff->planes},
                              {278, LONG, tiff->height},
                              {279, LONG, (int)size},
                              {339, SHORT, tiff->format}};
    int count = 11;
    memset(file, 0, sizeof file);
    memcpy(file, tiff->big_endian ? "MM" : "II", 2);
    put(tiff, 2, 42, 2);
    put(tiff, 4, 8, 4);
    for (int i = 0; i < count; i++)
        put_entry(tiff, 10 + 12 * (size_t)i, entries[i][0], entries[i][1], 1,
                  (uint32_t)entries[i][2]);
    if (tiff->photometric == 4)
        put_entry(tiff, 10 + 12 * (size_t)count++, 320, SHORT, 768, PALETTE);
    if (tiff->no_data) {
        put_entry(tiff, 10 + 12 * (size_t)count++, 42113, ASCII,
                  (uint32_t)strlen(tiff->no_data) + 1, TEXT);
        memcpy(file + TEXT, tiff->no_data, strlen(tiff->no_data));
    }
    if (matrix)
        put_entry(tiff, 10 + 12 * (size_t)count++, 34264, DOUBLE, 16, MATRIX);
    for (size_t i = 0; matrix && i < 16; i++) {
        uint64_t bits;
        size_t low = tiff->big_endian ? 4 : 0;
        memcpy(&bits, &matrix[i], sizeof bits);
        put(tiff, MATRIX + 8 * i + low, (uint32_t)bits, 4);
        put(tiff, MATRIX + 8 * i + 4 - low, (uint32_t)(bits >> 32), 4);
    }
    put(tiff, 8, (uint32_t)count, 2);
    memcpy(file + CELLS, tiff->cells, size);
    file_length = sizeof file;
}

static void tiff_of_others_is_read(void **state)
{
    static const struct {
        struct tiff tiff;
        float last;
    } rows[] = {
        {{false, 2, 1, 8, 1, 1, NULL, (const unsigned char *)"\x05\xff", 0, 0}, 1},
        {{true, 1, 2, 16, 2, 1, NULL, (const unsigned char *)"\x00\x05\xff\xfe", 0, 0}, -2},
        {{false, 1, 1, 16, 1, 1, NULL, (const unsigned char *)"\xff\xff", 0, 0}, 1},
        {{true, 1, 1, 32, 3, 1, NULL, (const unsigned char *)"\x3f\x40\x00\x00", 0, 0}, 0.75f},
        {{false, 1, 1, 64, 3, 1, NULL, (const unsigned char *)"\0\0\0\0\0\0\xe8\x3f", 0, 0}, 0.75f},
        {{true, 1, 1, 32, 2, 1, NULL, (const unsigned char *)"\xff\xff\xff\xff", 0, 0}, -1},
        {{false, 2, 1, 16, 2, 1, "-9.000", (const unsigned char *)"\x01\0\x02\0", 0, 0}, 2},
    };
    (void)state;
    for (size_t i = 0; has(".tif") && i < sizeof rows / sizeof *rows; i++) {
        struct tw_value out;
        struct tw_error err;
        build(&rows[i].tiff);
        if (decode(file, file_length, "x", &out, &err) != TW_OK)
            fail_msg("%zu: %s", i, err.message);
        assert_true(tw_floats(&out)[tw_value_count(&out) - 1] == rows[i].last);
        tw_field_clear(&out);
    }
}

/* As GDAL writes where a map is turned against its grid; also along it. */
static void a_transformation_says_where_a_tiff_lies(void **state)
{
    static const double north_up[16] = {30, 0, 0, 500000, 0, -20, 0, 5200000};
    static const double turned[16] = {30, 5, 0, 500000, 5, -30, 0, 5200000};
    static const double mirrored[16] = {30, 0, 0, 500000, 0, 30, 0, 5200000};
    static const double endless[16] = {30, 0, 0, INFINITY, 0, -30, 0, 0};
    struct tw_georeference place;
    (void)state;
    for (int big = 0; has(".tif") && big < 2; big++) {
        const struct tiff tiff = {big, 1, 1, 8, 1, 1, NULL, (const unsigned char *)"a", 0, 0};
        const struct tw_format *format = tw_format_find(".tif", TW_HEIGHTMAP, false);
        matrix = NULL;
        build(&tiff);
        assert_false(read_place(format, file, file_length, &place));
        matrix = north_up;
        build(&tiff);
        assert_true(read_place(format, file, file_length, &place));
        assert_true(place.west == 500000 && place.north == 5200000 && !place.turned);
        assert_true(place.cell_x == 30 && place.cell_y == 20);
        matrix = turned;
        build(&tiff);
        assert_true(read_place(format, file, file_length, &place) && place.turned);
        matrix = mirrored;
        build(&tiff);
        assert_true(read_place(format, file, file_length, &place) && place.turned);
        matrix = endless;
        build(&tiff);
        assert_false(read_place(format, file, file_length, &place));
    }
    matrix = NULL;
}

static void tiff_of_others_is_refused(void **state)
{
    static const struct {
        struct tiff tiff;
        const char *part;
    } rows[] = {
        {{false, 1, 1, 8, 1, 3, NULL, (const unsigned char *)"abc", 0, 0}, "3 channels"},
        {{false, 1, 1, 24, 3, 1, NULL, (const unsigned char *)"abc", 0, 0}, "24 bits"},
        {{false, 1, 1, 64, 1, 1, NULL, (const unsigned char *)"abcdefgh", 0, 0}, "64 bits"},
        {{false, 1, 1, 32, 4, 1, NULL, (const unsigned char *)"abcd", 0, 0}, "sample format 4"},
        {{false, 1, 1, 32, 5, 1, NULL, (const unsigned char *)"abcd", 0, 0}, "sample format 5"},
        {{false, 40000, 0, 8, 1, 1, NULL, (const unsigned char *)"", 0, 0}, ".tif"},
        {{false, 2, 1, 16, 2, 1, "-2.000", (const unsigned char *)"\x01\0\xfe\xff", 0, 0},
         "no data at x 1, y 0"},
        {{false, 2, 1, 8, 1, 1, "255.00", (const unsigned char *)"\xff\x01", 0, 0},
         "no data at x 0, y 0"},
        {{false, 2, 1, 16, 2, 1, "-2  ", (const unsigned char *)"\x01\0\xfe\xff", 0, 0},
         "no data at x 1, y 0"},
        {{true, 1, 1, 32, 3, 1, "-3.40282346639e+38", (const unsigned char *)"\xff\x7f\xff\xff", 0,
          0},
         "no data at x 0, y 0"},
        {{false, 1, 1, 8, 1, 1, NULL, (const unsigned char *)"a", 1, 1}, "has 0 for white"},
        {{false, 1, 1, 8, 1, 1, NULL, (const unsigned char *)"a", 2, 4}, "orientation 4"},
    };
    (void)state;
    for (size_t i = 0; has(".tif") && i < sizeof rows / sizeof *rows; i++) {
        build(&rows[i].tiff);
        expect_refused(file, file_length, "x", rows[i].part);
    }
}

static void a_palette_of_a_tiff_gives_colours(void **state)
{
    const struct tiff tiff = {false, 1, 1, 8, 1, 1, NULL, (const unsigned char *)"\3", 4, 1};
    struct tw_value out;
    struct tw_error err;
    (void)state;
    if (!has(".tif"))
        return;
    build(&tiff);
    for (int i = 0; i < 3; i++)
        file[400 + 2 * (256 * i + 3) + 1] = (unsigned char)(70 + i);
    assert_int_equal(decode(file, file_length, "x", &out, &err), TW_OK);
    assert_int_equal(out.type, TW_IMAGE);
    assert_memory_equal(out.data, "FGH", 3);
    tw_field_clear(&out);
}

/* ---- tiles of OpenEXR ---- */

static struct tw_bytes tiled;

static void put_word(uint64_t number, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        unsigned char byte = (unsigned char)(number >> 8 * i);
        assert_int_equal(tw_bytes_append(&tiled, &byte, 1, NULL), TW_OK);
    }
}

static void put_attribute(const char *name, const char *type, uint32_t size)
{
    assert_int_equal(tw_bytes_append(&tiled, name, strlen(name) + 1, NULL), TW_OK);
    assert_int_equal(tw_bytes_append(&tiled, type, strlen(type) + 1, NULL), TW_OK);
    put_word(size, 4);
}

static void put_window(const char *name, uint32_t width, uint32_t height)
{
    put_attribute(name, "box2i", 16);
    put_word(0, 8);
    put_word(width - 1, 4);
    put_word(height - 1, 4);
}

enum { ONE = 0x3F800000 /* 1 as a float */ };

static void put_tiled_head(uint32_t width, uint32_t height, uint32_t side)
{
    put_word(20000630, 4);
    put_word(0x202, 4);
    put_attribute("channels", "chlist", 19);
    put_word('Y', 2);
    put_word(2, 4); /* floats */
    put_word(0, 4);
    put_word(1, 4);
    put_word(1, 4);
    put_word(0, 1);
    put_attribute("compression", "compression", 1);
    put_word(0, 1);
    put_window("dataWindow", width, height);
    put_window("displayWindow", width, height);
    put_attribute("lineOrder", "lineOrder", 1);
    put_word(0, 1);
    put_attribute("pixelAspectRatio", "float", 4);
    put_word(ONE, 4);
    put_attribute("screenWindowCenter", "v2f", 8);
    put_word(0, 8);
    put_attribute("screenWindowWidth", "float", 4);
    put_word(ONE, 4);
    put_attribute("tiles", "tiledesc", 9);
    put_word(side, 4);
    put_word(side, 4);
    put_word(0, 1);
    put_word(0, 1);
}

/* The cell at (x, y) is 10 y + x. */
static void put_tile(uint32_t width, uint32_t height, uint32_t side, uint32_t tx, uint32_t ty)
{
    uint32_t right = side * (tx + 1) < width ? side * (tx + 1) : width;
    uint32_t bottom = side * (ty + 1) < height ? side * (ty + 1) : height;
    put_word(tx, 4);
    put_word(ty, 4);
    put_word(0, 8);
    put_word(4 * (right - side * tx) * (bottom - side * ty), 4);
    for (uint32_t y = side * ty; y < bottom; y++)
        for (uint32_t x = side * tx; x < right; x++) {
            float cell = (float)(10 * y + x);
            uint32_t bits;
            memcpy(&bits, &cell, sizeof bits);
            put_word(bits, 4);
        }
}

static void build_tiled(uint32_t width, uint32_t height, uint32_t side)
{
    uint32_t across = (width + side - 1) / side, count = across * ((height + side - 1) / side);
    tiled.length = 0;
    put_tiled_head(width, height, side);
    size_t offsets = tiled.length;
    for (uint32_t i = 0; i < count; i++)
        put_word(0, 8);
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < 8; k++)
            tiled.at[offsets + 8 * i + (size_t)k] =
                (unsigned char)((uint64_t)tiled.length >> 8 * k);
        put_tile(width, height, side, i % across, i / across);
    }
}

static void tiles_of_exr_are_read(void **state)
{
    (void)state;
    for (uint32_t side = 1; has(".exr") && side < 8; side++) {
        struct tw_value out;
        struct tw_error err;
        build_tiled(5, 3, side);
        if (decode(tiled.at, tiled.length, "map.exr", &out, &err) != TW_OK)
            fail_msg("tiles of %u cells: %s", (unsigned)side, err.message);
        assert_true(out.width == 5 && out.height == 3);
        for (int32_t i = 0; i < 15; i++)
            assert_true(tw_floats(&out)[i] == (float)(10 * (i / 5) + i % 5));
        tw_field_clear(&out);
    }
    free(tiled.at);
    tiled = (struct tw_bytes){0};
}

/* ---- ESRI ASCII ---- */

static void ascii_grids_are_read(void **state)
{
    static const char *const texts[] = {
        ("ncols 3\nnrows 2\nxllcorner 5\nyllcorner 6.5\ncellsize 30\nNODATA_value -9999\n"
         "1 2 3\n4 5 -6.5e-1\n"),
        "ncols 3\nnrows 2\nNODATA_value nan\n1 2 3 4 5 -0.65",
        "NCOLS 3\r\nNROWS 2\r\nXLLCENTER 0\r\nYLLCENTER 0\r\nCELLSIZE 1\r\n1 2 3 4 5 -0.65",
    };
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct tw_value out;
        struct tw_error err;
        if (decode(texts[i], strlen(texts[i]), "dem.asc", &out, &err) != TW_OK)
            fail_msg("%s", err.message);
        assert_int_equal(out.width, 3);
        assert_int_equal(out.height, 2);
        assert_true(tw_floats(&out)[2] == 3 && tw_floats(&out)[5] == -0.65f);
        tw_field_clear(&out);
    }
}

/* Where the north-west corner is; without a size of cells that is not known. */
static void ascii_grids_say_where_they_lie(void **state)
{
    static const struct {
        const char *head;
        double cell_x, cell_y, west, north; /* cell_x 0: not known */
    } rows[] = {
        {"xllcorner 5\nyllcorner 6.5\ncellsize 30\n", 30, 30, 5, 66.5},
        {"xllcenter 5\nyllcenter 6.5\ncellsize 30\n", 30, 30, -10, 51.5},
        {"xllcorner 5\nyllcorner 6.5\ndx 2\ndy 4\n", 2, 4, 5, 14.5},
        {"xllcenter 5\nyllcenter 6.5\ndx 2\ndy 4\n", 2, 4, 4, 12.5},
        {"xllcorner 5\nyllcorner 6.5\ncellsize 1\ndx 2\ndy 4\n", 1, 1, 5, 8.5},
        {"xllcorner 5\nyllcorner 6.5\ndx 2\n", 0, 0, 0, 0},
        {"xllcorner 5\nyllcorner 6.5\ndy 2\n", 0, 0, 0, 0},
        {"xllcorner 5\nyllcorner 6.5\n", 0, 0, 0, 0},
        {"xllcorner 5\nyllcorner 6.5\ncellsize -1\n", 0, 0, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[200];
        struct tw_georeference place;
        int length = snprintf(text, sizeof text, "ncols 3\nnrows 2\n%s1 2 3 4 5 6", rows[i].head);
        const struct tw_format *format =
            tw_format_recognise(tw_formats, (const unsigned char *)text, (size_t)length, "dem.asc");
        bool known = read_place(format, (const unsigned char *)text, (size_t)length, &place);
        assert_int_equal(known, rows[i].cell_x > 0);
        if (!known)
            continue;
        assert_true(place.cell_x == rows[i].cell_x && place.cell_y == rows[i].cell_y);
        assert_true(place.west == rows[i].west && place.north == rows[i].north);
    }
}

static void ascii_grids_are_refused(void **state)
{
    static const char *const rows[][2] = {
        {"", "ncols and nrows"},
        {"ncols 3\n1 2 3", "ncols and nrows"},
        {"ncols 2.5\nnrows 2\n1 2 3 4", "ncols and nrows"},
        {"ncols -1\nnrows 2\n1 2 3 4", "ncols and nrows"},
        {"ncols 20000\nnrows 20000\n1 2", "too short"},
        {"ncols 11\nnrows 1\n1\n", "too short"}, /* 19 bytes may hold 10 cells */
        {"ncols 10\nnrows 1\n1\n", "ends at x 1, y 0"},
        {"ncols 2\nnrows 2\n1 2 3", "ends at x 1, y 1"},
        {"ncols 2\nnrows 1\n1 2 3", "more cells"},
        {"ncols 2\nnrows 1\n1 high", "'high' at x 1, y 0"},
        {"ncols 2\nnrows 1\nwidth 7\n1 2", "'width'"},
        {"ncols two\nnrows 1\n1 2", "ncols has no number"},
        {"ncols 2\nnrows 1\nnodata_value -1\n1 -1", "no data at x 1, y 0"},
        {"ncols 2\nnrows 1\nnodata_value -3.40282346638529e+38\n1 -3.4028235e38",
         "no data at x 1, y 0"},
        {"ncols 2\nnrows 1\nnodata_value nan\n1 nan", "no data at x 1, y 0"},
        {"ncols 2\nnrows 1\ncellsize nan\n1 2", "cellsize has no number"},
        {"ncols 2\nnrows 1\n1 1e39", "not finite at x 1, y 0"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_refused(rows[i][0], strlen(rows[i][0]), "dem.asc", rows[i][1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(options_change_what_is_written),
        cmocka_unit_test(a_single_channel_may_have_any_name),
        cmocka_unit_test(damage_is_refused_or_harmless),
        cmocka_unit_test(a_probe_reads_on),
        cmocka_unit_test(tiff_of_others_is_read),
        cmocka_unit_test(a_transformation_says_where_a_tiff_lies),
        cmocka_unit_test(tiff_of_others_is_refused),
        cmocka_unit_test(a_palette_of_a_tiff_gives_colours),
        cmocka_unit_test(tiles_of_exr_are_read),
        cmocka_unit_test(ascii_grids_are_read),
        cmocka_unit_test(ascii_grids_say_where_they_lie),
        cmocka_unit_test(ascii_grids_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
