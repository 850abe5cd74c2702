/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <thalweg/status.h>

#include <string.h>

/* Scripts rely on these numbers: docs/cli.md. */
static void exit_codes_are_a_contract(void **state)
{
    static const struct {
        enum tw_status status;
        int code;
    } rows[] = {{TW_OK, 0},    {TW_DIFFERENCE, 1}, {TW_USAGE, 2},      {TW_RECIPE, 3},
                {TW_INPUT, 3}, {TW_LIMIT, 3},      {TW_PATH, 3},       {TW_NODE, 4},
                {TW_IO, 4},    {TW_MEMORY, 4},     {TW_CANCELLED, 130}};
    (void)state;
    for (int i = 0; i < (int)(sizeof rows / sizeof *rows); i++) {
        assert_int_equal(tw_status_exit_code(rows[i].status), rows[i].code);
        assert_true(strlen(tw_status_text(rows[i].status)) > 3);
    }
}

static void an_error_is_filled_anew(void **state)
{
    struct tw_error error;
    (void)state;
    memset(&error, 'x', sizeof error);
    assert_int_equal(tw_error_set(&error, TW_NODE, "%d of %s", 2, "three"), TW_NODE);
    assert_int_equal(error.status, TW_NODE);
    assert_string_equal(error.message, "2 of three");
    assert_string_equal(error.file, "");
    assert_string_equal(error.path, "");
    assert_string_equal(error.hint, "");
    assert_int_equal(error.line, 0);
    assert_int_equal(error.column, 0);
    assert_int_equal(tw_error_set(NULL, TW_IO, "nobody asks"), TW_IO);
}

static void a_long_message_is_cut(void **state)
{
    struct tw_error error;
    char text[2000];
    (void)state;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    tw_error_set(&error, TW_IO, "%s", text);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exit_codes_are_a_contract),
        cmocka_unit_test(an_error_is_filled_anew),
        cmocka_unit_test(a_long_message_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
