/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text/glob.h"

#include <string.h>

static void patterns_match_as_in_a_shell(void **state)
{
    static const struct {
        const char *pattern, *path;
        bool matches, covers;
    } rows[] = {{"a.yaml", "a.yaml", true, true},
                {"a.yaml", "b/a.yaml", false, false},
                {"*.yaml", "a.yaml", true, true},
                {"*.yaml", "b/a.yaml", false, false},
                {"*.yaml", ".a.yaml", false, false},
                {".*.yaml", ".a.yaml", true, true},
                {"a?c", "abc", true, true},
                {"a?c", "a/c", false, false},
                {"[a-c]x", "bx", true, true},
                {"[!a-c]x", "bx", false, false},
                {"[]x]y", "]y", true, true},
                {"[ax", "[ax", true, true},
                {"a*b*c", "aXbXbc", true, true},
                {"a*b*c", "aXbXb", false, false},
                {"levels/**/t.yaml", "levels/t.yaml", true, true},
                {"levels/**/t.yaml", "levels/a/t.yaml", true, true},
                {"levels/**/t.yaml", "levels/a/b/c/t.yaml", true, true},
                {"levels/**/t.yaml", "levels/a/.b/t.yaml", false, false},
                {"levels/**/t.yaml", "level/t.yaml", false, false},
                {"**/t.yaml", "t.yaml", true, true},
                {"**/a/**/t.yaml", "x/a/y/a/z/t.yaml", true, true},
                {"**/a/**/t.yaml", "x/b/y/t.yaml", false, false},
                {"a/**", "a/b/c", true, true},
                {"a/**", "a/.b/c", false, false},
                {"scratch/*", "scratch/x/t.yaml", false, true},
                {"scratch", "scratch/x/t.yaml", false, true},
                {"scratch", "scratch2/t.yaml", false, false},
                {"**/old", "a/old/t.yaml", false, true}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (tw_glob_matches(rows[i].pattern, rows[i].path) != rows[i].matches ||
            tw_glob_covers(rows[i].pattern, rows[i].path) != rows[i].covers)
            fail_msg("'%s' and '%s'", rows[i].pattern, rows[i].path);
}

/* Without the last-wildcard rule this takes years. */
static void many_wildcards_take_no_time(void **state)
{
    char pattern[400] = "", path[400] = "";
    (void)state;
    for (int i = 0; i < 60; i++) {
        strcat(pattern, "**/a/");
        strcat(path, "a/");
    }
    strcat(pattern, "b");
    strcat(path, "c");
    assert_false(tw_glob_matches(pattern, path));
    assert_false(
        tw_glob_matches("*a*a*a*a*a*a*a*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac"));
}

static void folders_without_wildcards_are_found(void **state)
{
    (void)state;
    assert_int_equal(tw_glob_fixed("levels/**/t.yaml"), 7);
    assert_int_equal(tw_glob_fixed("a/b*c/d"), 2);
    assert_int_equal(tw_glob_fixed("*.yaml"), 0);
    assert_true(tw_glob_is_one("a/[b]"));
    assert_false(tw_glob_is_one("a/b"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(patterns_match_as_in_a_shell),
                                       cmocka_unit_test(many_wildcards_take_no_time),
                                       cmocka_unit_test(folders_without_wildcards_are_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
