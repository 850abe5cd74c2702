/* SPDX-License-Identifier: MIT */
/* thalweg inspect: every format that we write is recognised, with the digest of the lock; changed,
 * damaged and lying files are named. */
#include "support/command.h"
#include "support/harness.h"

#include "base/os/file.h"
#include "format/codec.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char recipe[] =
    "thalweg: 1\nsize: [65, 33]\nseed: 5\nworld: {side_m: 650, height_m: 300}\nnodes:\n"
    "  h: {type: noise.midpoint}\n  s: {type: measure.score, in: h}\noutputs: {height: "
    "h}\nexport:\n"
    "  h.png: {from: h, sidecar: true}\n  h.npy: h\n  h.bmp: h\n  h.r16: h\n"
    "  h.r32: {from: h, flip: true}\n  bare.raw: {from: h, sidecar: false}\n  h.glb: h\n"
    "  h.obj: h\n  s.json: s\n  s.csv: s\n  view.png: {from: h, as: hillshade}\n";

static struct command_result result;

static void run(const char *arguments, int code) { command_expect(arguments, code, &result); }

static int set_up(void **state)
{
    command_set_up(state);
    command_write("r.yaml", recipe, strlen(recipe));
    run("run r.yaml -o out -q", 0);
    run("lock r.yaml -q", 0);
    return 0;
}

/* The first file of the report. */
static json_t *inspect(const char *arguments, int code)
{
    char text[200];
    json_error_t error;
    snprintf(text, sizeof text, "inspect --json %s", arguments);
    run(text, code);
    json_t *root = json_loads(result.out, 0, &error);
    assert_non_null(root);
    json_t *file = json_incref(json_array_get(json_object_get(root, "files"), 0));
    json_decref(root);
    return file;
}

static const char *text_of(const json_t *file, const char *name)
{
    const char *text = json_string_value(json_object_get(file, name));
    return text ? text : "";
}

static void digests_are_those_of_the_lock(void **state)
{
    static const char *const files[] = {"h.png", "h.npy", "h.bmp",  "h.r16", "h.r32",
                                        "h.glb", "h.obj", "s.json", "s.csv", "view.png"};
    unsigned char *lock = NULL;
    size_t length = 0;
    (void)state;
    assert_int_equal(tw_file_read("r.yaml.lock", 1 << 20, &lock, &length, NULL), TW_OK);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[64], line[40];
        snprintf(path, sizeof path, "out/%s", files[i]);
        snprintf(line, sizeof line, "\"%s\":\n", files[i]);
        json_t *file = inspect(path, 0);
        const char *at = strstr((const char *)lock, line);
        assert_non_null(at);
        const char *digest = strstr(at, text_of(file, "sha256"));
        if (!digest || digest > strstr(at, "type: "))
            fail_msg("%s: the lock has another digest", files[i]);
        assert_string_equal(text_of(file, "format"), strrchr(path, '.') + 1);
        json_decref(file);
    }
    free(lock);
}

static void maps_have_size_and_range(void **state)
{
    json_t *file = inspect("out/h.r32", 0);
    (void)state;
    const json_t *size = json_object_get(file, "size");
    assert_int_equal(json_integer_value(json_array_get(size, 0)), 65);
    assert_int_equal(json_integer_value(json_array_get(size, 1)), 33);
    assert_true(json_real_value(json_object_get(file, "least")) >= 0);
    assert_true(json_real_value(json_object_get(json_object_get(file, "sidecar"), "cell_m")) == 10);
    json_decref(file);
    run("inspect out/h.png", 0);
    command_expect_words(result.out, "thalweg.recipe    r.yaml");
    command_expect_words(result.out, "levels stand for  0 m to 300 m");
}

static void other_files_are_counted(void **state)
{
    (void)state;
    run("inspect out/h.glb out/h.obj out/s.csv out/s.json out/h.png.json r.yaml.lock", 0);
    command_expect_words(result.out, "out/h.glb: glb");
    command_expect_words(result.out, "vertices          2145\n  triangles         4096");
    command_expect_words(result.out, "faces             4096");
    command_expect_words(result.out, "out/h.png.json: sidecar");
    command_expect_words(result.out, "describes         h.png");
    command_expect_words(result.out, "r.yaml.lock: lock");
    command_expect_words(result.out, "exports           11");
}

/* Of 16 MiB and a bit, so that its length takes four bytes. */
static void a_large_mesh_is_as_long_as_it_says(void **state)
{
    static const unsigned char head[] = "glTF\2\0\0\0\0\1\0\1\2\0\0\0JSON{}";
    const size_t length = (1 << 24) + (1 << 8);
    unsigned char *data = calloc(length, 1);
    (void)state;
    assert_non_null(data);
    memcpy(data, head, sizeof head - 1);
    command_write("large.glb", data, length);
    run("inspect large.glb", 0);
    command_expect_words(result.out, "large.glb: glb, 16777472 bytes");
    data[10] = 1;
    command_write("large.glb", data, length);
    run("inspect large.glb", 3);
    command_expect_words(result.err, "has 16777472 bytes, which its header does not say");
    free(data);
    assert_int_equal(remove("large.glb"), 0);
}

static void files_without_a_head_need_a_size(void **state)
{
    (void)state;
    run("inspect out/bare.raw", 3);
    command_expect_words(result.err,
                         "4290 bytes and no header: its size is missing; expected a sidecar that "
                         "says it, or --size WxH");
    run("inspect out/bare.raw --size 64", 3);
    command_expect_words(result.err, "bare.raw has 4290 bytes; 64 x 64 cells of 16 bits have 8192");
    run("inspect out/bare.raw --size 65x33", 0);
}

static void numbers_may_be_big_endian(void **state)
{
    static const unsigned char levels[] = {0, 0, 0x80, 0, 0xff, 0xff, 0, 1};
    (void)state;
    command_write("big.r16", levels, sizeof levels);
    run("inspect big.r16 --size 4x1 --endian big", 0);
    command_expect_words(result.out, "  greatest          1\n  mean              0.375005722");
    run("inspect big.r16 --size 4x1", 0);
    command_expect_words(result.out, "  mean              0.2514");
    run("inspect big.r16 --size 4x1 --endian=middle", 2);
    command_expect_words(result.err, "--endian is 'middle'; expected one of little|big");
}

static void copy(const char *from, const char *to, size_t cut, size_t change)
{
    unsigned char *data = NULL;
    size_t length = 0;
    assert_int_equal(tw_file_read(from, 1 << 20, &data, &length, NULL), TW_OK);
    if (change > 0)
        data[length - change] ^= 1;
    command_write(to, data, length - cut);
    free(data);
}

static void changed_and_damaged_files_are_named(void **state)
{
    (void)state;
    copy("out/h.r16", "h.r16", 0, 5);
    copy("out/h.r16.json", "h.r16.json", 0, 0);
    run("inspect h.r16", 1);
    command_expect_words(result.out, "the sidecar says sha256 ");
    copy("out/h.r16", "h.r16", 2, 0);
    run("inspect h.r16", 3);
    command_expect_words(result.err,
                         "h.r16 has 4288 bytes; 65 x 33 cells of 16 bits (h.r16.json) have "
                         "4290");
    static const char *const files[] = {"h.png", "h.npy", "h.bmp", "h.glb", "s.json"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char from[64], to[64], text[100];
        snprintf(from, sizeof from, "out/%s", files[i]);
        snprintf(to, sizeof to, "short.%s", files[i]);
        snprintf(text, sizeof text, "inspect %s", to);
        copy(from, to, 9, 0);
        run(text, 3);
    }
    command_write("lie.r16", "aaaa", 4);
    command_write("lie.r16.json", "{\"schema\": \"thalweg.sidecar/1\", \"width\": 70000}", 47);
    run("inspect lie.r16", 3);
    command_write("lie.r16.json", "{\"schema\": \"thalweg.sidecar/1\", \"width\": 2", 42);
    run("inspect lie.r16", 3);
    run("inspect r.yaml", 3);
    command_expect_words(result.err, "unknown format; expected a map");
    run("inspect missing.png out/h.npy", 3);
    command_expect_words(result.out, "out/h.npy: npy");
}

static void pictures_are_drawn(void **state)
{
    unsigned char *data = NULL;
    size_t length = 0;
    struct tw_value view = {.type = TW_HEIGHTMAP};
    (void)state;
    run("inspect out/h.r32 --picture seen.png", 0);
    assert_int_equal(tw_file_read("seen.png", 1 << 20, &data, &length, NULL), TW_OK);
    assert_int_equal(tw_png_decode(data, length, &view, NULL), TW_OK);
    assert_true(view.type == TW_IMAGE && view.width == 65 && view.height == 33);
    tw_field_clear(&view);
    free(data);
    run("inspect out/h.png --picture out/h.png", 3);
    command_expect_words(result.err, "would overwrite");
    run("inspect out/s.csv --picture seen.png", 3);
    run("inspect out/h.png out/h.npy --picture seen.png", 2);
}

static void replace_bytes(const char *path, const char *from, const char *to, size_t length)
{
    unsigned char *data = NULL;
    size_t size = 0, at = 0;
    assert_int_equal(tw_file_read(path, 1 << 20, &data, &size, NULL), TW_OK);
    while (at + length < size && memcmp(data + at, from, length) != 0)
        at++;
    assert_memory_equal(data + at, from, length);
    memcpy(data + at, to, length);
    command_write(path, data, size);
    free(data);
}

static void what_lies_somewhere_says_where(void **state)
{
    static const char geo[] =
        "thalweg: 1\nsize: [40, 20]\nseed: 5\nworld: {side_m: 400, height_m: 300, epsg: 32632, "
        "west: 500000, north: 5200000}\nnodes:\n  h: {type: noise.midpoint}\n"
        "outputs: {height: h}\nexport: {h.tif: h}\n";
    static const char grid[] = "ncols 2\nnrows 3\nxllcenter 100\nyllcenter 200\ncellsize 10\n"
                               "1 2 3 4 5 6\n";
    (void)state;
    command_write("geo.yaml", geo, strlen(geo));
    run("run geo.yaml -o out -q", 0);
    run("inspect out/h.tif", 0);
    command_expect_words(result.out, "  system            EPSG:32632\n  west              500000\n"
                                     "  north             5200000\n  cell              10\n");
    /* six numbers of a tie point become the first of the 16 of a transformation */
    replace_bytes("out/h.tif", "\x82\x84\x0c\0\x06\0\0", "\xd8\x85\x0c\0\x10\0\0", 8);
    run("inspect out/h.tif", 0);
    command_expect_words(result.out,
                         "georeference      turned against north, which is ignored; in EPSG:32632");
    command_write("grid.asc", grid, strlen(grid));
    json_t *file = inspect("grid.asc", 0);
    const json_t *place = json_object_get(file, "georeference");
    assert_true(json_real_value(json_object_get(place, "west")) == 95);
    assert_true(json_real_value(json_object_get(place, "north")) == 225);
    assert_true(json_is_null(json_object_get(place, "system")));
    json_decref(file);
    run("inspect out/h.npy", 0);
    assert_null(strstr(result.out, "system"));
}

static void a_range_turns_levels_into_heights(void **state)
{
    (void)state;
    run("inspect out/bare.raw --size 65x33 --range -50:150", 0);
    command_expect_words(result.out, "levels stand for  -50 to 150\n  heights           ");
    json_t *file = inspect("out/bare.raw --size 65x33 --range -50:150", 0);
    double least = json_real_value(json_object_get(file, "least"));
    const json_t *heights = json_object_get(file, "heights");
    assert_true(fabs(json_real_value(json_object_get(heights, "least")) - (-50 + least * 200)) <
                1e-5);
    json_decref(file);
    run("inspect out/bare.raw --size 65x33 --range 4", 2);
    command_expect_words(result.err, "--range is '4'; expected LOW:HIGH, as in -50:400");
    run("inspect out/bare.raw --size 65x33 --range 4:4", 2);
}

/* Columns and rows may be of other widths. */
static void cells_need_not_be_squares(void **state)
{
    static const char geo[] =
        "thalweg: 1\nsize: [40, 20]\nworld: {side_m: 400, epsg: 32632, west: 500000, "
        "north: 5200000}\nnodes:\n  h: {type: noise.midpoint}\noutputs: {height: h}\n"
        "export: {oblong.tif: h}\n";
    static const double square[] = {10, 10}, oblong[] = {10, 20};
    (void)state;
    command_write("geo.yaml", geo, strlen(geo));
    run("run geo.yaml -o out -q", 0);
    replace_bytes("out/oblong.tif", (const char *)square, (const char *)oblong, sizeof square);
    run("inspect out/oblong.tif", 0);
    command_expect_words(result.out, "  north             5200000\n  cell, west-east   10\n"
                                     "  cell, north-south 20\n");
    json_t *file = inspect("out/oblong.tif", 0);
    const json_t *place = json_object_get(file, "georeference");
    assert_true(json_real_value(json_object_get(place, "cell_x")) == 10);
    assert_true(json_real_value(json_object_get(place, "cell_y")) == 20);
    assert_string_equal(text_of(place, "system"), "EPSG:32632");
    json_decref(file);
}

static void cells_may_be_shorter_than_a_metre(void **state)
{
    static const char small[] = "thalweg: 1\nsize: 64\nworld: {side_m: 32}\n"
                                "nodes: {n: {type: noise.midpoint}}\noutputs: {n: n}\n"
                                "export: {half.r16: n}\n";
    (void)state;
    command_write("small.yaml", small, strlen(small));
    run("run small.yaml -o out --no-cache -q", 0);
    run("inspect out/half.r16", 0);
    command_expect_words(result.out, "  metres a cell     0.5\n");
}

static void masks_have_shares_and_no_metres(void **state)
{
    static const char layer[] = "thalweg: 1\nsize: 64\nworld: {side_m: 32, height_m: 300}\n"
                                "nodes:\n  n: {type: noise.midpoint}\n"
                                "  m: {type: mask.from, in: n, range: [0.5, 0.5001]}\n"
                                "export: {m.png: {from: m, bits: 8, sidecar: true}}\n";
    (void)state;
    command_write("layer.yaml", layer, strlen(layer));
    run("run layer.yaml -o out --no-cache -q", 0);
    run("inspect out/m.png", 0);
    command_expect_words(result.out, "  levels stand for  0 to 1\n  shares            0 to 1\n");
}

/* Of itself, and what its sidecar says of it. */
static void what_a_file_says_must_hold(void **state)
{
    static const char text[] =
        "thalweg: 1\nsize: 16\nnodes:\n  h: {type: noise.midpoint}\noutputs: {height: h}\n"
        "export: {said.tif: h, beside.png: {from: h, sidecar: true}}\n";
    char other[65] = "00000000", line[120];
    (void)state;
    command_write("said.yaml", text, strlen(text));
    run("run said.yaml -o out -q", 0);
    json_t *file = inspect("out/said.tif", 0);
    char *digest = strdup(text_of(file, "sha256"));
    json_decref(file);
    memcpy(other + 8, digest + 8, sizeof other - 8);
    replace_bytes("out/said.tif", digest, other, 64);
    run("inspect out/said.tif", 1);
    snprintf(line, sizeof line, "  DIFFERS           the file says sha256 %s\n", other);
    command_expect_words(result.out, line);
    replace_bytes("out/beside.png.json", "\"width\": 16", "\"width\": 15", 11);
    run("inspect out/beside.png", 1);
    command_expect_words(result.out, "  DIFFERS           the sidecar says 15 x 16 cells\n");
    replace_bytes("out/beside.png.json", "\"width\": 15", "\"width\": 16", 11);
    replace_bytes("out/beside.png.json", "\"height\": 16", "\"height\": 17", 12);
    run("inspect out/beside.png", 1);
    command_expect_words(result.out, "  DIFFERS           the sidecar says 16 x 17 cells\n");
    free(digest);
}

/* Where they come from, in files of every kind that can hold it. */
static void provenance_is_in_the_files(void **state)
{
    static const char *const files[] = {"n.tif", "n.png", "splat.png"};
    static const char text[] =
        "thalweg: 1\nsize: 16\nseed: 9\nnodes:\n  h: {type: noise.midpoint}\n"
        "  a: {type: mask.height, in: h, low: 0.4}\n  b: {type: mask.slope, in: h}\n"
        "outputs: {height: h}\nexport: {n.tif: h, n.png: h, splat.png: [a, b]}\n";
    (void)state;
    command_write("notes.yaml", text, strlen(text));
    run("run notes.yaml -o out -q", 0);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[64];
        snprintf(path, sizeof path, "out/%s", files[i]);
        json_t *file = inspect(path, 0); /* its own digest is that of what is in it */
        const json_t *notes = json_object_get(file, "notes");
        assert_string_equal(text_of(notes, "thalweg.recipe"), "notes.yaml");
        assert_string_equal(text_of(notes, "thalweg.seed"), "9");
        assert_string_equal(text_of(notes, "thalweg.sha256"), text_of(file, "sha256"));
        json_decref(file);
    }
}

/* Where `name` begins in a file, `skip` bytes on: a little-endian number of four bytes. */
static void write_number(const char *path, const char *name, size_t length, size_t skip,
                         uint32_t number)
{
    unsigned char *data = NULL;
    size_t size = 0, at = 0;
    assert_int_equal(tw_file_read(path, 1 << 20, &data, &size, NULL), TW_OK);
    while (at + length + skip + 4 <= size && memcmp(data + at, name, length) != 0)
        at++;
    assert_true(at + length + skip + 4 <= size);
    for (size_t i = 0; i < 4; i++)
        data[at + length + skip + i] = (unsigned char)(number >> 8 * i);
    command_write(path, data, size);
    free(data);
}

/* A small file cannot hold a giant map: no memory is asked for. */
static void giant_maps_in_small_files_are_lies(void **state)
{
    static const char text[] =
        "thalweg: 1\nsize: 16\nnodes:\n  h: {type: noise.midpoint}\noutputs: {height: h}\n"
        "export: {lie.tif: h, lie.exr: h}\n";
    static const char reader[] = "thalweg: 1\nsize: 16\nnodes:\n  h: {type: source.heightmap, "
                                 "file: out/lie.%s, fit: crop}\noutputs: {height: h}\n";
    static const char *const endings[] = {"tif", "exr"};
    (void)state;
    command_write("lies.yaml", text, strlen(text));
    run("run lies.yaml -o out -q", 0);
    write_number("out/lie.tif", "\x00\x01\x03\x00\x01\x00\x00\x00", 8, 0, 16000);
    write_number("out/lie.tif", "\x01\x01\x03\x00\x01\x00\x00\x00", 8, 0, 16000);
    write_number("out/lie.exr", "dataWindow\0box2i", 17, 12, 15999);
    write_number("out/lie.exr", "dataWindow\0box2i", 17, 16, 15999);
    for (size_t i = 0; i < 2; i++) {
        char recipe_text[200], arguments[64];
        snprintf(arguments, sizeof arguments, "inspect out/lie.%s", endings[i]);
        run(arguments, 3);
        command_expect_words(result.err, "bytes cannot hold 16000 x 16000 cells");
        snprintf(recipe_text, sizeof recipe_text, reader, endings[i]);
        command_write("reader.yaml", recipe_text, strlen(recipe_text));
        run("check reader.yaml", 3);
        command_expect_words(result.err, "bytes cannot hold 16000 x 16000 cells");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(digests_are_those_of_the_lock),
                                       cmocka_unit_test(maps_have_size_and_range),
                                       cmocka_unit_test(other_files_are_counted),
                                       cmocka_unit_test(a_large_mesh_is_as_long_as_it_says),
                                       cmocka_unit_test(files_without_a_head_need_a_size),
                                       cmocka_unit_test(numbers_may_be_big_endian),
                                       cmocka_unit_test(changed_and_damaged_files_are_named),
                                       cmocka_unit_test(what_lies_somewhere_says_where),
                                       cmocka_unit_test(a_range_turns_levels_into_heights),
                                       cmocka_unit_test(cells_need_not_be_squares),
                                       cmocka_unit_test(cells_may_be_shorter_than_a_metre),
                                       cmocka_unit_test(masks_have_shares_and_no_metres),
                                       cmocka_unit_test(what_a_file_says_must_hold),
                                       cmocka_unit_test(provenance_is_in_the_files),
                                       cmocka_unit_test(giant_maps_in_small_files_are_lies),
                                       cmocka_unit_test(pictures_are_drawn)};
    return cmocka_run_group_tests(tests, set_up, command_tear_down);
}
