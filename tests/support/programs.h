/* SPDX-License-Identifier: MIT */
/* Several tests in one program, each in a process of its own when it runs. */
#ifndef TW_TESTS_SUPPORT_PROGRAMS_H
#define TW_TESTS_SUPPORT_PROGRAMS_H

struct program {
    const char *name;
    int (*run)(void);
};

/* Runs the one that the program is called as, or that its first argument names; lists them when
 * there is none. `programs` ends with a row without a name. */
int run_program(const struct program *programs, int argc, char **argv);

#endif
