/* SPDX-License-Identifier: MIT */
/* Merges recipes into graphs, and splits the graphs' reports into those of the recipes. */
#include "session/recipe_set.h"

#include "graph/assertion.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tw_output *remap(struct tw_arena *arena, const struct tw_output *from,
                               const int32_t *node_of)
{
    struct tw_output *first = NULL, **end = &first;
    for (; from; from = from->next) {
        struct tw_output *copy = tw_arena_alloc(arena, 1, sizeof *copy);
        if (!copy)
            return NULL;
        *copy = (struct tw_output){
            from->name, {node_of[from->source.node], from->source.port}, NULL, from->part};
        *end = copy;
        end = &copy->next;
    }
    return first;
}

/* Returns the copy of `item`, where `copies` begins with the copy of `from`. */
static const struct tw_export *copy_of(const struct tw_export *item, const struct tw_export *from,
                                       const struct tw_export *copies, const char *only)
{
    for (; from != item; from = from->next)
        copies = tw_run_selects(from, only) ? copies->next : copies;
    return copies;
}

/* Adds a part's exports, with file names relative to the common folder. */
static bool add_exports(struct tw_recipe *merged, const struct tw_recipe_entry *part,
                        const int32_t *node_of, const char *only)
{
    struct tw_export **end = &merged->exports;
    while (*end)
        end = &(*end)->next;
    struct tw_export *const *first = end;
    for (const struct tw_export *from = part->recipe->exports; from; from = from->next) {
        if (!tw_run_selects(from, only))
            continue;
        struct tw_export *copy = tw_arena_alloc(&merged->arena, 1, sizeof *copy);
        if (!copy)
            return false;
        *copy = *from;
        copy->next = NULL;
        copy->file = tw_arena_print(&merged->arena, "%s%s%s", part->inside,
                                    part->inside[0] ? "/" : "", from->file);
        copy->sources = remap(&merged->arena, from->sources, node_of);
        if (from->describes) /* precedes it in the list */
            copy->describes = copy_of(from->describes, part->recipe->exports, *first, only);
        if (!copy->file || !copy->sources)
            return false;
        *end = copy;
        end = &copy->next;
    }
    return true;
}

/* Adds a part's outputs under names with its number: several recipes may have a "height". */
static bool add_outputs(struct tw_recipe *merged, const struct tw_recipe_entry *part, int32_t p,
                        const int32_t *node_of, const char *only)
{
    char name[160];
    for (const struct tw_output *o = part->recipe->outputs; o; o = o->next) {
        if (only && strcmp(o->name, only) != 0)
            continue;
        snprintf(name, sizeof name, "%d %s", (int)p, o->name);
        if (!tw_merge_add_output(merged, name,
                                 (struct tw_source){node_of[o->source.node], o->source.port}))
            return false;
    }
    return true;
}

const char *tw_recipe_set_only(const struct tw_recipe_set *parts, const struct tw_set_graph *graph)
{
    return graph->merged.recipe ? NULL : parts->only;
}

static enum tw_status merge(struct tw_recipe_set *parts, int32_t g, struct tw_error *err)
{
    struct tw_recipe **members = calloc((size_t)parts->count, sizeof *members);
    int32_t count = 0;
    for (int32_t p = 0; members && p < parts->count; p++)
        if (parts->at[p].graph == g)
            members[count++] = parts->at[p].recipe;
    enum tw_status status = members ? tw_merge_all(&parts->graphs[g].merged, members, count, 0, err)
                                    : tw_error_set(err, TW_MEMORY, "out of memory");
    free(members);
    return status;
}

static enum tw_status add_results(struct tw_recipe_set *parts, int32_t g, struct tw_error *err)
{
    struct tw_set_graph *graph = &parts->graphs[g];
    int32_t member = 0;
    assert(graph->merged.recipe);
    graph->recipe = graph->merged.recipe;
    for (int32_t p = 0; p < parts->count; p++) {
        const struct tw_recipe_entry *part = &parts->at[p];
        if (part->graph != g)
            continue;
        graph->folder = part->place.base; /* the same for all */
        const int32_t *node_of = graph->merged.node_of[member++];
        if (!add_outputs(graph->recipe, part, p, node_of, parts->only) ||
            !add_exports(graph->recipe, part, node_of, parts->only) ||
            !tw_assertion_merge(graph->recipe, part->recipe, node_of, parts->only))
            return tw_error_set(err, TW_MEMORY, "out of memory");
    }
    return TW_OK;
}

/* Returns the part's index among the parts of its graph. */
static int32_t member_of(const struct tw_recipe_set *parts, const struct tw_recipe_entry *part)
{
    int32_t member = 0;
    for (const struct tw_recipe_entry *at = parts->at; at < part; at++)
        member += at->graph == part->graph;
    return member;
}

/* Returns the index in the graph of the part's node i. */
static int32_t node_in_graph(const struct tw_recipe_set *parts, const struct tw_recipe_entry *part,
                             int32_t i)
{
    const struct tw_merged *merged = &parts->graphs[part->graph].merged;
    return merged->recipe ? merged->node_of[member_of(parts, part)][i] : i;
}

const struct tw_node *tw_recipe_set_find_node(const struct tw_recipe_set *parts,
                                              const struct tw_recipe_entry *part, int32_t i)
{
    const struct tw_merged *merged = &parts->graphs[part->graph].merged;
    return merged->recipe
               ? tw_merge_find_node(part->recipe, merged->node_of[member_of(parts, part)], i)
               : &part->recipe->nodes[i];
}

/* Walks both lists in step: a graph lists its parts' exports in the order of the parts. */
const struct tw_export *tw_recipe_set_find_export(const struct tw_recipe_set *parts,
                                                  const struct tw_recipe_entry *part,
                                                  const struct tw_export *item)
{
    const struct tw_export *in_graph = parts->graphs[part->graph].recipe->exports;
    if (!parts->graphs[part->graph].merged.recipe)
        return item;
    for (const struct tw_recipe_entry *at = parts->at; at <= part; at++)
        for (const struct tw_export *own = at->recipe->exports; own; own = own->next) {
            if (at->graph != part->graph || !tw_run_selects(own, parts->only))
                continue;
            if (at == part && in_graph == item)
                return own;
            in_graph = in_graph->next;
        }
    return NULL;
}

/* Adds the seconds that the nodes took in the part's last run. */
static bool add_expected(struct tw_recipe_set *parts, const struct tw_recipe_entry *part)
{
    struct tw_set_graph *graph = &parts->graphs[part->graph];
    double *own = tw_history_expected(part->history, part->recipe);
    for (int32_t i = 0; own && i < part->recipe->count; i++) {
        double *to = &graph->expected[node_in_graph(parts, part, i)];
        graph->weight += own[i] - *to;
        *to = own[i];
    }
    free(own);
    return own != NULL;
}

const double *tw_recipe_set_expected(struct tw_recipe_set *parts, int32_t g)
{
    struct tw_set_graph *graph = &parts->graphs[g];
    if (graph->expected)
        return graph->expected;
    graph->expected = calloc((size_t)graph->recipe->count + 1, sizeof *graph->expected);
    bool ok = graph->expected != NULL;
    for (int32_t p = 0; ok && p < parts->count; p++)
        ok = parts->at[p].graph != g || add_expected(parts, &parts->at[p]);
    if (!ok) {
        free(graph->expected);
        graph->expected = NULL;
    }
    return graph->expected;
}

/* Assigns part p, and those after it that may share its graph, to a new graph; returns their
 * number. */
static int32_t take_members(struct tw_recipe_set *parts, int32_t p)
{
    int32_t members = 0;
    for (int32_t q = p; q < parts->count; q++)
        if (parts->at[q].graph < 0 &&
            strcmp(parts->at[p].place.base, parts->at[q].place.base) == 0 &&
            tw_merge_may_share(parts->at[p].recipe, parts->at[q].recipe)) {
            parts->at[q].graph = parts->graph_count;
            members++;
        }
    return members;
}

enum tw_status tw_recipe_set_join(struct tw_recipe_set *parts, const char *cache_dir,
                                  struct tw_error *err)
{
    enum tw_status status = TW_OK;
    for (int32_t p = 0; status == TW_OK && p < parts->count; p++) {
        if (parts->at[p].graph >= 0)
            continue;
        int32_t members = take_members(parts, p), g = parts->graph_count++;
        parts->graphs[g] =
            (struct tw_set_graph){.recipe = parts->at[p].recipe, .folder = parts->at[p].folder};
        if (members > 1 && !parts->shown)
            status = merge(parts, g, err);
        if (members > 1 && !parts->shown && status == TW_OK)
            status = add_results(parts, g, err);
    }
    for (int32_t p = 0; cache_dir && status == TW_OK && p < parts->count; p++)
        parts->at[p].history = tw_history_load(cache_dir, parts->at[p].file);
    return status;
}

static void share_nodes(const struct tw_recipe_set *parts, struct tw_recipe_entry *part)
{
    const struct tw_set_graph *graph = &parts->graphs[part->graph];
    struct tw_run_summary *report = &part->report;
    bool known = graph->report.node_count == graph->recipe->count;
    report->nodes = calloc((size_t)part->recipe->count + 1, sizeof *report->nodes);
    for (int32_t i = 0; report->nodes && known && i < part->recipe->count; i++) {
        report->nodes[i] = graph->report.nodes[node_in_graph(parts, part, i)];
        report->needed += report->nodes[i].outcome != TW_OUTCOME_NOT_NEEDED;
        report->node_count = i + 1;
    }
}

/* Copies this part's entries from the graph's report, which lists exports in the order of the
 * parts. *next is the index of the part's first one and moves past its last. */
static void share_exports(const struct tw_recipe_set *parts, struct tw_recipe_entry *part,
                          int32_t *next)
{
    const struct tw_run_summary *all = &parts->graphs[part->graph].report;
    struct tw_run_summary *report = &part->report;
    report->exports = calloc((size_t)all->export_count + 1, sizeof *report->exports);
    for (const struct tw_export *e = part->recipe->exports; report->exports && e; e = e->next) {
        if (!tw_run_selects(e, parts->only) || *next >= all->export_count)
            continue;
        report->exports[report->export_count] = all->exports[(*next)++];
        report->exports[report->export_count++].item = e;
    }
}

void tw_recipe_set_share_summary(struct tw_recipe_set *parts, int32_t g)
{
    const struct tw_run_summary *all = &parts->graphs[g].report;
    int32_t next = 0;
    for (int32_t p = 0; p < parts->count; p++) {
        struct tw_recipe_entry *part = &parts->at[p];
        if (part->graph != g)
            continue;
        part->report =
            (struct tw_run_summary){.peak_bytes = all->peak_bytes, .used_bytes = all->used_bytes};
        share_nodes(parts, part);
        share_exports(parts, part, &next);
    }
}
