/* SPDX-License-Identifier: MIT */
/* Moves values of nodes between memory and the cache. */
#include "run/job.h"
#include "run/spill.h"

#include <stdlib.h>
#include <string.h>

enum { QUICK_BYTES = 1 << 16 }; /* copying less is faster than waking a worker */

struct transfer {
    struct tw_job job;
    bool needed[TW_PORTS_MAX];
    struct tw_value values[TW_PORTS_MAX];
    struct tw_action action;
    struct tw_sha256 key;
    struct tw_cache_note note;
    int files[TW_PORTS_MAX]; /* descriptors of spilled values of this run; -1: read from the cache
                              */
    uint64_t read;           /* bytes read from `files` */
    bool ok, to_disk, cached;
};

static bool load_spilled(struct transfer *transfer, int port)
{
    struct tw_run *run = transfer->job.run;
    struct tw_value *value = &transfer->values[port];
    if (!tw_store_read_spilled(run->cache.store, transfer->files[port],
                               &transfer->action.outputs[port], value)) {
        transfer->note.damaged = true;
        return false;
    }
    transfer->read += tw_memory_bytes(value);
    return true;
}

static bool load_value(struct transfer *transfer, int port)
{
    struct tw_run *run = transfer->job.run;
    if (transfer->files[port] >= 0)
        return load_spilled(transfer, port);
    transfer->cached = true;
    return tw_cache_load(&run->cache, &transfer->action, port, &transfer->values[port],
                         &transfer->note);
}

static void load(struct tw_job *job)
{
    struct transfer *transfer = (struct transfer *)job;
    transfer->ok = true;
    for (int port = 0; port < TW_PORTS_MAX && transfer->ok; port++)
        if (transfer->needed[port])
            transfer->ok = load_value(transfer, port);
    tw_memory_add(&job->run->memory, transfer->read);
}

static void settle_spilled(struct tw_run *run, const struct transfer *transfer)
{
    if (run->spilling)
        run->spilling->counts.read_bytes += transfer->read;
    for (int port = 0; port < TW_PORTS_MAX && !transfer->ok; port++)
        tw_spilling_forget(run, (struct tw_source){transfer->job.index, port});
}

static void on_loaded(struct tw_job *job)
{
    struct transfer *transfer = (struct transfer *)job;
    struct tw_run *run = job->run;
    run->pool.transfers--;
    run->slots[job->index].fetched |= transfer->note.fetched;
    run->slots[job->index].lost |= transfer->note.lost;
    run->slots[job->index].loaded |= transfer->ok && transfer->cached;
    settle_spilled(run, transfer);
    if (transfer->note.damaged)
        tw_state_warn_damaged(run, run->recipe->nodes[job->index].path, "computed");
    if (run->status == TW_OK)
        tw_state_loaded(run, job->index, transfer->values, transfer->ok);
    for (int port = 0; port < TW_PORTS_MAX; port++)
        tw_memory_clear(&run->memory, &transfer->values[port]);
}

/* Marks the outputs of node i to read now: all that are in use or, if memory is short, those that
 * the first consumer waits for. */
static void find_needed(const struct tw_run *run, int32_t i, bool needed[TW_PORTS_MAX])
{
    const struct tw_slot *slot = &run->slots[i];
    int32_t consumer = run->spilling ? tw_state_first_waiting(run, i) : INT32_MAX;
    for (int port = 0; port < slot->outputs; port++)
        needed[port] = slot->uses[port] > 0 && !slot->values[port].data &&
                       tw_spilling_takes(run, consumer, (struct tw_source){i, port});
}

uint64_t tw_job_load_bytes(const struct tw_run *run, int32_t i)
{
    bool needed[TW_PORTS_MAX] = {false};
    uint64_t sum = 0;
    find_needed(run, i, needed);
    for (int port = 0; port < run->slots[i].outputs; port++) {
        const struct tw_stamp *stamp = &run->slots[i].stamps[port];
        size_t bytes = 0;
        if (needed[port] && tw_field_bytes(stamp->type, stamp->width, stamp->height, &bytes))
            sum += bytes;
    }
    return sum;
}

void tw_job_load(struct tw_run *run, int32_t i)
{
    struct transfer *job = calloc(1, sizeof *job);
    struct tw_slot *slot = &run->slots[i];
    if (!job) {
        tw_state_fail(run, NULL, TW_MEMORY, NULL);
        return;
    }
    job->job.on_worker = load;
    job->job.on_loop = on_loaded;
    job->action.seconds = slot->seconds;
    memcpy(job->action.outputs, slot->stamps, (size_t)slot->outputs * sizeof *slot->stamps);
    find_needed(run, i, job->needed);
    for (int port = 0; port < slot->outputs; port++)
        job->files[port] = tw_spilling_file(run, (struct tw_source){i, port});
    if (!tw_job_start(run, &job->job, i, run->recipe->nodes[i].path, "load")) {
        free(job);
        return;
    }
    slot->phase = TW_BUSY;
    run->pool.transfers++;
}

static void store(struct tw_job *job)
{
    struct transfer *transfer = (struct transfer *)job;
    tw_cache_save(&job->run->cache, &transfer->key, &transfer->action, transfer->values,
                  transfer->to_disk);
}

static void on_stored(struct tw_job *job)
{
    struct transfer *transfer = (struct transfer *)job;
    struct tw_run *run = job->run;
    run->pool.transfers--;
    for (int port = 0; port < TW_PORTS_MAX; port++)
        if (transfer->needed[port])
            tw_state_release(run, (struct tw_source){job->index, port});
    struct tw_slot *slot = &run->slots[job->index];
    bool is_there = slot->remote && !slot->lost;
    if (run->cache.remote && !is_there && !slot->sending) {
        slot->sending = true;
        tw_work_push(&run->sends, job->index);
    }
}

/* Quick: no value goes to disk, the action is of a kind that is written in batches, and little is
 * copied. */
static bool is_quick(const struct tw_run *run, const struct transfer *transfer)
{
    uint64_t bytes = 0;
    for (int port = 0; port < TW_PORTS_MAX && run->cache.memo; port++)
        if (transfer->needed[port])
            bytes += tw_memory_bytes(&transfer->values[port]);
    if (transfer->to_disk || bytes > QUICK_BYTES)
        return false;
    return !run->cache.store || tw_store_is_cheap(transfer->action.seconds);
}

void tw_job_store(struct tw_run *run, int32_t i)
{
    struct transfer *job = calloc(1, sizeof *job);
    struct tw_slot *slot = &run->slots[i];
    if (!job) {
        tw_state_fail(run, NULL, TW_MEMORY, NULL);
        return;
    }
    job->job.on_worker = store;
    job->job.on_loop = on_stored;
    job->key = slot->key;
    job->action.seconds = slot->seconds;
    job->action.count = tw_node_count_ports(run->recipe->nodes[i].type->outputs);
    job->action.held = slot->stamped;
    memcpy(job->action.outputs, slot->stamps, (size_t)slot->outputs * sizeof *slot->stamps);
    for (int port = 0; port < slot->outputs; port++) {
        job->needed[port] = slot->held >> port & 1;
        if (job->needed[port])
            job->values[port] = slot->values[port];
    }
    job->to_disk = slot->to_disk;
    slot->held = 0;
    slot->storing = false;
    const char *name = run->recipe->nodes[i].path;
    if (is_quick(run, job)) {
        run->pool.transfers++;
        tw_job_run_here(run, &job->job, i, name, "store");
    } else if (tw_job_start(run, &job->job, i, name, "store")) {
        run->pool.transfers++;
    } else {
        free(job);
    }
}
