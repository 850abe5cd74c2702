/* SPDX-License-Identifier: MIT */
/* Elevation models without a header in the file: what the length, the name and a .hdr say, what
 * lies, and what is read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "format/format.h"
#include "format/raw_layout.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tw_raw_layout layout;
static struct tw_error error;

static enum tw_status describe(const char *name, uint64_t length, const char *header, int32_t band)
{
    const struct tw_bare_file file = {name, length, header, band};
    error = (struct tw_error){0};
    return tw_format_bare(name)->describe(&file, &layout, &error);
}

struct row {
    const char *name;
    uint64_t length;
    const char *header;
    int32_t band;
    const char *expected; /* the layout, or words of the error */
};

static void expect(const struct row *row)
{
    char text[TW_RAW_LAYOUT_TEXT];
    const enum tw_status status = describe(row->name, row->length, row->header, row->band);
    if (status == TW_OK)
        tw_raw_layout_print(&layout, text);
    else
        snprintf(text, sizeof text, "%s", error.message);
    if (strcmp(text, row->expected) != 0)
        fail_msg("%s, %s\nis:       %s\nexpected: %s", row->name, row->header ? row->header : "",
                 text, row->expected);
}

#define HGT "rows from north to south, big-endian, signed of 16 bits, rows "
#define THIRD "expected 2884802, 1201 x 1201 numbers of 16 bits, or 25934402, 3601 x 3601"

static void the_length_of_an_hgt_says_its_size(void **state)
{
    static const struct row rows[] = {
        {"a/N36W085.hgt", 2884802, NULL, 0,
         "1201 x 1201, " HGT "2402 from 0, no data -32768, at -85.000416666666666 "
         "37.000416666666666, cells 0.00083333333333333339 0.00083333333333333339 degrees"},
        {"s08e179.hgt", 25934402, NULL, 0,
         "3601 x 3601, " HGT "7202 from 0, no data -32768, at 178.9998611111111 "
         "-6.9998611111111115, cells 0.00027777777777777778 0.00027777777777777778 degrees"},
        {"N60E010.hgt", 1801 * 3601 * 2, NULL, 0,
         "1801 x 3601, " HGT "3602 from 0, no data -32768, at 9.9997222222222231 "
         "61.000138888888891, cells 0.00055555555555555556 0.00027777777777777778 degrees"},
        {"N36W85.hgt", 2884802, NULL, 0, "1201 x 1201, " HGT "2402 from 0, no data -32768"},
        {"N90W085.hgt", 2884802, NULL, 0, "1201 x 1201, " HGT "2402 from 0, no data -32768"},
        {"N36E180.hgt", 2884802, NULL, 0, "1201 x 1201, " HGT "2402 from 0, no data -32768"},
        {"N.hgt", 2884802, NULL, 0, "1201 x 1201, " HGT "2402 from 0, no data -32768"},
        {"N36W085.hgt", 2884801, NULL, 0, "N36W085.hgt has 2884801 bytes; " THIRD},
        {"N36W085.hgt", 0, NULL, 0, "N36W085.hgt has 0 bytes; " THIRD},
        {"N36W085.hgt", UINT64_MAX, NULL, 0, "N36W085.hgt has 18446744073709551615 bytes; " THIRD}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect(&rows[i]);
}

static void a_header_file_says_the_rest(void **state)
{
    static const struct row rows[] = {
        {"a.bil", 24, "NROWS 3\nNCOLS 4\nNBITS 16\n", 0,
         "4 x 3, rows from north to south, unsigned of 16 bits, rows 8 from 0"},
        {"a.bil", 100,
         "byteorder M\r\nlayout bil\r\nnrows 3\r\nncols 4\r\nnbands 2\r\nnbits 16\r\n"
         "bandrowbytes 9\r\ntotalrowbytes 20\r\nskipbytes 5\r\npixeltype signedint\r\n"
         "nodata -1\r\nulxmap 1000\r\nulymap 2000\r\nxdim 30\r\nydim 20\r\n",
         2,
         "4 x 3, rows from north to south, big-endian, signed of 16 bits, rows 20 from 14, no data "
         "-1, at 985 2010, cells 30 20"},
        {"a.flt", 48,
         "ncols 4\nnrows 3\nxllcorner 8.5\nyllcorner 46\ncellsize 0.001\nNODATA_value -9999\n", 0,
         "4 x 3, rows from north to south, floats of 32 bits, rows 16 from 0, no data -9999, at "
         "8.5 46.003, cells 0.001 0.001 degrees"},
        {"a.flt", 48, "ncols 4\nnrows 3\nxllcenter 1000\nyllcenter 2000\ncellsize 10\nnodata nan\n",
         0,
         "4 x 3, rows from north to south, floats of 32 bits, rows 16 from 0, no data nan, at 995 "
         "2025, cells 10 10"},
        {"a.dem", 24, "NROWS 3\nNCOLS 4\nNBITS 16\nNODATA -9999\n", 0,
         "4 x 3, rows from north to south, signed of 16 bits, rows 8 from 0, no data -9999"},
        {"a.bil", 24, NULL, 0, "a.bil has no header; expected a file .hdr of that name beside it"},
        {"a.bil", 24, "", 0, "the .hdr of a.bil needs NROWS and NCOLS, 1 to 65536 each"},
        {"a.bil", 24, "nrows 3.5\nncols 4\n", 0,
         "the .hdr of a.bil needs NROWS and NCOLS, 1 to 65536 each"},
        {"a.bil", 24, "nrows -3\nncols 4\n", 0,
         "the .hdr of a.bil needs NROWS and NCOLS, 1 to 65536 each"},
        {"a.bil", 24, "nrows 1e300\nncols 4\n", 0,
         "the .hdr of a.bil needs NROWS and NCOLS, 1 to 65536 each"},
        {"a.bil", 24, "nrows three\nncols 4\n", 0,
         "damaged .hdr: nrows is 'three'; expected a number"},
        {"a.bil", 24, "nrows 3\nncols 4\nnbits 12\n", 0,
         "a.bil has integers of 12 bits; expected integers of 8, 16 or 32 bits or floats of 32 or "
         "64"},
        {"a.bil", 24, "nrows 3\nncols 4\nnbits nan\n", 0, ""},
        {"a.flt", 24, "nrows 3\nncols 4\nnbits 16\n", 0,
         "a.flt has floats of 16 bits; expected integers of 8, 16 or 32 bits or floats of 32 or "
         "64"},
        {"a.bil", 23, "nrows 3\nncols 4\nnbits 16\n", 0,
         "a.bil has 23 bytes; its .hdr describes 24"},
        {"a.bil", 24, "nrows 3\nncols 4\nnbits 16\nskipbytes 1e12\n", 0,
         "a.bil has 24 bytes; its .hdr describes 1000000000024"},
        {"a.bil", 24, "nrows 3\nncols 4\nnbits 16\nskipbytes 1e13\n", 0,
         "the .hdr of a.bil has 1 bands, layout BIL; expected one, or BIL"},
        {"a.bil", 24, "nrows 65536\nncols 65536\nnbits 32\ntotalrowbytes 1e12\n", 0,
         "a.bil has 24 bytes; its .hdr describes 65535000000262144"},
        {"a.bil", 24, "nrows 3\nncols 4\nnbits 16\ntotalrowbytes 7\n", 0,
         "a.bil has 24 bytes; its .hdr describes 22"},
        {"a.bil", 24, "nrows 3\nncols 4\nnbits 16\n", 2, "a.bil has 1 band; there is no band 2"},
        {"a.bil", 99, "nrows 3\nncols 4\nnbands 3\nlayout bip\n", 2,
         "the .hdr of a.bil has 3 bands, layout bip; expected one, or BIL"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].expected[0])
            expect(&rows[i]);
        else
            assert_int_not_equal(
                describe(rows[i].name, rows[i].length, rows[i].header, rows[i].band), TW_OK);
}

/* ---- any header ---- */

/* What is accepted lies within the file. */
static void check_layout(uint64_t length)
{
    assert_in_range(layout.width, 1, TW_SIDE_MAX);
    assert_in_range(layout.height, 1, TW_SIDE_MAX);
    const uint64_t row = tw_raw_row_bytes(&layout);
    const uint64_t cells = (uint64_t)layout.width * (uint64_t)layout.bits / 8;
    assert_true(row >= cells && row <= length && layout.skip <= length);
    assert_true((uint64_t)(layout.height - 1) <= length / row);
    assert_true(layout.skip + row * (uint64_t)(layout.height - 1) + cells <= length);
}

static void any_header_is_sound_or_refused(void **state)
{
    static const char whole[] =
        "BYTEORDER M\nNROWS 3\nNCOLS 4\nNBANDS 2\nNBITS 16\nBANDROWBYTES 8\n"
        "TOTALROWBYTES 16\nSKIPBYTES 2\nNODATA -9\nULXMAP 8\nULYMAP 47\n"
        "XDIM 0.1\nYDIM 0.1\nPIXELTYPE SIGNEDINT\n";
    static const char other[] = {'\0', '9', '-', 'e', '.', '\n', ' ', '\xff'};
    char header[sizeof whole];
    int accepted = 0;
    (void)state;
    for (size_t length = 0; length < sizeof whole; length++) {
        memcpy(header, whole, sizeof whole);
        header[length] = 0;
        if (describe("a.bil", 50, header, 0) == TW_OK)
            check_layout(50), accepted++;
        else
            assert_true(error.message[0]);
    }
    for (size_t at = 0; at < sizeof whole - 1; at++)
        for (size_t k = 0; k < sizeof other; k++) {
            memcpy(header, whole, sizeof whole);
            header[at] = other[k];
            if (describe("a.bil", 50, header, 0) == TW_OK)
                check_layout(50), accepted++;
            else
                assert_true(error.message[0]);
        }
    assert_in_range(accepted, 500, 1500);
}

/* ---- cells ---- */

static const char *text_of(const struct tw_value *value)
{
    static char text[300];
    int used = 0;
    text[0] = 0;
    for (size_t i = 0; i < tw_value_count(value); i++)
        used += snprintf(text + used, sizeof text - (size_t)used, i ? " %g" : "%g",
                         (double)tw_floats(value)[i]);
    return text;
}

static void cells_are_read(void **state)
{
    static const struct {
        const char *name, *header;
        unsigned char bytes[40];
        size_t length;
        const char *expected;
    } rows[] = {
        {"a.bil",
         "nrows 2\nncols 2\nnbits 16\nbyteorder M\nnodata -1\n",
         {0, 1, 0xFF, 0xFF, 0x80, 0, 0x7F, 0xFF},
         8,
         "1 nan -32768 32767"},
        {"a.bil", "nrows 2\nncols 2\nnbits 8\n", {0, 1, 254, 255}, 4, "0 1 254 255"},
        {"a.bil",
         "nrows 2\nncols 1\nnbits 8\nnbands 2\nskipbytes 1\npixeltype signedint\n",
         {9, 1, 2, 255},
         4,
         "1 -1"},
        {"a.bil", "nrows 1\nncols 1\nnbits 32\n", {0xFF, 0xFF, 0xFF, 0xFF}, 4, "4.29497e+09"},
        {"a.flt",
         "nrows 1\nncols 3\nnodata_value -2\n",
         {0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0, 0, 0, 0xC0, 0x7F},
         12,
         "1 nan nan"},
        {"a.flt",
         "nrows 1\nncols 2\nnbits 64\nbyteorder msbfirst\n",
         {0x3F, 0xF0, 0, 0, 0, 0, 0, 0, 0xC0, 0x08, 0, 0, 0, 0, 0, 0},
         16,
         "1 -3"},
        {"a.flt", "nrows 1\nncols 1\n", {0, 0, 0x80, 0x7F}, 4, "not finite"},
        {"a.dem",
         "nrows 1\nncols 2\nnbits 16\nnodata -9999\n",
         {0xF1, 0xD8, 0x10, 0},
         4,
         "nan 16"}};
    const struct tw_file_wish wish = {.gaps = true, .counts = true};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tw_value value = {0};
        assert_int_equal(describe(rows[i].name, rows[i].length, rows[i].header, 0), TW_OK);
        const enum tw_status status =
            tw_raw_decode(rows[i].bytes, rows[i].length, &layout, wish, &value, &error);
        const char *found = status == TW_OK ? text_of(&value) : error.message;
        if (!strstr(found, rows[i].expected))
            fail_msg("%s: %s; expected %s", rows[i].header, found, rows[i].expected);
        tw_field_clear(&value);
        for (size_t cut = 0; cut < rows[i].length; cut++) { /* it has shrunk since */
            assert_int_not_equal(tw_raw_decode(rows[i].bytes, cut, &layout, wish, &value, &error),
                                 TW_OK);
            assert_null(value.data);
        }
        if (strstr(rows[i].expected, "nan")) /* to a node that takes no gaps */
            assert_int_equal(
                tw_raw_decode(rows[i].bytes, rows[i].length, &layout, TW_NO_WISH, &value, &error),
                TW_INPUT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_length_of_an_hgt_says_its_size),
                                       cmocka_unit_test(a_header_file_says_the_rest),
                                       cmocka_unit_test(any_header_is_sound_or_refused),
                                       cmocka_unit_test(cells_are_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
