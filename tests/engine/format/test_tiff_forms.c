/* SPDX-License-Identifier: MIT */
/* TIFF in each form that it allows: what is read, what is refused, and the very words.
 * test_codec_gis.c has what is common. */
#include "support/foreign.h"

#ifdef TW_WITH_TIFF
#include <tiffio.h>

static bool read_place(const struct tw_format *format, const unsigned char *data, size_t length,
                       struct tw_georeference *place)
{
    const struct tw_codec_head head = {.at = data, .length = length, .file_length = length};
    return format->read_place(&head, place);
}

/* What libtiff has been told in a program that has GDAL in it, too. */
static void know_tags_as_gdal(TIFF *tiff)
{
    static char names[5][12] = {"scale", "tiepoint", "matrix", "metadata", "nodata"};
    static const TIFFFieldInfo tags[] = {
        {33550, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, names[0]},
        {33922, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, names[1]},
        {34264, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, names[2]},
        {42112, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, names[3]},
        {42113, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, names[4]},
    };
    assert_int_equal(TIFFMergeFieldInfo(tiff, tags, sizeof tags / sizeof *tags), 0);
}
#endif

enum { BYTE = 1, ASCII = 2, SHORT = 3, LONG = 4, DOUBLE = 12 };

/* Entries in the order of their tags; numbers of more than 4 bytes lie behind the directory. */
struct entry {
    int tag, type;
    uint32_t count, number; /* the number itself, or where it lies */
};
struct tiff {
    const char *label, *expected;
    struct entry more[4]; /* instead of those with the same tag, or besides */
    const char *cells;
    size_t length; /* of the cells; 0: no more than strlen() */
};

enum { CELLS = 256, NUMBERS = 600 };

/* The only one or the last. */
static void put_directory(const struct entry *entries, int count)
{
    put((uint64_t)count, 2);
    for (int i = 0; i < count; i++) {
        put((uint64_t)entries[i].tag, 2);
        put((uint64_t)entries[i].type, 2);
        put(entries[i].count, 4);
        put(entries[i].number, 4);
    }
    put(0, 4);
}

static void build_tiff(const struct entry *more, int more_count)
{
    struct entry all[20] = {{256, LONG, 1, 3},  {257, LONG, 1, 2},  {258, SHORT, 1, 8},
                            {259, SHORT, 1, 1}, {262, SHORT, 1, 1}, {273, LONG, 1, CELLS},
                            {277, SHORT, 1, 1}, {278, LONG, 1, 2},  {279, LONG, 1, 200},
                            {339, SHORT, 1, 1}};
    int count = 10;
    for (int i = 0; i < more_count && more[i].tag; i++) {
        int at = 0;
        while (at < count && all[at].tag < more[i].tag)
            at++;
        bool there = at < count && all[at].tag == more[i].tag;
        memmove(all + at + 1, all + at + there, (size_t)(count - at - there) * sizeof *all);
        all[at] = more[i];
        count += !there;
    }
    file.length = 0;
    put_text("II*\0\x08\0\0\0", 8);
    put_directory(all, count);
    assert_true(file.length <= CELLS);
    pad(CELLS);
}

/* Strings of 9 bits: so few that their number never grows. */
static const char lzw[] = "\x80\x00\x40\x40\x30\x20\x15\xff\x01";

static void a_tiff_of_any_form_is_read_or_refused(void **state)
{
    static const struct tiff rows[] = {
        {"plain",
         "3x2: 0.00392156886 0.00784313772 0.0117647061 0.0156862754 0.0196078438 1",
         {{0}},
         "\1\2\3\4\5\xff",
         6},
        {"signed bytes", "3x2: 1 -1 -128 127 0 5", {{339, SHORT, 1, 2}}, "\1\xff\x80\x7f\0\5", 6},
        {"whole numbers of 32 bits",
         "1x1: 1",
         {{256, LONG, 1, 1}, {257, LONG, 1, 1}, {258, SHORT, 1, 32}},
         "\xff\xff\xff\xff",
         4},
        {"runs",
         "3x2: 0.0196078438 0.0196078438 0.0196078438 0.0196078438 0.00784313772 1",
         {{259, SHORT, 1, 32773}, {279, LONG, 1, 5}},
         "\xfd\5\1\2\xff",
         5},
        {"strings",
         "3x2: 0.00392156886 0.00784313772 0.0117647061 0.0156862754 0.0196078438 1",
         {{259, SHORT, 1, 5}, {279, LONG, 1, sizeof lzw - 1}},
         lzw,
         sizeof lzw - 1},
        {"a strip as high as any",
         "3x2: 1 1 0 0 1 1",
         {{278, LONG, 1, 0xffffffff}},
         "\xff\xff\0\0\xff\xff",
         6},
        {"a strip higher than the map",
         "3x2: 1 1 0 0 1 1",
         {{278, LONG, 1, 3}},
         "\xff\xff\0\0\xff\xff",
         6},
        {"half floats",
         "3x2: 5.96046448e-08 1 -2 65504 0.333251953 0",
         {{258, SHORT, 1, 16}, {339, SHORT, 1, 3}},
         "\1\0\0\x3c\0\xc0\xff\x7b\x55\x35\0\0",
         12},
        {"no data of half floats",
         "the .tif has no data at x 1, y 0: fill its gaps first",
         {{258, SHORT, 1, 16}, {339, SHORT, 1, 3}, {42113, ASCII, 4, 0x00333939}},
         "\1\x3c\xc2\x63\1\0\xff\x7b\x55\x35\0\0",
         12},
        {"grey with transparency",
         "1x2: 1 0",
         {{256, LONG, 1, 1}, {277, SHORT, 1, 2}, {338, SHORT, 1, 2}},
         "\xff\7\0\7",
         4},
        {"a compression that libtiff does not know",
         "a .tif compressed by another method (12345), which is not supported; expected another "
         "compression, as Deflate",
         {{259, SHORT, 1, 12345}},
         "",
         6},
        {"two channels",
         "the .tif has 2 channels; expected one, or red, green and blue",
         {{256, LONG, 1, 1}, {277, SHORT, 1, 2}, {338, SHORT, 1, 0}},
         "\xff\7\0\7",
         4},
        {"colours",
         "1x2: 1 2 3 4 5 6",
         {{256, LONG, 1, 1}, {262, SHORT, 1, 2}, {277, SHORT, 1, 3}},
         "\1\2\3\4\5\6",
         6},
        {"colours with transparency",
         "1x2: 1 2 3 5 6 7",
         {{256, LONG, 1, 1}, {262, SHORT, 1, 2}, {277, SHORT, 1, 4}, {338, SHORT, 1, 2}},
         "\1\2\3\4\5\6\7\x8",
         8},
        {"12 bits",
         "a .tif of 12 bits, sample format 1; expected floats of 16, 32 or 64 bits and "
         "integers of 8, 16 or 32",
         {{258, SHORT, 1, 12}},
         "",
         9},
        {"complex numbers",
         "a .tif of 32 bits, sample format 5; expected floats of 16, 32 or 64 bits and "
         "integers of 8, 16 or 32",
         {{258, SHORT, 1, 32}, {339, SHORT, 1, 5}},
         "",
         24},
        {"no width", "damaged .tif: Computed scanline size is zero", {{256, LONG, 1, 0}}, "", 1},
        {"no height",
         "damaged .tif: Cannot handle zero number of strips",
         {{257, LONG, 1, 0}},
         "",
         1},
        {"too wide", "the .tif has sides beyond 1 to 65536", {{256, LONG, 1, 65537}}, "", 1},
        {"too high", "the .tif has sides beyond 1 to 65536", {{257, LONG, 1, 65537}}, "", 1},
        {"widest",
         "damaged .tif: 1000 bytes cannot hold 65536 x 2 cells",
         {{256, LONG, 1, 65536}},
         "",
         744},
        {"highest",
         "damaged .tif: 1000 bytes cannot hold 3 x 65536 cells",
         {{257, LONG, 1, 65536}},
         "",
         744},
        {"what no cell can be", "3x2: 0 0 0 0 0 0", {{42113, ASCII, 60, NUMBERS}}, "", 6},
        {"a blank for no data", "3x2: 0 0 0 0 0 0", {{42113, ASCII, 4, 0x00202020}}, "", 6},
        {"no data",
         "the .tif has no data at x 1, y 1: fill its gaps first",
         {{42113, ASCII, 4, 0x00203337}},
         "\1\2\3\4I\6",
         6},
    };
    (void)state;
    for (size_t i = 0; has(".tif") && i < sizeof rows / sizeof *rows; i++) {
        build_tiff(rows[i].more, 4);
        put_text(rows[i].cells, rows[i].cells[0] ? rows[i].length : 0);
        pad(CELLS + rows[i].length);
        pad(1000);
        expect(rows[i].label, "map.tif", rows[i].expected);
    }
    build_tiff(NULL, 0);
    file.length = 8;
    if (has(".tif"))
        expect("cut", "cut.tif", "damaged .tif: Can not read TIFF directory count");
}

/* A file of just so many bytes may hold the cells, one of fewer cannot. */
static void a_tiff_holds_as_much_as_its_compression_allows(void **state)
{
    static const struct {
        uint32_t compression;
        size_t length; /* the shortest for 5160 x 1000 bytes */
    } rows[] = {{1, 5160000}, {32773, 80625}, {5, 1889}, {8, 5000}, {32946, 5000}};
    (void)state;
    for (size_t i = 0; has(".tif") && i < sizeof rows / sizeof *rows; i++) {
        const struct entry more[4] = {{256, LONG, 1, 5160},
                                      {257, LONG, 1, 1000},
                                      {259, SHORT, 1, rows[i].compression},
                                      {278, LONG, 1, 1000}};
        char expected[100], text[300];
        build_tiff(more, 4);
        pad(rows[i].length - 1);
        snprintf(expected, sizeof expected, "damaged .tif: %zu bytes cannot hold 5160 x 1000 cells",
                 rows[i].length - 1);
        expect("a byte less", "map.tif", expected);
        pad(rows[i].length);
        read_file("map.tif", text, sizeof text);
        assert_null(strstr(text, "cannot hold"));
    }
}

/* ---- what numbers of a TIFF are not the heights, or not in their places ---- */

static void put_double(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    put(bits, 8);
}

#define SCALED(scale, offset)                                                                      \
    "the .tif has scale " scale " and offset " offset "; expected numbers, the scale not 0"
#define ITEM(attributes, number) "<Item " attributes ">" number "</Item>"

/* As GDAL writes it; the text ends with a zero or not. */
static void scale_and_offset_of_a_tiff_are_applied(void **state)
{
    static const char plain[] = "1x1: 5";
    static const struct {
        const char *text, *expected;
    } rows[] = {
        {"<GDALMetadata>\n" ITEM("name=\"OFFSET\" sample=\"0\" role=\"offset\"", "100")
             ITEM("name=\"SCALE\" sample=\"0\" role=\"scale\"", "0.100000000000000006"),
         "1x1: 100.5"},
        {ITEM("name=\"SCALE\" sample=\"0\" role=\"scale\"", "2"), "1x1: 10"},
        {ITEM("name=\"OFFSET\" sample=\"0\" role=\"offset\"", "-7.5"), "1x1: -2.5"},
        {ITEM("role=\"scale\"", "0.1 m"), SCALED("nan", "0")},
        {ITEM("role=\"offset\"", "0000000000000000000000000000000000000001"), SCALED("1", "nan")},
        {ITEM("role=\"offset\"", ""), SCALED("1", "nan")},
        {ITEM("role=\"scale\"", "1") ITEM("role=\"offset\"", "0.0"), plain},
        {ITEM("name=\"SCALE\"", "50000"), plain}, /* of a printed map */
        {"<Item role=\"scale\">3", plain},
        {"<Item role=\"scale\"", plain},
        {"", plain},
    };
    (void)state;
    for (size_t i = 0; has(".tif") && i < 2 * (sizeof rows / sizeof *rows); i++) {
        const char *text = rows[i / 2].text;
        const uint32_t length = (uint32_t)(strlen(text) + i % 2);
        const struct entry more[5] = {{256, LONG, 1, 1},
                                      {257, LONG, 1, 1},
                                      {339, SHORT, 1, 2},
                                      {length > 4 ? 42112 : 0, ASCII, length, NUMBERS}};
        build_tiff(more, 4);
        put_text("\5", 1);
        pad(NUMBERS);
        put_text(text, strlen(text));
        pad(1000);
        expect(text, "map.tif", rows[i / 2].expected);
    }
}

/* What is only turned is read: it is the same land. */
static void a_mirrored_tiff_is_refused(void **state)
{
    static const struct {
        const char *label;
        double m[4]; /* x by column and row, y by column and row */
        bool mirrored;
    } rows[] = {
        {"north up", {30, 0, 0, -30}, false},      {"south up", {30, 0, 0, 30}, true},
        {"from the east", {-30, 0, 0, -30}, true}, {"by a half turn", {-30, 0, 0, 30}, false},
        {"turned", {30, 5, 5, -30}, false},        {"transposed", {0, 30, -30, 0}, true},
        {"by a quarter", {0, 30, 30, 0}, false},   {"without a size", {0, 0, 0, 0}, false},
    };
    (void)state;
    for (size_t i = 0; has(".tif") && i < sizeof rows / sizeof *rows; i++) {
        const struct entry more[1] = {{34264, DOUBLE, 16, NUMBERS}};
        const double *m = rows[i].m;
        build_tiff(more, 1);
        pad(NUMBERS);
        for (int k = 0; k < 16; k++)
            put_double(k < 2 ? m[k] : k == 4 || k == 5 ? m[k - 2] : 0);
        pad(1000);
        expect(rows[i].label, "map.tif",
               rows[i].mirrored
                   ? "the .tif is mirrored, as with rows from south to north; expected rows from "
                     "north to south and columns from west to east: gdalwarp writes them"
                   : "3x2: 0 0 0 0 0 0");
    }
}

/* A picture behind the heights: an overview is none of them, a mask says which of them count. */
static void a_mask_of_a_tiff_is_not_passed_over(void **state)
{
    enum { AFTER = 8 + 2 + 10 * 12 }; /* where the first directory says where the next one is */
    static const char mask[] =
        "the .tif has a mask of cells that count; expected heights everywhere: gdal_fillnodata.py "
        "fills gaps, gdal_translate -mask none leaves the mask out";
    static const struct {
        uint32_t kind;
        const char *expected;
    } rows[] = {{1, "3x2: 0 0 0 0 0 0"}, {4, mask}, {5, mask}};
    (void)state;
    for (size_t i = 0; has(".tif") && i < sizeof rows / sizeof *rows; i++) {
        const struct entry picture[] = {
            {254, LONG, 1, rows[i].kind}, {256, LONG, 1, 3},     {257, LONG, 1, 2},
            {262, SHORT, 1, 4},           {273, LONG, 1, CELLS}, {279, LONG, 1, 2}};
        build_tiff(NULL, 0);
        file.at[AFTER] = NUMBERS % 256;
        file.at[AFTER + 1] = NUMBERS / 256;
        pad(NUMBERS);
        put_directory(picture, sizeof picture / sizeof *picture);
        pad(1000);
        expect(rows[i].expected, "map.tif", rows[i].expected);
    }
}

/* The least float, written out. */
static void a_long_number_for_no_data_counts(void **state)
{
    static const char text[] = "-340282346638528859811704183484516925440.000000";
    const struct entry more[5] = {{256, LONG, 1, 1},
                                  {257, LONG, 1, 1},
                                  {258, SHORT, 1, 32},
                                  {339, SHORT, 1, 3},
                                  {42113, ASCII, sizeof text, NUMBERS}};
    (void)state;
    build_tiff(more, 5);
    put_text("\xff\xff\x7f\xff", 4);
    pad(NUMBERS);
    put_text(text, sizeof text);
    pad(1000);
    if (has(".tif"))
        expect("no data", "map.tif", "the .tif has no data at x 0, y 0: fill its gaps first");
}

/* ---- where a TIFF lies ---- */

/* Keys of GeoTIFF: where the number is that of another tag, the second word is not 0. */
static void a_tiff_says_where_it_lies(void **state)
{
    static const struct {
        const char *label, *system;
        double scale[2], point[4], west, north; /* the tie point: column, row, x, y */
        uint16_t keys[12];
        int key_count;
        bool known;
    } rows[] = {
        {"projected",
         "EPSG:2056",
         {10, 20},
         {0, 0, 500, 900},
         500,
         900,
         {1025, 0, 1, 1, 2048, 0, 1, 4326, 3072, 0, 1, 2056},
         12,
         true},
        {"a point within",
         "EPSG:2056",
         {10, 20},
         {2, 3, 500, 900},
         480,
         960,
         {3072, 0, 1, 2056, 2048, 0, 1, 4326, 1025, 0, 1, 1},
         12,
         true},
        {"of middles",
         "EPSG:4326",
         {10, 20},
         {0, 0, 500, 900},
         495,
         910,
         {1025, 0, 1, 2, 2048, 0, 1, 4326, 3072, 0, 1, 32767},
         12,
         true},
        {"geographic",
         "EPSG:4326",
         {10, 20},
         {0, 0, 500, 900},
         500,
         900,
         {2048, 0, 1, 4326},
         4,
         true},
        {"of one's own",
         "",
         {10, 20},
         {0, 0, 500, 900},
         500,
         900,
         {2048, 0, 1, 32767, 3072, 0, 1, 32767},
         8,
         true},
        {"elsewhere",
         "",
         {10, 20},
         {0, 0, 500, 900},
         500,
         900,
         {2048, 34736, 1, 4326, 3072, 34737, 1, 2056},
         8,
         true},
        {"without keys", "", {10, 20}, {0, 0, 500, 900}, 500, 900, {0}, 0, true},
        {"without width", "", {0, 20}, {0, 0, 500, 900}, 0, 0, {0}, 0, false},
        {"without height", "", {10, -20}, {0, 0, 500, 900}, 0, 0, {0}, 0, false},
    };
    (void)state;
    for (size_t i = 0; has(".tif") && i < sizeof rows / sizeof *rows; i++) {
        const int keys = rows[i].key_count;
        const struct entry more[4] = {{33550, DOUBLE, 3, NUMBERS},
                                      {33922, DOUBLE, 6, NUMBERS + 24},
                                      {keys ? 34735 : 0, SHORT, 4 + (uint32_t)keys, NUMBERS + 72}};
        const struct tw_format *format = tw_format_find(".tif", TW_HEIGHTMAP, false);
        struct tw_georeference place = {.west = 7};
        build_tiff(more, 4);
        pad(NUMBERS);
        put_double(rows[i].scale[0]);
        put_double(rows[i].scale[1]);
        put_double(0);
        for (int k = 0; k < 6; k++)
            put_double(k == 2 || k == 5 ? 0 : rows[i].point[k < 2 ? k : k - 1]);
        put(1, 2);
        put(1, 4);
        put((uint64_t)keys / 4, 2);
        for (int k = 0; k < keys; k++)
            put(rows[i].keys[k], 2);
        pad(1000);
        if (read_place(format, file.at, file.length, &place) != rows[i].known)
            fail_msg("%s", rows[i].label);
        if (!rows[i].known)
            continue;
        if (place.west != rows[i].west || place.north != rows[i].north ||
            place.cell_x != rows[i].scale[0] || place.cell_y != rows[i].scale[1] || place.turned ||
            strcmp(place.system, rows[i].system) != 0)
            fail_msg("%s: west %g, north %g, %s", rows[i].label, place.west, place.north,
                     place.system);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tiff_of_any_form_is_read_or_refused),
        cmocka_unit_test(a_tiff_holds_as_much_as_its_compression_allows),
        cmocka_unit_test(scale_and_offset_of_a_tiff_are_applied),
        cmocka_unit_test(a_mirrored_tiff_is_refused),
        cmocka_unit_test(a_mask_of_a_tiff_is_not_passed_over),
        cmocka_unit_test(a_long_number_for_no_data_counts),
        cmocka_unit_test(a_tiff_says_where_it_lies),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
#ifdef TW_WITH_TIFF
    TIFFSetTagExtender(know_tags_as_gdal);
    failed += cmocka_run_group_tests_name("with GDAL", tests, NULL, NULL);
#endif
    return failed;
}
