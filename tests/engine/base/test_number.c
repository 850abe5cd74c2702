/* SPDX-License-Identifier: MIT */
/* Numbers as people write them, the same in every locale. */
#include "base/text/number.h"

#include "support/command.h"
#include "support/harness.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool parses(const char *text, double expected)
{
    double number = 99;
    bool ok = tw_number_parse(text, &number);
    assert_true(ok || number == 99);
    return ok && number == expected;
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
        if (tw_number_parse(refused[i], &number))
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
    assert_true(tw_number_parse(text, &number));
    text[126] = '1';
    text[127] = 0;
    assert_false(tw_number_parse(text, &number));
}

static void whole_numbers_have_64_bits(void **state)
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
    uint64_t number = 99;
    (void)state;
    assert_true(tw_number_parse_whole("0", &number) && number == 0);
    assert_true(tw_number_parse_whole("18446744073709551614", &number) && number == UINT64_MAX - 1);
    assert_true(tw_number_parse_whole("18446744073709551615", &number) && number == UINT64_MAX);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_false(tw_number_parse_whole(refused[i], &number));
}

static void check_text(void)
{
    char text[32];
    assert_int_equal(tw_number_print_float(text, sizeof text, 0.1f), 3);
    assert_string_equal(text, "0.1");
    tw_number_print_float(text, sizeof text, 1.0f / 3);
    assert_string_equal(text, "0.33333334");
    tw_number_print_float(text, sizeof text, 1e30f);
    assert_string_equal(text, "1e+30");
    tw_number_print(text, sizeof text, 0.1);
    assert_string_equal(text, "0.1");
    tw_number_print(text, sizeof text, 1.0 / 3);
    assert_string_equal(text, "0.3333333333333333");
    tw_number_print(text, sizeof text, 1000.0000001);
    assert_string_equal(text, "1000.0000001");
    tw_number_print(text, sizeof text, -4096);
    assert_string_equal(text, "-4096");
    tw_number_print_digits(text, sizeof text, 4, 1.0 / 3);
    assert_string_equal(text, "0.3333");
    assert_int_equal(tw_number_print_digits(text, 3, 4, 1.0 / 3), 6);
    assert_string_equal(text, "0.");
}

static void text_is_the_shortest_that_reads_back(void **state)
{
    (void)state;
    check_text();
}

/* Compiles a locale with a decimal comma, which few test machines have installed. */
static bool use_comma(void)
{
    if (system("localedef -i de_DE -f UTF-8 ./comma >/dev/null 2>&1") != 0)
        return false;
    setenv("LOCPATH", ".", 1);
    return setlocale(LC_ALL, "comma") != NULL;
}

static void a_locale_changes_nothing(void **state)
{
    char text[8];
    (void)state;
    if (!use_comma())
        skip();
    snprintf(text, sizeof text, "%.1f", 0.5);
    assert_string_equal(text, "0,5"); /* it is in force */
    check_numbers();
    check_text();
    setlocale(LC_ALL, "C");
}

static void numbers_have_an_order(void **state)
{
    double numbers[] = {2, -1, 0.5, -1, 1e300};
    static const double sorted[] = {-1, -1, 0.5, 2, 1e300};
    (void)state;
    qsort(numbers, 5, sizeof *numbers, tw_number_compare);
    assert_memory_equal(numbers, sorted, sizeof sorted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_plain_decimals),
        cmocka_unit_test(whole_numbers_have_64_bits),
        cmocka_unit_test(text_is_the_shortest_that_reads_back),
        cmocka_unit_test(numbers_have_an_order),
        cmocka_unit_test(a_locale_changes_nothing),
    };
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
