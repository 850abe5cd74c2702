/* SPDX-License-Identifier: MIT */
/* Runs the built command as users do, in the test's own folder. */
#ifndef TW_TESTS_SUPPORT_COMMAND_H
#define TW_TESTS_SUPPORT_COMMAND_H

#include <stddef.h>

struct command_result {
    int code; /* exit code, or 128 + signal */
    char out[1 << 17], err[1 << 16];
};

/* Creates an empty folder and makes it the working directory; command_leave() removes it. */
void command_enter(void);
void command_leave(void);
/* Set-up and teardown for a cmocka test or group. */
int command_set_up(void **state);
int command_tear_down(void **state);
void command_write(const char *name, const void *data, size_t length);

/* Runs `thalweg` with blank-separated arguments in the working directory, with a cache in that
 * folder. Fails the test if the command cannot start. */
void command_run(const char *arguments, struct command_result *result);
/* Runs the command; fails the test, printing all output, if the exit code is not `code`. */
void command_expect(const char *arguments, int code, struct command_result *result);
/* Fails the test unless the text contains the words. */
void command_expect_words(const char *text, const char *words);
/* Returns the exit code with standard output sent to a file, such as /dev/full. */
int command_run_into(const char *arguments, const char *out);
/* Starts the command and returns its process id; end it with command_wait(). */
int command_start(const char *arguments);
/* Starts the command with standard output in a file. */
int command_start_into(const char *arguments, const char *out);
/* Starts the command with --events, which `arguments` must allow; returns once a node has started.
 */
int command_start_node(const char *arguments, const char *out);
int command_wait(int process);

#endif
