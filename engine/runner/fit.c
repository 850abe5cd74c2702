/* SPDX-License-Identifier: MIT */
/* Decides how a run stays within its memory limit: with whole maps, else in bands of rows, else by
 * spilling values to the cache folder; or reports why none of these works. */
#include "run/export.h"
#include "run/spill.h"
#include "runner/runner_private.h"
#include "stream/bands.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* At most two files are written at a time (schedule.c). */
static uint64_t file_bytes(const struct tw_run *run)
{
    uint64_t most = 0, second = 0;
    for (int32_t g = 0; g < run->goal_count; g++) {
        const struct tw_export *item = run->goals[g].item;
        const uint64_t bytes =
            item ? tw_export_bytes(run->recipe, item, tw_run_threads(run->options)) : 0;
        second = bytes > most ? most : bytes > second ? bytes : second;
        most = bytes > most ? bytes : most;
    }
    return tw_add_saturating(most, second);
}

enum tw_status tw_fit_plan(struct tw_run *run, struct tw_error *err)
{
    int32_t count = 0;
    for (int32_t g = 0; g < run->goal_count; g++)
        for (const struct tw_output *o = run->goals[g].sources; o; o = o->next)
            count++;
    struct tw_source *sources = calloc((size_t)count + 1, sizeof *sources);
    if (!sources)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    count = 0;
    for (int32_t g = 0; g < run->goal_count; g++)
        for (const struct tw_output *o = run->goals[g].sources; o; o = o->next)
            sources[count++] = o->source;
    const struct tw_run_options *options = run->options;
    bool keyed = options->cache_dir || options->remote || run->request->memo ||
                 run->request->stamp_all; /* then every value has a digest */
    enum tw_status status = tw_plan_build(run->recipe, sources, count,
                                          keyed ? 0 : tw_run_threads(options), &run->plan, err);
    const uint64_t files = file_bytes(run);
    /* On maps smaller than the workers' blocks between fused nodes, fusing takes more memory. */
    if (status == TW_OK && !keyed && options->max_memory > 0 &&
        tw_add_saturating(run->plan.peak_bytes, files) > options->max_memory) {
        tw_plan_release(&run->plan);
        status = tw_plan_build(run->recipe, sources, count, 0, &run->plan, err);
    }
    free(sources);
    run->plan.file_bytes = files;
    run->plan.peak_bytes = tw_add_saturating(run->plan.peak_bytes, files);
    return status;
}

static uint64_t mebibytes(uint64_t bytes) { return (bytes >> 20) + ((bytes & 1048575) > 0); }

/* Before anything is allocated: if all values fit together, with scratch for as many nodes as there
 * are workers, nodes may run in any order. */
static bool fits_whole(struct tw_run *run)
{
    const struct tw_plan *plan = &run->plan;
    const uint64_t limit = run->options->max_memory;
    const uint64_t workers = (uint64_t)tw_run_threads(run->options);
    const uint64_t kept = tw_add_saturating(plan->value_bytes, plan->file_bytes);
    run->memory.limit = limit;
    run->serial = limit > 0 && (kept > limit || plan->scratch_bytes > (limit - kept) / workers);
    return limit == 0 || plan->peak_bytes <= limit;
}

/* ---- refusals ---- */

static enum tw_status refuse_cells(const struct tw_run *run, struct tw_error *err)
{
    return tw_error_set(err, TW_LIMIT,
                        "%d x %d cells are more than the %zu allowed; more are for files that "
                        "thalweg run writes in bands of rows",
                        (int)run->recipe->width, (int)run->recipe->height, TW_CELLS_MAX);
}

/* `node` needs so many bytes; -1: a file needs them. */
static enum tw_status refuse(const struct tw_run *run, uint64_t bytes, int32_t node,
                             struct tw_error *err)
{
    const struct tw_limit_text limit = tw_memory_limit_text(run->options->max_memory);
    if (node < 0)
        return tw_error_set(err, TW_LIMIT,
                            "the run needs %" PRIu64
                            " MiB when it writes a file of several values; expected at most %s",
                            mebibytes(bytes), limit.text);
    const uint64_t scratch = run->plan.needs[node].scratch, files = run->plan.file_bytes;
    char more[48] = "";
    if (files > 0)
        snprintf(more, sizeof more, ", and %" PRIu64 " MiB to write files", mebibytes(files));
    tw_error_set(err, TW_LIMIT,
                 "the run needs %" PRIu64 " MiB when it computes %s: %" PRIu64
                 " MiB of values and %" PRIu64 " MiB of scratch%s; expected at most %s",
                 mebibytes(bytes), run->recipe->nodes[node].type->name,
                 mebibytes(bytes - scratch - files), mebibytes(scratch), more, limit.text);
    if (err)
        tw_node_locate(err, &run->recipe->nodes[node]);
    return TW_LIMIT;
}

/* ---- the choice ---- */

/* A failed plan for bands leaves nodes fused, so this plans again. */
static enum tw_status try_bands(struct tw_run *run, struct tw_error *why)
{
    enum tw_status status = tw_bands_plan(run, 0, why);
    if (status == TW_OK)
        return TW_OK;
    tw_bands_release(run);
    tw_plan_release(&run->plan);
    return tw_fit_plan(run, why) == TW_OK ? status : TW_MEMORY;
}

static void append_hint(struct tw_error *err, const char *text)
{
    size_t used = err ? strlen(err->hint) : 0;
    if (err)
        snprintf(err->hint + used, sizeof err->hint - used, "%s%s", used > 0 ? "; " : "", text);
}

/* With a cache folder, the most that a single node or file needs decides. Untrusted recipes may not
 * spill to disk. */
static enum tw_status try_spilling(struct tw_run *run, struct tw_error *err)
{
    struct tw_spill_forecast forecast;
    char text[128];
    const bool may = !run->options->in_memory, cached = may && run->options->cache_dir;
    enum tw_status status = tw_spilling_plan(run, &forecast, err);
    if (status != TW_OK)
        return status;
    if (run->spilling && cached) {
        run->plan.peak_bytes = forecast.peak_bytes;
        return TW_OK;
    }
    const uint64_t bytes = cached ? forecast.needed_bytes : run->plan.peak_bytes;
    status = refuse(run, bytes, cached ? forecast.needed_node : run->plan.peak_node, err);
    tw_run_print_largest(run, bytes, text, sizeof text);
    append_hint(err, text);
    if (run->spilling && may)
        append_hint(err, "with a cache folder, values that wait go to disk");
    tw_spilling_release(run);
    return status;
}

static enum tw_status fit_within(struct tw_run *run, struct tw_error *err)
{
    struct tw_error why = {.status = TW_OK};
    enum tw_status status = TW_LIMIT;
    if (fits_whole(run))
        return TW_OK;
    if (run->request->export_folder)
        status = try_bands(run, &why);
    if (status == TW_LIMIT)
        status = try_spilling(run, err);
    else if (status != TW_OK && err)
        *err = why;
    if (status == TW_LIMIT && why.status == TW_LIMIT)
        append_hint(err, why.message);
    return status;
}

/* Runs in bands if requested, or if maps are beyond the limit of cells. Otherwise, if the memory
 * limit is too low, that is the error, and what prevents bands the hint. */
enum tw_status tw_fit_choose(struct tw_run *run, struct tw_error *err)
{
    const struct tw_run_request *request = run->request;
    const uint64_t cells = (uint64_t)run->recipe->width * (uint64_t)run->recipe->height;
    const bool must = request->bands != 0 || cells > TW_CELLS_MAX;
    if (!request->export_folder && cells > TW_CELLS_MAX)
        return refuse_cells(run, err);
    run->memory.limit = run->options->max_memory;
    if (request->export_folder && must)
        return tw_bands_plan(run, request->bands > 0 ? request->bands : 0, err);
    return fit_within(run, err);
}
