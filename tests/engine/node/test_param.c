/* SPDX-License-Identifier: MIT */
/* Text to parameters and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "node/param.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <thalweg/kernel.h>

struct params {
    float talus;
    int32_t count;
    bool smooth;
    int32_t mode;
    struct tw_list weights;
    struct tw_file file;
    struct tw_table points;
};

static const struct tw_column columns[] = {
    {"x", 0, -1, 1, true, TW_UNIT_SIDE, "where"},
    TW_COLUMN_END,
};

static const struct tw_param rows[] = {
    TW_PARAM_F32(struct params, talus, 4, 0, 1000, TW_UNIT_RISE_PER_SIDE, "slope"),
    TW_PARAM_I32(struct params, count, 50, -3, 100, "", "rounds"),
    TW_PARAM_BOOL(struct params, smooth, true, "round it"),
    TW_PARAM_ENUM(struct params, mode, 1, "linear|cubic|none", "how"),
    TW_PARAM_LIST(struct params, weights, "-1 0.5", -1, 1, "", "of cells"),
    TW_PARAM_FILE(struct params, file, "a picture"),
    TW_PARAM_TABLE(struct params, points, columns, "places"),
    TW_PARAM_END,
};
enum { TALUS, COUNT, SMOOTH, MODE, WEIGHTS, FILE_NAME, POINTS };

static const struct tw_node_type type = {.name = "test.type", .params = rows};

static bool parses(const char *text, double expected)
{
    double number = 99;
    bool good = tw_param_number(text, &number);
    assert_true(good || number == 99);
    return good && number == expected;
}

static void check_numbers(void)
{
    static const char *const refused[] = {
        "",      " ",      "1 ",  " 1",    "1,5", "0x10", "inf",      "nan",   "-inf", "1e",
        "1e+",   "e1",     ".",   "-",     "+",   "--1",  "1.2.3",    "1_000", "1f",   "0b1",
        "1e999", "-1e999", "NaN", "1e1.5", "1\n", "1e 5", "infinity", "٣",     "1.5e", "0x1p3"};
    double number = 99;
    assert_true(parses("0", 0));
    assert_true(parses("-0", 0));
    assert_true(parses("+1", 1));
    assert_true(parses("007", 7)); /* ten is the base of all numbers */
    assert_true(parses("1.5", 1.5));
    assert_true(parses(".5", 0.5));
    assert_true(parses("5.", 5));
    assert_true(parses("-1.25e2", -125));
    assert_true(parses("1E-3", 0.001));
    assert_true(parses("1e+3", 1000));
    assert_true(parses("0.1", 0.1));
    assert_true(parses("1.7976931348623157e308", 1.7976931348623157e308));
    assert_true(parses("1e-999", 0));
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (tw_param_number(refused[i], &number))
            fail_msg("'%s' is taken for %g", refused[i], number);
}

static void numbers_are_plain_decimals(void **state)
{
    char text[200];
    double number;
    (void)state;
    check_numbers();
    memset(text, '1', sizeof text);
    text[126] = 0;
    assert_true(tw_param_number(text, &number));
    text[126] = '1';
    text[127] = 0;
    assert_false(tw_param_number(text, &number));
}

static void seeds_have_64_bits(void **state)
{
    static const char *const refused[] = {"",
                                          "-1",
                                          "+1",
                                          " 1",
                                          "1 ",
                                          "1.0",
                                          "1e3",
                                          "0x1",
                                          "18446744073709551616",
                                          "99999999999999999999"};
    uint64_t seed = 99;
    (void)state;
    assert_true(tw_param_seed("0", &seed) && seed == 0);
    assert_true(tw_param_seed("18446744073709551614", &seed) && seed == UINT64_MAX - 1);
    assert_true(tw_param_seed("18446744073709551615", &seed) && seed == UINT64_MAX);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_false(tw_param_seed(refused[i], &seed));
}

static void set(int row, const char *text, bool good, const char *said)
{
    struct params params = {0}, before = {0};
    char message[300] = "";
    if (tw_param_set(&rows[row], &params, text, message, sizeof message) != good)
        fail_msg("%s: %s %s", rows[row].name, text, message);
    if (!good && !strstr(message, said))
        fail_msg("'%s' does not say '%s'", message, said);
    if (!good)
        assert_memory_equal(&params, &before, sizeof params);
}

static void ranges_hold_at_both_ends(void **state)
{
    (void)state;
    set(TALUS, "0", true, "");
    set(TALUS, "1000", true, "");
    set(TALUS, "-0.0001", false, "talus is -0.0001; allowed 0 to 1000");
    set(TALUS, "1000.0001", false, "allowed 0 to 1000");
    set(TALUS, "steep", false, "talus is 'steep'; a number is wanted");
    set(COUNT, "-3", true, "");
    set(COUNT, "100", true, "");
    set(COUNT, "-4", false, "allowed -3 to 100");
    set(COUNT, "101", false, "count is 101; allowed -3 to 100");
    set(COUNT, "1.5", false, "count is 1.5; a whole number is wanted");
    set(COUNT, "1e1", true, "");
    set(SMOOTH, "true", true, "");
    set(SMOOTH, "yes", false, "allowed are true and false");
    set(SMOOTH, "True", false, "allowed are true and false");
    set(MODE, "none", true, "");
    set(MODE, "cubik", false, "allowed are linear, cubic, none; did you mean 'cubic'?");
    set(MODE, "0", false, "allowed are linear, cubic, none");
    set(MODE, "linear|cubic", false, "allowed are");
    set(MODE, "", false, "allowed are");
    set(WEIGHTS, "1", false, "a list of numbers is wanted");
    set(POINTS, "1", false, "a list of numbers is wanted");
}

static void file_names_fit_their_field(void **state)
{
    struct params params;
    char name[300], message[300];
    (void)state;
    memset(name, 'n', sizeof name);
    name[255] = 0;
    set(FILE_NAME, "", false, "1 to 255 bytes");
    assert_true(tw_param_set(&rows[FILE_NAME], &params, name, message, sizeof message));
    assert_string_equal(params.file.name, name);
    name[255] = 'n';
    name[256] = 0;
    set(FILE_NAME, name, false, "1 to 255 bytes");
}

static void lists_hold_sixteen_numbers(void **state)
{
    struct params params = {0};
    char message[300], text[400];
    (void)state;
    for (int i = 0; i < 16; i++)
        assert_true(tw_param_append(&rows[WEIGHTS], &params, "-0.12345678", message, 300));
    assert_false(tw_param_append(&rows[WEIGHTS], &params, "1", message, 300));
    assert_non_null(strstr(message, "weights has more than 16 numbers"));
    assert_int_equal(params.weights.count, 16);
    assert_int_equal(tw_param_print(&rows[WEIGHTS], &params, text, sizeof text), 16 * 11 + 15);
    params.weights.count = 0;
    assert_false(tw_param_append(&rows[WEIGHTS], &params, "1.5", message, 300));
    assert_non_null(strstr(message, "allowed -1 to 1"));
    assert_int_equal(params.weights.count, 0);
}

static void columns_have_ranges(void **state)
{
    float cell = 9;
    char message[300];
    (void)state;
    assert_true(tw_param_cell(&columns[0], "-1", &cell, message, sizeof message));
    assert_true(cell == -1);
    assert_false(tw_param_cell(&columns[0], "1.001", &cell, message, sizeof message));
    assert_non_null(strstr(message, "x is 1.001; allowed -1 to 1"));
    assert_true(cell == -1);
}

static void print(int row, const struct params *params, const char *expected)
{
    char text[400];
    int length = tw_param_print(&rows[row], params, text, sizeof text);
    assert_string_equal(text, expected);
    assert_int_equal(length, strlen(expected));
}

static void defaults_are_printed_canonically(void **state)
{
    struct params params = {0};
    (void)state;
    tw_param_defaults(&type, &params);
    print(TALUS, &params, "4");
    print(COUNT, &params, "50");
    print(SMOOTH, &params, "true");
    print(MODE, &params, "cubic");
    print(WEIGHTS, &params, "-1 0.5");
    print(FILE_NAME, &params, "");
    print(POINTS, &params, "0 rows");
    params.mode = 7; /* no label: never made by the loader */
    print(MODE, &params, "");
}

static void labels_are_counted(void **state)
{
    int length = 0;
    (void)state;
    assert_memory_equal(tw_param_label(&rows[MODE], 0, &length), "linear", 6);
    assert_int_equal(length, 6);
    assert_memory_equal(tw_param_label(&rows[MODE], 2, &length), "none", 4);
    assert_int_equal(length, 4);
    assert_null(tw_param_label(&rows[MODE], 3, &length));
    assert_null(tw_param_label(&rows[MODE], 30, &length));
}

static void check_round_trip(float value)
{
    struct params params = {.talus = value};
    struct tw_param wide = rows[TALUS];
    char text[64], shorter[64], message[300];
    double read;
    wide.min = -3.5e38;
    wide.max = 3.5e38;
    tw_param_print(&wide, &params, text, sizeof text);
    params.talus = 0;
    assert_true(tw_param_set(&wide, &params, text, message, sizeof message));
    if (memcmp(&params.talus, &value, sizeof value) != 0)
        fail_msg("%s is not %.9g", text, (double)value);
    int digits = 0, exponent = (int)strcspn(text, "e");
    for (int i = (int)strspn(text, "-0."); i < exponent; i++)
        digits += text[i] != '.';
    if (digits <= 6)
        return;
    snprintf(shorter, sizeof shorter, "%.*g", digits - 1, (double)value);
    assert_true(!tw_param_number(shorter, &read) || (float)read != value);
}

static void floats_come_back_from_their_shortest_text(void **state)
{
    static const float values[] = {0,       -0.0f,  0.1f,    1.0f / 3,   16777216, 3.4028235e38f,
                                   -1e-45f, 1e-38f, 0.3333f, 123456.79f, 1e10f,    1.17549435e-38f};
    struct params params = {.talus = 0.1f};
    (void)state;
    print(TALUS, &params, "0.1");
    params.talus = 1.0f / 3;
    print(TALUS, &params, "0.33333334");
    params.talus = 16777216;
    print(TALUS, &params, "16777216");
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        check_round_trip(values[i]);
    for (uint32_t i = 0; i < 20000; i++) {
        uint32_t bits = tw_random(1, i, 0, 0, 0).at[0];
        float value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
            check_round_trip(value);
    }
}

/* The same text is read and written where a comma separates decimals. */
static void a_locale_changes_nothing(void **state)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"};
    struct params params = {.talus = 0.1f};
    int found = 0;
    (void)state;
    while (found < 4 && !setlocale(LC_ALL, names[found]))
        found++;
    if (found == 4)
        skip();
    check_numbers();
    print(TALUS, &params, "0.1");
    check_round_trip(1.0f / 3);
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_plain_decimals),
        cmocka_unit_test(seeds_have_64_bits),
        cmocka_unit_test(ranges_hold_at_both_ends),
        cmocka_unit_test(file_names_fit_their_field),
        cmocka_unit_test(lists_hold_sixteen_numbers),
        cmocka_unit_test(columns_have_ranges),
        cmocka_unit_test(defaults_are_printed_canonically),
        cmocka_unit_test(labels_are_counted),
        cmocka_unit_test(floats_come_back_from_their_shortest_text),
        cmocka_unit_test(a_locale_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
