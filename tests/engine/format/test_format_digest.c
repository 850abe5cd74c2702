/* SPDX-License-Identifier: MIT */
/* The digest that a file carries is that of what its decoder gives; notes depend on nothing else
 * than the recipe, its seed and the values. */
#include "support/harness.h"

#include "format/notes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 37, HEIGHT = 21 };

static float heights[WIDTH * HEIGHT];
static const struct tw_world world = {.side_m = 700, .height_m = 100};
static const struct tw_provenance provenance = {.recipe = "hills.yaml", .seed = 7};
static _Alignas(8) unsigned char options[64];

/* From 2^-26 on, where halves have few bits left, up to 1, of either sign. */
static int set_up(void **state)
{
    (void)state;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        heights[i] =
            (i % 2 ? -1.0f : 1.0f) * ldexpf(1.0f + (float)(i * 7919 % 4099) / 4099, -1 - i % 26);
    heights[5] = -0.0f;
    return 0;
}

static void expect_equal_digests(const struct tw_format *format, const char *option, int on)
{
    const struct tw_value value = {TW_HEIGHTMAP, WIDTH, HEIGHT, heights};
    const struct tw_value *values[] = {&value};
    struct tw_encoding encoding = {.values = values,
                                   .count = 1,
                                   .range = {.low = -1, .high = 1},
                                   .options = options,
                                   .world = &world,
                                   .provenance = &provenance};
    struct tw_value decoded = {.type = TW_HEIGHTMAP};
    struct tw_bytes bytes = {0};
    struct tw_error err;
    struct tw_sha256 by_rows;
    memset(options, 0, sizeof options);
    for (const struct tw_param *row = format->options; row && row->name; row++)
        if (option && strcmp(row->name, option) == 0) {
            if (row->kind == TW_KIND_BOOL)
                *(bool *)(options + row->offset) = on;
            else
                *(int32_t *)(options + row->offset) = on;
        }
    assert_int_equal(tw_format_sha256(format, &encoding, &by_rows, &err), TW_OK);
    assert_int_equal(tw_format_encode(format, encoding, &bytes, &err), TW_OK);
    assert_int_equal(format->decode(bytes.at, bytes.length, &decoded, &err), TW_OK);
    struct tw_sha256 of_file = tw_field_sha256(&decoded);
    if (memcmp(&by_rows, &of_file, sizeof of_file) != 0)
        fail_msg("%s with %s: another digest than that of the file", format->ending, option);
    tw_field_clear(&decoded);
    free(bytes.at);
}

static void rows_have_the_digest_of_the_file(void **state)
{
    int count = 0;
    (void)state;
    for (const struct tw_format *const *format = tw_formats; *format; format++) {
        if (!(*format)->decode || !(*format)->encode)
            continue;
        expect_equal_digests(*format, "bits", 0);
        expect_equal_digests(*format, "bits", (*format)->ending[1] == 'p');
        expect_equal_digests(*format, "half", true);
        expect_equal_digests(*format, "metres", true);
        count++;
    }
    assert_true(count >= 2);
}

static void notes_name_recipe_seed_and_digest(void **state)
{
    const struct tw_format *png = tw_format_find(".png", TW_HEIGHTMAP, false);
    const struct tw_value value = {TW_HEIGHTMAP, WIDTH, HEIGHT, heights};
    const struct tw_value *values[] = {&value};
    const struct tw_provenance odd = {.recipe = "h\xc3\xbcgel\n.yaml", .seed = 7};
    struct tw_encoding encoding = {.values = values,
                                   .count = 1,
                                   .range = {.low = -1, .high = 1},
                                   .options = options,
                                   .world = &world,
                                   .provenance = &provenance};
    struct tw_notes notes;
    struct tw_error err;
    (void)state;
    assert_int_equal(tw_notes_make(png, &encoding, &notes, &err), TW_OK);
    assert_int_equal(notes.count, 6);
    assert_string_equal(notes.at[1].text, "hills.yaml");
    assert_string_equal(notes.at[2].text, "7");
    assert_int_equal(strlen(notes.at[3].text), 64);
    assert_string_equal(notes.at[4].text, "-1 to 1");
    encoding.provenance = &odd;
    assert_int_equal(tw_notes_make(png, &encoding, &notes, &err), TW_OK);
    assert_string_equal(notes.at[1].text, "h??gel?.yaml");
    encoding.provenance = NULL;
    assert_int_equal(tw_notes_make(png, &encoding, &notes, &err), TW_OK);
    assert_int_equal(notes.count, 0);
}

/* Programs of others write their chunks first; each byte of a length counts. No length is a
 * multiple of 12, so that steps over empty chunks miss the note. */
static void notes_stand_behind_chunks_of_any_length(void **state)
{
    static const char note[] = "\0\0\0\x0etEXtthalweg.seed\0"
                               "7sums";
    const struct tw_format *png = tw_format_find(".png", TW_HEIGHTMAP, false);
    enum { HEAD = 8, AROUND = 12, END = sizeof note - 1 };
    (void)state;
    for (int byte = 0; byte < 4; byte++) {
        size_t size = (size_t)5 << 8 * (3 - byte), length = HEAD + AROUND + size + END;
        unsigned char *file = calloc(length, 1); /* 80 MB at most, hardly any of them touched */
        struct tw_notes notes;
        assert_non_null(file);
        file[HEAD + byte] = 5;
        memcpy(file + HEAD + 4, "prVt", 4);
        memcpy(file + length - END, note, END);
        tw_notes_read(png, file, length, &notes);
        assert_int_equal(notes.count, 1);
        assert_string_equal(notes.at[0].text, "7");
        free(file);
    }
}

static void assert_only_note(const char *file, size_t length, const char *text)
{
    const struct tw_format *png = tw_format_find(".png", TW_HEIGHTMAP, false);
    struct tw_notes notes;
    tw_notes_read(png, (const unsigned char *)file, length, &notes);
    assert_int_equal(notes.count, 1);
    assert_string_equal(notes.at[0].text, text);
}

/* Only a tEXt with a zero byte is a note: no other chunk, nor one that has a name alone. */
static void other_chunks_are_no_notes(void **state)
{
    static const char file[] = "12345678"
                               "\0\0\0\x0ezTXtthalweg.seed\0"
                               "7sums"
                               "\0\0\0\x0ctEXtthalweg.seedsums"
                               "\0\0\0\x0etEXtthalweg.seed\0"
                               "8sums";
    (void)state;
    assert_only_note(file, sizeof file - 1, "8");
}

/* From blank to tilde; what could steer a terminal is a question mark. */
static void notes_are_printable(void **state)
{
    static const char file[] = "12345678"
                               "\0\0\0\x13tEXtthalweg.seed\0"
                               " a~\x7f\x1f\xff"
                               "sums";
    (void)state;
    assert_only_note(file, sizeof file - 1, " a~???");
}

/* Longer ones are cut, of a file as of a recipe's name. */
static void notes_have_199_characters_at_most(void **state)
{
    static const size_t lengths[] = {198, 199, 200, 201, 300};
    const struct tw_format *png = tw_format_find(".png", TW_HEIGHTMAP, false);
    const struct tw_value value = {TW_HEIGHTMAP, WIDTH, HEIGHT, heights};
    const struct tw_value *values[] = {&value};
    const struct tw_sha256 digest = {{0}};
    char text[301];
    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const struct tw_provenance named = {.recipe = text};
        const struct tw_encoding encoding = {.values = values,
                                             .count = 1,
                                             .range = {.high = 1},
                                             .options = options,
                                             .provenance = &named};
        struct tw_notes read = {.count = 0}, made;
        for (size_t at = 0; at < lengths[i]; at++)
            text[at] = (char)('a' + at % 26);
        text[lengths[i]] = 0;
        tw_notes_keep(&read, "thalweg.recipe", strlen("thalweg.recipe"), text, lengths[i]);
        tw_notes_fill(png, &encoding, &digest, &made);
        text[lengths[i] < 199 ? lengths[i] : 199] = 0;
        assert_int_equal(read.count, 1);
        assert_string_equal(read.at[0].text, text);
        assert_string_equal(made.at[1].text, text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_have_the_digest_of_the_file),
                                       cmocka_unit_test(notes_name_recipe_seed_and_digest),
                                       cmocka_unit_test(notes_stand_behind_chunks_of_any_length),
                                       cmocka_unit_test(other_chunks_are_no_notes),
                                       cmocka_unit_test(notes_are_printable),
                                       cmocka_unit_test(notes_have_199_characters_at_most)};
    return cmocka_run_group_tests(tests, set_up, NULL);
}
