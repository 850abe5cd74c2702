/* SPDX-License-Identifier: MIT */
/* The command inside the test's own process, where calls can be made to fail. For programs that
 * are linked with the command's objects and --wrap=main as test.memory is (tests/CMakeLists.txt):
 * their own main is then __wrap_main, below. */
#ifndef TW_TESTS_SUPPORT_INSIDE_H
#define TW_TESTS_SUPPORT_INSIDE_H

/* Runs `thalweg` with blank-separated arguments; returns its exit code. What it prints is
 * discarded, except messages: inside_messages(). */
int inside_run(const char *arguments);
/* What the last run printed on standard error. */
const char *inside_messages(void);

/* The test's main. */
int __wrap_main(void);

#endif
