/* SPDX-License-Identifier: MIT */
#include "gate/drift.h"

#include "graph/names.h"

#include <stdlib.h>
#include <string.h>

const char *const tw_drift_names[] = {"added", "removed", "changed", "follows"};

static bool equal(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

/* A fact joins several sources of one input by tabs; returns them as a list for people. */
static const char *list_sources(struct tw_arena *arena, const char *value)
{
    if (!value || !strchr(value, '\t'))
        return value;
    char *list = tw_arena_alloc(arena, 2 * strlen(value) + 1, 1);
    for (char *to = list; to && *value; value++)
        if (*value == '\t') {
            *to++ = ',';
            *to++ = ' ';
        } else {
            *to++ = *value;
        }
    return list;
}

static struct tw_change change_of(struct tw_arena *arena, const char *name, const char *before,
                                  const char *after)
{
    if (strncmp(name, "inputs.", 7) != 0)
        return (struct tw_change){name, before, after};
    return (struct tw_change){name, list_sources(arena, before), list_sources(arena, after)};
}

/* Lists the differences of two lists of facts, those of `after` first; NULL if memory runs out. */
static struct tw_change *compare_facts(struct tw_arena *arena, const struct tw_facts *before,
                                       const struct tw_facts *after, int32_t *count)
{
    size_t most = (size_t)before->count + (size_t)after->count + 2;
    struct tw_change *changes = tw_arena_alloc(arena, most, sizeof *changes);
    *count = 0;
    for (int32_t i = 0; changes && i < after->count; i++) {
        const char *old = tw_facts_find(before, after->at[i].name);
        if (!equal(old, after->at[i].value))
            changes[(*count)++] = change_of(arena, after->at[i].name, old, after->at[i].value);
    }
    for (int32_t i = 0; changes && i < before->count; i++)
        if (!tw_facts_find(after, before->at[i].name))
            changes[(*count)++] = change_of(arena, before->at[i].name, before->at[i].value, NULL);
    return arena->failed ? NULL : changes;
}

/* Returns the first output that both states used and whose content differs. */
static const char *find_port(const struct tw_snapshot_node *before,
                             const struct tw_snapshot_node *after)
{
    for (int32_t i = 0; i < after->contents.count; i++) {
        const char *old = tw_facts_find(&before->contents, after->contents.at[i].name);
        if (old && strcmp(old, after->contents.at[i].value) != 0)
            return after->contents.at[i].name;
    }
    return NULL;
}

static bool add_node(struct tw_drift *drift, const struct tw_snapshot_node *before,
                     const struct tw_snapshot_node *after)
{
    struct tw_node_drift node = {.before = before, .after = after};
    if (before && after) {
        node.causes =
            compare_facts(&drift->arena, &before->causes, &after->causes, &node.cause_count);
        if (!node.causes)
            return false;
        node.port = find_port(before, after);
        if (node.cause_count == 0 && !node.port)
            return true;
        node.kind = node.cause_count > 0 ? TW_DRIFT_CHANGED : TW_DRIFT_FOLLOWED;
    } else {
        node.kind = after ? TW_DRIFT_ADDED : TW_DRIFT_REMOVED;
    }
    bool runs = after && after->contents.count > 0;
    if (drift->first < 0 && (node.port || node.kind == TW_DRIFT_ADDED || (after && !runs)))
        drift->first = drift->node_count;
    drift->nodes[drift->node_count++] = node;
    return true;
}

/* Takes linear time, for large graphs. */
static bool compare_nodes(struct tw_drift *drift, const struct tw_snapshot *before,
                          const struct tw_snapshot *after)
{
    struct tw_names names = {0};
    bool ok = true;
    size_t most = (size_t)before->node_count + (size_t)after->node_count + 1;
    drift->nodes = tw_arena_alloc(&drift->arena, most, sizeof *drift->nodes);
    for (int32_t i = 0; ok && i < before->node_count; i++) {
        struct tw_name *name = tw_names_entry(&names, before, before->nodes[i].path);
        ok = name != NULL;
        if (name)
            name->thing = &before->nodes[i];
    }
    for (int32_t i = 0; ok && drift->nodes && i < after->node_count; i++) {
        const char *path = after->nodes[i].path;
        struct tw_name *name = tw_names_entry(&names, after, path);
        ok = name && add_node(drift, tw_names_find(&names, before, path), &after->nodes[i]);
        if (name)
            name->thing = &after->nodes[i];
    }
    for (int32_t i = 0; ok && drift->nodes && i < before->node_count; i++)
        if (!tw_names_find(&names, after, before->nodes[i].path))
            ok = add_node(drift, &before->nodes[i], NULL);
    tw_names_release(&names);
    return ok && drift->nodes;
}

/* Whether two nodes differ in their seed only, as a random node does from itself before it was
 * renamed. */
static bool are_renamed(const struct tw_facts *before, const struct tw_facts *after)
{
    const char *old = tw_facts_find(before, "seed"), *now = tw_facts_find(after, "seed");
    if (!old || !now || strcmp(old, now) == 0 || before->count != after->count)
        return false;
    for (int32_t i = 0; i < after->count; i++)
        if (strcmp(after->at[i].name, "seed") != 0 &&
            !equal(tw_facts_find(before, after->at[i].name), after->at[i].value))
            return false;
    return true;
}

static void find_renamed(struct tw_drift *drift)
{
    int32_t looked = 0;
    for (int32_t i = 0; i < drift->node_count; i++)
        for (int32_t k = 0; drift->nodes[i].kind == TW_DRIFT_ADDED && k < drift->node_count; k++) {
            struct tw_node_drift *now = &drift->nodes[i];
            const struct tw_node_drift *old = &drift->nodes[k];
            if (old->kind != TW_DRIFT_REMOVED || ++looked > 100000 ||
                !are_renamed(&old->before->causes, &now->after->causes))
                continue;
            now->renamed = old->before->path;
            break;
        }
}

static const struct tw_result_facts *find_result(const struct tw_result_facts *list, int32_t count,
                                                 const char *name)
{
    for (int32_t i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0)
            return &list[i];
    return NULL;
}

static void compare_results(struct tw_drift *drift, const struct tw_result_facts *before,
                            int32_t before_count, const struct tw_result_facts *after,
                            int32_t after_count, bool is_export)
{
    for (int32_t i = 0; i < after_count; i++) {
        const struct tw_result_facts *old = find_result(before, before_count, after[i].name);
        if (!old || strcmp(old->sha256, after[i].sha256) != 0)
            drift->results[drift->result_count++] =
                (struct tw_result_drift){after[i].name, is_export, old, &after[i]};
    }
    for (int32_t i = 0; i < before_count; i++)
        if (!find_result(after, after_count, before[i].name))
            drift->results[drift->result_count++] =
                (struct tw_result_drift){before[i].name, is_export, &before[i], NULL};
}

/* Ignores facts that old locks did not record: the recipe's seed, and whether it has a `world:`. */
static void drop_unrecorded(struct tw_drift *drift)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < drift->world_count; i++)
        if (drift->world[i].before || (strcmp(drift->world[i].name, "seed") != 0 &&
                                       strcmp(drift->world[i].name, "given") != 0))
            drift->world[kept++] = drift->world[i];
    drift->world_count = kept;
}

static bool compare(struct tw_drift *drift, const struct tw_snapshot *before,
                    const struct tw_snapshot *after)
{
    size_t results = (size_t)before->output_count + (size_t)before->export_count +
                     (size_t)after->output_count + (size_t)after->export_count + 1;
    drift->results = tw_arena_alloc(&drift->arena, results, sizeof *drift->results);
    drift->world = compare_facts(&drift->arena, &before->world, &after->world, &drift->world_count);
    if (!drift->results || !drift->world)
        return false;
    drop_unrecorded(drift);
    if (strcmp(before->engine, after->engine) != 0)
        drift->world[drift->world_count++] =
            (struct tw_change){"engine", before->engine, after->engine};
    compare_results(drift, before->outputs, before->output_count, after->outputs,
                    after->output_count, false);
    compare_results(drift, before->exports, before->export_count, after->exports,
                    after->export_count, true);
    if (!compare_nodes(drift, before, after))
        return false;
    find_renamed(drift);
    return true;
}

struct tw_drift *tw_drift_find(const struct tw_snapshot *before, const struct tw_snapshot *after)
{
    struct tw_drift *drift = calloc(1, sizeof *drift);
    if (!drift)
        return NULL;
    drift->first = -1;
    if (compare(drift, before, after))
        return drift;
    tw_drift_release(drift);
    return NULL;
}

void tw_drift_release(struct tw_drift *drift)
{
    if (drift)
        tw_arena_release(&drift->arena);
    free(drift);
}

bool tw_drift_matters(const struct tw_drift *drift) { return drift->result_count > 0; }
