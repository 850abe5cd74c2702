/* SPDX-License-Identifier: MIT */
/* thalweg verify: runs recipes again and compares the results with their locks. */
#include "base/os/file.h"
#include "base/text/suggest.h"
#include "base/text/text.h"
#include "cli/gate/gate.h"
#include "cli/options.h"
#include "cluster/recipes_cluster.h"
#include "console/annotate.h"
#include "console/findings.h"
#include "console/output_file.h"
#include "console/stop.h"
#include "gate/within.h"
#include "project/project.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void check_locks(struct tw_gate_item *items, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        struct tw_error error = {.status = TW_OK};
        if (!items[i].after || tw_lock_check(items[i].before, items[i].after, &error) == TW_OK)
            continue;
        snprintf(error.file, sizeof error.file, "%s", items[i].lock_file);
        tw_gate_fail(&items[i], TW_GATE_NO_LOCK, tw_console_error(&error), &error);
    }
}

static void take_tolerances(const struct tw_settings *settings, struct tw_gate_item *item)
{
    char place[PATH_MAX];
    if (!tw_settings_member(settings, item->file, place))
        return;
    item->tolerances = settings->project->tolerances;
    item->tolerance_count = settings->project->tolerance_count;
}

/* Compares all items with their locks; stops early only if memory runs out. */
static int compare_all(const struct tw_settings *settings, struct tw_gate_item *items,
                       int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        struct tw_gate_item *item = &items[i];
        if (item->code != 0)
            continue;
        item->drift = tw_drift_find(item->before, item->after);
        if (!item->drift)
            return tw_console_no_memory();
        bool differs = tw_drift_matters(item->drift);
        item->verdict = differs ? TW_GATE_DIFFERS : TW_GATE_SAME;
        if (!differs)
            continue;
        tw_gate_find_earlier(settings, item);
        take_tolerances(settings, item);
        if (tw_within_all(item))
            item->verdict = TW_GATE_WITHIN;
        else
            item->code = tw_status_exit_code(TW_DIFFERENCE);
    }
    return 0;
}

/* ---- --update ---- */

static bool is_cause(const struct tw_node_drift *node) { return node->kind != TW_DRIFT_FOLLOWED; }

static const char *path_of(const struct tw_node_drift *node)
{
    return node->after ? node->after->path : node->before->path;
}

static bool has_changed(const struct tw_drift *drift, const char *name)
{
    for (int32_t i = 0; i < drift->node_count; i++)
        if (strcmp(path_of(&drift->nodes[i]), name) == 0)
            return true;
    return false;
}

static bool refuse_update(const struct tw_gate_item *item, const char *name, const char *other)
{
    struct tw_error error;
    if (has_changed(item->drift, name))
        tw_error_set(&error, TW_DIFFERENCE, "%s: not only %s has changed, but %s too",
                     item->lock_file, name, other);
    else
        tw_error_set(&error, TW_DIFFERENCE, "%s: %s has not changed, but %s has", item->lock_file,
                     name, other);
    tw_console_error(&error);
    return false;
}

/* Returns whether the lock may be updated. With --update=NODE, refuses if anything but NODE caused
 * a change. */
static bool may_update(const struct tw_settings *settings, const struct tw_gate_item *item)
{
    const char *name = settings->update;
    if (!name[0])
        return true;
    if (item->drift->world_count > 0)
        return refuse_update(item, name, item->drift->world[0].name);
    for (int32_t i = 0; i < item->drift->node_count; i++) {
        const struct tw_node_drift *node = &item->drift->nodes[i];
        if (is_cause(node) && strcmp(path_of(node), name) != 0)
            return refuse_update(item, name, path_of(node));
    }
    return true;
}

/* Returns whether any recipe has, or had, the node that --update names; reports an unknown one. */
static bool knows_node(const char *name, const struct tw_gate_item *items, int32_t count)
{
    struct tw_suggestion suggestion = {.unknown = name};
    struct tw_error error;
    for (int32_t i = 0; i < count; i++) {
        if (tw_snapshot_find(items[i].before, name) || tw_snapshot_find(items[i].after, name))
            return true;
        for (int32_t n = 0; n < items[i].after->node_count; n++)
            tw_suggest_offer(&suggestion, items[i].after->nodes[n].path);
    }
    tw_error_set(&error, TW_USAGE, "--update=%s: there is no node of that name", name);
    tw_suggest_to(&suggestion, &error);
    tw_console_error(&error);
    return false;
}

static int update(const struct tw_settings *settings, struct tw_gate_item *items, int32_t count)
{
    int code = 0;
    if (settings->update[0] && !knows_node(settings->update, items, count))
        return tw_status_exit_code(TW_USAGE);
    for (int32_t i = 0; code == 0 && i < count; i++) {
        items[i].after->given = items[i].before->given;
        tw_within_keep(&items[i]);
        if (!may_update(settings, &items[i]))
            code = tw_status_exit_code(TW_DIFFERENCE);
    }
    return code == 0 ? tw_gate_write_locks(settings, items, count) : code;
}

/* ---- the command ---- */

static const struct tw_result_drift *find_drift(const struct tw_drift *drift, const char *name,
                                                bool is_export)
{
    for (int32_t i = 0; i < drift->result_count; i++)
        if (drift->results[i].is_export == is_export && strcmp(drift->results[i].name, name) == 0)
            return &drift->results[i];
    return NULL;
}

static void add_cases(const struct tw_gate_item *item, bool exports)
{
    const struct tw_snapshot *now = item->after;
    const struct tw_result_facts *facts = exports ? now->exports : now->outputs;
    int32_t count = exports ? now->export_count : now->output_count;
    for (int32_t i = 0; i < count; i++) {
        const struct tw_result_drift *drift = find_drift(item->drift, facts[i].name, exports);
        tw_case_begin(item->file, "%s %s", exports ? "export" : "output", facts[i].name);
        if (drift)
            tw_case_fail("sha256 %s -> %s", drift->before ? drift->before->sha256 : "none",
                         drift->after ? drift->after->sha256 : "none");
    }
    for (int32_t i = 0; i < item->drift->result_count; i++) {
        const struct tw_result_drift *drift = &item->drift->results[i];
        if (drift->after || drift->is_export != exports)
            continue;
        tw_case_begin(item->file, "%s %s", exports ? "export" : "output", drift->name);
        tw_case_fail("it is missing");
    }
    tw_case_end();
}

static bool any_differs(const struct tw_gate_item *items, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        if (items[i].verdict == TW_GATE_DIFFERS)
            return true;
    return false;
}

static void print_items(const struct tw_settings *settings, const struct tw_gate_item *items,
                        int32_t count, const char *page)
{
    for (int32_t i = 0; i < count; i++)
        if (!settings->quiet || items[i].verdict == TW_GATE_DIFFERS)
            tw_gate_print(stdout, &items[i]);
    if (!page[0])
        return;
    fputs("pictures and all numbers: ", stdout);
    tw_text_write(stdout, page, TW_TEXT_TERMINAL);
    fputs("\n", stdout);
}

static int report(const struct tw_settings *settings, struct tw_gate_item *items, int32_t count,
                  int32_t computed)
{
    char page[PATH_MAX] = "";
    const int worst = tw_gate_worst(items, count);
    bool drifted = any_differs(items, count);
    bool whole = worst <= tw_status_exit_code(TW_DIFFERENCE);
    int code = worst, failed = drifted ? tw_gate_write_page(settings, items, count, count) : 0;
    if (drifted && failed == 0)
        snprintf(page, sizeof page, "%s/index.html", settings->out);
    if (failed != 0)
        code = failed > worst ? failed : worst; /* without its page, updates no lock */
    else if (settings->update && whole)
        code = update(settings, items, count);
    if (settings->json)
        tw_gate_json(items, count, computed, page[0] ? page : NULL);
    else if (!tw_console_is_stdout(settings->events))
        print_items(settings, items, count, page);
    for (int32_t i = 0; i < count; i++) {
        if (!items[i].drift)
            continue;
        add_cases(&items[i], false);
        add_cases(&items[i], true);
        if (items[i].verdict == TW_GATE_DIFFERS)
            tw_annotate_drift(&items[i]);
    }
    return code;
}

/* Checks, before anything is computed, that the page and the locks can be written. */
static int check_outputs(const struct tw_settings *settings, const struct tw_gate_item *items,
                         int32_t count)
{
    struct tw_error error;
    if (tw_file_check_place(settings->out, "index.html", &error) != TW_OK) {
        snprintf(error.hint, sizeof error.hint, "a difference would have no pictures");
        tw_console_diagnostic(NULL, false, &error, NULL); /* most recipes match their lock */
    }
    int code = tw_gate_check_page(settings, items, count, count);
    return code == 0 && settings->update ? tw_gate_check_locks(items, count) : code;
}

static int send_recipes(const struct tw_settings *settings, const struct tw_gate_item *items,
                        int32_t count)
{
    const char **files = calloc((size_t)count + 1, sizeof *files);
    struct tw_recipe **recipes = calloc((size_t)count + 1, sizeof *recipes);
    struct tw_error error = {.status = TW_OK};
    struct tw_recipes_work work = {settings, "verify", files, recipes, 0};
    for (int32_t i = 0; files && recipes && i < count; i++) {
        if (items[i].code != 0)
            continue;
        files[work.count] = items[i].file;
        recipes[work.count++] = items[i].recipe;
    }
    enum tw_status status = TW_OK;
    if (!files || !recipes)
        status = tw_error_set(&error, TW_MEMORY, "out of memory");
    else if (work.count > 0)
        status = tw_recipes_on_cluster(&work, &error);
    free(files);
    free(recipes);
    if (status == TW_CANCELLED)
        return tw_stop_exit_code();
    return status == TW_OK ? 0 : tw_console_error(&error);
}

static void load(const struct tw_settings *settings, struct tw_gate_item *item)
{
    struct tw_error error = {.status = TW_OK};
    int code = tw_gate_read_lock(settings, item, &error);
    if (code != 0) {
        tw_gate_fail(item, TW_GATE_NO_LOCK, code, &error);
        return;
    }
    code = tw_gate_load(settings, item->file, item, &item->recipe, &error);
    if (code != 0)
        tw_gate_fail(item, TW_GATE_FAILED, code, &error);
}

/* Verifies all recipes. A failure of one becomes its verdict; a failure of a whole step ends the
 * command with its exit code. */
static int verify(const struct tw_settings *settings, struct tw_gate_item *items, int32_t count)
{
    int32_t computed = 0;
    for (int32_t i = 0; i < count; i++)
        load(settings, &items[i]);
    tw_case_end();
    int code = check_outputs(settings, items, count);
    if (code == 0 && settings->on == TW_ON_SLURM)
        code = send_recipes(settings, items, count);
    if (code == 0)
        code = tw_gate_take(settings, items, count, true, &computed);
    if (code != 0)
        return code;
    check_locks(items, count);
    code = compare_all(settings, items, count);
    return code == 0 ? report(settings, items, count, computed) : code;
}

int tw_cmd_verify(const struct tw_settings *settings, char **operands)
{
    int32_t count = settings->operand_count;
    if (!tw_stdin_check("verify", settings, operands, false))
        return tw_status_exit_code(TW_USAGE);
    if (settings->embed && count > 1)
        return tw_console_usage("--embed is for one recipe; there are %d", (int)count);
    int refused = tw_recipes_check_cluster(settings, NULL);
    if (refused != 0)
        return refused;
    struct tw_gate_item *items = tw_gate_items_create(operands, count);
    tw_stop_catch();
    int code = items ? verify(settings, items, count) : tw_console_no_memory();
    if (items) {
        tw_gate_print_times(settings, items, count);
        tw_gate_print_ending(settings, items, count, code);
    }
    if (items)
        tw_gate_release(items, count);
    return code;
}
