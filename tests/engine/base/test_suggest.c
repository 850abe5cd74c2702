/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text/suggest.h"

#include <string.h>

static void distances_count_edits(void **state)
{
    static const struct {
        const char *a, *b;
        int edits;
    } rows[] = {{"", "", 0},
                {"abc", "", 3},
                {"", "abc", 3},
                {"talus", "talus", 0},
                {"tallus", "talus", 1},
                {"talu", "talus", 1},
                {"tales", "talus", 1},
                {"tlaus", "talus", 1},
                {"kitten", "sitting", 3},
                {"ca", "abc", 3}, /* a swap is not edited again */
                {"erosion.themal", "erosion.thermal", 1}};
    (void)state;
    for (int i = 0; i < (int)(sizeof rows / sizeof *rows); i++) {
        assert_int_equal(tw_suggest_distance(rows[i].a, rows[i].b, 99), rows[i].edits);
        assert_int_equal(tw_suggest_distance(rows[i].b, rows[i].a, 99), rows[i].edits);
    }
    assert_int_equal(tw_suggest_distance("kitten", "sitting", 3), 3);
    assert_int_equal(tw_suggest_distance("kitten", "sitting", 2), 3);
    assert_int_equal(tw_suggest_distance("kitten", "sitting", 1), 2);
}

static void long_names_are_compared_by_their_beginning(void **state)
{
    char a[200], b[200];
    (void)state;
    for (int i = 0; i < 199; i++)
        a[i] = b[i] = 'x';
    a[199] = b[199] = 0;
    b[150] = 'y';
    assert_int_equal(tw_suggest_distance(a, b, 99), 0);
    b[10] = 'y';
    assert_int_equal(tw_suggest_distance(a, b, 99), 1);
}

static const char *nearest(const char *unknown, const char *a, const char *b)
{
    struct tw_suggestion suggestion = {.unknown = unknown};
    tw_suggest_offer(&suggestion, a);
    tw_suggest_offer(&suggestion, b);
    return suggestion.best;
}

static void the_nearest_name_is_offered_if_any(void **state)
{
    (void)state;
    assert_string_equal(nearest("taluss", "talus", "iterations"), "talus");
    assert_string_equal(nearest("taluss", "iterations", "talus"), "talus");
    assert_string_equal(nearest("abcd", "abxx", "abcx"), "abcx");
    assert_string_equal(nearest("abcd", "abcx", "abcy"), "abcx"); /* the first on ties */
    assert_null(nearest("talus", "iterations", "rate"));
    assert_null(nearest("ab", "xy", "z")); /* all of it would change */
    assert_string_equal(nearest("abcdefghijkl", "abcdefghWXYZ", "q"), "abcdefghWXYZ"); /* a third */
    assert_null(nearest("abcdefghijkl", "abcdefgVWXYZ", "q"));
}

static void a_hint_names_the_best(void **state)
{
    struct tw_arena arena = {0};
    const struct tw_suggestion near = {.best = "talus"}, none = {.best = NULL};
    (void)state;
    assert_string_equal(tw_suggest_hint(&near, &arena), "did you mean 'talus'?");
    assert_null(tw_suggest_hint(&none, &arena));
    tw_arena_release(&arena);
}

/* Where nothing is near, it says what there is: as much as a line holds. */
static void else_a_hint_lists_what_is_known(void **state)
{
    struct tw_arena arena = {0};
    struct tw_suggestion few = {.unknown = "size"}, many = {.unknown = "talus"};
    char long_name[200] = {0};
    (void)state;
    tw_suggest_offer(&few, "side_m");
    assert_string_equal(tw_suggest_hint(&few, &arena), "known: side_m");
    tw_suggest_offer(&few, "height_m");
    assert_string_equal(tw_suggest_hint(&few, &arena), "known: side_m, height_m");
    memset(long_name, 'x', sizeof long_name - 1);
    tw_suggest_offer(&few, long_name);
    tw_suggest_offer(&few, "z");
    assert_string_equal(tw_suggest_hint(&few, &arena), "known are side_m, height_m and 2 more");
    for (int i = 0; i < 100; i++)
        tw_suggest_offer(&many, "octaves");
    assert_true(strlen(many.known) < sizeof many.known && many.more > 80);
    tw_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_count_edits),
        cmocka_unit_test(long_names_are_compared_by_their_beginning),
        cmocka_unit_test(the_nearest_name_is_offered_if_any),
        cmocka_unit_test(a_hint_names_the_best),
        cmocka_unit_test(else_a_hint_lists_what_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
