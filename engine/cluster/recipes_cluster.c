/* SPDX-License-Identifier: MIT */
#include "cluster/recipes_cluster.h"

#include "base/os/process.h"
#include "cluster/cluster.h"
#include "cluster/script.h"
#include "console/diagnostic.h"
#include "graph/describe.h"
#include "runner/runner.h"

#include <stdlib.h>
#include <string.h>

enum { NODE_FAILED = 4 }; /* exit code: this command meets the failure again and reports it */

struct sharing {
    const struct tw_recipes_work *work;
    struct tw_run_options run;
    struct tw_compare_line line;
    struct tw_cluster cluster;
    bool *cached; /* by task, from 1 on: the cache holds all of its results */
};

int tw_recipes_check_cluster(const struct tw_settings *settings, const char *excludes)
{
    if (settings->shard.of > 0)
        excludes = "--shard";
    else if (settings->no_cache)
        excludes = "--no-cache";
    int code = tw_cluster_check_options(settings, excludes);
    if (code == 0 && settings->on != TW_ON_HERE && !tw_console_cache_dir(settings->cache_dir))
        return tw_console_usage("--on slurm needs a cache folder: set --cache-dir or HOME");
    return code;
}

/* ---- contents of the cache ---- */

static bool is_cached(const struct sharing *sharing, const struct tw_recipe *recipe)
{
    struct tw_run_summary report = {0};
    const struct tw_run_request request = {
        .options = &sharing->run, .cache_only = true, .dry = true, .report = &report};
    bool cached = tw_run_execute(recipe, &request, NULL, NULL) == TW_OK;
    for (int32_t i = 0; cached && i < report.node_count; i++)
        cached = report.nodes[i].outcome == TW_OUTCOME_NOT_NEEDED ||
                 report.nodes[i].outcome == TW_OUTCOME_HIT;
    tw_run_summary_release(&report);
    return cached;
}

/* Returns true if the cache holds all recipes that --shard gives to this task. */
static bool is_task_cached(const struct sharing *sharing, int32_t task)
{
    bool cached = true;
    for (int32_t r = task - 1; cached && r < sharing->work->count; r += sharing->cluster.tasks)
        cached = is_cached(sharing, sharing->work->recipes[r]);
    return cached;
}

static bool read_mark(const struct sharing *sharing, int32_t task, int *code)
{
    char name[64];
    tw_batch_done_name(task, sharing->cluster.tasks, name);
    return tw_batch_read_mark(sharing->cluster.folder, name, code);
}

/* Removes the marks of finished tasks whose results the cache has lost since, so that they are
 * submitted again. */
static void look_at_cache(struct sharing *sharing)
{
    const struct tw_cluster *cluster = &sharing->cluster;
    for (int32_t i = 1; i <= cluster->tasks; i++) {
        char name[64], path[PATH_MAX + 64];
        int code;
        sharing->cached[i] = is_task_cached(sharing, i);
        if (sharing->cached[i] || !read_mark(sharing, i, &code) || code == NODE_FAILED)
            continue;
        tw_batch_done_name(i, cluster->tasks, name);
        snprintf(path, sizeof path, "%s/%s", cluster->folder, name);
        (void)remove(path);
    }
}

static void warn_of_missing(struct sharing *sharing)
{
    struct tw_error warning;
    int32_t missing = 0;
    for (int32_t i = 1; i <= sharing->cluster.tasks; i++) {
        int code = 0;
        (void)read_mark(sharing, i, &code);
        missing += !sharing->cached[i] && code != NODE_FAILED && !is_task_cached(sharing, i);
    }
    if (missing == 0)
        return;
    tw_error_set(&warning, TW_OK,
                 "the cache lacks results of %d of %d tasks that were done; computing them here",
                 (int)missing, (int)sharing->cluster.tasks);
    snprintf(
        warning.hint, sizeof warning.hint,
        "nodes must see the same recipes and --cache-dir or --cache-url, and --cache-size must "
        "suffice");
    tw_cluster_notice(&sharing->cluster, &warning);
}

/* ---- the tasks ---- */

/* Measures the first recipe, whose result stays in the cache. A cache hit counts with the time that
 * its computation took. */
static enum tw_status on_measure(void *context, double *seconds, struct tw_error *err)
{
    const struct sharing *sharing = context;
    struct tw_run_summary report = {0};
    const struct tw_run_request request = {
        .options = &sharing->run, .cache_only = true, .report = &report};
    double before = tw_process_seconds(), known = 0;
    enum tw_status status = tw_run_execute(sharing->work->recipes[0], &request, NULL, err);
    *seconds = tw_process_seconds() - before;
    for (int32_t i = 0; i < report.node_count; i++)
        known += report.nodes[i].seconds;
    *seconds = known > *seconds ? known : *seconds;
    tw_run_summary_release(&report);
    return status == TW_CANCELLED ? status : TW_OK; /* the other recipes may still succeed */
}

static enum tw_status on_look(void *context, bool *done, struct tw_error *err)
{
    const struct sharing *sharing = context;
    int code;
    (void)err;
    for (int32_t i = 1; i <= sharing->cluster.tasks; i++)
        done[i] = sharing->cached[i] || read_mark(sharing, i, &code);
    return TW_OK;
}

/* Fetches a task's results from the server, where a node leaves them that cannot see the folder. */
static bool on_find(void *context, int32_t task)
{
    struct sharing *sharing = context;
    if (!sharing->work->settings->remote)
        return false;
    sharing->cached[task] = is_task_cached(sharing, task);
    return sharing->cached[task];
}

static enum tw_status identify(const struct tw_recipes_work *work, struct tw_sha256 *identity,
                               struct tw_error *err)
{
    struct tw_bytes text = {0};
    const char *only = work->settings->only;
    enum tw_status status = tw_bytes_print(&text, err, "thalweg %s\n%s %s\n", TW_VERSION,
                                           work->command, only ? only : "");
    for (int32_t r = 0; status == TW_OK && r < work->count; r++) {
        status = tw_bytes_print(&text, err, "recipe %s\n", work->files[r]);
        if (status == TW_OK && !tw_describe_nodes(&text, work->recipes[r]))
            status = tw_error_set(err, TW_MEMORY, "out of memory");
        if (status == TW_OK)
            status = tw_describe_files(&text, work->recipes[r], r, err);
    }
    if (status == TW_OK)
        *identity = tw_sha256_of(text.at, text.length);
    free(text.at);
    return status;
}

/* Lists the words of a task. Tasks write their pages of differences to the folder `pages`, so that
 * those of this command are not overwritten. */
static const char **list_words(const struct tw_recipes_work *work, const char *pages)
{
    const char **words = calloc((size_t)work->count + 4, sizeof *words);
    size_t used = 0;
    if (!words)
        return NULL;
    words[used++] = work->command;
    for (int32_t r = 0; r < work->count; r++)
        words[used++] = work->files[r];
    if (strcmp(work->command, "run") == 0) {
        words[used++] = "--no-exports";
    } else {
        words[used++] = "--out";
        words[used++] = pages;
    }
    return words;
}

static enum tw_status follow(struct sharing *sharing, struct tw_error *err)
{
    struct tw_cluster *cluster = &sharing->cluster;
    char pages[PATH_MAX + 8];
    snprintf(pages, sizeof pages, "%s/pages", cluster->folder);
    const char **words = list_words(sharing->work, pages);
    sharing->cached = calloc((size_t)cluster->tasks + 1, sizeof *sharing->cached);
    enum tw_status status = TW_MEMORY;
    if (words && sharing->cached) {
        look_at_cache(sharing);
        cluster->command = words;
        status = tw_cluster_follow(cluster, err);
        if (status == TW_OK)
            warn_of_missing(sharing);
    } else {
        tw_error_set(err, TW_MEMORY, "out of memory");
    }
    free(words);
    free(sharing->cached);
    return status;
}

enum tw_status tw_recipes_on_cluster(const struct tw_recipes_work *work, struct tw_error *err)
{
    struct sharing sharing = {.work = work,
                              .run = tw_console_run_options(work->settings),
                              .cluster = {.settings = work->settings,
                                          .root = work->settings->batch,
                                          .units = work->count,
                                          .marks_done = true,
                                          .measure = on_measure,
                                          .look = on_look,
                                          .find = on_find,
                                          .context = &sharing}};
    if (!work->settings->quiet)
        sharing.cluster.line = &sharing.line;
    enum tw_status status = identify(work, &sharing.cluster.identity, err);
    if (status == TW_OK)
        status = tw_cluster_open(&sharing.cluster, err);
    return status == TW_OK ? follow(&sharing, err) : status;
}
