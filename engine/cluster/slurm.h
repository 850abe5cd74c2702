/* SPDX-License-Identifier: MIT */
/* Slurm through its commands sbatch, squeue and scancel, found in PATH. Jobs are identified by
 * name, never by id: a controller that lost its state reuses ids. */
#ifndef TW_ENGINE_CLUSTER_SLURM_H
#define TW_ENGINE_CLUSTER_SLURM_H

#include <thalweg/status.h>

#include <stdbool.h>
#include <stdint.h>

struct tw_slurm_job {
    const char *name;           /* unique to this work: letters, digits, '-' and '.' */
    const char *folder;         /* absolute; visible to the nodes */
    const char *script;         /* a file in `folder` */
    const char *const *options; /* for sbatch, NULL-terminated; may be NULL */
};

enum tw_slurm_state {
    TW_SLURM_ABSENT,    /* never submitted, forgotten, or ended well */
    TW_SLURM_PENDING,   /* in the queue */
    TW_SLURM_RUNNING,   /* on a node, or being moved to or from one */
    TW_SLURM_CANCELLED, /* by a user */
    TW_SLURM_FAILED,    /* its script failed, or a limit of its job ended it */
};

/* The state of one task of the array. */
struct tw_slurm_task {
    enum tw_slurm_state state;
    int64_t job;    /* id of the array that reported `state`; 0: none */
    char word[32];  /* Slurm's word for the state: "OUT_OF_MEMORY" */
    double seconds; /* running time so far */
};

/* Returns TW_IO if one of Slurm's commands is not in PATH. */
enum tw_status tw_slurm_find(struct tw_error *err);
/* Submits an array of the tasks whose numbers, from 1 on, are in `tasks` in rising order, and
 * returns its id. `options` follow the job's own options and may override them. Returns TW_IO with
 * sbatch's message if that fails. */
enum tw_status tw_slurm_submit(const struct tw_slurm_job *job, const int32_t *tasks, int32_t count,
                               int64_t *id, struct tw_error *err);
/* Fills tasks[1] to tasks[count] with the states of this user's jobs of that name. Ignores jobs
 * that ended in an array before `since`. Returns TW_IO with squeue's message if Slurm does not
 * answer. */
enum tw_status tw_slurm_look(const struct tw_slurm_job *job, int64_t since,
                             struct tw_slurm_task *tasks, int32_t count, struct tw_error *err);
/* Cancels all jobs of that name; false if Slurm does not answer. */
bool tw_slurm_cancel(const struct tw_slurm_job *job);

/* Formats numbers in rising order as "1,3-7,9"; free() the text. NULL without memory. */
char *tw_slurm_array_text(const int32_t *numbers, int32_t count);

#endif
