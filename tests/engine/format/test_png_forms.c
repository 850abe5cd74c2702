/* SPDX-License-Identifier: MIT */
/* PNG in the forms that few programs write, and what the first bytes of a file say of it: what is
 * read, what is refused, and the very words. test_codec.c has what is common. */
#include "support/foreign.h"

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

static void put_word(uint32_t word)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        put(word >> shift & 0xFF, 1);
}

static void put_chunk(const char *name, const unsigned char *data, size_t length)
{
    put_word((uint32_t)length);
    const size_t begin = file.length;
    put_text(name, 4);
    put_text(data, length);
    put_word(find_crc(file.at + begin, length + 4));
}

/* Rows with their filter bytes in a stored block of zlib's. */
static void put_rows(const unsigned char *rows, size_t length)
{
    unsigned char body[100] = {0x78, 0x01, 1, (unsigned char)length, 0, (unsigned char)~length,
                               255};
    uint32_t a = 1, b = 0;
    memcpy(body + 7, rows, length);
    for (size_t i = 0; i < length; i++) {
        a = (a + rows[i]) % 65521;
        b = (b + a) % 65521;
    }
    for (int i = 0; i < 4; i++)
        body[7 + length + (size_t)i] = (unsigned char)((b << 16 | a) >> (24 - 8 * i));
    put_chunk("IDAT", body, length + 11);
}

struct png {
    const char *label, *expected;
    unsigned char width, height, bits, colour, interlace;
    const char *rows;
    size_t length;
};

static void build(const struct png *png)
{
    const unsigned char head[13] = {
        0, 0, 0, png->width, 0, 0, 0, png->height, png->bits, png->colour, 0, 0, png->interlace};
    file.length = 0;
    put_text("\x89PNG\r\n\x1a\n", 8);
    put_chunk("IHDR", head, sizeof head);
    put_rows((const unsigned char *)png->rows, png->length);
    put_chunk("IEND", NULL, 0);
}

static void a_png_of_any_form_is_read_or_refused(void **state)
{
    static const struct png rows[] = {
        {"1 bit", "9x2: 1 0 1 0 0 0 0 1 1 0 0 0 0 0 0 0 0 0", 9, 2, 1, 0, 0, "\0\xa1\x80\0\0\0", 6},
        {"2 bits", "3x1: 0.333333343 0.666666687 1", 3, 1, 2, 0, 0, "\0\x6c", 2},
        {"4 bits", "2x1: 0.466666669 1", 2, 1, 4, 0, 0, "\0\x7f", 2},
        {"8 bits", "2x1: 0.00392156886 1", 2, 1, 8, 0, 0, "\0\x01\xff", 3},
        {"16 bits", "1x2: 0.00389105058 1", 1, 2, 16, 0, 0, "\0\0\xff\0\xff\xff", 6},
        {"the difference to the left", "3x1: 0.0392156877 0.0784313753 0.117647059", 3, 1, 8, 0, 0,
         "\1\x0a\x0a\x0a", 4},
        {"grey with transparency", "2x1: 1 0.200000003", 2, 1, 8, 4, 0, "\0\xff\2\x33\3", 5},
        {"grey of 16 bits with transparency", "1x1: 0.00389105058", 1, 1, 16, 4, 0, "\0\0\xff\1\2",
         5},
        {"interlaced", "3x3: 0 0.200000003 0.400000006 0.600000024 0.800000012 1 0 0.200000003 1",
         3, 3, 8, 0, 1, "\0\0\0\x66\0\0\xff\0\x33\0\x33\0\x99\xcc\xff", 15},
        {"interlaced, 16 bits with transparency", "2x1: 1 0", 2, 1, 16, 4, 1,
         "\0\xff\xff\1\2\0\0\0\3\4", 10},
        {"interlaced colours", "2x1: 1 2 3 4 5 6", 2, 1, 8, 2, 1, "\0\1\2\3\0\4\5\6", 8},
        {"colours of 16 bits", "1x1: 1 254 0", 1, 1, 16, 2, 0, "\0\1\1\xfe\x7e\0\x80", 7},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        build(&rows[i]);
        expect(rows[i].label, "map.png", rows[i].expected);
    }
}

/* ---- what a header says ---- */

static void heads_say_what_files_hold(void **state)
{
    static const struct {
        const char *name, *text, *expected;
    } rows[] = {
        {"a.asc", "ncols 3\nnrows 65536\n1 2 3", "heightmap 3x65536"},
        {"a.asc", "nrows 1\nncols 1\n7", "heightmap 1x1"},
        {"a.asc", "ncols 3\n1 2 3", "an .asc needs ncols and nrows, 1 to 65536 each"},
        {"a.asc", "ncols 65537\nnrows 2\n1", "an .asc needs ncols and nrows, 1 to 65536 each"},
        {"a.asc", "ncols 2\nnrows 65537\n1", "an .asc needs ncols and nrows, 1 to 65536 each"},
        {"a.asc", "ncols 2\nnrows 0\n1", "an .asc needs ncols and nrows, 1 to 65536 each"},
        {"a.asc", "ncols 2\nnrows 1.5\n1", "an .asc needs ncols and nrows, 1 to 65536 each"},
        {"a.asc", "ncols 2\nheight 3\n", "damaged .asc: its header has 'height'"},
        {"a.asc", "ncols 2\nnrows x\n", "damaged .asc: nrows has no number"},
        {"a.png", "\x89PNG\r\n\x1a\n", "damaged PNG: the file ends too early"},
        {"a.bmp", "BM", "damaged .bmp: the file ends too early"},
        {"a.r16", "abcd", "a file without a header: its size is not known here"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct tw_format *format = NULL;
        struct tw_file_facts facts;
        struct tw_error err;
        char text[300];
        const size_t length = strlen(rows[i].text);
        const struct tw_codec_head head = {
            .at = (const unsigned char *)rows[i].text, .length = length, .file_length = length};
        if (tw_format_probe(&head, rows[i].name, &format, &facts, &err) != TW_OK)
            snprintf(text, sizeof text, "%s", err.message);
        else
            snprintf(text, sizeof text, "%s %dx%d", tw_type_name(facts.type), (int)facts.width,
                     (int)facts.height);
        if (strcmp(text, rows[i].expected) != 0)
            fail_msg("%s of \"%s\": \"%s\"; expected \"%s\"", rows[i].name, rows[i].text, text,
                     rows[i].expected);
    }
}

/* Deflate makes at most 1032 bytes of one, so that a file of 60 times the bytes of a row, its
 * filter byte included, holds 60 * 1032 rows, and one that is a byte shorter does not. */
static void a_png_holds_as_many_rows_as_its_length_allows(void **state)
{
    enum { WIDTH = 100, HEIGHT = 60 * 1032 };
    static const struct {
        unsigned char bits, colour;
        uint64_t row_bytes;
    } rows[] = {{1, 0, 13},  {2, 0, 25},   {4, 0, 50},  {8, 0, 100}, {16, 0, 200},
                {8, 2, 300}, {16, 2, 600}, {1, 3, 13},  {4, 3, 50},  {8, 3, 100},
                {8, 4, 200}, {16, 4, 400}, {8, 6, 400}, {16, 6, 800}};
    struct tw_file_facts facts;
    const struct tw_format *format;
    struct tw_error err;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        file.length = 0;
        put_text("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0", 19);
        put(WIDTH, 1);
        put_word(HEIGHT);
        put(rows[i].bits, 1);
        put(rows[i].colour, 1);
        put_text("\0\0\0\0\0\0\0", 7); /* with the sum, which nobody asks for yet */
        struct tw_codec_head head = {.at = file.at, .length = file.length};
        head.file_length = 60 * (rows[i].row_bytes + 1);
        assert_int_equal(tw_format_probe(&head, "x.png", &format, &facts, &err), TW_OK);
        head.file_length--;
        assert_int_equal(tw_format_probe(&head, "x.png", &format, &facts, &err), TW_INPUT);
        assert_non_null(strstr(err.message, "bytes cannot hold 100 x 61920 pixels"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_png_of_any_form_is_read_or_refused),
        cmocka_unit_test(heads_say_what_files_hold),
        cmocka_unit_test(a_png_holds_as_many_rows_as_its_length_allows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
