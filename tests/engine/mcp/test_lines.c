/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mcp/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE *file;

static struct tw_mcp_lines lines_of(const char *text, size_t length)
{
    file = tmpfile();
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fflush(file), 0);
    assert_int_equal(lseek(fileno(file), 0, SEEK_SET), 0);
    return (struct tw_mcp_lines){.descriptor = fileno(file)};
}

static void release(struct tw_mcp_lines *lines)
{
    free(lines->at);
    assert_int_equal(fclose(file), 0);
}

static void expect_line(struct tw_mcp_lines *lines, const char *text)
{
    const char *line;
    size_t length;
    assert_int_equal(tw_mcp_lines_next(lines, &line, &length), TW_MCP_LINE);
    assert_int_equal(length, strlen(text));
    assert_memory_equal(line, text, length);
}

static void expect_end(struct tw_mcp_lines *lines)
{
    const char *line;
    size_t length;
    assert_int_equal(tw_mcp_lines_next(lines, &line, &length), TW_MCP_END);
    assert_int_equal(tw_mcp_lines_next(lines, &line, &length), TW_MCP_END);
}

static void lines_end_with_line_feeds(void **state)
{
    static const char text[] = "one\n\ntwo\r\nthree";
    (void)state;
    struct tw_mcp_lines lines = lines_of(text, sizeof text - 1);
    expect_line(&lines, "one");
    expect_line(&lines, "");
    expect_line(&lines, "two");
    expect_line(&lines, "three");
    expect_end(&lines);
    release(&lines);
}

static void nothing_is_no_line(void **state)
{
    (void)state;
    struct tw_mcp_lines lines = lines_of("", 0);
    expect_end(&lines);
    release(&lines);
}

/* Lines around the size of what is read at a time. */
static void lines_of_any_length_are_whole(void **state)
{
    enum { LONGEST = 200000 };
    static const int lengths[] = {65535, 65536, 65537, 1, 131071, 131072, LONGEST, 0, 65534};
    const size_t count = sizeof lengths / sizeof *lengths;
    char *text = malloc(count * (LONGEST + 1)), *line = malloc(LONGEST + 1);
    size_t used = 0;
    (void)state;
    assert_true(text && line);
    for (size_t i = 0; i < count; i++) {
        memset(text + used, 'a' + (int)i, (size_t)lengths[i]);
        used += (size_t)lengths[i];
        text[used++] = '\n';
    }
    struct tw_mcp_lines lines = lines_of(text, used);
    for (size_t i = 0; i < count; i++) {
        memset(line, 'a' + (int)i, (size_t)lengths[i]);
        line[lengths[i]] = 0;
        expect_line(&lines, line);
    }
    expect_end(&lines);
    release(&lines);
    free(text);
    free(line);
}

static void lines_beyond_the_limit_are_skipped(void **state)
{
    const size_t longest = TW_MCP_LINE_MAX + (1 << 17);
    char *text = malloc(longest + 20);
    const char *line;
    size_t length;
    (void)state;
    assert_non_null(text);
    memset(text, 'x', longest);
    memcpy(text + longest, "\nnext\n", 6);
    struct tw_mcp_lines lines = lines_of(text, longest + 6);
    assert_int_equal(tw_mcp_lines_next(&lines, &line, &length), TW_MCP_TOO_LONG);
    expect_line(&lines, "next");
    expect_end(&lines);
    assert_true(lines.capacity < 3 * TW_MCP_LINE_MAX);
    release(&lines);
    lines = lines_of(text, longest); /* without an end */
    assert_int_equal(tw_mcp_lines_next(&lines, &line, &length), TW_MCP_TOO_LONG);
    expect_end(&lines);
    release(&lines);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_end_with_line_feeds),
        cmocka_unit_test(nothing_is_no_line),
        cmocka_unit_test(lines_of_any_length_are_whole),
        cmocka_unit_test(lines_beyond_the_limit_are_skipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
