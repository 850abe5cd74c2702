/* SPDX-License-Identifier: MIT */
/* OpenEXR in each form that it allows: what is read, what is refused, and the very words.
 * test_codec_gis.c has what is common. */
#include "support/foreign.h"

#include "format/notes.h"

static void put_attribute(const char *name, const char *type, uint32_t size)
{
    put_text(name, strlen(name) + 1);
    put_text(type, strlen(type) + 1);
    put(size, 4);
}

static void put_window(const char *name, int32_t left, int32_t top, int32_t right, int32_t bottom)
{
    put_attribute(name, "box2i", 16);
    put((uint32_t)left, 4);
    put((uint32_t)top, 4);
    put((uint32_t)right, 4);
    put((uint32_t)bottom, 4);
}

struct exr {
    const char *label, *expected;
    const char *channels; /* a character each, "h" is called height */
    uint32_t version, sampling;
    uint32_t width, height;
    uint32_t compression;
    const char *kind; /* of the part; NULL: not said */
};

/* Floats by scan lines, of which the cell at (x, y) of channel c is 100 c + 10 y + x; the window
 * begins at (-4, 6). */
static void build_exr(const struct exr *exr)
{
    const size_t count = strlen(exr->channels);
    uint32_t list = 1;
    for (size_t c = 0; c < count; c++)
        list += exr->channels[c] == 'h' ? 23 : 18;
    file.length = 0;
    put(20000630, 4);
    put(exr->version, 4);
    put_attribute("channels", "chlist", list);
    for (size_t c = 0; c < count; c++) {
        const char name[2] = {exr->channels[c], 0};
        put_text(name[0] == 'h' ? "height" : name, name[0] == 'h' ? 7 : 2);
        put(2, 4);
        put(0, 4);
        put(exr->sampling, 4);
        put(exr->sampling, 4);
    }
    put(0, 1);
    put_attribute("compression", "compression", 1);
    put(exr->compression, 1);
    put_window("dataWindow", -4, 6, -5 + (int32_t)exr->width, 5 + (int32_t)exr->height);
    put_window("displayWindow", 0, 0, 9, 9);
    put_attribute("lineOrder", "lineOrder", 1);
    put(0, 1);
    put_attribute("pixelAspectRatio", "float", 4);
    put(0x3F800000, 4);
    put_attribute("screenWindowCenter", "v2f", 8);
    put(0, 8);
    put_attribute("screenWindowWidth", "float", 4);
    put(0x3F800000, 4);
    if (exr->kind) {
        put_attribute("name", "string", 4);
        put_text("part", 4);
        put_attribute("type", "string", (uint32_t)strlen(exr->kind));
        put_text(exr->kind, strlen(exr->kind));
        put_attribute("version", "int", 4);
        put(1, 4);
        put_attribute("chunkCount", "int", 4);
        put(exr->height, 4);
    }
    put(0, 1);
}

static void put_exr_rows(const struct exr *exr)
{
    const uint64_t count = strlen(exr->channels), row = 8 + 4 * count * exr->width;
    const uint64_t begin = file.length + 8 * exr->height;
    for (uint32_t y = 0; y < exr->height; y++)
        put(begin + y * row, 8);
    for (uint32_t y = 0; y < exr->height; y++) {
        put(6 + y, 4);
        put(row - 8, 4);
        for (uint32_t c = 0; c < count; c++)
            for (uint32_t x = 0; x < exr->width; x++) {
                float cell = (float)(100 * c + 10 * y + x);
                uint32_t bits;
                memcpy(&bits, &cell, sizeof bits);
                put(bits, 4);
            }
    }
}

#define EXPECTED                                                                                   \
    "; expected one part of scan lines or tiles with one channel, or one named Y, height, Z or "   \
    "R, or R, G and B"

static void an_exr_of_any_form_is_read_or_refused(void **state)
{
    static const struct exr rows[] = {
        {"one channel", "3x2: 0 1 2 10 11 12", "R", 2, 1, 3, 2, 0, NULL},
        {"Y of several", "3x2: 100 101 102 110 111 112", "XYZ", 2, 1, 3, 2, 0, NULL},
        {"height of several", "3x2: 200 201 202 210 211 212", "XZh", 2, 1, 3, 2, 0, NULL},
        {"Z of several", "3x2: 100 101 102 110 111 112", "XZ", 2, 1, 3, 2, 0, NULL},
        {"red without others", "3x2: 100 101 102 110 111 112", "ARX", 2, 1, 3, 2, 0, NULL},
        {"colours", "1x2: 255 255 0 255 255 255", "BGR", 2, 1, 1, 2, 0, NULL},
        {"colours and heights", "3x2: 300 301 302 310 311 312", "BGRZ", 2, 1, 3, 2, 0, NULL},
        {"others", "an .exr of several channels, none of which is known" EXPECTED, "GR", 2, 1, 3, 2,
         0, NULL},
        {"DWAA",
         "an .exr compressed by DWAA (8), which is not supported; expected none, RLE, ZIPS, ZIP, "
         "PIZ, PXR24, B44 or B44A",
         "Y", 2, 1, 3, 2, 8, NULL},
        {"B44 of several",
         "an .exr compressed by B44 with several channels, not all of half floats, which is not "
         "supported; expected another compression, as ZIP",
         "AY", 2, 1, 3, 2, 6, NULL},
        {"subsampled", "an .exr with a subsampled channel" EXPECTED, "Y", 2, 2, 4, 4, 0, NULL},
        {"deep", "a deep .exr" EXPECTED, "Y", 0x802, 1, 3, 2, 0, "deepscanline"},
    };
    (void)state;
    for (size_t i = 0; has(".exr") && i < sizeof rows / sizeof *rows; i++) {
        build_exr(&rows[i]);
        put_exr_rows(&rows[i]);
        expect(rows[i].label, "map.exr", rows[i].expected);
    }
}

/* A file of just so many bytes may hold the cells, one of fewer cannot. */
static void an_exr_holds_as_much_as_its_compression_allows(void **state)
{
    static const struct {
        uint32_t compression; /* 0: none, 1: runs, 2 and 3: ZIP, 4: PIZ, 5: PXR24, 6 and 7: B44 */
        size_t length;        /* the shortest for 5160 x 1000 floats */
    } rows[] = {{0, 20640000}, {1, 322500}, {2, 10000},   {3, 10000},
                {4, 10000},    {5, 10000},  {6, 1290000}, {7, 1290000}};
    (void)state;
    for (size_t i = 0; has(".exr") && i < sizeof rows / sizeof *rows; i++) {
        const struct exr exr = {.channels = "Y",
                                .version = 2,
                                .sampling = 1,
                                .width = 5160,
                                .height = 1000,
                                .compression = rows[i].compression};
        char expected[100], text[300];
        build_exr(&exr);
        pad(rows[i].length - 1);
        snprintf(expected, sizeof expected, "damaged .exr: %zu bytes cannot hold 5160 x 1000 cells",
                 rows[i].length - 1);
        expect("a byte less", "map.exr", expected);
        pad(rows[i].length);
        read_file("map.exr", text, sizeof text);
        assert_null(strstr(text, "cannot hold"));
    }
}

/* Notes of a map of that recipe: as made, and as read from its file. */
static void write_and_read(const char *recipe, struct tw_notes *written, struct tw_notes *found)
{
    const struct tw_provenance provenance = {.recipe = recipe, .seed = 77};
    float cells[6] = {0, 1, 2, 3, 4, 5};
    const struct tw_value map = {TW_HEIGHTMAP, 3, 2, cells}, *value = &map;
    const struct tw_format *format = tw_format_find(".exr", TW_HEIGHTMAP, false);
    const struct {
        bool half, metres;
    } options = {false, false};
    const struct tw_encoding encoding = {.values = &value,
                                         .count = 1,
                                         .range = {.high = 1},
                                         .options = &options,
                                         .provenance = &provenance};
    file.length = 0;
    assert_int_equal(tw_notes_make(format, &encoding, written, NULL), TW_OK);
    assert_int_equal(tw_format_encode(format, encoding, &file, NULL), TW_OK);
    tw_notes_read(format, file.at, file.length, found);
    assert_int_equal(written->count, 5);
}

static void an_exr_keeps_its_notes(void **state)
{
    static const char *const recipes[][2] = {{"alps\n.yaml", "alps?.yaml"}, {"", ""}};
    struct tw_notes written, found;
    (void)state;
    if (!has(".exr"))
        skip();
    for (int r = 0; r < 2; r++) {
        write_and_read(recipes[r][0], &written, &found);
        assert_int_equal(found.count, 5);
        for (int i = 0; i < 5; i++) {
            assert_string_equal(found.at[i].name, written.at[i].name);
            assert_string_equal(found.at[i].text, written.at[i].text);
        }
        assert_string_equal(found.at[1].text, recipes[r][1]);
        assert_string_equal(found.at[2].text, "77");
    }
    tw_notes_read(tw_format_find(".exr", TW_HEIGHTMAP, false), file.at, 100, &found);
    assert_int_equal(found.count, 0); /* what is cut off says nothing */
}

/* 16 rows, a chunk, of noise with so many levels. */
static void round_trip(int32_t width, uint32_t levels, bool half)
{
    float cells[16 * 24];
    const struct tw_value map = {TW_HEIGHTMAP, width, 16, cells}, *value = &map;
    const struct tw_format *format = tw_format_find(".exr", TW_HEIGHTMAP, false);
    const struct {
        bool half, metres;
    } options = {half, false};
    const struct tw_encoding encoding = {
        .values = &value, .count = 1, .range = {.high = 1}, .options = &options};
    const size_t count = 16 * (size_t)width;
    uint32_t state = (uint32_t)width * 7919 + levels;
    struct tw_value read = {0};
    for (size_t i = 0; i < count; i++) {
        state = state * 1664525 + 1013904223;
        cells[i] = (float)((state >> 16) % levels) / 1024.0f;
    }
    file.length = 0;
    assert_int_equal(tw_format_encode(format, encoding, &file, NULL), TW_OK);
    assert_int_equal(format->decode(file.at, file.length, &read, NULL), TW_OK);
    assert_memory_equal(tw_floats(&read), cells, count * sizeof *cells);
    tw_field_clear(&read);
}

/* A dozen of these chunks are compressed to the very length that their cells have. */
static void an_exr_of_any_length_is_read_as_written(void **state)
{
    (void)state;
    if (!has(".exr"))
        skip();
    for (uint32_t levels = 300; levels < 1000; levels += 20)
        for (int32_t width = 1; width <= 24; width++) {
            round_trip(width, levels, true);
            round_trip(width, levels, false);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exr_of_any_form_is_read_or_refused),
        cmocka_unit_test(an_exr_holds_as_much_as_its_compression_allows),
        cmocka_unit_test(an_exr_keeps_its_notes),
        cmocka_unit_test(an_exr_of_any_length_is_read_as_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
