/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text/fault_log.h"

#include <stdio.h>
#include <string.h>

struct reported {
    int faults, warnings;
    struct tw_error last;
    char line[600];
};

static void sink(void *context, bool fault, const struct tw_error *error, const char *source_line)
{
    struct reported *reported = context;
    *(fault ? &reported->faults : &reported->warnings) += 1;
    reported->last = *error;
    snprintf(reported->line, sizeof reported->line, "%s", source_line);
}

static struct tw_place place(const char *text, int32_t line, int32_t column)
{
    return (struct tw_place){"hills.yaml", text, strlen(text), line, column, false, NULL};
}

static void a_fault_has_its_place_and_line(void **state)
{
    static const char text[] = "one\ntwo: 2\r\n\nfour";
    static const struct {
        int32_t line;
        const char *quoted;
    } rows[] = {{1, "one"}, {2, "two: 2"}, {3, ""}, {4, "four"}, {5, ""}, {0, "one"}};
    struct reported reported = {0};
    struct tw_fault_log log = {.sink = sink, .context = &reported};
    (void)state;
    for (int i = 0; i < 6; i++) {
        assert_int_equal(tw_fault_log_add(&log, TW_LIMIT, place(text, rows[i].line, 3), "hint",
                                          "%d is wrong", i),
                         TW_LIMIT);
        assert_string_equal(reported.line, rows[i].quoted);
        assert_string_equal(reported.last.file, "hills.yaml");
        assert_string_equal(reported.last.hint, "hint");
        assert_int_equal(reported.last.line, rows[i].line);
        assert_int_equal(reported.last.column, 3);
    }
    assert_string_equal(reported.last.message, "5 is wrong");
    assert_int_equal(log.faults, 6);
    assert_string_equal(log.first.message, "0 is wrong");
    assert_int_equal(log.first.status, TW_LIMIT);
}

static void warnings_are_no_faults(void **state)
{
    struct reported reported = {0};
    struct tw_fault_log log = {.sink = sink, .context = &reported};
    (void)state;
    tw_fault_log_warn(&log, (struct tw_place){0}, "mind %s", "this");
    assert_int_equal(reported.warnings, 1);
    assert_int_equal(log.faults, 0);
    assert_string_equal(reported.last.message, "mind this");
    assert_string_equal(reported.last.file, "");
    assert_int_equal(reported.last.status, TW_OK);
}

static void all_faults_are_counted_but_a_hundred_reported(void **state)
{
    struct reported reported = {0};
    struct tw_fault_log log = {.sink = sink, .context = &reported}, silent = {0};
    (void)state;
    for (int i = 0; i < 150; i++)
        tw_fault_log_add(&log, TW_RECIPE, place("x", 1, 1), NULL, "%d", i);
    assert_int_equal(reported.faults, 100);
    assert_int_equal(log.faults, 150);
    tw_fault_log_add(&silent, TW_RECIPE, place("x", 1, 1), NULL, "nobody listens");
    assert_string_equal(silent.first.message, "nobody listens");
}

/* A recipe that is used twice has its faults twice; they do not push out the others. */
static void what_was_reported_is_not_repeated(void **state)
{
    struct reported reported = {0};
    struct tw_fault_log log = {.sink = sink, .context = &reported};
    (void)state;
    for (int i = 0; i < 150; i++) {
        tw_fault_log_add(&log, TW_RECIPE, place("x", 1, 1), i < 3 ? "hint" : NULL, "the same");
        tw_fault_log_warn(&log, place("x", 1, 1), "the same");
    }
    tw_fault_log_add(&log, TW_RECIPE, place("x", 1, 2), NULL, "the same");
    tw_fault_log_add(&log, TW_RECIPE, place("x", 1, 1), NULL, "another");
    assert_int_equal(reported.faults, 3);
    assert_int_equal(reported.warnings, 1);
    assert_int_equal(log.faults, 152);
    assert_int_equal(log.warnings, 150);
}

static void long_texts_are_cut(void **state)
{
    char text[2000];
    struct reported reported = {0};
    struct tw_fault_log log = {.sink = sink, .context = &reported};
    (void)state;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    tw_fault_log_add(&log, TW_RECIPE,
                     (struct tw_place){text, text, strlen(text), 1, 1, false, NULL}, text, "%s",
                     text);
    assert_int_equal(strlen(reported.line), 511);
    assert_int_equal(strlen(reported.last.message), sizeof reported.last.message - 1);
    assert_int_equal(strlen(reported.last.hint), sizeof reported.last.hint - 1);
    assert_int_equal(strlen(reported.last.file), sizeof reported.last.file - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fault_has_its_place_and_line),
        cmocka_unit_test(warnings_are_no_faults),
        cmocka_unit_test(all_faults_are_counted_but_a_hundred_reported),
        cmocka_unit_test(what_was_reported_is_not_repeated),
        cmocka_unit_test(long_texts_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
