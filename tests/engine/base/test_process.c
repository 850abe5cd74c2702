/* SPDX-License-Identifier: MIT */
/* Other programs: what they print, how they end, and what they are given. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/os/process.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static const char *const seen = "printf %s \"$SEEN\"";

static void expect_output(struct tw_bytes *output, const char *text)
{
    assert_int_equal(output->length, strlen(text));
    assert_memory_equal(output->at, text, output->length);
    free(output->at);
    *output = (struct tw_bytes){0};
}

static void output_is_read_to_its_end(void **state)
{
    const char *const command[] = {"sh", "-c", "printf a; printf b >&2; printf c", NULL};
    const char *const longer[] = {"sh", "-c", "printf '%09999d' 7", NULL};
    struct tw_bytes output = {0};
    (void)state;
    assert_true(tw_process_run(command, "SEEN=1", &output));
    expect_output(&output, "ac");
    assert_int_equal(tw_process_ask(command, &output), 0);
    expect_output(&output, "abc");
    assert_int_equal(tw_process_ask(longer, &output), 0);
    assert_int_equal(output.length, 9999);
    assert_int_equal(output.at[9998], '7');
    free(output.at);
}

static void endings_are_told_apart(void **state)
{
    const char *const three[] = {"sh", "-c", "exit 3", NULL};
    const char *const killed[] = {"sh", "-c", "kill -TERM $$", NULL};
    const char *const missing[] = {"/no/such/program", NULL};
    struct tw_bytes output = {0};
    (void)state;
    assert_int_equal(tw_process_ask(three, &output), 3);
    assert_int_equal(tw_process_ask(killed, &output), 128 + SIGTERM);
    assert_int_equal(tw_process_ask(missing, &output), -1);
    assert_false(tw_process_run(three, "SEEN=1", &output));
    assert_false(tw_process_run(killed, "SEEN=1", &output));
    assert_false(tw_process_run(missing, "SEEN=1", &output));
    assert_int_equal(output.length, 0);
    free(output.at);
}

static void programs_are_found_in_path(void **state)
{
    char path[5000];
    (void)state;
    snprintf(path, sizeof path, "%s", getenv("PATH"));
    assert_true(tw_process_finds("sh"));
    assert_false(tw_process_finds("no-such-program"));
    setenv("PATH", "/nowhere:/bin:", 1);
    assert_true(tw_process_finds("sh"));
    setenv("PATH", "/nowhere", 1);
    assert_false(tw_process_finds("sh"));
    unsetenv("PATH");
    assert_false(tw_process_finds("sh"));
    setenv("PATH", path, 1);
}

/* One variable more, or another value of it; nothing to read. */
static void a_variable_is_added_or_replaced(void **state)
{
    const char *const command[] = {"sh", "-c", seen, NULL}, *const input[] = {"cat", NULL};
    struct tw_bytes output = {0};
    (void)state;
    unsetenv("SEEN");
    assert_true(tw_process_run(command, "SEEN=new", &output));
    expect_output(&output, "new");
    setenv("SEEN", "old", 1);
    setenv("SEEN_TOO", "kept", 1);
    assert_true(tw_process_run(command, "SEEN=", &output));
    expect_output(&output, "");
    assert_true(tw_process_run((const char *const[]){"sh", "-c", "printf %s \"$SEEN_TOO\"", NULL},
                               "SEEN=new", &output));
    expect_output(&output, "kept");
    assert_true(tw_process_run(input, "SEEN=1", &output));
    expect_output(&output, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(output_is_read_to_its_end),
                                       cmocka_unit_test(endings_are_told_apart),
                                       cmocka_unit_test(programs_are_found_in_path),
                                       cmocka_unit_test(a_variable_is_added_or_replaced)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
