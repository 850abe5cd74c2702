/* SPDX-License-Identifier: MIT */
/* From tasks that have no result yet to all results: submits what is missing, follows it, submits
 * again what the cluster lost, and cancels on request. What is done is known from
 * results alone, so that any number of calls, one after the other, come to the same end. */
#ifndef TW_ENGINE_CLUSTER_FOLLOW_H
#define TW_ENGINE_CLUSTER_FOLLOW_H

#include "cluster/slurm.h"

struct tw_batch_progress {
    int32_t done, running, waiting, count; /* tasks */
    double left;                           /* seconds; below 0: not known */
};

struct tw_batch_request {
    struct tw_slurm_job job;
    int32_t count;       /* tasks, numbered from 1 */
    double task_seconds; /* expected of one; 0: not known */
    double poll_seconds; /* between looks; 0: rising while nothing is submitted */
    /* When no task has begun after so many seconds of waiting, all are cancelled; 0: no limit. */
    double start_seconds;
    int32_t submissions; /* of one task, until it counts as lost; 0: three */
    /* Called once, before the first task is submitted, if any is; a failure ends it. May be NULL.
     */
    enum tw_status (*before)(void *context, struct tw_error *err);
    /* Sets done[1] to done[count] for the tasks whose results are there. */
    enum tw_status (*look)(void *context, bool *done, struct tw_error *err);
    /* Looks elsewhere for the result of a task that is not on the cluster: before it is sent, and
     * after its end. One that was found is there at the next look(). May be NULL. */
    bool (*find)(void *context, int32_t task);
    void (*progress)(void *context, const struct tw_batch_progress *progress); /* may be NULL */
    /* Something that the user should know, and after which it goes on. May be NULL. */
    void (*notice)(void *context, const struct tw_error *notice);
    /* Lets that time pass; called again and again during one wait, so that a cancellation is seen
     * soon. NULL: sleeps. */
    void (*sleep)(void *context, double seconds);
    void *context;
    const volatile int *cancel;
};

/* TW_OK when all results are there. TW_CANCELLED when `*cancel` became non-zero: then no task of
 * this name is left on the cluster. TW_NODE when tasks failed, TW_IO when sbatch refuses, the
 * cluster lost tasks again and again, or somebody cancelled them; in each case the others have come
 * to their end. TW_LIMIT when none began within `start_seconds`: then none is left there either. */
enum tw_status tw_batch_follow(const struct tw_batch_request *request, struct tw_error *err);

#endif
