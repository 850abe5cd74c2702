/* SPDX-License-Identifier: MIT */
/* A disk that fails: a command runs with its first, second, third... system call failing, once and
 * with all after it, for five reasons. Whatever fails, the exit code is that of the documentation
 * with a message; a failing cache never ends a run; exports are whole or not there; and the next
 * run, on a disk that works, gives the right bytes and leaves no temporary file. For programs with
 * support/faulty_disk.h. */
#ifndef TW_TESTS_SUPPORT_BROKEN_DISK_H
#define TW_TESTS_SUPPORT_BROKEN_DISK_H

#include "support/harness.h"

/* The run of the sample that follows a fault. */
#define DISK_RUN "run recipe.yaml -q --threads 2 -o out --cache-dir cache"
#define DISK_SHARE 35 /* of the calls of an act, for each reason, when not all are tried */

/* A command and the state that it starts in. */
struct disk_act {
    const char *command;
    void (*prepare)(void);
    bool exports;        /* to out/, where nothing else is */
    bool again;          /* the next run is the same once more, instead of DISK_RUN */
    void (*check)(void); /* what the next run has left; may be NULL */
    long share;          /* 0: DISK_SHARE */
};

/* Reasons for a call to fail. */
enum { DISK_ERRORS = 5 };
extern const int disk_errors[DISK_ERRORS];

/* Tries an act, unless THALWEG_ACT of the environment chooses others: some of its calls, or, with
 * THALWEG_ALL_FAULTS=1, all; of an act that makes many the first and the last to which each path of
 * calls leads; with THALWEG_ALL_FAULTS=each every single one. */
void disk_break(const struct disk_act *act);
/* The same where the command must leave what it reads as it is and end with exit code 3 or 4. */
void disk_break_around(const char *command, const char *file, int error);
/* Runs a command that the disk lets; fails the test when it fails. */
void disk_expect_success(const char *command);
/* Whether a file is there. */
void disk_expect_file(const char *path);

/* Set-up of a group of tests: the sample (support/sample.h) in a folder, and in expected/ what its
 * recipe exports. */
int disk_set_up(void **state);
/* Teardown of a test: says which fault was being tried when it failed. */
int disk_print_attempt(void **state);
/* Teardown of the group: says how many faults there were. */
int disk_tear_down(void **state);

#endif
