/* SPDX-License-Identifier: MIT */
/* Turns tasks without a result into results: submits what is missing, follows it, resubmits what
 * the cluster lost, and cancels on request. Only results show that a task is done, so a call may be
 * interrupted and repeated any number of times. */
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
    double task_seconds; /* expected of one task; 0: not known */
    double poll_seconds; /* between polls; 0: grows while nothing is submitted */
    /* Cancels all tasks if none has started after this many seconds; 0: no limit. */
    double start_seconds;
    int32_t submissions; /* of one task, before it counts as lost; 0: three */
    /* Called once, before the first submission of this call; a failure ends it. May be NULL. */
    enum tw_status (*before)(void *context, struct tw_error *err);
    /* Sets done[1] to done[count] for the tasks whose results have arrived. */
    enum tw_status (*look)(void *context, bool *done, struct tw_error *err);
    /* Fetches the result of a task that is not on the cluster from elsewhere: called before the
     * task is submitted and after its end. The next look() sees what was found. May be NULL. */
    bool (*find)(void *context, int32_t task);
    void (*progress)(void *context, const struct tw_batch_progress *progress); /* may be NULL */
    /* Reports something to the user without ending the call. May be NULL. */
    void (*notice)(void *context, const struct tw_error *notice);
    /* Lets that time pass; called repeatedly during one wait so that a cancellation takes effect
     * soon. NULL: sleeps. */
    void (*sleep)(void *context, double seconds);
    void *context;
    const volatile int *cancel;
};

/* Returns TW_OK when all results have arrived; TW_CANCELLED when `*cancel` became non-zero, after
 * cancelling all tasks of this name; TW_NODE if tasks failed; TW_IO if sbatch refuses, the cluster
 * lost a task too often or a user cancelled one, after the other tasks have ended; TW_LIMIT if no
 * task started within `start_seconds`, after cancelling all. */
enum tw_status tw_batch_follow(const struct tw_batch_request *request, struct tw_error *err);

#endif
