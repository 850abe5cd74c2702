/* SPDX-License-Identifier: MIT */
/* What a task of an array runs. It may run any number of times, anywhere. */
#ifndef TW_ENGINE_CLUSTER_SCRIPT_H
#define TW_ENGINE_CLUSTER_SCRIPT_H

#include "base/memory/bytes.h"

#include <stdbool.h>
#include <stdint.h>

struct tw_batch_script {
    const char *folder;         /* absolute: that the tasks start in */
    const char *results;        /* absolute: where the marks of failed tasks go */
    const char *program;        /* absolute */
    const char *version;        /* what it prints with --version, on any node */
    const char *const *command; /* its words, NULL-terminated; --shard I/N follows them */
    int32_t tasks;              /* N */
    bool marks_done; /* the exit codes 0, 1 and 4 are results, too: each leaves a mark with it */
};

/* A script for sh, appended to `text`. A node whose program has another version, or on which
 * `doctor` finds something wrong (the bytes of a small recipe, the clock), computes nothing. Exit
 * code 75 puts the task back into the queue, three times at most; any other but 0 leaves a mark. */
enum tw_status tw_batch_script_print(const struct tw_batch_script *script, struct tw_bytes *text,
                                     struct tw_error *err);
/* What a task runs that only looks at its node. */
struct tw_batch_probe {
    const char *folder;         /* absolute: that tasks start in */
    const char *report;         /* absolute: appears with the task's end, whole or not at all */
    const char *witness;        /* absolute: a file that is there when the node sees it */
    const char *program;        /* absolute */
    const char *const *command; /* its words, NULL-terminated, that print what it found */
};
/* The report's lines: seconds since 1970, the node's name, what the program prints with --version
 * ("none" where there is none), "shared" or "apart" for the witness; then the command's output. */
enum tw_status tw_batch_probe_print(const struct tw_batch_probe *probe, struct tw_bytes *text,
                                    struct tw_error *err);

/* "failed-3-of-8": the mark of a task, which holds its exit code. */
void tw_batch_mark_name(int32_t task, int32_t tasks, char name[64]);
/* "done-3-of-8": the same of a task that has come to a result. */
void tw_batch_done_name(int32_t task, int32_t tasks, char name[64]);
/* The exit code that a mark in `folder` holds; false when it is not there. */
bool tw_batch_read_mark(const char *folder, const char *name, int *code);

#endif
