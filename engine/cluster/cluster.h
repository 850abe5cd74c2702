/* SPDX-License-Identifier: MIT */
/* --on slurm: work divided by units, seeds or recipes into the tasks of an array. The command
 * defines what a task computes and when it counts as done; this module creates the folder that all
 * nodes see, chooses the number of tasks, writes their script and follows them. */
#ifndef TW_ENGINE_CLUSTER_CLUSTER_H
#define TW_ENGINE_CLUSTER_CLUSTER_H

#include "base/memory/digest.h"
#include "console/compare_progress.h"
#include "console/settings.h"

#include <limits.h>

#define TW_CLUSTER_TASKS_MAX 1000 /* Slurm's default MaxArraySize is 1001 */

struct tw_cluster {
    /* Set by the command. */
    const struct tw_settings *settings;
    const char *root;           /* folder that holds the folders of all such work */
    struct tw_sha256 identity;  /* digest of what is computed; other work has another folder */
    int32_t units;              /* number of units that the tasks divide among themselves */
    const char *const *command; /* words of a task, NULL-terminated; forwarded options follow */
    bool marks_done;            /* see struct tw_batch_script */
    /* Measures the processor seconds of one unit, which also proves that units can be computed. */
    enum tw_status (*measure)(void *context, double *seconds, struct tw_error *err);
    /* Sets done[1] to done[tasks] for the tasks whose results have arrived. */
    enum tw_status (*look)(void *context, bool *done, struct tw_error *err);
    bool (*find)(void *context, int32_t task); /* see struct tw_batch_request; may be NULL */
    void *context;
    struct tw_compare_line *line; /* shows progress; NULL for none */
    /* Set by tw_cluster_open(). */
    char folder[PATH_MAX];
    int32_t tasks;
    double task_seconds; /* 0: not known */
};

/* Creates the folder and chooses the number of tasks, or reads it if an earlier call chose it. */
enum tw_status tw_cluster_open(struct tw_cluster *cluster, struct tw_error *err);
/* Submits what is missing and follows it to its end with tw_batch_follow(). Unless --probe is 0,
 * first sends a task that examines its node, and returns TW_IO if that finds a fault. */
enum tw_status tw_cluster_follow(struct tw_cluster *cluster, struct tw_error *err);
/* Reports something to the user without ending the command. */
void tw_cluster_notice(struct tw_cluster *cluster, const struct tw_error *notice);

/* Lists the forwarded options that the commands `takers` (TW_FOR_*) accept, with the values that
 * the user gave: up to TW_CLUSTER_WORDS_MAX words, then NULL. `names` stores the text of some. */
enum { TW_CLUSTER_WORDS_MAX = 2 * TW_OPTIONS_FORWARDED_MAX };
struct tw_cluster_names {
    char at[TW_OPTIONS_FORWARDED_MAX][40];
};
void tw_cluster_add_forwarded(const struct tw_settings *settings, int takers,
                              struct tw_cluster_names *names, const char **words);

/* Exit code of a command. With --shard it is 75, EX_TEMPFAIL of sysexits.h, if disk space or memory
 * ran out: schedulers can be set up to retry such a task on another machine or at another time. */
int tw_cluster_exit_code(const struct tw_settings *settings, enum tw_status status);

/* Rejects options about clusters that exclude each other. `excludes` names a given option that --on
 * excludes, else NULL. Returns the exit code. */
int tw_cluster_check_options(const struct tw_settings *settings, const char *excludes);

#endif
