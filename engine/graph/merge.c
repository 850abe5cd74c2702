/* SPDX-License-Identifier: MIT */
/* Nodes are equal when type, parameters, seed and the (already merged) sources are. Parts come
 * sorted, sources first, so one pass suffices. */
#include "graph/merge.h"

#include "node/param.h"

#include <stdlib.h>
#include <string.h>

static bool same_table(const struct tw_table *a, const struct tw_table *b)
{
    size_t count = (size_t)a->rows * (size_t)a->columns;
    return a->rows == b->rows && a->columns == b->columns &&
           (count == 0 || memcmp(a->at, b->at, count * sizeof *a->at) == 0);
}

static bool same_params(const struct tw_node *a, const struct tw_node *b)
{
    char one[512], two[512];
    for (const struct tw_param *row = a->type->params; row && row->name; row++) {
        const unsigned char *left = a->params, *right = b->params;
        if (row->kind == TW_KIND_TABLE) {
            if (!same_table((const struct tw_table *)(left + row->offset),
                            (const struct tw_table *)(right + row->offset)))
                return false;
            continue;
        }
        tw_param_print(row, a->params, one, sizeof one);
        tw_param_print(row, b->params, two, sizeof two);
        if (strcmp(one, two) != 0 ||
            (row->kind == TW_KIND_FILE && strcmp(a->folder, b->folder) != 0))
            return false;
    }
    return true;
}

static bool is_same(const struct tw_node *a, const struct tw_node *b, const int32_t *node_of)
{
    if (a->type != b->type || a->seed_key != b->seed_key || a->input_count != b->input_count)
        return false;
    for (int32_t i = 0; i < b->input_count; i++) {
        int32_t from = b->inputs[i].node < 0 ? -1 : node_of[b->inputs[i].node];
        if (a->inputs[i].node != from || a->inputs[i].port != b->inputs[i].port)
            return false;
    }
    return same_params(a, b);
}

struct tw_recipe *tw_merge_new(const struct tw_recipe *first, int32_t nodes)
{
    struct tw_recipe *merged = calloc(1, sizeof *merged);
    if (!merged)
        return NULL;
    merged->file = first->file;
    merged->about = first->about;
    merged->width = first->width;
    merged->height = first->height;
    merged->seed = first->seed;
    merged->world = first->world;
    merged->allow = first->allow;
    merged->nodes = tw_arena_alloc(&merged->arena, (size_t)nodes + 1, sizeof *merged->nodes);
    if (merged->nodes)
        return merged;
    free(merged);
    return NULL;
}

static struct tw_source *rename_inputs(struct tw_recipe *merged, const struct tw_node *node,
                                       const int32_t *node_of)
{
    struct tw_source *inputs =
        tw_arena_alloc(&merged->arena, (size_t)node->input_count + 1, sizeof *inputs);
    for (int32_t i = 0; inputs && i < node->input_count; i++) {
        inputs[i] = node->inputs[i];
        if (inputs[i].node >= 0)
            inputs[i].node = node_of[inputs[i].node];
    }
    return inputs;
}

enum tw_status tw_merge_add(struct tw_recipe *merged, const struct tw_recipe *part,
                            int32_t *node_of, struct tw_error *err)
{
    for (int32_t i = 0; i < part->count; i++) {
        const struct tw_node *node = &part->nodes[i];
        int32_t at = 0;
        while (at < merged->count && !is_same(&merged->nodes[at], node, node_of))
            at++;
        node_of[i] = at;
        if (at < merged->count)
            continue;
        struct tw_source *inputs = rename_inputs(merged, node, node_of);
        if (!inputs)
            return tw_error_set(err, TW_MEMORY, "out of memory");
        merged->nodes[merged->count] = *node;
        merged->nodes[merged->count++].inputs = inputs;
    }
    return TW_OK;
}

int32_t tw_merge_add_view(struct tw_recipe *merged, const struct tw_node_type *type,
                          struct tw_source source)
{
    int32_t edges = tw_node_count_ports(type->inputs);
    struct tw_source *inputs = tw_arena_alloc(&merged->arena, (size_t)edges + 1, sizeof *inputs);
    void *params = tw_arena_alloc(&merged->arena, type->params_size + 1, 1);
    if (!inputs || !params)
        return -1;
    for (int32_t i = 1; i < edges; i++)
        inputs[i].node = -1;
    inputs[0] = source;
    tw_param_defaults(type, params);
    struct tw_node *node = &merged->nodes[merged->count];
    *node = (struct tw_node){.path = "(view)",
                             .type = type,
                             .params = params,
                             .inputs = inputs,
                             .input_count = tw_node_fixed_inputs(type),
                             .folder = ".",
                             .place = merged->nodes[source.node].place};
    return merged->count++;
}

bool tw_merge_add_output(struct tw_recipe *merged, const char *name, struct tw_source source)
{
    struct tw_output *output = tw_arena_alloc(&merged->arena, 1, sizeof *output);
    char *kept = tw_arena_copy(&merged->arena, name, strlen(name));
    if (!output || !kept)
        return false;
    *output = (struct tw_output){kept, source, merged->outputs};
    merged->outputs = output;
    return true;
}
