/* SPDX-License-Identifier: MIT */
/* Running the built command as users do, in a folder of the test's own. */
#ifndef TW_TESTS_SUPPORT_COMMAND_H
#define TW_TESTS_SUPPORT_COMMAND_H

#include <stddef.h>

struct command_result {
    int code; /* exit code, or 128 + signal */
    char out[1 << 16], err[1 << 16];
};

/* A new empty folder that becomes the working directory; removed by command_leave(). */
void command_enter(void);
void command_leave(void);
/* The same for a group of cmocka tests. */
int command_set_up(void **state);
int command_tear_down(void **state);
void command_write(const char *name, const void *data, size_t length);

/* Runs `thalweg` with blank-separated arguments in the working directory. The cache is the
 * folder's own. Fails the test when the command cannot start. */
void command_run(const char *arguments, struct command_result *result);
/* The same; fails the test with all that was printed when the exit code is not `code`. */
void command_expect(const char *arguments, int code, struct command_result *result);
/* Fails the test when the text does not contain the words. */
void command_expect_words(const char *text, const char *words);
/* The exit code when standard output goes to a file, as /dev/full. */
int command_run_into(const char *arguments, const char *out);
/* Starts it and returns the process id; end it with command_wait(). */
int command_start(const char *arguments);
/* The same with standard output in a file. */
int command_start_into(const char *arguments, const char *out);
/* The same with --events, which `arguments` must allow: returns once a node has started. */
int command_start_node(const char *arguments, const char *out);
int command_wait(int process);

#endif
