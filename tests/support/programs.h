/* SPDX-License-Identifier: MIT */
/* Several tests in one program, each run as its own process. */
#ifndef TW_TESTS_SUPPORT_PROGRAMS_H
#define TW_TESTS_SUPPORT_PROGRAMS_H

struct program {
    const char *name;
    int (*run)(void);
};

/* Runs the test that the program's name or its first argument names; lists the tests if there is
 * none. `programs` ends with a row without a name. */
int run_program(const struct program *programs, int argc, char **argv);

#endif
