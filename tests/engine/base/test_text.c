/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"

#include <string.h>

static const char *const rows[][2] = {
    {"", ""},
    {"plain, \xC3\xA4 \xE2\x82\xAC \xF0\x9F\x8F\x94",
     "plain, \xC3\xA4 \xE2\x82\xAC \xF0\x9F\x8F\x94"},
    {"a\033[31mred\n::error::\t\x7F", "a?[31mred?::error::??"},
    {"C1: \xC2\x9B"
     "31m",
     "C1: ?31m"},
    {"Latin-1: caf\xE9!", "Latin-1: caf?!"},
    {"overlong: \xC0\xAF \xE0\x80\xAF", "overlong: ?? ???"},
    {"surrogate: \xED\xA0\x80", "surrogate: ???"},
    {"beyond: \xF4\x90\x80\x80 \xFF", "beyond: ???? ?"},
    {"cut \xE2\x82", "cut "},
    {"cut \xC3", "cut "},
    {"alone \x80", "alone ?"},
};

static void text_of_strangers_is_made_harmless(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[64];
        strcpy(text, rows[i][0]);
        tw_text_clean(text);
        assert_string_equal(text, rows[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(text_of_strangers_is_made_harmless)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
