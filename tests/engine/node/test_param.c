/* SPDX-License-Identifier: MIT */
/* Text to parameters and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text/number.h"
#include "node/param.h"

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
    struct tw_labels order;
    float azimuth;
    int32_t profile;
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
    TW_PARAM_LABELS(struct params, order, "we", "we|ew|ns", "of passes"),
    TW_PARAM_F32_OR(struct params, azimuth, "auto", -1, -1, 0, 360, TW_UNIT_DEGREES, "of light"),
    TW_PARAM_I32_OR(struct params, profile, "none", -1, 3, 0, 63, "", "place in a list"),
    TW_PARAM_END,
};
enum { TALUS, COUNT, SMOOTH, MODE, WEIGHTS, FILE_NAME, POINTS, ORDER, AZIMUTH, PROFILE };

static const struct tw_node_type type = {.name = "test.type", .params = rows};

static void set(int row, const char *text, bool ok, const char *said)
{
    struct params params = {0}, before = {0};
    char message[300] = "";
    if (tw_param_set(&rows[row], &params, text, message, sizeof message) != ok)
        fail_msg("%s: %s %s", rows[row].name, text, message);
    if (!ok && !strstr(message, said))
        fail_msg("'%s' does not say '%s'", message, said);
    if (!ok)
        assert_memory_equal(&params, &before, sizeof params);
}

static const char *printed(int row, const struct params *params)
{
    static char text[300];
    int length = tw_param_print(&rows[row], params, text, sizeof text);
    assert_int_equal(length, strlen(text));
    return text;
}

static void a_word_stands_for_a_number(void **state)
{
    struct params params = {0};
    char message[300];
    (void)state;
    tw_param_defaults(rows, &params);
    assert_true(params.azimuth == -1 && params.profile == 3);
    assert_string_equal(printed(AZIMUTH, &params), "auto");
    assert_string_equal(printed(PROFILE, &params), "3");
    assert_true(tw_param_set(&rows[AZIMUTH], &params, "270", message, sizeof message));
    assert_true(tw_param_set(&rows[PROFILE], &params, "none", message, sizeof message));
    assert_true(params.azimuth == 270 && params.profile == -1);
    assert_string_equal(printed(AZIMUTH, &params), "270");
    assert_string_equal(printed(PROFILE, &params), "none");
    set(AZIMUTH, "auto", true, "");
    set(AZIMUTH, "0", true, "");
    set(AZIMUTH, "-1", false, "azimuth is -1; allowed auto or 0 to 360");
    set(AZIMUTH, "none", false, "azimuth is 'none'; expected auto or a number from 0 to 360");
    set(AZIMUTH, "atuo", false, "from 0 to 360; did you mean 'auto'?");
    set(AZIMUTH, "Auto", false, "did you mean 'auto'?");
    set(AZIMUTH, "", false, "expected auto or a number");
    set(PROFILE, "-1", false, "profile is -1; allowed none or 0 to 63");
    set(PROFILE, "0.5", false, "profile is 0.5; expected none or a whole number from 0 to 63");
    set(PROFILE, "auto", false, "expected none or a whole number from 0 to 63");
    set(TALUS, "auto", false, "talus is 'auto'; expected a number from 0 to 1000");
}

static void ranges_hold_at_both_ends(void **state)
{
    (void)state;
    set(TALUS, "0", true, "");
    set(TALUS, "1000", true, "");
    set(TALUS, "-0.0001", false, "talus is -0.0001; allowed 0 to 1000");
    set(TALUS, "1000.0001", false, "allowed 0 to 1000");
    set(TALUS, "steep", false, "talus is 'steep'; expected a number");
    set(COUNT, "-3", true, "");
    set(COUNT, "100", true, "");
    set(COUNT, "-4", false, "allowed -3 to 100");
    set(COUNT, "101", false, "count is 101; allowed -3 to 100");
    set(COUNT, "1.5", false, "count is 1.5; expected a whole number");
    set(COUNT, "1e1", true, "");
    set(SMOOTH, "true", true, "");
    set(SMOOTH, "yes", false, "expected true or false");
    set(SMOOTH, "True", false, "expected true or false");
    set(MODE, "none", true, "");
    set(MODE, "cubik", false, "expected one of linear, cubic, none; did you mean 'cubic'?");
    set(MODE, "0", false, "expected one of linear, cubic, none");
    set(MODE, "linear|cubic", false, "expected one of");
    set(MODE, "", false, "expected one of");
    set(WEIGHTS, "1", false, "expected a list of numbers");
    set(POINTS, "1", false, "expected a list of numbers");
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
    assert_non_null(strstr(message, "weights is too long; expected at most 16 numbers"));
    assert_int_equal(params.weights.count, 16);
    assert_int_equal(tw_param_print(&rows[WEIGHTS], &params, text, sizeof text), 16 * 11 + 15);
    params.weights.count = 0;
    assert_false(tw_param_append(&rows[WEIGHTS], &params, "1.5", message, 300));
    assert_non_null(strstr(message, "allowed -1 to 1"));
    assert_int_equal(params.weights.count, 0);
}

/* However far apart they stand. */
static void words_are_counted(void **state)
{
    enum { MOST = sizeof((struct tw_labels *)NULL)->at / sizeof(int32_t) };
    struct params params = {0};
    char message[300], text[1000];
    (void)state;
    snprintf(text, sizeof text, " ew%500s ns ", "we");
    assert_true(tw_param_set(&rows[ORDER], &params, text, message, sizeof message));
    assert_int_equal(params.order.count, 3);
    assert_true(params.order.at[0] == 1 && params.order.at[1] == 0 && params.order.at[2] == 2);
    set(ORDER, "  ", false, "order is empty");
    set(ORDER, "we en", false, "order is 'en'; expected one of we, ew, ns");
    snprintf(text, sizeof text, "we%0300d", 0);
    set(ORDER, text, false, "order is 'we000");
    memset(text, 0, sizeof text);
    for (int i = 0; i < MOST; i++)
        strcat(text, "ns ");
    set(ORDER, text, true, "");
    strcat(text, "ns");
    set(ORDER, text, false, "order is too long; expected at most");
}

/* 32 labels of up to 31 bytes, which is what the header allows. */
static void enums_have_thirty_two_labels(void **state)
{
    static const char labels[] =
        "l0|l1|l2|l3|l4|l5|l6|l7|l8|l9|l10|l11|l12|l13|l14|l15|l16|l17|l18|l19|l20|l21|l22|l23|l24|"
        "l25|l26|l27|l28|l29|l30|a_label_of_thirty_one_byte_size";
    static const struct tw_param many[] = {
        TW_PARAM_ENUM(struct params, mode, 12, labels, "how"),
        TW_PARAM_END,
    };
    struct params params = {0};
    char message[300], text[40];
    (void)state;
    tw_param_defaults(many, &params);
    assert_true(tw_param_print(many, &params, text, sizeof text) == 3 && strcmp(text, "l12") == 0);
    for (int i = 0; i < TW_LABELS_MAX; i++) {
        int length;
        const char *label = tw_param_label(many, i, &length);
        snprintf(text, sizeof text, "%.*s", length, label);
        assert_true(tw_param_set(many, &params, text, message, sizeof message));
        assert_int_equal(params.mode, i);
        tw_param_print(many, &params, message, sizeof message);
        assert_string_equal(message, text);
    }
    assert_int_equal(strlen(text), TW_LABEL_BYTES_MAX);
    assert_null(tw_param_label(many, TW_LABELS_MAX, &(int){0}));
    assert_false(tw_param_set(many, &params, "a_label_of_thirty_one_bite_size", message, 300));
    assert_non_null(strstr(message, "did you mean 'a_label_of_thirty_one_byte_size'?"));
    assert_non_null(strstr(message, "expected one of l0, l1, "));
    assert_non_null(strstr(message, " more;"));
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

static void words_of_cells_are_of_words_only(void **state)
{
    int length;
    const struct tw_column word = {"w", 0, 0, 1, false, "one|two", ""};
    (void)state;
    assert_string_equal(tw_cell_word(&word, 1, &length), "two");
    assert_int_equal(length, 3);
    assert_null(tw_cell_word(&columns[0], 1e30f, &length)); /* no int */
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
    tw_param_defaults(type.params, &params);
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
    assert_true(!tw_number_parse(shorter, &read) || (float)read != value);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_stands_for_a_number),
        cmocka_unit_test(ranges_hold_at_both_ends),
        cmocka_unit_test(file_names_fit_their_field),
        cmocka_unit_test(lists_hold_sixteen_numbers),
        cmocka_unit_test(words_are_counted),
        cmocka_unit_test(enums_have_thirty_two_labels),
        cmocka_unit_test(columns_have_ranges),
        cmocka_unit_test(words_of_cells_are_of_words_only),
        cmocka_unit_test(defaults_are_printed_canonically),
        cmocka_unit_test(labels_are_counted),
        cmocka_unit_test(floats_come_back_from_their_shortest_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
