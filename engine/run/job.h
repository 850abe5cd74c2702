/* SPDX-License-Identifier: MIT */
/* Work on workers. A job is created and ended on the loop thread; in between its
 * worker touches only the job. */
#ifndef TW_ENGINE_RUN_JOB_H
#define TW_ENGINE_RUN_JOB_H

#include "run/state.h"

/* The first member of what a kind of job needs. */
struct tw_job {
    uv_work_t work;
    struct tw_run *run;
    int32_t index; /* of the node or goal */
    struct tw_trace_event event;
    void (*on_worker)(struct tw_job *job);
    void (*on_loop)(struct tw_job *job); /* then the job is freed */
};

/* False, after tw_state_fail(), when it cannot start: then it is the caller's to free. */
bool tw_job_start(struct tw_run *run, struct tw_job *job, int32_t index, const char *name,
                  const char *kind);

/* Runs the job to its end on the loop thread: for what takes less time than waking a worker. */
void tw_job_run_here(struct tw_run *run, struct tw_job *job, int32_t index, const char *name,
                     const char *kind);

/* job_compute.c: computes node i, whose inputs have values. True when it was computed here, on the
 * loop thread, since it was expected to be quick; else a worker computes it. */
bool tw_job_compute(struct tw_run *run, int32_t i);
/* job_transfer.c: node i's values from the cache, or into it. */
void tw_job_load(struct tw_run *run, int32_t i);
/* The bytes of memory that loading them takes. */
uint64_t tw_job_load_bytes(const struct tw_run *run, int32_t i);
void tw_job_store(struct tw_run *run, int32_t i);
/* job_remote.c: asks the server for node i's entry; sends what the cache holds of it. */
void tw_job_ask(struct tw_run *run, int32_t i);
void tw_job_send(struct tw_run *run, int32_t i);
/* job_deliver.c: compares goal g's export with the file on disk, or writes it. */
void tw_job_deliver(struct tw_run *run, int32_t g);

#endif
