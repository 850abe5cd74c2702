/* SPDX-License-Identifier: MIT */
/* A disk that fails: runs a command with its first, second, third... system call failing, once or
 * with all later ones, for five reasons. Whatever fails, the exit code is a documented one, with a
 * message; a failing cache never ends a run; exports are complete or missing; and the next run, on
 * a working disk, gives the right bytes and leaves no temporary file. For programs with
 * support/faulty_disk.h. */
#ifndef TW_TESTS_SUPPORT_BROKEN_DISK_H
#define TW_TESTS_SUPPORT_BROKEN_DISK_H

#include "support/harness.h"

/* The run of the sample after each fault. */
#define DISK_RUN "run recipe.yaml -q --threads 2 -o out --cache-dir cache"
#define DISK_SHARE 35 /* share of an act's calls to try for each reason, unless all are tried */

/* A command and the state in which it starts. */
struct disk_act {
    const char *command;
    void (*prepare)(void);
    bool exports;        /* it exports to out/, which holds nothing else */
    bool again;          /* run the command again instead of DISK_RUN */
    void (*check)(void); /* checks what the next run leaves; may be NULL */
    long share;          /* 0: DISK_SHARE */
};

/* Reasons for which a call fails. */
enum { DISK_ERRORS = 5 };
extern const int disk_errors[DISK_ERRORS];

/* Tries an act, unless THALWEG_ACT in the environment selects others. Tries some of its calls; with
 * THALWEG_ALL_FAULTS=1 all, or if there are many, the first and the last call on each call path;
 * with THALWEG_ALL_FAULTS=each every single call. */
void disk_break(const struct disk_act *act);
/* Tries a command that must not change the file it reads and must end with exit code 3 or 4. */
void disk_break_around(const char *command, const char *file, int error);
/* Runs a command on a working disk; fails the test if the command fails. */
void disk_expect_success(const char *command);
/* Fails the test unless the file exists. */
void disk_expect_file(const char *path);

/* Set-up of a group of tests: writes the sample (support/sample.h) into a folder, and exports its
 * recipe into expected/. */
int disk_set_up(void **state);
/* Teardown of a test: prints the fault that was being tried if the test failed. */
int disk_print_attempt(void **state);
/* Teardown of the group: prints the number of faults. */
int disk_tear_down(void **state);

#endif
