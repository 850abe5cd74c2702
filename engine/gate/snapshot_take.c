/* SPDX-License-Identifier: MIT */
/* Runs recipes and records their nodes, parameters and results. */
#include "gate/snapshot_private.h"

#include "graph/assertion.h"
#include "graph/merge.h"
#include "task/task.h"

#include <stdlib.h>
#include <string.h>

void tw_snapshot_release(struct tw_snapshot *snapshot)
{
    if (!snapshot)
        return;
    tw_arena_release(&snapshot->arena);
    free(snapshot);
}

const struct tw_snapshot_node *tw_snapshot_find(const struct tw_snapshot *snapshot,
                                                const char *path)
{
    for (int32_t i = 0; i < snapshot->node_count; i++)
        if (strcmp(snapshot->nodes[i].path, path) == 0)
            return &snapshot->nodes[i];
    return NULL;
}

/* ---- one graph of several recipes ---- */

struct group {
    const struct tw_snapshot_request *request;
    struct tw_merged merged;
    struct tw_recipe **recipes; /* by member, like the next two */
    int32_t *numbers;           /* index among all recipes */
    bool *failed;
    int32_t count;
    struct tw_run_summary report;
    struct tw_result *result;
};

static bool create_group(struct group *group, int32_t capacity)
{
    group->recipes = calloc((size_t)capacity + 1, sizeof *group->recipes);
    group->numbers = calloc((size_t)capacity + 1, sizeof *group->numbers);
    group->failed = calloc((size_t)capacity + 1, sizeof *group->failed);
    return group->recipes && group->numbers && group->failed;
}

static void add_member(struct group *group, struct tw_recipe *const *recipes, int32_t number)
{
    group->numbers[group->count] = number;
    group->recipes[group->count++] = recipes[number];
}

static void release_group(struct group *group)
{
    tw_merged_release(&group->merged);
    tw_run_summary_release(&group->report);
    tw_result_release(group->result);
    free(group->recipes);
    free(group->numbers);
    free(group->failed);
}

/* Names that no recipe can use: "2 output 0", "2 export 0 1". Numbered, since a recipe's own names
 * may be longer than any array here. */
static void output_key(char *text, size_t size, int32_t recipe, int32_t output)
{
    snprintf(text, size, "%d output %d", (int)recipe, (int)output);
}

static void export_key(char *text, size_t size, int32_t recipe, int32_t item, int32_t source)
{
    snprintf(text, size, "%d export %d %d", (int)recipe, (int)item, (int)source);
}

static bool add_goal(struct group *group, const char *name, struct tw_source source,
                     const int32_t *node_of)
{
    return tw_merge_add_output(group->merged.recipe, name,
                               (struct tw_source){node_of[source.node], source.port});
}

static bool add_goals(struct group *group, int32_t r)
{
    const struct tw_recipe *recipe = group->recipes[r];
    const int32_t *node_of = group->merged.node_of[r];
    char name[64];
    bool ok = true;
    int32_t output = 0, item = 0;
    for (const struct tw_output *o = recipe->outputs; ok && o; o = o->next) {
        output_key(name, sizeof name, r, output++);
        ok = add_goal(group, name, o->source, node_of);
    }
    for (const struct tw_export *e = recipe->exports; e; e = e->next, item++) {
        int32_t source = 0;
        for (const struct tw_output *o = e->sources; ok && o; o = o->next) {
            export_key(name, sizeof name, r, item, source++);
            ok = add_goal(group, name, o->source, node_of);
        }
    }
    return ok;
}

static enum tw_status merge(struct group *group, struct tw_error *err)
{
    enum tw_status status = tw_merge_all(&group->merged, group->recipes, group->count, 0, err);
    for (int32_t r = 0; status == TW_OK && r < group->count; r++)
        if (!add_goals(group, r) || !tw_assertion_merge(group->merged.recipe, group->recipes[r],
                                                        group->merged.node_of[r], NULL))
            status = tw_error_set(err, TW_MEMORY, "out of memory");
    return status;
}

/* ---- recording ---- */

/* For each node, a bit mask of the output ports that the recipe uses. */
static unsigned *find_used(struct tw_arena *arena, const struct tw_recipe *recipe)
{
    unsigned *used = tw_arena_alloc(arena, (size_t)recipe->count + 1, sizeof *used);
    for (int32_t i = 0; used && i < recipe->count; i++)
        for (int32_t edge = 0; edge < recipe->nodes[i].input_count; edge++) {
            struct tw_source source = recipe->nodes[i].inputs[edge];
            if (source.node >= 0)
                used[source.node] |= 1u << source.port;
        }
    for (const struct tw_output *o = recipe->outputs; used && o; o = o->next)
        used[o->source.node] |= 1u << o->source.port;
    for (const struct tw_export *e = recipe->exports; used && e; e = e->next)
        for (const struct tw_output *o = e->sources; o; o = o->next)
            used[o->source.node] |= 1u << o->source.port;
    return used;
}

static bool add_contents(struct tw_snapshot *snapshot, const struct tw_node *node, unsigned used,
                         const struct tw_node_summary *report, struct tw_facts *contents)
{
    char hex[2 * sizeof(struct tw_digest) + 1];
    bool ok = true;
    for (int port = 0; ok && node->type->outputs[port].name; port++) {
        if (!(used >> port & 1))
            continue;
        tw_hex(report->outputs[port].digest.at, sizeof report->outputs[port].digest.at, hex);
        ok = tw_facts_add(&snapshot->arena, contents, node->type->outputs[port].name, hex);
    }
    return ok;
}

/* Records the file's digest, not its name; for a file without a header also its layout. */
static enum tw_status add_file(struct tw_snapshot *snapshot, const struct tw_recipe *recipe,
                               const struct tw_node *node, struct tw_facts *causes,
                               struct tw_error *err)
{
    struct tw_key_file file;
    bool has = false;
    char hex[2 * sizeof file.bytes.at + 1];
    enum tw_status status = tw_task_file_state(recipe, node, &has, &file, err);
    if (status != TW_OK || !has)
        return status;
    tw_hex(file.bytes.at, sizeof file.bytes.at, hex);
    if (!tw_facts_add(&snapshot->arena, causes, "file", hex) ||
        (file.layout[0] && !tw_facts_add(&snapshot->arena, causes, "layout", file.layout)))
        return tw_error_set(err, TW_MEMORY, "out of memory");
    return TW_OK;
}

/* Skips nodes that the recipe does not need: they decide nothing. */
static enum tw_status add_nodes(struct tw_snapshot *snapshot, struct tw_recipe *recipe,
                                const int32_t *node_of, const struct tw_node_summary *nodes,
                                struct tw_error *err)
{
    const unsigned *used = find_used(&snapshot->arena, recipe);
    const bool *needed = tw_graph_needed(recipe);
    enum tw_status status = TW_OK;
    snapshot->nodes =
        tw_arena_alloc(&snapshot->arena, (size_t)recipe->count + 1, sizeof *snapshot->nodes);
    if (!used || !needed || !snapshot->nodes)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    for (int32_t i = 0; status == TW_OK && i < recipe->count; i++) {
        const struct tw_node *node = &recipe->nodes[i];
        const struct tw_node_summary *report = &nodes[node_of[i]];
        if (!needed[i] || recipe->nodes[i].assertion)
            continue;
        struct tw_snapshot_node *to = &snapshot->nodes[snapshot->node_count++];
        to->path = tw_arena_copy(&snapshot->arena, node->path, strlen(node->path));
        bool computed = report->outcome == TW_OUTCOME_COMPUTED;
        snapshot->computed += computed;
        snapshot->seconds += computed ? report->seconds : 0;
        bool ok = to->path && tw_snapshot_add_causes(snapshot, recipe, node, &to->causes) &&
                  add_contents(snapshot, node, used[i], report, &to->contents);
        status = ok ? TW_OK : tw_error_set(err, TW_MEMORY, "out of memory");
        if (status == TW_OK)
            status = add_file(snapshot, recipe, node, &to->causes, err);
        tw_facts_sort(&to->causes);
    }
    return status;
}

static enum tw_status add_results(struct tw_snapshot *snapshot, const struct group *group,
                                  int32_t r, struct tw_error *err)
{
    const struct tw_recipe *recipe = group->recipes[r];
    const struct tw_value *values[TW_INPUTS_MAX];
    char name[64];
    int32_t output = 0, item = 0;
    for (const struct tw_output *o = recipe->outputs; o; o = o->next) {
        output_key(name, sizeof name, r, output++);
        if (!tw_snapshot_add_output(snapshot, o->name, tw_result_output(group->result, name)))
            return tw_error_set(err, TW_MEMORY, "out of memory");
    }
    for (const struct tw_export *e = recipe->exports; e; e = e->next, item++) {
        int32_t source = 0;
        for (const struct tw_output *o = e->sources; o && source < TW_INPUTS_MAX; o = o->next) {
            export_key(name, sizeof name, r, item, source);
            values[source++] = tw_result_output(group->result, name);
        }
        if (!tw_export_is_entry(e))
            continue;
        enum tw_status status = tw_snapshot_add_export(snapshot, e, values, err);
        if (status != TW_OK)
            return status;
    }
    return TW_OK;
}

static struct tw_snapshot *begin(const struct tw_recipe *recipe)
{
    struct tw_snapshot *snapshot = calloc(1, sizeof *snapshot);
    if (!snapshot)
        return NULL;
    snapshot->engine = TW_VERSION;
    if (tw_snapshot_add_world(snapshot, recipe))
        return snapshot;
    tw_snapshot_release(snapshot);
    return NULL;
}

static bool describe_nodes(struct tw_snapshot *snapshot, struct tw_recipe *recipe)
{
    const bool *needed = tw_graph_needed(recipe);
    bool ok = needed != NULL;
    snapshot->nodes =
        tw_arena_alloc(&snapshot->arena, (size_t)recipe->count + 1, sizeof *snapshot->nodes);
    for (int32_t i = 0; ok && snapshot->nodes && i < recipe->count; i++) {
        const char *path = recipe->nodes[i].path;
        if (!needed[i] || recipe->nodes[i].assertion)
            continue;
        struct tw_snapshot_node *to = &snapshot->nodes[snapshot->node_count++];
        to->path = tw_arena_copy(&snapshot->arena, path, strlen(path));
        ok = to->path && tw_snapshot_add_causes(snapshot, recipe, &recipe->nodes[i], &to->causes);
        tw_facts_sort(&to->causes);
    }
    return ok && snapshot->nodes;
}

enum tw_status tw_snapshot_describe(struct tw_recipe *recipe, struct tw_snapshot **snapshot,
                                    struct tw_error *err)
{
    *snapshot = begin(recipe);
    if (*snapshot && describe_nodes(*snapshot, recipe))
        return TW_OK;
    return tw_error_set(err, TW_MEMORY, "out of memory");
}

static enum tw_status describe(const struct group *group, int32_t r, struct tw_snapshot **snapshot,
                               struct tw_error *err)
{
    *snapshot = begin(group->recipes[r]);
    if (!*snapshot)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    enum tw_status status =
        add_nodes(*snapshot, group->recipes[r], group->merged.node_of[r], group->report.nodes, err);
    return status == TW_OK ? add_results(*snapshot, group, r, err) : status;
}

static void fail_member(struct group *group, int32_t r, const struct tw_error *error)
{
    group->failed[r] = true;
    group->request->failed(group->request->context, group->numbers[r], error);
}

/* A node that several recipes share fails in each of them, at its own place there. */
static void on_failed(void *context, const struct tw_run_failure *failure)
{
    struct group *group = context;
    for (int32_t r = 0; r < group->count; r++) {
        struct tw_error error = *failure->error;
        const struct tw_node *own =
            tw_merge_find_node(group->recipes[r], group->merged.node_of[r], failure->node);
        if (!own)
            continue;
        tw_node_locate(&error, own);
        fail_member(group, r, &error);
    }
}

static enum tw_status describe_member(struct group *group, int32_t r, struct tw_snapshot **snapshot,
                                      struct tw_error *err)
{
    enum tw_status status = describe(group, r, snapshot, err);
    if (status == TW_OK || !group->request->failed || !tw_run_goes_on(status))
        return status;
    fail_member(group, r, err);
    tw_snapshot_release(*snapshot);
    *snapshot = NULL;
    return TW_OK;
}

static enum tw_status run_group(struct group *group, struct tw_snapshot **snapshots,
                                struct tw_error *err)
{
    const struct tw_snapshot_request *from = group->request;
    struct tw_run_request request = {.options = from->run,
                                     .judges = from->judges,
                                     .report = &group->report,
                                     .stamp_all = true,
                                     .failed = from->failed ? on_failed : NULL,
                                     .failed_context = group};
    enum tw_status status = merge(group, err);
    if (status == TW_OK && from->observe)
        request.observer = from->observe(from->context, &group->merged, group->recipes);
    if (status == TW_OK)
        status = tw_run_execute(group->merged.recipe, &request, &group->result, err);
    for (int32_t r = 0; status == TW_OK && r < group->count; r++)
        if (!group->failed[r])
            status = describe_member(group, r, &snapshots[group->numbers[r]], err);
    return status;
}

/* ---- groups ---- */

/* Lists the recipes that can share a graph with recipe `first`; none if an earlier recipe already
 * has that graph. */
static void list_members(struct group *group, struct tw_recipe *const *recipes, int32_t count,
                         int32_t first)
{
    for (int32_t i = 0; i < count; i++) {
        if (!tw_merge_may_share(recipes[first], recipes[i]))
            continue;
        if (i < first)
            return;
        add_member(group, recipes, i);
    }
}

static enum tw_status take_group(struct group *group, struct tw_snapshot **snapshots,
                                 int32_t *computed, struct tw_error *err)
{
    enum tw_status status = run_group(group, snapshots, err);
    for (int32_t i = 0; i < group->report.node_count; i++)
        *computed += group->report.nodes[i].outcome == TW_OUTCOME_COMPUTED;
    return status;
}

/* Finds out before anything runs that a graph is too large. */
static enum tw_status check_group(struct group *group, struct tw_error *err)
{
    const struct tw_run_request request = {.options = group->request->run};
    enum tw_status status = merge(group, err);
    return status == TW_OK ? tw_run_check(group->merged.recipe, &request, err) : status;
}

enum tw_status tw_snapshot_take(struct tw_recipe *const *recipes, int32_t count,
                                const struct tw_snapshot_request *request,
                                struct tw_snapshot **snapshots, int32_t *computed,
                                struct tw_error *err)
{
    enum tw_status status = TW_OK;
    int32_t ignored = 0;
    computed = computed ? computed : &ignored;
    *computed = 0;
    memset(snapshots, 0, (size_t)count * sizeof(struct tw_snapshot *));
    for (int32_t turn = 0; turn < 2 * count && status == TW_OK; turn++) {
        bool checks = turn < count; /* checks all graphs before running the first */
        struct group group = {.request = request};
        if (!create_group(&group, count))
            status = tw_error_set(err, TW_MEMORY, "out of memory");
        else
            list_members(&group, recipes, count, turn % count);
        if (status == TW_OK && group.count > 0)
            status =
                checks ? check_group(&group, err) : take_group(&group, snapshots, computed, err);
        release_group(&group);
    }
    for (int32_t i = 0; status != TW_OK && i < count; i++) {
        tw_snapshot_release(snapshots[i]);
        snapshots[i] = NULL;
    }
    return status;
}
