/* SPDX-License-Identifier: MIT */
#include "gate/pairs.h"

#include "graph/merge.h"
#include "node/param.h"

#include <stdlib.h>
#include <string.h>

bool tw_pairs_find_source(const struct tw_recipe *recipe, const char *path, const char *port,
                          struct tw_source *source)
{
    for (int32_t i = 0; i < recipe->count; i++)
        if (strcmp(recipe->nodes[i].path, path) == 0) {
            int at = tw_node_find_port(recipe->nodes[i].type->outputs, port);
            *source = (struct tw_source){i, at};
            return at >= 0;
        }
    return false;
}

bool tw_pairs_field(const struct tw_pair *pair, int32_t i, const char **name, double *old,
                    double *now)
{
    const struct tw_entry *entry = &tw_entries(&pair->now)[i];
    *name = entry->name;
    *now = entry->number;
    for (int32_t k = 0; pair->old.type == TW_RECORD && k < pair->old.width; k++)
        if (strcmp(tw_entries(&pair->old)[k].name, entry->name) == 0) {
            *old = tw_entries(&pair->old)[k].number;
            return *old != *now;
        }
    return false;
}

enum side { BEFORE, AFTER, SIDES };

struct graph {
    struct tw_recipe *merged;
    struct tw_names seen;
    int32_t *node_of[SIDES];
};

static void key(char *text, size_t size, int32_t pair, enum side side, const char *what)
{
    snprintf(text, size, "%d %d %s", (int)pair, (int)side, what);
}

/* The view is drawn without neighbours: its borders do not wrap. */
static bool close_borders(const struct tw_node *node)
{
    char message[200];
    const struct tw_param *row = tw_param_find(node->type->params, "border");
    return row && tw_param_set(row, node->params, "closed", message, sizeof message);
}

/* Heights get a hillshade, so that both states are lit alike. */
static bool add_side(struct graph *graph, int32_t pair, enum side side, struct tw_source source)
{
    const struct tw_registry registry = {NULL};
    const struct tw_node_type *view = tw_registry_find(&registry, "render.hillshade");
    char name[64];
    source.node = graph->node_of[side][source.node];
    key(name, sizeof name, pair, side, "value");
    if (!tw_merge_add_output(graph->merged, name, source))
        return false;
    if (tw_source_type(graph->merged, source) != TW_HEIGHTMAP || !view)
        return true;
    int32_t node = tw_merge_add_node(graph->merged, view, &source, 1);
    key(name, sizeof name, pair, side, "view");
    return node >= 0 && close_borders(&graph->merged->nodes[node]) &&
           tw_merge_add_output(graph->merged, name, (struct tw_source){node, 0});
}

static enum tw_status merge(struct graph *graph, const struct tw_recipe *const *recipes,
                            const struct tw_pair *pairs, int32_t count, struct tw_error *err)
{
    graph->merged = tw_merge_new(recipes[AFTER],
                                 recipes[BEFORE]->count + recipes[AFTER]->count + SIDES * count);
    enum tw_status status = graph->merged ? TW_OK : TW_MEMORY;
    for (int side = AFTER; status == TW_OK && side >= BEFORE; side--) {
        graph->node_of[side] =
            calloc((size_t)recipes[side]->count + 1, sizeof *graph->node_of[side]);
        status = graph->node_of[side] ? tw_merge_add(graph->merged, &graph->seen, recipes[side],
                                                     graph->node_of[side], err)
                                      : TW_MEMORY;
    }
    for (int32_t i = 0; status == TW_OK && i < count; i++)
        if (!add_side(graph, i, BEFORE, pairs[i].before) ||
            !add_side(graph, i, AFTER, pairs[i].after))
            status = TW_MEMORY;
    return status == TW_MEMORY ? tw_error_set(err, status, "out of memory") : status;
}

static enum tw_status take(const struct tw_result *result, int32_t pair, enum side side,
                           const char *what, struct tw_value *to, struct tw_error *err)
{
    char name[64];
    key(name, sizeof name, pair, side, what);
    const struct tw_value *value = tw_result_output(result, name);
    return value ? tw_field_copy(to, value, err) : TW_OK;
}

static enum tw_status take_pair(const struct tw_result *result, int32_t i, struct tw_pair *pair,
                                struct tw_error *err)
{
    enum tw_status status = take(result, i, BEFORE, "value", &pair->old, err);
    if (status == TW_OK)
        status = take(result, i, AFTER, "value", &pair->now, err);
    if (status == TW_OK)
        status = take(result, i, BEFORE, "view", &pair->old_view, err);
    if (status == TW_OK)
        status = take(result, i, AFTER, "view", &pair->now_view, err);
    pair->comparable = status == TW_OK && tw_map_is_comparable(&pair->old, &pair->now);
    if (pair->comparable)
        pair->difference = tw_map_difference_find(&pair->old, &pair->now);
    return status;
}

enum tw_status tw_pairs_run(const struct tw_recipe *before, const struct tw_recipe *after,
                            const struct tw_run_options *options, struct tw_pair *pairs,
                            int32_t count, struct tw_error *err)
{
    const struct tw_recipe *recipes[SIDES] = {before, after};
    const struct tw_run_request request = {.options = options};
    struct graph graph = {0};
    struct tw_result *result = NULL;
    enum tw_status status = merge(&graph, recipes, pairs, count, err);
    if (status == TW_OK)
        status = tw_run_execute(graph.merged, &request, &result, err);
    for (int32_t i = 0; status == TW_OK && i < count; i++)
        status = take_pair(result, i, &pairs[i], err);
    tw_result_release(result);
    tw_recipe_release(graph.merged);
    tw_names_release(&graph.seen);
    free(graph.node_of[BEFORE]);
    free(graph.node_of[AFTER]);
    return status;
}

void tw_pairs_release(struct tw_pair *pairs, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        tw_field_clear(&pairs[i].old);
        tw_field_clear(&pairs[i].now);
        tw_field_clear(&pairs[i].old_view);
        tw_field_clear(&pairs[i].now_view);
    }
}
