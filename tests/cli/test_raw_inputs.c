/* SPDX-License-Identifier: MIT */
/* Files without a header as inputs: what parameters give, what a sidecar says, what is missing, and
 * sidecars that lie. */
#include "support/command.h"
#include "support/harness.h"

#include "base/os/file.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE 16

static struct command_result result;

static void run(const char *arguments, int code) { command_expect(arguments, code, &result); }

/* in.yaml: a height map from `entries`, exported as h.r32, without a sidecar. */
static void write_reader(const char *type, const char *entries)
{
    char text[600];
    snprintf(text, sizeof text,
             "thalweg: 1\nsize: %d\nnodes:\n  dem: {type: %s, %s}\noutputs: {h: dem}\n"
             "export: {h.r32: {from: h, sidecar: false}}\n",
             SIZE, type, entries);
    command_write("in.yaml", text, strlen(text));
}

static void write_sidecar(const char *name, const char *members)
{
    char text[600];
    snprintf(text, sizeof text, "{\"schema\": \"thalweg.sidecar/1\"%s%s}", members[0] ? ", " : "",
             members);
    command_write(name, text, strlen(text));
}

static void expect_refused(const char *entries, const char *words)
{
    write_reader("source.heightmap", entries);
    run("check in.yaml", 3);
    command_expect_words(result.err, "in.yaml:4:");
    command_expect_words(result.err, words);
    run("run in.yaml -o none --no-cache", 3);
    assert_int_equal(access("none", F_OK), -1);
}

static void expect_same(const char *a, const char *b)
{
    unsigned char *one = NULL, *two = NULL;
    size_t length = 0, other = 0;
    assert_int_equal(tw_file_read(a, 1 << 20, &one, &length, NULL), TW_OK);
    assert_int_equal(tw_file_read(b, 1 << 20, &two, &other, NULL), TW_OK);
    assert_int_equal(length, other);
    assert_memory_equal(one, two, length);
    free(one);
    free(two);
}

/* Floats that differ by `most` at most. */
static void expect_near(const char *a, const char *b, float most)
{
    unsigned char *one = NULL, *two = NULL;
    size_t length = 0, other = 0;
    assert_int_equal(tw_file_read(a, 1 << 20, &one, &length, NULL), TW_OK);
    assert_int_equal(tw_file_read(b, 1 << 20, &two, &other, NULL), TW_OK);
    assert_int_equal(length, other);
    for (size_t i = 0; i < length; i += sizeof(float)) {
        float x, y;
        memcpy(&x, one + i, sizeof x);
        memcpy(&y, two + i, sizeof y);
        assert_float_equal(x, y, most);
    }
    free(one);
    free(two);
}

/* Heights from -10 to 30 in every form, from the same recipe. */
static int set_up(void **state)
{
    static const char recipe[] =
        "thalweg: 1\nsize: 16\nseed: 3\nnodes:\n  n: {type: noise.midpoint}\n"
        "  h: {type: shape.remap, in: n, from: [-2, 2], to: [-10, 30]}\noutputs: {h: h}\nexport:\n"
        "  h.png: {from: h, range: [-10, 30]}\n  h.r16: {from: h, range: [-10, 30]}\n"
        "  south.raw: {from: h, range: [-10, 30], flip: true}\n  h.r32: h\n";
    command_set_up(state);
    command_write("out.yaml", recipe, strlen(recipe));
    run("run out.yaml -o f -q", 0);
    write_reader("source.heightmap", "file: f/h.png, range: [-10, 30]");
    run("run in.yaml -o png -q", 0);
    return 0;
}

static void a_sidecar_says_all(void **state)
{
    (void)state;
    write_reader("source.heightmap", "file: f/h.r16");
    run("run in.yaml -o r16 -q", 0);
    expect_same("r16/h.r32", "png/h.r32");
    write_reader("source.heightmap", "file: f/south.raw");
    run("run in.yaml -o raw -q", 0);
    expect_same("raw/h.r32", "png/h.r32");
    write_reader("source.heightmap", "file: f/h.r32");
    run("run in.yaml -o r32 -q", 0);
    expect_same("r32/h.r32", "f/h.r32");
    run("diff r32/h.r32 f/h.r32", 3);
    command_expect_words(result.err, "its size is missing; expected a sidecar that says it\n");
    run("diff f/h.r16 f/south.raw", 0);
}

/* A file in metres comes back in heights: the sidecar says what 1 of either is. */
static void metres_become_heights(void **state)
{
    static const char recipe[] =
        "thalweg: 1\nsize: 16\nseed: 3\nworld: {side_m: 900, height_m: 400}\nnodes:\n"
        "  h: {type: noise.midpoint}\noutputs: {h: h}\nexport:\n"
        "  h.r32: h\n  tall.r32: {from: h, metres: true, flip: true}\n";
    (void)state;
    command_write("metres.yaml", recipe, strlen(recipe));
    run("run metres.yaml -o m -q", 0);
    write_reader("source.heightmap", "file: m/tall.r32");
    run("run in.yaml -o heights -q", 0);
    expect_near("heights/h.r32", "m/h.r32", 2e-7f);
    run("lock in.yaml", 0);
    write_sidecar(
        "m/tall.r32.json",
        "\"width\": 16, \"height\": 16, \"rows\": \"south to north\", \"metres_of_1\": 1, "
        "\"metres\": {\"height_of_1\": 200}");
    run("verify in.yaml", 1);
    command_expect_words(result.out, "1 is a height of 0.005");
    assert_int_equal(remove("in.yaml.lock"), 0);
    write_reader("source.heightmap", "file: m/tall.r32, range: [0, 0.0025]");
    run("run in.yaml -o given -q", 0);
    expect_near("given/h.r32", "m/h.r32", 2e-7f);
}

/* Levels as they are, for nodes that read shares. */
static void other_nodes_read_levels(void **state)
{
    (void)state;
    write_reader("source.heightmap", "file: f/h.png");
    run("run in.yaml -o plain -q", 0);
    write_reader("source.image", "file: f/h.r16");
    run("run in.yaml -o mask -q", 0);
    expect_same("mask/h.r32", "plain/h.r32");
    command_write("bare.r16", "aaaaaaaa", 8);
    write_reader("source.image", "file: bare.r16, fit: bilinear");
    run("check in.yaml", 3);
    command_expect_words(result.err, "its size is missing; expected a sidecar that says it, or "
                                     "source.heightmap's width: and height:");
    command_expect_words(result.err, "2 x 2 cells would fit");
}

static void parameters_go_before_a_sidecar(void **state)
{
    unsigned char *data = NULL;
    size_t length = 0;
    (void)state;
    assert_int_equal(tw_file_read("f/h.r16", 1 << 20, &data, &length, NULL), TW_OK);
    command_write("copy.r16", data, length);
    free(data);
    write_reader("source.heightmap", "file: copy.r16, width: 16, height: 16, range: [-10, 30]");
    run("run in.yaml -o given -q", 0);
    expect_same("given/h.r32", "png/h.r32");
    write_reader("source.heightmap", "file: f/south.raw, range: [-10, 30], flip: true");
    run("run in.yaml -o flipped -q", 0);
    expect_same("flipped/h.r32", "png/h.r32");
    write_reader("source.heightmap",
                 "file: copy.r16, width: 8, height: 32, range: [-10, 30], fit: bilinear");
    run("check in.yaml", 0);
    write_sidecar("copy.r16.json", "\"width\": 3, \"height\": 3, \"range\": {\"low\": 0, "
                                   "\"high\": 9}");
    write_reader("source.heightmap", "file: copy.r16, width: 16, height: 16, range: [-10, 30]");
    run("run in.yaml -o both -q", 0);
    expect_same("both/h.r32", "png/h.r32");
    assert_int_equal(remove("copy.r16.json"), 0);
}

/* A copy of a file whose numbers have their bytes reversed. */
static void write_reversed(const char *from, const char *to, size_t size)
{
    unsigned char *data = NULL;
    size_t length = 0;
    assert_int_equal(tw_file_read(from, 1 << 20, &data, &length, NULL), TW_OK);
    for (size_t at = 0; at < length; at += size)
        for (size_t i = 0; i < size / 2; i++) {
            unsigned char byte = data[at + i];
            data[at + i] = data[at + size - 1 - i];
            data[at + size - 1 - i] = byte;
        }
    command_write(to, data, length);
    free(data);
}

/* With and without a sidecar, which an export of ours has and other programs' have not. */
static void one_side_is_given_and_the_other_read(void **state)
{
    (void)state;
    write_reader("source.heightmap", "file: f/h.r16, width: 16");
    run("run in.yaml -o wide -q", 0);
    expect_same("wide/h.r32", "png/h.r32");
    write_reader("source.heightmap", "file: f/h.r16, width: auto, height: 16");
    run("run in.yaml -o high -q", 0);
    expect_same("high/h.r32", "png/h.r32");
    write_reader("source.heightmap", "file: f/h.r16, height: 8");
    run("check in.yaml", 3);
    command_expect_words(result.err, "512 bytes; 16 x 8 cells of 16 bits (h.r16.json) have 256");
}

static void a_header_is_not_contradicted(void **state)
{
    static const char *const options[][2] = {{"width: 16", "width"},
                                             {"height: 3", "height"},
                                             {"flip: true", "flip"},
                                             {"endian: big", "endian"}};
    char words[100];
    (void)state;
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        snprintf(words, sizeof words, "file: f/h.png, %s", options[i][0]);
        write_reader("source.heightmap", words);
        run("check in.yaml", 3);
        snprintf(words, sizeof words,
                 "f/h.png has a header; expected no '%s', which is for files without one",
                 options[i][1]);
        command_expect_words(result.err, words);
    }
    write_reader("source.heightmap", "file: f/h.png, width: auto, flip: false, endian: little");
    run("check in.yaml", 0);
}

static void numbers_may_be_big_endian(void **state)
{
    (void)state;
    write_reversed("f/h.r16", "big.r16", 2);
    write_reversed("f/south.raw", "big.raw", 2);
    write_reversed("f/h.r32", "big.r32", 4);
    write_reader("source.heightmap",
                 "file: big.r16, width: 16, height: 16, range: [-10, 30], endian: big");
    run("run in.yaml -o big -q", 0);
    expect_same("big/h.r32", "png/h.r32");
    run("run in.yaml -o by_rows --bands=4 --no-cache -q", 0);
    expect_same("by_rows/h.r32", "png/h.r32");
    write_reader("source.heightmap", "file: big.raw, width: 16, height: 16, range: [-10, 30], "
                                     "endian: big, flip: true");
    run("run in.yaml -o big -q", 0);
    expect_same("big/h.r32", "png/h.r32");
    write_reader("source.heightmap", "file: big.r32, width: 16, height: 16, endian: big");
    run("run in.yaml -o big -q", 0);
    expect_same("big/h.r32", "f/h.r32");
    write_sidecar("big.r32.json", "\"width\": 16, \"height\": 16");
    write_reader("source.heightmap", "file: big.r32, endian: big");
    run("run in.yaml -o big -q", 0);
    expect_same("big/h.r32", "f/h.r32");
    expect_refused("file: big.r32, endian: middle", "expected one of little, big");
}

/* One file that is read both ways is two files to keys and to loading. */
static void the_order_of_bytes_is_part_of_the_key(void **state)
{
    static const char both[] =
        "thalweg: 1\nsize: 16\nnodes:\n"
        "  little: {type: source.heightmap, file: f/h.r16, width: 16, height: 16, range: [-10, 30]}\n"
        "  big: {type: source.heightmap, file: f/h.r16, width: 16, height: 16, range: [-10, 30], "
        "endian: big}\n"
        "outputs: {l: little, b: big}\nexport: {l.npy: l, b.npy: b}\n";
    (void)state;
    command_write("both.yaml", both, strlen(both));
    run("run both.yaml -o two -q", 0);
    run("diff two/l.npy two/b.npy", 1);
    run("lock both.yaml", 0);
    run("verify both.yaml", 0);
    unsigned char *lock = NULL;
    size_t length = 0;
    assert_int_equal(tw_file_read("both.yaml.lock", 1 << 20, &lock, &length, NULL), TW_OK);
    command_expect_words((const char *)lock, "16 x 16, rows from north to south, big-endian");
    free(lock);
}

static void what_is_missing_is_named(void **state)
{
    (void)state;
    assert_int_equal(access("copy.r16", R_OK), 0);
    expect_refused("file: copy.r16", "copy.r16 has 512 bytes and no header: its size is missing; "
                                     "expected a sidecar that says it, or width: and height:");
    command_expect_words(result.err, "16 x 16 cells would fit");
    expect_refused("file: copy.r16, width: 16", "its height is missing");
    expect_refused("file: copy.r16, height: 16", "its width is missing");
    expect_refused("file: copy.r16, width: 16, height: 16",
                   "holds levels without a header: their range is missing; expected a sidecar that "
                   "says it, or range: [low, high]");
    expect_refused("file: copy.r16, width: 16, height: 15, range: [0, 1], fit: bilinear",
                   "copy.r16 has 512 bytes; 16 x 15 cells of 16 bits have 480");
    expect_refused("file: copy.r16, width: 65537, height: 1", "allowed auto or 1 to 65536");
    write_sidecar("copy.r16.json", "\"width\": 16, \"height\": 16");
    expect_refused("file: copy.r16", "their range is missing");
    write_sidecar("copy.r16.json", "\"range\": {\"low\": 0, \"high\": 1}");
    expect_refused("file: copy.r16", "its size is missing");
}

static void lies_are_not_believed(void **state)
{
    static const struct {
        const char *members, *words;
    } rows[] = {
        {"\"width\": 65536, \"height\": 65536, \"bpp\": 16",
         "65536 x 65536 cells of 16 bits (copy.r16.json) have 8589934592"},
        {"\"width\": 16, \"height\": 16.5",
         "its height is not one; expected a whole number from 1"},
        {"\"width\": -16, \"height\": -16", "its width is not one; expected a whole number from 1"},
        {"\"width\": 9223372036854775807, \"height\": 16", "its width is not one"},
        {"\"width\": \"16\", \"height\": []", "copy.r16.json: its width is not one"},
        {"\"width\": 16, \"height\": 16, \"rows\": \"up\"",
         "its rows is not one; expected north to"},
        {"\"width\": 16, \"height\": 16, \"bpp\": \"16\"", "its bpp is not one; expected 16 or 32"},
        {"\"width\": 16, \"height\": 16, \"metres_of_1\": 0", "its metres_of_1 is not one"},
        {"\"width\": 16, \"height\": 16, \"metres\": {\"height_of_1\": []}",
         "its height_of_1 is not one; expected a number above 0"},
        {"\"width\": 16, \"height\": 16, \"range\": {\"low\": 0}", "its range is not one"},
        {"\"width\": 16, \"height\": 8, \"bpp\": 32", "copy.r16.json says bpp 32; expected 16"},
        {"\"width\": 16, \"height\": 16, \"range\": {\"low\": -1e300, \"high\": 1e300}",
         "says range -1e+300 to 1e+300; allowed -1e9 to 1e9"},
        {"\"width\": 16, \"height\": 16, \"range\": {\"low\": 1, \"high\": 1}",
         "its range is not one; expected low and high, one below the other"},
        {"\"width\": 16, \"height\": 16, \"range\": {\"low\": 1, \"high\": 1.00000000001}",
         "says range 1 to 1; allowed"},
        {"\"width\": 16, \"width\": 16", "expected JSON"},
        {"\"width\": 1e999", "expected JSON"},
    };
    static const char *const texts[][2] = {{"{\"width\": 16", "expected JSON"},
                                           {"[]", "is not a sidecar; expected schema"},
                                           {"{\"width\": 16, \"height\": 16}", "is not a sidecar"},
                                           {"", "expected JSON"}};
    char deep[5000];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_sidecar("copy.r16.json", rows[i].members);
        expect_refused("file: copy.r16", rows[i].words);
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        command_write("copy.r16.json", texts[i][0], strlen(texts[i][0]));
        expect_refused("file: copy.r16", texts[i][1]);
    }
    memset(deep, '[', sizeof deep);
    command_write("copy.r16.json", deep, sizeof deep);
    expect_refused("file: copy.r16", "expected JSON");
    assert_int_equal(remove("copy.r16.json"), 0);
    command_write("copy.json", "{\"width\": 16, \"height\": 16}", 27); /* another program's */
    expect_refused("file: copy.r16", "its size is missing");
    assert_int_equal(remove("copy.json"), 0);
}

/* Under either name, and whoever reads it: what is there is reported, not missed. */
static void a_broken_sidecar_is_not_missing(void **state)
{
    static const char *const names[] = {"copy.r16.json", "copy.json"};
    static const char *const texts[][2] = {
        {"{\"schema\": \"thalweg.sidecar/1\", \"width\": 16,", "expected JSON"},
        {"{", "expected JSON"},
        {"", "expected JSON"},
        {"{\"schema\": \"thalweg.sidecar/2\", \"width\": 16}", "a sidecar of another version"},
        {"{\"schema\": \"thalweg.sidecar/1\", \"width\": [], \"height\": 16}", "its width is not"}};
    char words[100];
    (void)state;
    for (size_t n = 0; n < 2; n++) {
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
            command_write(names[n], texts[i][0], strlen(texts[i][0]));
            expect_refused("file: copy.r16", texts[i][1]);
            snprintf(words, sizeof words, "%s", names[n]);
            command_expect_words(result.err, words);
            run("inspect copy.r16", 3);
            command_expect_words(result.err, texts[i][1]);
            run("diff copy.r16 copy.r16", 3);
            command_expect_words(result.err, texts[i][1]);
        }
        assert_int_equal(remove(names[n]), 0);
    }
}

/* ---- files with a header ---- */

/* Exported with a range or in metres, and read back: heights as they were. */
static void every_format_is_read_by_its_sidecar(void **state)
{
    static const char recipe[] =
        "thalweg: 1\nsize: 16\nseed: 3\nworld: {side_m: 900, height_m: 400}\nnodes:\n"
        "  n: {type: noise.midpoint}\n"
        "  h: {type: shape.remap, in: n, from: [-2, 2], to: [-10, 30]}\noutputs: {h: h}\nexport:\n"
        "  a.png: {from: h, range: [-10, 30], sidecar: true}\n"
        "  b.bmp: {from: h, range: [-10, 30], sidecar: true}\n"
        "  c.npy: {from: h, sidecar: true}\n"
        "  d.r32: h\n"
        "  e.r16: {from: h, range: [-10, 30]}\n"
        "  f.png: {from: h, range: [-10, 30]}\n"
        "  g.tif: {from: h, metres: true, sidecar: true}\n";
    static const struct {
        const char *file;
        float most;
    } rows[] = {{"a.png", 40 / 65535.0f}, {"b.bmp", 40 / 255.0f}, {"c.npy", 0}, {"d.r32", 0},
                {"e.r16", 40 / 65535.0f}, {"g.tif", 4e-6f}};
    char text[100];
    (void)state;
    command_write("formats.yaml", recipe, strlen(recipe));
    run("run formats.yaml -o all -q", 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(text, sizeof text, "file: all/%s", rows[i].file);
        write_reader("source.heightmap", text);
        run("run in.yaml -o back -q", 0);
        expect_near("back/h.r32", "all/d.r32", rows[i].most);
        if (strstr(rows[i].file, ".bmp")) /* which is decoded whole */
            continue;
        run("run in.yaml -o bands -q --no-cache --bands=5", 0);
        expect_same("bands/h.r32", "back/h.r32");
    }
    write_reader("source.heightmap", "file: all/f.png");
    run("run in.yaml -o plain -q", 0); /* without a sidecar 0 to 1 */
    write_reader("source.heightmap", "file: all/f.png, range: [-10, 30]");
    run("run in.yaml -o given -q", 0);
    expect_near("given/h.r32", "all/d.r32", 40 / 65535.0f);
    write_reader("source.heightmap", "file: all/a.png, range: [0, 1]"); /* goes before it */
    run("run in.yaml -o given -q", 0);
    expect_same("given/h.r32", "plain/h.r32");
    write_reader("source.image", "file: all/a.png"); /* reads shares */
    run("run in.yaml -o given -q", 0);
    expect_same("given/h.r32", "plain/h.r32");
    run("diff all/g.tif all/d.r32 --tolerance 1e-5", 0);
}

/* It decides what a file means, so it is in keys and locks, unless it says what is so without. */
static void a_sidecar_of_any_file_is_part_of_it(void **state)
{
    (void)state;
    write_reader("source.heightmap", "file: f/h.png");
    run("run in.yaml -o part -q", 0);
    run("lock in.yaml", 0);
    write_sidecar("f/h.png.json", "\"width\": 16, \"height\": 16, \"format\": \"png\", "
                                  "\"range\": {\"low\": 0, \"high\": 1}");
    run("run in.yaml -o part --json", 0);
    command_expect_words(result.out, "\"computed\": 0");
    run("verify in.yaml", 0);
    write_sidecar("f/h.png.json", "\"range\": {\"low\": 0, \"high\": 2}");
    run("run in.yaml -o part --json", 0);
    command_expect_words(result.out, "\"computed\": 1");
    run("verify in.yaml", 1);
    command_expect_words(result.out, "levels from 0 to 2");
    write_sidecar("f/h.png.json", "\"range\": 3");
    expect_refused("file: f/h.png", "its range is not one");
    command_write("f/h.png.json", "{", 1);
    expect_refused("file: f/h.png", "expected JSON");
    write_sidecar("f/h.png.json", "\"format\": \"r16\", \"range\": {\"low\": 0, \"high\": 2}");
    write_reader("source.heightmap", "file: f/h.png");
    run("verify in.yaml", 0); /* of another file */
    assert_int_equal(remove("f/h.png.json"), 0);
    write_sidecar("f/h.json", "\"format\": \"r16\", \"range\": {\"low\": 0, \"high\": 2}");
    run("verify in.yaml", 0);
    write_sidecar("f/h.json", "\"format\": \"png\", \"range\": {\"low\": 0, \"high\": 2}");
    run("verify in.yaml", 1);
    command_write("f/h.json", "{", 1); /* another program's, as far as can be seen */
    run("verify in.yaml", 0);
    assert_int_equal(remove("f/h.json"), 0);
    assert_int_equal(remove("in.yaml.lock"), 0);
}

/* A sidecar is confined to the recipe's folder as the file itself is. */
static void a_link_leads_nowhere(void **state)
{
    char outside[] = "/tmp/thalweg-sidecar-XXXXXX";
    int file = mkstemp(outside);
    (void)state;
    static const char text[] = "{\"schema\": \"thalweg.sidecar/1\", \"width\": 16, \"height\": 16}";
    assert_true(file >= 0);
    assert_int_equal(write(file, text, sizeof text - 1), sizeof text - 1);
    assert_int_equal(close(file), 0);
    assert_int_equal(symlink(outside, "copy.r16.json"), 0);
    expect_refused("file: copy.r16, range: [0, 1]", "its size is missing");
    assert_int_equal(remove("copy.r16.json"), 0);
    assert_int_equal(remove(outside), 0);
}

/* What the sidecar says is part of the node's key and of the lock, what else is in it is not. */
static void a_sidecar_is_part_of_the_file(void **state)
{
    (void)state;
    write_sidecar("copy.r16.json",
                  "\"width\": 16, \"height\": 16, \"range\": {\"low\": 0, \"high\": 1}");
    write_reader("source.heightmap", "file: copy.r16");
    run("run in.yaml -o part -q", 0);
    run("lock in.yaml", 0);
    write_sidecar("copy.r16.json", "\"for\": \"godot\", \"width\": 16, \"height\": 16, \"range\": "
                                   "{\"low\": 0, \"high\": 1}");
    run("run in.yaml -o part --json", 0);
    command_expect_words(result.out, "\"computed\": 0");
    run("verify in.yaml", 0);
    write_sidecar("copy.r16.json",
                  "\"width\": 16, \"height\": 16, \"range\": {\"low\": 0, \"high\": 2}");
    run("run in.yaml -o part --dry-run --explain", 0);
    command_expect_words(result.out, "levels from 0 to 1");
    command_expect_words(result.out, "levels from 0 to 2");
    run("run in.yaml -o part --json", 0);
    command_expect_words(result.out, "\"computed\": 1");
    run("verify in.yaml", 1);
    command_expect_words(result.out, "layout");
    command_expect_words(result.out, "levels from 0 to 2");
    write_sidecar("copy.r16.json", "\"rows\": \"south to north\", \"width\": 16, \"height\": 16, "
                                   "\"range\": {\"low\": 0, \"high\": 1}");
    run("verify in.yaml", 1);
    command_expect_words(result.out, "rows from south to north");
}

static void a_sidecar_that_is_read_is_not_written_over(void **state)
{
    static const char text[] =
        "thalweg: 1\nsize: 16\nnodes:\n  dem: {type: source.heightmap, file: copy.r16}\n"
        "  s: {type: measure.score, in: dem}\noutputs: {h: s}\nexport: {copy.r16.json: h}\n";
    (void)state;
    command_write("over.yaml", text, strlen(text));
    run("run over.yaml -o .", 3);
    command_expect_words(result.err, "would overwrite");
    command_expect_words(result.err, "copy.r16.json");
}

/* The first line that holds `words`; the end of the command fails. */
static void wait_for(FILE *lines, const char *words)
{
    char line[500];
    while (fgets(line, sizeof line, lines))
        if (strstr(line, words))
            return;
    fail_msg("the command ended before it said '%s'", words);
}

static void a_saved_sidecar_runs_again(void **state)
{
    int ends[2];
    (void)state;
    write_sidecar("copy.r16.json",
                  "\"width\": 16, \"height\": 16, \"range\": {\"low\": 0, \"high\": 1}");
    assert_int_equal(pipe(ends), 0);
    pid_t command = fork();
    assert_true(command >= 0);
    if (command == 0) {
        (void)dup2(ends[1], STDERR_FILENO);
        (void)close(ends[0]);
        (void)close(ends[1]);
        (void)alarm(700); /* if nobody ends it: what it has open keeps ctest waiting */
        execl(TW_COMMAND, TW_COMMAND, "run", "in.yaml", "--watch", "-o", "seen", "--no-cache",
              (char *)NULL);
        _exit(99);
    }
    (void)close(ends[1]);
    FILE *lines = fdopen(ends[0], "r");
    assert_non_null(lines);
    (void)alarm(600); /* a line that never comes fails the test */
    wait_for(lines, "1 of 1 nodes computed");
    /* as editors save; truncated and written it may be seen to change twice, which runs twice */
    write_sidecar("next.json",
                  "\"width\": 16, \"height\": 16, \"range\": {\"low\": 0, \"high\": 3}");
    assert_int_equal(rename("next.json", "copy.r16.json"), 0);
    wait_for(lines, "changed: ");
    wait_for(lines, "1 of 1 nodes computed");
    assert_int_equal(kill(command, SIGTERM), 0);
    assert_int_equal(waitpid(command, NULL, 0), command);
    (void)alarm(0);
    assert_int_equal(fclose(lines), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sidecar_says_all),
        cmocka_unit_test(metres_become_heights),
        cmocka_unit_test(other_nodes_read_levels),
        cmocka_unit_test(parameters_go_before_a_sidecar),
        cmocka_unit_test(one_side_is_given_and_the_other_read),
        cmocka_unit_test(a_header_is_not_contradicted),
        cmocka_unit_test(numbers_may_be_big_endian),
        cmocka_unit_test(the_order_of_bytes_is_part_of_the_key),
        cmocka_unit_test(what_is_missing_is_named),
        cmocka_unit_test(lies_are_not_believed),
        cmocka_unit_test(a_broken_sidecar_is_not_missing),
        cmocka_unit_test(every_format_is_read_by_its_sidecar),
        cmocka_unit_test(a_sidecar_of_any_file_is_part_of_it),
        cmocka_unit_test(a_link_leads_nowhere),
        cmocka_unit_test(a_sidecar_is_part_of_the_file),
        cmocka_unit_test(a_sidecar_that_is_read_is_not_written_over),
        cmocka_unit_test(a_saved_sidecar_runs_again),
    };
    return cmocka_run_group_tests(tests, set_up, command_tear_down);
}
