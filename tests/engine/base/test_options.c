/* SPDX-License-Identifier: MIT */
/* Structs that grow: older and newer programs and libraries understand each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory/options.h"

#include <string.h>

struct older {
    size_t size;
    int64_t one;
};
struct newer {
    size_t size;
    int64_t one, two;
    void *three;
};

static void what_a_program_does_not_know_is_zero(void **state)
{
    const struct older given = {.size = sizeof given, .one = 7};
    struct newer own = {.two = 3};
    (void)state;
    assert_int_equal(tw_options_take(&given, &own, sizeof own, "options", NULL), TW_OK);
    assert_int_equal(own.one, 7);
    assert_int_equal(own.two, 0);
    assert_null(own.three);
    assert_int_equal(own.size, sizeof own);
    assert_int_equal(tw_options_take(NULL, &own, sizeof own, "options", NULL), TW_OK);
    assert_int_equal(own.one, 0);
}

static void a_size_of_zero_is_the_librarys_own(void **state)
{
    const struct newer given = {.one = 7, .two = 8};
    struct newer own;
    (void)state;
    assert_int_equal(tw_options_take(&given, &own, sizeof own, "options", NULL), TW_OK);
    assert_int_equal(own.two, 8);
}

static void a_newer_program_may_set_only_what_the_library_knows(void **state)
{
    struct newer given = {.size = sizeof given, .one = 7};
    struct older own = {.one = 1};
    struct tw_error error;
    (void)state;
    assert_int_equal(tw_options_take(&given, &own, sizeof own, "options", &error), TW_OK);
    assert_int_equal(own.one, 7);
    given.three = &given;
    assert_int_equal(tw_options_take(&given, &own, sizeof own, "options", &error), TW_USAGE);
    assert_non_null(strstr(error.message, "options sets a member"));
    given.size = 3;
    assert_int_equal(tw_options_take(&given, &own, sizeof own, "options", &error), TW_USAGE);
}

static void a_report_fills_the_room_it_is_given(void **state)
{
    const struct older own = {.one = 7};
    struct newer large = {.size = sizeof large, .two = 3, .three = &large};
    struct newer report = {.one = 1, .two = 2};
    struct older small = {.size = sizeof small};
    (void)state;
    tw_options_give(&large, &own, sizeof own);
    assert_int_equal(large.one, 7);
    assert_int_equal(large.two, 0);
    assert_null(large.three);
    assert_int_equal(large.size, sizeof large);
    tw_options_give(&small, &report, sizeof report);
    assert_int_equal(small.one, 1);
    assert_int_equal(small.size, sizeof small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_program_does_not_know_is_zero),
        cmocka_unit_test(a_size_of_zero_is_the_librarys_own),
        cmocka_unit_test(a_newer_program_may_set_only_what_the_library_knows),
        cmocka_unit_test(a_report_fills_the_room_it_is_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
