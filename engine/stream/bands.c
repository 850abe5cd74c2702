/* SPDX-License-Identifier: MIT */
/* Runs band after band: every node, in the recipe's order, computes up to where the band needs it;
 * then the files take the band's rows, and the windows slide. */
#include "base/memory/block.h"
#include "run/export.h"
#include "run/job.h"
#include "stream/bands_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- whether bands are possible ---- */

/* Why a node cannot run in bands, in words; NULL if it can. */
static const char *node_lacks(const struct tw_run *run, const struct tw_node *node)
{
    const struct tw_node_type *type = node->type;
    if (node->feed)
        return "is fed a whole map";
    if (tw_node_file_param(type))
        return tw_band_stream_lacks(run, node);
    if (tw_node_reach(type, node->params, run->recipe->width, run->recipe->height) == TW_REACH_ALL)
        return "looks at the whole map";
    if (type->output_size)
        return "has no rows of the map";
    for (int port = 0; type->outputs[port].name; port++)
        if (!tw_type_is_grid(tw_output_type(node, port)))
            return "gives a list";
    for (int32_t e = 0; e < node->input_count; e++)
        if (node->inputs[e].node >= 0 &&
            !tw_type_is_grid(tw_source_type(run->recipe, node->inputs[e])))
            return "takes a list";
    return NULL;
}

/* A map that fits in memory gets here because bands were requested; a larger one because nothing
 * else is possible. */
static enum tw_status refuse_node(const struct tw_run *run, const struct tw_node *node,
                                  const char *lacks, struct tw_error *err)
{
    const int32_t width = run->recipe->width, height = run->recipe->height;
    const bool large = (uint64_t)width * (uint64_t)height > TW_CELLS_MAX;
    if (large)
        tw_error_set(err, TW_LIMIT,
                     "%s %s: at %d x %d the run needs %.1f GiB, and cannot go in bands of rows",
                     node->type->name, lacks, (int)width, (int)height,
                     (double)run->plan.peak_bytes / (double)(1 << 30));
    else
        tw_error_set(err, TW_LIMIT, "%s %s, so the run cannot go in bands of rows",
                     node->type->name, lacks);
    if (err)
        tw_node_locate(err, node);
    if (err && large)
        tw_run_print_largest(run, run->plan.peak_bytes, err->hint, sizeof err->hint);
    return TW_LIMIT;
}

static enum tw_status refuse_file(const struct tw_goal *goal, const char *lacks,
                                  struct tw_error *err)
{
    char known[160];
    tw_format_list_by_rows(known, sizeof known);
    tw_error_set(err, TW_LIMIT,
                 "%s takes the whole map for %s, so the run cannot go in bands of rows; expected "
                 "%s without that",
                 goal->name, lacks, known);
    if (err)
        tw_export_locate(goal->item, err);
    return TW_LIMIT;
}

static enum tw_status check_goals(const struct tw_run *run, struct tw_error *err)
{
    const bool *needed = run->plan.needed;
    for (int32_t i = 0; i < run->recipe->count; i++) {
        const char *lacks = needed[i] ? node_lacks(run, &run->recipe->nodes[i]) : NULL;
        if (lacks)
            return refuse_node(run, &run->recipe->nodes[i], lacks, err);
    }
    for (int32_t g = 0; g < run->goal_count; g++) {
        const struct tw_goal *goal = &run->goals[g];
        const char *lacks = tw_band_sink_lacks(run, goal);
        if (lacks)
            return refuse_file(goal, lacks, err);
    }
    return TW_OK;
}

/* ---- planning ---- */

static enum tw_status fuse(struct tw_run *run, struct tw_error *err)
{
    struct tw_source *sources = calloc((size_t)run->goal_count + 1, sizeof *sources);
    if (!sources)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    for (int32_t g = 0; g < run->goal_count; g++)
        sources[g] = run->goals[g].sources->source;
    tw_plan_release(&run->plan);
    enum tw_status status = tw_plan_build(run->recipe, sources, run->goal_count,
                                          tw_run_threads(run->options), &run->plan, err);
    free(sources);
    return status;
}

enum tw_status tw_bands_plan(struct tw_run *run, int32_t rows, struct tw_error *err)
{
    enum tw_status status = check_goals(run, err);
    if (status == TW_OK)
        status = fuse(run, err);
    if (status != TW_OK)
        return status;
    struct tw_bands *bands = run->bands = calloc(1, sizeof *bands);
    if (!bands)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    bands->windows = calloc((size_t)run->recipe->count + 1, sizeof *bands->windows);
    bands->sinks = calloc((size_t)run->goal_count + 1, sizeof *bands->sinks);
    if (!bands->windows || !bands->sinks)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    return tw_bands_lay_out(run, bands, rows, err);
}

/* ---- running ---- */

static enum tw_status open_window(struct tw_run *run, int32_t i, struct tw_error *err)
{
    const struct tw_node *node = &run->recipe->nodes[i];
    struct tw_window *window = &run->bands->windows[i];
    enum tw_status status = TW_OK;
    if (!window->used)
        return TW_OK;
    if (tw_node_file_param(node->type))
        return tw_band_stream_start(run, i, err);
    for (int port = 0; status == TW_OK && node->type->outputs[port].name; port++)
        if (tw_plan_has_block(run->recipe, &run->plan, i, port))
            status =
                tw_memory_alloc(&run->memory, &window->values[port], tw_output_type(node, port),
                                run->recipe->width, window->capacity, err);
    return status;
}

static enum tw_status allocate(struct tw_run *run, struct tw_error *err)
{
    struct tw_bands *bands = run->bands;
    enum tw_status status = TW_OK;
    for (int32_t i = 0; status == TW_OK && i < run->recipe->count; i++)
        status = open_window(run, i, err);
    if (status != TW_OK || bands->spare_bytes == 0)
        return status;
    if (!tw_memory_take(&run->memory, bands->spare_bytes))
        return tw_error_set(err, TW_LIMIT, "bands of rows are beyond the memory limit");
    bands->spare = tw_block_alloc(bands->spare_bytes);
    return bands->spare ? TW_OK : tw_error_set(err, TW_MEMORY, "out of memory");
}

struct kept {
    struct tw_bands *bands;
    const struct tw_window *user;
    int64_t *first; /* by node, the first row that is still to be read */
};

static void keep_for(void *context, struct tw_source source)
{
    const struct kept *kept = context;
    const struct tw_window *user = kept->user;
    int64_t first = user->done - user->reach;
    if (user->done < user->end && first < kept->first[source.node])
        kept->first[source.node] = first;
}

/* Drops rows that are no longer read; the files are written up to row `y`. */
static void slide(struct tw_run *run, int32_t y, int64_t *first)
{
    struct tw_bands *bands = run->bands;
    for (int32_t i = 0; i < run->recipe->count; i++)
        first[i] = bands->windows[i].done;
    for (int32_t g = 0; g < run->goal_count; g++)
        if (y < first[bands->sinks[g].source.node])
            first[bands->sinks[g].source.node] = y;
    for (int32_t i = 0; i < run->recipe->count; i++) {
        struct kept kept = {bands, &bands->windows[i], first};
        if (bands->windows[i].used)
            tw_bands_each_source(run, i, keep_for, &kept);
    }
    for (int32_t i = 0; i < run->recipe->count; i++) {
        struct tw_window *window = &bands->windows[i];
        int64_t top = first[i] > window->top ? first[i] : window->top;
        for (int port = 0; port < TW_PORTS_MAX && window->used; port++) {
            const struct tw_value rows = tw_window_rows(window, port, top, window->done);
            if (rows.data && top > window->top && !window->stream)
                memmove(window->values[port].data, rows.data,
                        tw_value_count(&rows) * tw_type_size(rows.type));
        }
        if (window->stream && top > window->top)
            tw_band_stream_drop(window, top);
        window->top = top;
    }
}

static enum tw_status run_band(struct tw_run *run, int32_t from, int32_t to)
{
    struct tw_bands *bands = run->bands;
    enum tw_status status = TW_OK;
    for (int32_t i = 0; status == TW_OK && i < run->recipe->count; i++) {
        struct tw_window *window = &bands->windows[i];
        if (!window->used)
            continue;
        int64_t target = tw_window_target(window, to, run->recipe->height), done = window->done;
        window->done = target;
        status = tw_bands_compute(run, i, done, target);
    }
    if (status == TW_OK) {
        bands->failed = NULL;
        status = tw_band_sinks_add(run, from, to, &bands->error);
    }
    return status;
}

static enum tw_status run_bands(struct tw_run *run)
{
    struct tw_bands *bands = run->bands;
    const int32_t height = run->recipe->height;
    int64_t *first = calloc((size_t)run->recipe->count + 1, sizeof *first);
    if (!first)
        return tw_error_set(&bands->error, TW_MEMORY, "out of memory");
    enum tw_status status = allocate(run, &bands->error);
    if (status == TW_OK)
        status = tw_band_sinks_open(run, &bands->error);
    for (int32_t from = 0, to; status == TW_OK && from < height; from = to) {
        to = height - from > bands->rows ? from + bands->rows : height;
        status = run_band(run, from, to);
        slide(run, to, first);
        atomic_store(&bands->permille, (int)((int64_t)to * 1000 / height));
    }
    if (status == TW_OK)
        status = tw_band_sinks_finish(run, &bands->error);
    for (int32_t i = 0; i < run->recipe->count; i++)
        tw_band_stream_release(&bands->windows[i]);
    free(first);
    return status;
}

/* ---- on the loop thread ---- */

static void work(struct tw_job *job) { job->run->bands->status = run_bands(job->run); }

static void report_nodes(struct tw_run *run)
{
    const struct tw_run_observer *observer = run->request->observer;
    for (int32_t i = 0; i < run->recipe->count; i++) {
        struct tw_slot *slot = &run->slots[i];
        if (!run->plan.needed[i])
            continue;
        slot->outcome = TW_OUTCOME_COMPUTED;
        slot->seconds = (double)run->bands->windows[i].nanoseconds / 1e9;
        if (observer && observer->done)
            observer->done(observer->context, i, slot->outcome, slot->seconds);
    }
    for (int32_t g = 0; g < run->goal_count && !run->request->dry; g++)
        if (observer && observer->exported && run->goals[g].kind == TW_GOAL_EXPORT)
            observer->exported(observer->context, &run->goals[g].report);
}

static void on_finished(struct tw_job *job)
{
    struct tw_run *run = job->run;
    struct tw_bands *bands = run->bands;
    tw_band_sinks_release(run);
    if (bands->status != TW_OK) {
        tw_state_fail(run, bands->failed, bands->status,
                      bands->error.status == bands->status ? &bands->error : NULL);
        return;
    }
    if (run->status != TW_OK)
        return;
    report_nodes(run);
    run->done_weight = run->total_weight;
    tw_progress_report(run, "bands", 0);
}

void tw_bands_start(struct tw_run *run)
{
    const struct tw_run_observer *observer = run->request->observer;
    run->total_weight = 1;
    if (run->request->dry) {
        report_nodes(run);
        return;
    }
    struct tw_job *job = calloc(1, sizeof *job);
    for (int32_t i = 0; observer && observer->started && i < run->recipe->count; i++)
        if (run->plan.needed[i])
            observer->started(observer->context, i);
    if (!job) {
        tw_state_fail(run, NULL, TW_MEMORY, NULL);
        return;
    }
    job->on_worker = work;
    job->on_loop = on_finished;
    if (!tw_job_start(run, job, 0, "bands", "bands"))
        free(job);
}

void tw_bands_tick(struct tw_run *run)
{
    tw_progress_report(run, "bands", atomic_load(&run->bands->permille) / 1000.0);
}

void tw_bands_release(struct tw_run *run)
{
    struct tw_bands *bands = run->bands;
    if (!bands)
        return;
    tw_band_sinks_release(run);
    for (int32_t i = 0; bands->windows && i < run->recipe->count; i++)
        for (int port = 0; port < TW_PORTS_MAX; port++)
            tw_field_clear(&bands->windows[i].values[port]);
    free(bands->windows);
    tw_block_free(bands->spare);
    free(bands);
    run->bands = NULL;
}
