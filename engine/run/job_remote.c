/* SPDX-License-Identifier: MIT */
/* Exchanges entries of nodes with the remote cache. */
#include "run/job.h"

#include <stdlib.h>

struct exchange {
    struct tw_job job;
    struct tw_sha256 key;
    struct tw_action action;
    bool found, replace;
};

static void request_entry(struct tw_job *job)
{
    struct exchange *exchange = (struct exchange *)job;
    exchange->found = tw_cache_ask(&job->run->cache, &exchange->key, &exchange->action);
}

static void on_entry(struct tw_job *job)
{
    struct exchange *exchange = (struct exchange *)job;
    struct tw_run *run = job->run;
    run->pool.transfers--;
    run->requests--;
    if (run->status == TW_OK)
        tw_state_asked(run, job->index, exchange->found ? &exchange->action : NULL);
}

static void send_entry(struct tw_job *job)
{
    struct exchange *exchange = (struct exchange *)job;
    const struct tw_cache *cache = &job->run->cache;
    tw_remote_send(cache->remote, cache->store, &exchange->key, exchange->replace);
}

static void on_sent(struct tw_job *job)
{
    struct tw_run *run = job->run;
    run->pool.transfers--;
    run->requests--;
    run->sending--;
}

static bool start(struct tw_run *run, int32_t i, const char *kind,
                  void (*on_worker)(struct tw_job *job), void (*on_loop)(struct tw_job *job))
{
    struct exchange *job = calloc(1, sizeof *job);
    const struct tw_slot *slot = &run->slots[i];
    if (!job) {
        tw_state_fail(run, NULL, TW_MEMORY, NULL);
        return false;
    }
    job->job.on_worker = on_worker;
    job->job.on_loop = on_loop;
    job->key = slot->key;
    job->replace = slot->lost;
    if (!tw_job_start(run, &job->job, i, run->recipe->nodes[i].path, kind)) {
        free(job);
        return false;
    }
    run->pool.transfers++;
    run->requests++;
    return true;
}

void tw_job_ask(struct tw_run *run, int32_t i)
{
    (void)start(run, i, "ask", request_entry, on_entry);
}

void tw_job_send(struct tw_run *run, int32_t i)
{
    run->slots[i].sending = false;
    if (start(run, i, "send", send_entry, on_sent))
        run->sending++;
}
