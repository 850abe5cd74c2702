/* SPDX-License-Identifier: MIT */
/* Runs the command inside the test's process, where calls can be made to fail. For programs linked
 * with the command's objects and --wrap=main, as test.memory is (tests/CMakeLists.txt): their own
 * main is __wrap_main. */
#ifndef TW_TESTS_SUPPORT_INSIDE_H
#define TW_TESTS_SUPPORT_INSIDE_H

/* Runs `thalweg` with blank-separated arguments; returns its exit code. Discards output except
 * messages: inside_messages(). */
int inside_run(const char *arguments);
/* What the last run printed to standard error. */
const char *inside_messages(void);

/* The test's main. */
int __wrap_main(void);

#endif
