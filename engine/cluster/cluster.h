/* SPDX-License-Identifier: MIT */
/* --on slurm: work that is shared by units, seeds or recipes, as tasks of an array. What a task has
 * to do and when it is done is for the command to say; here are the folder that all nodes see, how
 * many tasks there are, what a task runs, and following them. */
#ifndef TW_ENGINE_CLUSTER_CLUSTER_H
#define TW_ENGINE_CLUSTER_CLUSTER_H

#include "base/memory/digest.h"
#include "console/compare_progress.h"
#include "console/settings.h"

#include <limits.h>

#define TW_CLUSTER_TASKS_MAX 1000 /* Slurm's usual limit of an array is 1001 */

struct tw_cluster {
    /* What the command says. */
    const struct tw_settings *settings;
    const char *root;           /* the folder that work of all kinds has its folders in */
    struct tw_sha256 identity;  /* of what is computed: other work has another folder */
    int32_t units;              /* that the tasks share */
    const char *const *command; /* words of a task, NULL-terminated; forwarded options follow */
    bool marks_done;            /* as of struct tw_batch_script */
    /* Seconds of one processor that a unit takes; also the proof that one can be computed. */
    enum tw_status (*measure)(void *context, double *seconds, struct tw_error *err);
    /* Sets done[1] to done[tasks] for the tasks whose results are there. */
    enum tw_status (*look)(void *context, bool *done, struct tw_error *err);
    bool (*find)(void *context, int32_t task); /* as of struct tw_batch_request; may be NULL */
    void *context;
    struct tw_compare_line *line; /* of progress; NULL for none */
    /* What tw_cluster_open() finds. */
    char folder[PATH_MAX];
    int32_t tasks;
    double task_seconds; /* 0: not known */
};

/* Makes the folder and decides how many tasks there are, unless that was decided before. */
enum tw_status tw_cluster_open(struct tw_cluster *cluster, struct tw_error *err);
/* Sends what is missing and follows it to its end: tw_batch_follow(). Before anything is sent, a
 * task looks at its node, unless --probe is 0; what it finds wrong there ends this with TW_IO. */
enum tw_status tw_cluster_follow(struct tw_cluster *cluster, struct tw_error *err);
/* Says something that the user should know, and that does not end the command. */
void tw_cluster_notice(struct tw_cluster *cluster, const struct tw_error *notice);

/* The options that tasks get as they were given and that the commands `takers` (TW_FOR_*) take: up
 * to TW_CLUSTER_WORDS_MAX words, and NULL after them. Some are spelled in `names`. */
enum { TW_CLUSTER_WORDS_MAX = 2 * TW_OPTIONS_FORWARDED_MAX };
struct tw_cluster_names {
    char at[TW_OPTIONS_FORWARDED_MAX][40];
};
void tw_cluster_add_forwarded(const struct tw_settings *settings, int takers,
                              struct tw_cluster_names *names, const char **words);

/* What a command ends with. With --shard 75 where a disk or memory was short, which another
 * machine, or another moment, may have: EX_TEMPFAIL of sysexits.h, for which schedulers can be set
 * up. */
int tw_cluster_exit_code(const struct tw_settings *settings, enum tw_status status);

/* Whether the options about clusters go together; `excludes` is an option that --on excludes and
 * that was given, else NULL. Returns the exit code. */
int tw_cluster_check_options(const struct tw_settings *settings, const char *excludes);

#endif
