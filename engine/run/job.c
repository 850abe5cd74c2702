/* SPDX-License-Identifier: MIT */
#include "run/job.h"

#include "base/os/cpu.h"

#include <stdlib.h>

static void perform(struct tw_job *job)
{
    fenv_t mode;
    tw_cpu_enter(&mode);
    job->event.thread = uv_thread_self();
    job->event.begin = uv_hrtime();
    job->on_worker(job);
    job->event.end = uv_hrtime();
    tw_cpu_leave(&mode);
}

static void on_worker(uv_work_t *work) { perform(work->data); }

static void finish(struct tw_job *job)
{
    tw_trace_add(job->run->request->trace, &job->event);
    job->on_loop(job);
    free(job);
}

static void on_loop(uv_work_t *work, int status)
{
    struct tw_job *job = work->data;
    struct tw_run *run = job->run;
    (void)status;
    finish(job);
    tw_pool_finish(&run->pool);
}

static void prepare(struct tw_run *run, struct tw_job *job, int32_t index, const char *name,
                    const char *kind)
{
    job->run = run;
    job->index = index;
    job->work.data = job;
    job->event = (struct tw_trace_event){.name = name, .kind = kind};
}

void tw_job_run_here(struct tw_run *run, struct tw_job *job, int32_t index, const char *name,
                     const char *kind)
{
    prepare(run, job, index, name, kind);
    perform(job);
    finish(job);
}

bool tw_job_start(struct tw_run *run, struct tw_job *job, int32_t index, const char *name,
                  const char *kind)
{
    prepare(run, job, index, name, kind);
    if (tw_pool_start(&run->pool, &job->work, on_worker, on_loop))
        return true;
    tw_state_fail(run, NULL, TW_MEMORY, NULL);
    return false;
}
