/* SPDX-License-Identifier: MIT */
/* The shell script of an array's task. It may run any number of times, on any node. */
#ifndef TW_ENGINE_CLUSTER_SCRIPT_H
#define TW_ENGINE_CLUSTER_SCRIPT_H

#include "base/memory/bytes.h"

#include <stdbool.h>
#include <stdint.h>

struct tw_batch_script {
    const char *folder;         /* absolute: working folder of the tasks */
    const char *results;        /* absolute: receives the marks of failed tasks */
    const char *program;        /* absolute */
    const char *version;        /* output of --version that every node must give */
    const char *const *command; /* the program's words, NULL-terminated; --shard I/N follows them */
    int32_t tasks;              /* the number N of the array's tasks */
    bool marks_done; /* the exit codes 0, 1 and 4 are results as well: each leaves a mark that holds
                        it */
};

/* Appends a script for sh to `text`. It computes nothing on a node whose program has another
 * version or whose `doctor` finds a fault (the bytes of a small recipe, the clock). Exit code 75
 * requeues the task, three times at most; any other code but 0 leaves a mark. */
enum tw_status tw_batch_script_print(const struct tw_batch_script *script, struct tw_bytes *text,
                                     struct tw_error *err);
/* A task that only examines its node. */
struct tw_batch_probe {
    const char *folder;         /* absolute: working folder of the tasks */
    const char *report;         /* absolute: appears, complete, when the task ends */
    const char *witness;        /* absolute: a file that a node sees if it shares this folder */
    const char *program;        /* absolute */
    const char *const *command; /* the program's words, NULL-terminated; prints the checks */
};
/* Appends a script whose report has these lines: seconds since 1970, the node's name, the program's
 * output of --version ("none" if it is missing), "shared" or "apart" for the witness, then the
 * command's output. */
enum tw_status tw_batch_probe_print(const struct tw_batch_probe *probe, struct tw_bytes *text,
                                    struct tw_error *err);

/* Name of the mark that a failed task leaves, "failed-3-of-8"; the file holds its exit code. */
void tw_batch_mark_name(int32_t task, int32_t tasks, char name[64]);
/* Name of the mark that a finished task leaves, "done-3-of-8"; the file holds its exit code. */
void tw_batch_done_name(int32_t task, int32_t tasks, char name[64]);
/* Reads the exit code that a mark in `folder` holds; false if the mark does not exist. */
bool tw_batch_read_mark(const char *folder, const char *name, int *code);

#endif
