/* SPDX-License-Identifier: MIT */
#include "cli/gate/gate.h"

#include "base/os/checkout.h"
#include "base/os/file.h"
#include "base/os/temporary.h"
#include "base/text/number.h"
#include "cluster/cluster.h"
#include "console/events.h"
#include "console/findings.h"
#include "console/output_file.h"
#include "console/stop.h"
#include "graph/merge.h"
#include "report/gate_page.h"
#include "runner/history.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- settings from the command line ---- */

bool tw_gate_add_given(const struct tw_settings *settings, const char *file,
                       struct tw_snapshot *snapshot)
{
    const struct tw_load_options load = tw_console_recipe_options(settings, file);
    char text[64];
    bool ok = true;
    for (int32_t i = 0; ok && i < settings->set.count; i++) {
        const char *pair = settings->set.at[i], *value = strchr(pair, '=') + 1;
        const char *name =
            tw_arena_print(&snapshot->arena, "set.%.*s", (int)(value - pair - 1), pair);
        ok = name && tw_facts_add(&snapshot->arena, &snapshot->given, name, value);
    }
    snprintf(text, sizeof text, "%" PRIu64, settings->seed.value);
    if (settings->seed.given)
        ok = ok && tw_facts_add(&snapshot->arena, &snapshot->given, "seed", text);
    snprintf(text, sizeof text, "%dx%d", (int)load.width, (int)load.height);
    if (load.width > 0)
        ok = ok && tw_facts_add(&snapshot->arena, &snapshot->given, "size", text);
    tw_facts_sort(&snapshot->given);
    return ok;
}

/* Restores the load options that a lock records; tw_lock_read() has validated sizes and seeds. */
static void read_given(const struct tw_facts *given, struct tw_load_options *options, char **pairs)
{
    const char *seed = tw_facts_find(given, "seed"), *size = tw_facts_find(given, "size");
    int32_t count = 0;
    options->has_seed = seed && tw_number_parse_whole(seed, &options->seed);
    options->width = options->height = 0;
    (void)tw_lock_parse_size(size ? size : "", &options->width, &options->height);
    for (int32_t i = 0; i < given->count; i++) {
        const struct tw_fact *fact = &given->at[i];
        if (strncmp(fact->name, "set.", 4) != 0 || count == TW_OPTION_REPEATS_MAX)
            continue;
        size_t room = strlen(fact->name) + strlen(fact->value) + 2;
        pairs[count] = malloc(room);
        if (pairs[count])
            snprintf(pairs[count++], room, "%s=%s", fact->name + 4, fact->value);
    }
    options->set = (const char *const *)pairs;
}

/* Reports a fault of a recorded setting at its line in the lock instead of at the command line. */
static void on_given(void *context, bool fault, const struct tw_error *error,
                     const char *source_line)
{
    const struct tw_gate_item *locked = context;
    struct tw_error shown = *error;
    if (strcmp(error->file, "command line") == 0) {
        snprintf(shown.file, sizeof shown.file, "%s", locked->lock_file);
        shown.line = locked->before->given_line;
        shown.column = locked->before->given_column;
    }
    tw_console_diagnostic(NULL, fault, &shown, source_line);
}

int tw_gate_load(const struct tw_settings *settings, const char *file,
                 const struct tw_gate_item *locked, struct tw_recipe **recipe,
                 struct tw_error *error)
{
    char *pairs[TW_OPTION_REPEATS_MAX + 1] = {NULL};
    struct tw_load_options options = tw_console_recipe_options(settings, file);
    *error = (struct tw_error){.status = TW_OK};
    if (locked) {
        read_given(&locked->before->given, &options, pairs);
        options.diagnostic = on_given;
        options.context = (void *)locked;
    }
    tw_case_begin(file, "recipe");
    enum tw_status status = tw_recipe_load(file, &options, recipe, error);
    if (status != TW_OK && !error->file[0])
        tw_console_file_error(file, error);
    for (int i = 0; pairs[i]; i++)
        free(pairs[i]);
    return tw_status_exit_code(status);
}

/* ---- snapshots and locks ---- */

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

static int refuse_in_ci(const char *lock)
{
    struct tw_error error;
    tw_error_set(&error, TW_USAGE, "%s is not replaced: CI is set, and --yes was not given", lock);
    snprintf(error.hint, sizeof error.hint,
             "update locks where somebody looks at the difference, and commit them");
    return tw_console_error(&error);
}

static int write_lock(const struct tw_settings *settings, struct tw_gate_item *item)
{
    struct tw_error error = {.status = TW_OK};
    struct tw_bytes bytes = {0};
    unsigned char *old = NULL;
    size_t length = 0;
    const char *ci = getenv("CI");
    const struct tw_checkout checkout = {settings->checkout};
    int code = 0;
    struct tw_file_id id = {0};
    enum tw_status status = tw_lock_print(item->after, &bytes, &error);
    bool exists = tw_file_identify(item->lock_file, false, &id, NULL) != TW_OK || id.exists;
    bool same = tw_file_read(item->lock_file, (size_t)1 << 24, &old, &length, NULL) == TW_OK &&
                length == bytes.length && memcmp(old, bytes.at, length) == 0;
    if (status == TW_OK && exists && !same && ci && ci[0] && !settings->yes) {
        code = refuse_in_ci(item->lock_file);
    } else if (status == TW_OK && !same) {
        status = tw_checkout_take(&checkout, item->lock_file, &error);
        if (status == TW_OK)
            status = tw_file_write(item->lock_file, bytes.at, bytes.length, &error);
        item->written = status == TW_OK;
    } else if (status == TW_OK) {
        tw_temporary_sweep(item->lock_file);
    }
    free(old);
    free(bytes.at);
    if (status != TW_OK)
        code = item->code = tw_console_error(&error);
    return code;
}

/* Refuses to overwrite a file that is not a lock. An empty file passes, and so does a lock with
 * merge conflicts, which still starts like one. */
static enum tw_status check_kind(const char *file, struct tw_error *err)
{
    static const char beginning[] = "thalweg-lock:";
    unsigned char *head = NULL;
    size_t length = 0;
    uint64_t total = 0;
    if (tw_file_read_head(file, sizeof beginning - 1, &head, &length, &total, NULL) != TW_OK)
        return TW_OK; /* there is no file to overwrite */
    bool is_lock = total == 0 || (length == sizeof beginning - 1 &&
                                  memcmp(head, beginning, sizeof beginning - 1) == 0);
    free(head);
    return is_lock ? TW_OK
                   : tw_error_set(err, TW_PATH, "%s is not a lock, and would be overwritten", file);
}

static enum tw_status check_lock(const struct tw_overwrite_guard *guard, const char *file,
                                 struct tw_error *err)
{
    enum tw_status status = tw_overwrite_guard_check(guard, file, file, err);
    if (status == TW_OK)
        status = tw_file_check_new(file, err);
    return status == TW_OK ? check_kind(file, err) : status;
}

int tw_gate_check_locks(const struct tw_gate_item *items, int32_t count)
{
    struct tw_overwrite_guard guard = {0};
    struct tw_error error = {.status = TW_OK};
    enum tw_status status = tw_gate_guard(items, count, &guard, &error);
    for (int32_t i = 0; status == TW_OK && i < count; i++)
        status = check_lock(&guard, items[i].lock_file, &error);
    tw_overwrite_guard_release(&guard);
    return status == TW_OK ? 0 : tw_console_error(&error);
}

int tw_gate_write_locks(const struct tw_settings *settings, struct tw_gate_item *items,
                        int32_t count)
{
    int worst = tw_gate_check_locks(items, count);
    bool goes_on = worst == 0;
    for (int32_t i = 0; goes_on && i < count; i++) {
        int code = write_lock(settings, &items[i]);
        worst = code > worst ? code : worst;
        goes_on = code == 0 || items[i].code != 0; /* what CI refuses, it refuses for all */
    }
    return worst;
}

/* ---- page of differences ---- */

/* Guards the files that the recipes read, and the file that --events is writing. */
static enum tw_status guard_files(const struct tw_settings *settings,
                                  const struct tw_gate_item *items, int32_t readers,
                                  struct tw_overwrite_guard *guard, struct tw_error *err)
{
    const char *events = settings->events;
    enum tw_status status = tw_gate_guard(items, readers, guard, err);
    if (status == TW_OK && events && !tw_console_is_stdout(events))
        status = tw_overwrite_guard_add(guard, events, "what --events writes", err);
    return status;
}

static int with_page(const struct tw_settings *settings, const struct tw_gate_item *items,
                     int32_t count, int32_t readers,
                     enum tw_status (*work)(const struct tw_gate_page *page, struct tw_error *err))
{
    const struct tw_checkout checkout = {settings->checkout};
    struct tw_overwrite_guard guard = {.checkout = &checkout};
    struct tw_error error = {.status = TW_OK};
    const struct tw_gate_page page = {settings->out, &guard, items, count, settings->embed};
    enum tw_status status = guard_files(settings, items, readers, &guard, &error);
    if (status == TW_OK)
        status = work(&page, &error);
    tw_overwrite_guard_release(&guard);
    return status == TW_OK ? 0 : tw_console_error(&error);
}

int tw_gate_check_page(const struct tw_settings *settings, const struct tw_gate_item *items,
                       int32_t count, int32_t readers)
{
    return with_page(settings, items, count, readers, tw_gate_page_check);
}

int tw_gate_write_page(const struct tw_settings *settings, const struct tw_gate_item *items,
                       int32_t count, int32_t readers)
{
    return with_page(settings, items, count, readers, tw_gate_page_write);
}
