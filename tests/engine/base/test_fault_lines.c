/* SPDX-License-Identifier: MIT */
#include "support/harness.h"

#include "base/text/fault_log.h"

#include <string.h>

static char quoted[64];

static void sink(void *context, bool fault, const struct tw_error *error, const char *line)
{
    (void)context;
    (void)error;
    assert_true(fault);
    assert_true(strlen(line) < sizeof quoted);
    memcpy(quoted, line, strlen(line) + 1);
}

static const char *quote(const char *text, int32_t line)
{
    struct tw_fault_log log = {.sink = sink};
    struct tw_place place = {"a.yaml", text, strlen(text), line, 1, false, NULL};
    tw_fault_log_add(&log, TW_RECIPE, place, NULL, "wrong");
    return quoted;
}

static void quotes_the_line_that_yaml_counts(void **state)
{
    (void)state;
    assert_string_equal(quote("a\nb\nc", 2), "b");
    assert_string_equal(quote("a\r\nb\r\nc", 3), "c");
    assert_string_equal(quote("a\rb\r\rd", 4), "d");
    assert_string_equal(quote("a\rb\r\rd", 3), "");
    assert_string_equal(quote("a\xC2\x85"
                              "b\xE2\x80\xA8"
                              "c\xE2\x80\xA9"
                              "d",
                              4),
                        "d");
    assert_string_equal(quote("a\nb", 9), "");
    assert_string_equal(quote("", 1), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(quotes_the_line_that_yaml_counts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
