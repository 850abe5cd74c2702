/* SPDX-License-Identifier: MIT */
/* Other programs, and what a program has of its console: `cmd` comes with every Windows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/windows/own_folder.h"

#include "base/os/file.h"
#include "base/os/posix.h"
#include "base/os/process.h"
#include "base/text/stream.h"

#include <stdlib.h>
#include <string.h>
#include <windows.h>

static void expect_output(struct tw_bytes *output, const char *text)
{
    assert_int_equal(output->length, strlen(text));
    assert_memory_equal(output->at, text, output->length);
    free(output->at);
    *output = (struct tw_bytes){0};
}

static void output_and_exit_code_come_back(void **state)
{
    const char *const says[] = {"cmd", "/c", "echo", "words", NULL};
    const char *const ends[] = {"cmd", "/c", "exit", "7", NULL};
    struct tw_bytes output = {0};
    (void)state;
    assert_int_equal(tw_process_ask(says, &output), 0);
    expect_output(&output, "words\r\n");
    assert_int_equal(tw_process_ask(ends, &output), 7);
    free(output.at);
}

static void a_variable_is_added(void **state)
{
    const char *const shows[] = {"cmd", "/c", "echo", "%SEEN%", NULL};
    struct tw_bytes output = {0};
    (void)state;
    assert_true(tw_process_run(shows, "seen=yes", &output)); /* names have no case */
    expect_output(&output, "yes\r\n");
}

/* A project from elsewhere may have a git.exe. */
static void programs_of_the_working_folder_are_not_found(void **state)
{
    char here[2 * PATH_MAX];
    const char *const planted[] = {"planted", NULL};
    struct tw_bytes output = {0};
    (void)state;
    assert_true(GetModuleFileNameA(NULL, here, sizeof here) > 0);
    assert_true(CopyFileA(here, "planted.exe", FALSE));
    assert_true(tw_process_finds("cmd"));
    assert_false(tw_process_finds("planted"));
    assert_int_equal(tw_process_ask(planted, &output), -1);
    free(output.at);
}

static void what_is_missing_cannot_be_run(void **state)
{
    const char *const missing[] = {"no-such-program", NULL};
    const char *const elsewhere[] = {"C:/no/such.exe", NULL};
    struct tw_bytes output = {0};
    (void)state;
    assert_int_equal(tw_process_ask(missing, &output), -1);
    assert_int_equal(tw_process_ask(elsewhere, &output), -1);
    assert_false(tw_process_run(missing, "A=b", &output));
    free(output.at);
}

/* Windows gives a batch file to cmd.exe, which takes a part of an argument for a command: here the
 * name of a file would create another. */
static void batch_files_are_not_run(void **state)
{
    static const char *const names[] = {"edit.bat",  "./edit.bat", "edit.CMD",   "edit.bat.",
                                        "edit.bat ", "edit",       ".\\edit.cmd"};
    char *path = strdup(getenv("PATH"));
    struct tw_bytes output = {0};
    struct tw_error err;
    (void)state;
    assert_int_equal(setenv("PATH", own_folder, 1), 0);
    for (int i = 0; i < 2; i++)
        assert_true(tw_file_write(i == 0 ? "edit.bat" : "edit.cmd", "@echo run\r\n", 11, &err) ==
                    TW_OK);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *const edits[] = {names[i], "a\" & echo x >planted & \"b", NULL};
        assert_false(tw_process_finds(names[i]));
        assert_int_equal(tw_process_ask(edits, &output), -1);
        assert_non_null(strstr(tw_process_refusal(names[i]), "a batch file"));
    }
    assert_string_equal(tw_process_refusal("no-such-program"), "");
    assert_int_equal(access("planted", 0), -1);
    assert_int_equal(output.length, 0);
    assert_int_equal(setenv("PATH", path, 1), 0);
    free(path);
}

/* Most nodes take less than a tick of the clock that Windows has for threads. */
static void the_clock_of_a_thread_counts_microseconds(void **state)
{
    double least = 1;
    (void)state;
    for (int i = 0; i < 100; i++) {
        const double start = tw_process_thread_seconds();
        double now = start;
        while (now == start)
            now = tw_process_thread_seconds();
        least = now - start < least ? now - start : least;
    }
    assert_true(least > 0 && least < 1e-4);
}

static void output_is_binary(void **state)
{
    (void)state;
    tw_process_start();
    for (int i = 0; i < 3; i++)
        assert_int_equal(_setmode(i, _O_BINARY), _O_BINARY);
}

static void streams_into_memory_keep_every_byte(void **state)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = tw_stream_open(&text, &length);
    (void)state;
    assert_non_null(file);
    assert_int_equal(fwrite("a\n\0\x1A\xFF", 1, 5, file), 5);
    assert_int_equal(tw_stream_close(file), 0);
    assert_int_equal(length, 5);
    assert_memory_equal(text, "a\n\0\x1A\xFF", 6);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(output_and_exit_code_come_back),
        cmocka_unit_test(a_variable_is_added),
        cmocka_unit_test_setup_teardown(programs_of_the_working_folder_are_not_found, enter_folder,
                                        leave_folder),
        cmocka_unit_test(what_is_missing_cannot_be_run),
        cmocka_unit_test_setup_teardown(batch_files_are_not_run, enter_folder, leave_folder),
        cmocka_unit_test(the_clock_of_a_thread_counts_microseconds),
        cmocka_unit_test(output_is_binary),
        cmocka_unit_test(streams_into_memory_keep_every_byte)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
