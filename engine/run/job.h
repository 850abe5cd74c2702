/* SPDX-License-Identifier: MIT */
/* Jobs on workers. The loop thread creates and ends a job; in between its worker touches only the
 * job. */
#ifndef TW_ENGINE_RUN_JOB_H
#define TW_ENGINE_RUN_JOB_H

#include "run/state.h"

/* First member of every kind of job. */
struct tw_job {
    uv_work_t work;
    struct tw_run *run;
    int32_t index; /* of the node or goal */
    struct tw_trace_event event;
    void (*on_worker)(struct tw_job *job);
    void (*on_loop)(struct tw_job *job); /* afterwards the job is freed */
};

/* False, after tw_state_fail(), if the job cannot start; the caller then frees it. */
bool tw_job_start(struct tw_run *run, struct tw_job *job, int32_t index, const char *name,
                  const char *kind);

/* Runs the job to its end on the loop thread: for work shorter than waking a worker. */
void tw_job_run_here(struct tw_run *run, struct tw_job *job, int32_t index, const char *name,
                     const char *kind);

/* job_compute.c: computes node i, whose inputs have values. Returns true if it ran here on the loop
 * thread, since it was expected to be quick; otherwise a worker computes it. */
bool tw_job_compute(struct tw_run *run, int32_t i);
/* job_transfer.c: loads node i's values from the cache, or stores them. */
void tw_job_load(struct tw_run *run, int32_t i);
/* Bytes of memory that loading node i's values takes. */
uint64_t tw_job_load_bytes(const struct tw_run *run, int32_t i);
void tw_job_store(struct tw_run *run, int32_t i);
/* job_remote.c: requests node i's entry from the server; sends what the cache holds of it. */
void tw_job_ask(struct tw_run *run, int32_t i);
void tw_job_send(struct tw_run *run, int32_t i);
/* job_deliver.c: compares goal g's export with the file on disk, or writes it. */
void tw_job_deliver(struct tw_run *run, int32_t g);

#endif
