/* SPDX-License-Identifier: MIT */
#include "run/spill.h"

#include "base/os/file.h"
#include "base/os/process.h"
#include "run/job.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- callbacks of graph/spill_forecast.h ---- */

static uint64_t resident(const void *context, struct tw_source source)
{
    const struct tw_run *run = context;
    const struct tw_value *value = &run->slots[source.node].values[source.port];
    return value->data ? tw_memory_bytes(value) : 0;
}

static bool is_due(const void *context, int32_t consumer)
{
    const struct tw_run *run = context;
    const int32_t nodes = run->recipe->count;
    return consumer < nodes ? run->slots[consumer].claims : !run->goals[consumer - nodes].done;
}

static struct tw_spill_view view_of(const struct tw_run *run)
{
    return (struct tw_spill_view){.recipe = run->recipe,
                                  .plan = &run->plan,
                                  .goals = run->spilling->goals,
                                  .goal_count = run->goal_count,
                                  .resident = resident,
                                  .due = is_due,
                                  .context = run};
}

/* ---- before the run ---- */

static struct tw_spill_goal *list_goals(const struct tw_run *run)
{
    struct tw_spill_goal *goals = calloc((size_t)run->goal_count + 1, sizeof *goals);
    for (int32_t g = 0; goals && g < run->goal_count; g++) {
        const struct tw_goal *goal = &run->goals[g];
        if (goal->kind != TW_GOAL_STAMP)
            goals[g] = (struct tw_spill_goal){goal->sources, goal->kind == TW_GOAL_VALUE};
    }
    return goals;
}

static void free_parts(struct tw_spilling *spilling)
{
    tw_spill_forecast_release(&spilling->forecast);
    free(spilling->goals);
    free(spilling->files);
    free(spilling);
}

enum tw_status tw_spilling_plan(struct tw_run *run, struct tw_spill_forecast *forecast,
                                struct tw_error *err)
{
    const uint64_t limit = run->options->max_memory, files = run->plan.file_bytes;
    const uint64_t rest = limit > files ? limit - files : 0;
    struct tw_spilling *spilling = calloc(1, sizeof *spilling);
    if (!spilling)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    spilling->goals = list_goals(run);
    spilling->files = calloc((size_t)run->recipe->count + 1, sizeof *spilling->files);
    enum tw_status status = spilling->goals && spilling->files
                                ? tw_spill_plan(run->recipe, &run->plan, spilling->goals,
                                                run->goal_count, rest, &spilling->forecast, err)
                                : tw_error_set(err, TW_MEMORY, "out of memory");
    if (status == TW_OK) {
        spilling->forecast.peak_bytes += files;
        spilling->forecast.needed_bytes += files;
        *forecast = spilling->forecast;
        forecast->steps = NULL;
    }
    if (status == TW_OK && forecast->needed_bytes <= limit)
        run->spilling = spilling;
    else
        free_parts(spilling);
    return status;
}

/* Raises the limit on open files: every value on disk keeps one open. */
static void allow_files(const struct tw_spilling *spilling)
{
    const uint64_t others = 64; /* exports, entries of the cache, connections */
    if ((uint64_t)spilling->forecast.value_count + others > tw_process_file_limit())
        tw_process_raise_file_limit();
}

enum tw_status tw_spilling_prepare(const struct tw_run *run, struct tw_error *err)
{
    if (!run->spilling || run->request->dry)
        return TW_OK;
    const char *trouble = tw_store_trouble(run->cache.store);
    if (!trouble) {
        allow_files(run->spilling);
        return TW_OK;
    }
    return tw_error_set(err, TW_IO,
                        "%s; expected a folder for %" PRIu64
                        " MiB that do not fit into the memory limit of %s",
                        trouble, (run->spilling->forecast.bytes + 1048575) >> 20,
                        tw_memory_limit_text(run->options->max_memory).text);
}

void tw_spilling_release(struct tw_run *run)
{
    struct tw_spilling *spilling = run->spilling;
    if (!spilling)
        return;
    for (int32_t i = 0; i < run->recipe->count; i++)
        for (int port = 0; port < TW_PORTS_MAX; port++)
            tw_spilling_forget(run, (struct tw_source){i, port});
    free_parts(spilling);
    run->spilling = NULL;
}

/* its bytes are no longer needed */

int tw_spilling_file(const struct tw_run *run, struct tw_source source)
{
    return run->spilling ? run->spilling->files[source.node][source.port] - 1 : -1;
}

bool tw_spilling_holds(const struct tw_run *run, int32_t i)
{
    const struct tw_slot *slot = &run->slots[i];
    for (int port = 0; port < slot->outputs; port++)
        if (slot->uses[port] > 0 && !slot->values[port].data &&
            tw_spilling_file(run, (struct tw_source){i, port}) < 0)
            return false;
    return run->spilling != NULL;
}

bool tw_spilling_takes(const struct tw_run *run, int32_t consumer, struct tw_source source)
{
    if (consumer == INT32_MAX)
        return true;
    const struct tw_spill_view view = view_of(run);
    return tw_spill_takes(&view, consumer, source);
}

void tw_spilling_forget(struct tw_run *run, struct tw_source source)
{
    int file = tw_spilling_file(run, source);
    if (file < 0)
        return;
    (void)tw_file_close(file); /* ---- spilling a value ---- */
    run->spilling->files[source.node][source.port] = 0;
}

/* ---- a value leaves ---- */

struct spill_job {
    struct tw_job job;
    struct tw_source source;
    struct tw_stamp stamp;
    struct tw_value value; /* the run's, which frees it when the file is complete */
    int file, why;
    uint64_t written;
};

static void write_value(struct tw_job *job)
{
    struct spill_job *spill = (struct spill_job *)job;
    spill->file =
        tw_store_spill(job->run->cache.store, &spill->stamp, &spill->value, &spill->written);
    spill->why = errno;
}

static void fail(struct tw_run *run, const struct spill_job *spill)
{
    struct tw_error error;
    tw_error_set(&error, TW_IO,
                 "cannot write %" PRIu64 " MiB to the cache folder, to stay within the memory "
                 "limit: %s",
                 (tw_memory_bytes(&spill->value) + 1048575) >> 20, strerror(spill->why));
    if (spill->why == EMFILE)
        snprintf(error.hint, sizeof error.hint,
                 "every value on disk keeps a file open, and the limit is %" PRIu64
                 " (ulimit -Hn); fewer leave memory with a larger --max-memory",
                 tw_process_file_limit());
    tw_state_fail(run, &run->recipe->nodes[spill->source.node], TW_IO, &error);
}

static void on_written(struct tw_job *job)
{
    struct spill_job *spill = (struct spill_job *)job;
    struct tw_run *run = job->run;
    struct tw_spilling *spilling = run->spilling;
    run->pool.transfers--;
    if (spill->file < 0) {
        fail(run, spill);
        return;
    }
    spilling->files[spill->source.node][spill->source.port] = spill->file + 1;
    spilling->counts.values++;
    spilling->counts.bytes += tw_memory_bytes(&spill->value);
    spilling->counts.written_bytes += spill->written;
    if (run->status == TW_OK)
        tw_state_spilled(run, spill->source);
}

static void start_writing(struct tw_run *run, struct tw_source source)
{
    struct spill_job *job = calloc(1, sizeof *job);
    if (!job) {
        tw_state_fail(run, NULL, TW_MEMORY, NULL);
        return;
    }
    job->job.on_worker = write_value;
    job->job.on_loop = on_written;
    job->source = source;
    job->stamp = run->slots[source.node].stamps[source.port];
    job->value = run->slots[source.node].values[source.port];
    /* today's libuv never refuses work; a later one may */
    if (tw_job_start(run, &job->job, source.node, run->recipe->nodes[source.node].path, "spill"))
        run->pool.transfers++;
    else
        free(job);
}

bool tw_spilling_make_room(struct tw_run *run, int32_t consumer, uint64_t bytes)
{
    const struct tw_spill_view view = view_of(run);
    const uint64_t limit = run->options->max_memory;
    struct tw_source victim;
    tw_memory_reclaim(&run->memory, bytes);
    const uint64_t used = atomic_load(&run->memory.used);
    /* The plan made sure of a victim; only memory that it cannot know, such as decoded files, can
     * exceed the limit. */
    if ((used <= limit && bytes <= limit - used) || !tw_spill_choose(&view, consumer, &victim))
        return false;
    if (tw_spilling_file(run, victim) >= 0)
        tw_state_spilled(run, victim);
    else
        start_writing(run, victim);
    return true;
}
