/* SPDX-License-Identifier: MIT */
/* Comparing exports with the files on disk, and writing them. */
#include "run/job.h"

#include <stdlib.h>

struct delivery {
    struct tw_job job;
    struct tw_goal *goal;
    bool check;
    const struct tw_stamp **stamps;
    const struct tw_value **values;
    struct tw_export_summary report;
    bool done, damaged;
    enum tw_status status;
    struct tw_error error;
};

static void deliver(struct tw_job *job)
{
    struct delivery *delivery = (struct delivery *)job;
    struct tw_run *run = job->run;
    struct tw_action action = {.count = 1, .held = 1};
    struct tw_sha256 key = {{0}};
    bool keyed =
        tw_cache_is_on(&run->cache) && tw_export_key(delivery->goal, delivery->stamps, &key);
    if (delivery->check) {
        if (!keyed || !tw_cache_find(&run->cache, &key, &action, &delivery->damaged))
            return;
        delivery->done = tw_export_is_fresh(run, &action.outputs[0].content, &delivery->report);
        if (delivery->done && !run->request->dry)
            tw_export_sweep(run->request->export_folder, delivery->report.item);
        return;
    }
    const struct tw_workers workers = tw_pool_workers(&run->pool);
    delivery->status = tw_export_write(run, delivery->goal, delivery->values, &workers,
                                       &delivery->report, &delivery->error);
    delivery->done = delivery->status == TW_OK;
    const struct tw_export_identity *identity = &delivery->report.identity;
    action.outputs[0] =
        (struct tw_stamp){.content = identity->content, .type = TW_RECORD, .height = 1};
    if (delivery->done && keyed && identity->has_content)
        tw_cache_save(&run->cache, &key, &action, NULL, false);
}

static void on_delivered(struct tw_job *job)
{
    struct delivery *delivery = (struct delivery *)job;
    struct tw_run *run = job->run;
    run->pool.transfers--;
    delivery->goal->report = delivery->report;
    if (delivery->damaged)
        tw_state_warn_damaged(run, delivery->report.item->file, "written");
    if (delivery->status != TW_OK)
        tw_state_undelivered(run, job->index, delivery->status, &delivery->error);
    else
        tw_state_delivered(run, job->index, delivery->done);
    free(delivery->stamps);
    free(delivery->values);
}

static void release(struct delivery *delivery)
{
    if (delivery) {
        free(delivery->stamps);
        free(delivery->values);
    }
    free(delivery);
}

/* Returns NULL if memory runs out. */
static struct delivery *make_delivery(const struct tw_run *run, struct tw_goal *goal)
{
    struct delivery *created = calloc(1, sizeof *created);
    int32_t count = 0;
    for (const struct tw_output *o = goal->sources; o; o = o->next)
        count++;
    if (created) {
        created->stamps = calloc((size_t)count + 1, sizeof *created->stamps);
        created->values = calloc((size_t)count + 1, sizeof *created->values);
    }
    if (!created || !created->stamps || !created->values) {
        release(created);
        return NULL;
    }
    count = 0;
    for (const struct tw_output *o = goal->sources; o; o = o->next) {
        created->stamps[count] = &run->slots[o->source.node].stamps[o->source.port];
        created->values[count++] = &run->slots[o->source.node].values[o->source.port];
    }
    created->job.on_worker = deliver;
    created->job.on_loop = on_delivered;
    created->goal = goal;
    created->report.item = goal->item;
    created->check =
        tw_cache_is_on(&run->cache) && !goal->checked; /* otherwise its values are in memory */
    return created;
}

void tw_job_deliver(struct tw_run *run, int32_t g)
{
    struct tw_goal *goal = &run->goals[g];
    struct delivery *job = make_delivery(run, goal);
    if (!job)
        tw_state_fail(run, NULL, TW_MEMORY, NULL);
    else if (tw_job_start(run, &job->job, g, goal->name, job->check ? "check" : "export"))
        run->pool.transfers++;
    else
        release(job);
}
