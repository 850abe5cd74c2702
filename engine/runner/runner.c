/* SPDX-License-Identifier: MIT */
/* Sets up a run and runs the loop until its goals are met. */
#include "runner/runner.h"

#include "base/memory/block.h"
#include "base/memory/options.h"
#include "graph/feed.h"
#include "run/spill.h"
#include "runner/runner_private.h"
#include "stream/bands.h"

#include <assert.h>
#include <stdlib.h>

enum { TICK_MS = 50 }; /* interval of reporting progress and polling for cancellation */

/* ---- set-up ---- */

static enum tw_status check_feeds(const struct tw_run *run, struct tw_error *err)
{
    const struct tw_node *node = tw_feed_missing(run->recipe, run->plan.needed);
    if (!node)
        return TW_OK;
    tw_error_set(err, TW_USAGE, "input '%s' has no value; expected tw_recipe_feed() before the run",
                 node->feed->name);
    tw_node_locate(err, node);
    return TW_USAGE;
}

static bool create_list(struct tw_work_list *list, size_t count)
{
    list->at = calloc(count + 1, sizeof *list->at);
    return list->at != NULL;
}

static enum tw_status open_cache(struct tw_run *run, struct tw_error *err)
{
    struct tw_cache *cache = &run->cache;
    enum tw_status status = TW_OK;
    struct tw_remote *remote = run->options->remote;
    if (run->options->cache_dir)
        status = tw_store_open_shared(run->options->cache_dir, run->options->cache_bytes,
                                      remote ? tw_remote_secret(remote) : NULL, &cache->store, err);
    if (remote && cache->store && tw_store_is_open(cache->store)) {
        cache->remote = remote;
        tw_remote_begin(remote, &run->stop);
    }
    if (status == TW_OK && run->request->memo) {
        bool named = cache->store && tw_store_is_open(cache->store);
        cache->memo = run->request->memo;
        tw_memo_begin(cache->memo, named ? tw_store_secret(cache->store) : NULL, &run->memory);
    }
    cache->memory = &run->memory;
    return status;
}

/* Checks all that can be known before anything is computed. */
static enum tw_status check(struct tw_run *run, struct tw_error *err)
{
    if (run->options->cache_dir && !run->options->cache_dir[0]) /* would mean the root folder */
        return tw_error_set(err, TW_USAGE, "cache_dir is empty; expected a folder, or NULL");
    if (!tw_goals_list(run))
        return tw_error_set(err, TW_MEMORY, "out of memory");
    enum tw_status status =
        run->goal_count == 0 ? tw_run_check_only(run->recipe, run->options->only, err) : TW_OK;
    if (status == TW_OK)
        status = tw_fit_plan(run, err);
    if (status == TW_OK)
        status = check_feeds(run, err);
    if (status == TW_OK)
        status = tw_fit_choose(run, err);
    if (status == TW_OK)
        status = tw_overwrite_check(run, err);
    if (status == TW_OK && !run->request->dry)
        status = tw_space_check(run, err);
    return status;
}

static enum tw_status prepare(struct tw_run *run, struct tw_error *err)
{
    size_t nodes = (size_t)run->recipe->count;
    enum tw_status status = check(run, err);
    if (status != TW_OK)
        return status;
    bool ok = tw_slots_create(run) && create_list(&run->undecided, nodes) &&
              create_list(&run->demanded, nodes) && create_list(&run->failures, nodes) &&
              create_list(&run->loads, nodes) && create_list(&run->stores, nodes) &&
              create_list(&run->ready, nodes) && create_list(&run->asks, nodes) &&
              create_list(&run->sends, nodes) &&
              create_list(&run->deliveries, (size_t)run->goal_count);
    if (!ok)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    tw_memory_add(&run->memory, run->plan.file_bytes); /* taken until the run ends */
    status = run->bands ? TW_OK : open_cache(run, err);
    return status == TW_OK ? tw_spilling_prepare(run, err) : status;
}

/* ---- the loop ---- */

static void abandon_stopped(struct tw_run *run)
{
    const struct tw_run_request *request = run->request;
    if (run->status != TW_CANCELLED || run->pool.transfers > 0 || !request->may_abandon)
        return;
    if (run->bands || !request->may_abandon()) /* bands stop soon, and remove unfinished files */
        return;
    if (request->report)
        tw_results_summarise(run, request->report);
    request->abandon();
}

static void on_tick(uv_timer_t *timer)
{
    struct tw_run *run = timer->data;
    tw_progress_tick(run);
    if (run->bands)
        tw_bands_tick(run);
    tw_jobs_start(run); /* fails a cancelled run */
    abandon_stopped(run);
}

/* An export may take an output's value by the node's name, which `only` does not select. */
static void warn_of_no_export(const struct tw_run *run)
{
    const char *only = run->options->only;
    struct tw_error warning;
    if (!only || !run->options->warning || !run->request->export_folder || !run->recipe->exports)
        return;
    tw_error_set(&warning, TW_OK, "no file is written: no export is from '%s'", only);
    run->options->warning(run->options->context, &warning);
}

static void announce_plan(const struct tw_run *run)
{
    const struct tw_run_observer *observer = run->request->observer;
    int32_t exports = 0;
    for (int32_t g = 0; g < run->goal_count; g++)
        exports += run->goals[g].kind == TW_GOAL_EXPORT;
    if (exports == 0)
        warn_of_no_export(run);
    if (observer && observer->plan)
        observer->plan(observer->context, &run->plan, exports);
}

/* Ignores limits beyond thirty years, which may overflow nanoseconds. */
static void set_deadline(struct tw_run *run)
{
    const double seconds = run->options->max_seconds;
    if (seconds > 0 && seconds < 1e9)
        run->deadline = uv_hrtime() + (uint64_t)(seconds * 1e9);
}

static enum tw_status run_loop(struct tw_run *run)
{
    run->status = tw_pool_open(&run->pool, tw_run_threads(run->options), run->error);
    if (run->status != TW_OK)
        return run->status;
    run->pool.on_free = tw_jobs_start;
    run->pool.context = run;
    run->pool.timer.data = run;
    set_deadline(run);
    announce_plan(run);
    uv_timer_start(&run->pool.timer, on_tick, TICK_MS, TICK_MS);
    if (run->bands)
        tw_bands_start(run);
    else
        tw_state_begin(run);
    tw_jobs_start(run);
    while (run->pool.running > 0 || run->postponed)
        uv_run(&run->pool.loop, UV_RUN_ONCE);
    tw_pool_close(&run->pool);
    bool stuck = run->status == TW_OK && run->open_goals > 0 && !run->request->dry;
    assert(!stuck);
    if (stuck) {
        run->status =
            tw_error_set(run->error, TW_NODE, "%d results were never computed: please report",
                         (int)run->open_goals);
    }
    return run->status;
}

static void report_trouble(const struct tw_run *run)
{
    const char *trouble = run->cache.store ? tw_store_trouble(run->cache.store) : NULL;
    const int32_t packs = run->cache.store ? tw_store_damaged_packs(run->cache.store) : 0;
    struct tw_error warning;
    if (!run->options->warning)
        return;
    if (packs > 0) {
        tw_error_set(&warning, TW_OK,
                     "%d %s of cheap nodes' entries in the cache %s damaged; what was in %s is "
                     "computed again",
                     (int)packs, packs == 1 ? "file" : "files", packs == 1 ? "was" : "were",
                     packs == 1 ? "it" : "them");
        run->options->warning(run->options->context, &warning);
    }
    while (run->cache.remote && tw_remote_take_trouble(run->cache.remote, &warning))
        run->options->warning(run->options->context, &warning);
    if (!trouble)
        return;
    tw_error_set(&warning, TW_OK, "nothing more is cached: %s", trouble);
    run->options->warning(run->options->context, &warning);
}

static void release(struct tw_run *run)
{
    struct tw_work_list *lists[] = {&run->undecided, &run->demanded, &run->loads,
                                    &run->stores,    &run->ready,    &run->deliveries,
                                    &run->asks,      &run->sends,    &run->failures};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        free(lists[i]->at);
    tw_spilling_release(run);
    tw_slots_release(run);
    tw_bands_release(run);
    free(run->goals);
    free(run->goal_sources);
    tw_plan_release(&run->plan);
}

static void clean_up(struct tw_run *run)
{
    release(run);
    if (run->cache.memo)
        tw_memo_end(run->cache.memo,
                    run->status == TW_OK && run->failure == TW_OK && !run->request->dry);
    if (run->cache.remote) {
        const struct tw_tier_counts counts = tw_remote_take_counts(run->cache.remote);
        tw_store_note_server(run->cache.store, &counts);
        tw_remote_begin(run->cache.remote, NULL);
    }
    tw_store_close(run->cache.store);
    tw_block_trim();
}

static struct tw_run begin(const struct tw_recipe *recipe, const struct tw_run_request *request)
{
    static const struct tw_run_options none = {0};
    return (struct tw_run){.recipe = recipe,
                           .request = request,
                           .options = request->options ? request->options : &none,
                           .failed_node = -1};
}

enum tw_status tw_run_check(const struct tw_recipe *recipe, const struct tw_run_request *request,
                            struct tw_error *err)
{
    struct tw_run run = begin(recipe, request);
    enum tw_status status = check(&run, err);
    release(&run);
    return status;
}

enum tw_status tw_run_execute(const struct tw_recipe *recipe, const struct tw_run_request *request,
                              struct tw_result **result, struct tw_error *err)
{
    struct tw_error own = {.status = TW_OK};
    struct tw_run run = begin(recipe, request);
    run.error = err ? err : &own;
    enum tw_status status = prepare(&run, run.error);
    if (status == TW_OK) {
        status = run_loop(&run);
        if (run.cache.store)
            tw_store_flush(run.cache.store);
        report_trouble(&run);
    }
    if (request->report && !tw_results_summarise(&run, request->report) && status == TW_OK)
        status = tw_error_set(run.error, TW_MEMORY, "out of memory");
    if (status == TW_OK && result && request->dry)
        *result = NULL;
    else if (status == TW_OK && result)
        status = tw_results_keep(&run, result, run.error);
    clean_up(&run);
    return status;
}

enum tw_status tw_recipe_run(struct tw_recipe *recipe, const struct tw_run_options *options,
                             struct tw_result **result, struct tw_error *error)
{
    struct tw_run_options own;
    struct tw_run_summary summary = {0};
    const struct tw_run_request request = {.options = &own, .report = &summary};
    const uint64_t begin = uv_hrtime();
    enum tw_status status = tw_options_take(options, &own, sizeof own, "tw_run_options", error);
    if (status != TW_OK)
        return status;
    struct tw_result *made = NULL;
    status = tw_run_execute(recipe, &request, &made, error);
    if (status == TW_OK)
        status =
            tw_results_report(made, recipe, &summary, (double)(uv_hrtime() - begin) * 1e-9, error);
    tw_run_summary_release(&summary);
    if (status == TW_OK)
        *result = made;
    else
        tw_result_release(made);
    return status;
}
