/* SPDX-License-Identifier: MIT */
/* Slurm as its commands show it: sbatch, squeue and scancel of PATH. A job is found by its name,
 * never by its id, which a controller that lost its state gives away again. */
#ifndef TW_ENGINE_CLUSTER_SLURM_H
#define TW_ENGINE_CLUSTER_SLURM_H

#include <thalweg/status.h>

#include <stdbool.h>
#include <stdint.h>

struct tw_slurm_job {
    const char *name;           /* unique to this work: letters, digits, '-' and '.' */
    const char *folder;         /* absolute; the nodes see it, too */
    const char *script;         /* a file in it */
    const char *const *options; /* for sbatch, NULL-terminated; may be NULL */
};

enum tw_slurm_state {
    TW_SLURM_ABSENT,    /* it was never sent, is forgotten, or ended well */
    TW_SLURM_PENDING,   /* it waits for its turn */
    TW_SLURM_RUNNING,   /* on a node, or on its way there or back */
    TW_SLURM_CANCELLED, /* by somebody */
    TW_SLURM_FAILED,    /* its script failed, or a limit of its job ended it */
};

/* Of one task of the array. */
struct tw_slurm_task {
    enum tw_slurm_state state;
    int64_t job;    /* the array that `state` is of; 0: none */
    char word[32];  /* Slurm's own: "OUT_OF_MEMORY" */
    double seconds; /* it has run for */
};

/* TW_IO where one of these commands is not in PATH. */
enum tw_status tw_slurm_find(struct tw_error *err);
/* Submits an array of the tasks whose numbers, from 1 on, are in `tasks` in rising order, and
 * returns its id. Options of the job come before those of `options`, which may replace them. TW_IO,
 * with what sbatch says. */
enum tw_status tw_slurm_submit(const struct tw_slurm_job *job, const int32_t *tasks, int32_t count,
                               int64_t *id, struct tw_error *err);
/* Fills tasks[1] to tasks[count] with the states of that name's jobs of this user. What ended in an
 * array before `since` does not count. TW_IO, with what squeue says, when Slurm does not answer. */
enum tw_status tw_slurm_look(const struct tw_slurm_job *job, int64_t since,
                             struct tw_slurm_task *tasks, int32_t count, struct tw_error *err);
/* Cancels all jobs of that name. False when Slurm does not answer. */
bool tw_slurm_cancel(const struct tw_slurm_job *job);

/* "1,3-7,9" of numbers in rising order; free() it. NULL without memory. */
char *tw_slurm_array_text(const int32_t *numbers, int32_t count);

#endif
