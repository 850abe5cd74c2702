/* SPDX-License-Identifier: MIT */
#include "cli/gate/gate.h"

#include "cluster/cluster.h"
#include "console/events.h"
#include "console/findings.h"
#include "console/stop.h"
#include "graph/merge.h"
#include "runner/history.h"

#include <stdlib.h>

/* Observes the runs of the items' recipes: reports events about their graphs, and failures. */
struct watcher {
    struct tw_gate_item **taken;
    int32_t count;
    const char *cache_dir; /* holds the recipes' histories; may be NULL */
    double *expected;      /* seconds per node of the running graph */
};

static const char *file_of(const struct watcher *w, const struct tw_recipe *recipe)
{
    for (int32_t i = 0; i < w->count; i++)
        if (w->taken[i]->recipe == recipe)
            return w->taken[i]->file;
    return "";
}

/* Adds the expected seconds of a recipe's nodes; false if the cache has no history of it. */
static bool add_expected(struct watcher *w, const struct tw_recipe *part, const int32_t *node_of)
{
    struct tw_history *history =
        w->cache_dir ? tw_history_load(w->cache_dir, file_of(w, part)) : NULL;
    double *own = history ? tw_history_expected(history, part) : NULL;
    for (int32_t i = 0; own && i < part->count; i++)
        w->expected[node_of[i]] = own[i];
    bool known = own != NULL;
    tw_history_release(history);
    free(own);
    return known;
}

static const struct tw_run_observer *observe(void *context, const struct tw_merged *merged,
                                             struct tw_recipe *const *parts)
{
    struct watcher *w = context;
    const char **files = calloc((size_t)merged->count + 1, sizeof *files);
    free(w->expected);
    w->expected = calloc((size_t)merged->recipe->count + 1, sizeof *w->expected);
    struct tw_events_graph graph = {
        .recipe = merged->recipe, .files = files, .expected = w->expected};
    for (int32_t p = 0; files && w->expected && p < merged->count; p++) {
        files[graph.file_count++] = file_of(w, parts[p]);
        if (!add_expected(w, parts[p], merged->node_of[p]))
            graph.expected = NULL;
    }
    const struct tw_run_observer *observer = tw_events_observer(&graph);
    free(files);
    return observer;
}

static void on_failed(void *context, int32_t recipe, const struct tw_error *error)
{
    struct watcher *w = context;
    struct tw_gate_item *item = w->taken[recipe];
    tw_case_begin(item->file, "run");
    tw_gate_fail(item, TW_GATE_FAILED, tw_console_error(error), error);
    tw_case_end();
}

static bool list_taken(struct watcher *w, struct tw_gate_item *items, int32_t count,
                       struct tw_recipe **recipes)
{
    w->taken = calloc((size_t)count + 1, sizeof(struct tw_gate_item *));
    for (int32_t i = 0; w->taken && i < count; i++) {
        if (!items[i].recipe || items[i].code != 0)
            continue;
        recipes[w->count] = items[i].recipe;
        w->taken[w->count++] = &items[i];
    }
    return w->taken != NULL;
}

int tw_gate_take(const struct tw_settings *settings, struct tw_gate_item *items, int32_t count,
                 bool judges, int32_t *computed)
{
    const struct tw_run_options options = tw_console_run_options(settings);
    struct watcher watcher = {.cache_dir = options.cache_dir};
    const struct tw_snapshot_request request = {.run = &options,
                                                .judges = judges,
                                                .observe = tw_events_are_open() ? observe : NULL,
                                                .failed = on_failed,
                                                .context = &watcher};
    struct tw_error error = {.status = TW_OK};
    struct tw_recipe **recipes = calloc((size_t)count + 1, sizeof *recipes);
    struct tw_snapshot **taken = calloc((size_t)count + 1, sizeof *taken);
    enum tw_status status = TW_OK;
    if (recipes && taken && list_taken(&watcher, items, count, recipes))
        status = tw_snapshot_take(recipes, watcher.count, &request, taken, computed, &error);
    else
        status = tw_error_set(&error, TW_MEMORY, "out of memory");
    for (int32_t i = 0; status == TW_OK && i < watcher.count; i++)
        watcher.taken[i]->after = taken[i];
    free(watcher.expected);
    free(watcher.taken);
    free(recipes);
    free(taken);
    if (status == TW_CANCELLED)
        return tw_stop_exit_code();
    if (status != TW_OK)
        tw_console_error(&error);
    return tw_cluster_exit_code(settings, status);
}

int tw_gate_compare(const struct tw_settings *settings, struct tw_gate_item after[2],
                    const char *before, int32_t *computed)
{
    struct tw_gate_item *item = after;
    int code = tw_gate_take(settings, after, 2, false, computed);
    if (code == 0)
        code = tw_gate_worst(after, 2);
    if (code != 0)
        return code;
    item->lock_file = strdup(before);
    item->before = after[1].after;
    after[1].after = NULL;
    item->drift = tw_drift_find(item->before, item->after);
    if (!item->drift || !item->lock_file)
        return tw_console_no_memory();
    if (tw_drift_matters(item->drift)) {
        const struct tw_run_options options = tw_console_run_options(settings);
        tw_gate_find_pairs(item, after[1].recipe, &options);
    }
    return 0;
}
