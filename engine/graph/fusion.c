/* SPDX-License-Identifier: MIT */
/* Groups grow from their last node, the root, towards its sources. Nodes are visited from last to
 * first, so all users of a node have their group before the node itself. */
#include "graph/fusion.h"

#include <stdlib.h>

enum { BLOCK_CELLS = 4096, CELL_BYTES = 8 }; /* 16 KiB of floats; of the largest type */

int32_t tw_fusion_block_rows(const struct tw_recipe *recipe)
{
    int32_t rows = recipe->width < BLOCK_CELLS ? BLOCK_CELLS / recipe->width : 1;
    return rows < recipe->height ? rows : recipe->height;
}

size_t tw_fusion_block_bytes(const struct tw_recipe *recipe)
{
    size_t cells = (size_t)tw_fusion_block_rows(recipe) * (size_t)recipe->width;
    return (cells * CELL_BYTES + 63) / 64 * 64;
}

bool tw_fusion_is_cellwise(const struct tw_recipe *recipe, const struct tw_node *node)
{
    const struct tw_node_type *type = node->type;
    bool connected = false;
    if (!type->run || type->output_size || type->forecast || tw_node_file_param(type) ||
        tw_node_reach(type, node->params, recipe->width, recipe->height) != TW_REACH_CELL ||
        tw_node_count_ports(type->outputs) != 1 || !tw_type_is_grid(tw_output_type(node, 0)))
        return false;
    for (int32_t i = 0; i < node->input_count; i++) {
        struct tw_source source = node->inputs[i];
        if (source.node < 0)
            continue;
        connected = true;
        if (!tw_type_is_grid(tw_source_type(recipe, source)) ||
            recipe->nodes[source.node].type->output_size)
            return false;
    }
    return connected;
}

/* ---- groups ---- */

/* Returns the root shared by all users of node i, or -1. */
static int32_t common_root(const struct tw_plan *plan, int32_t i)
{
    int32_t root = -1;
    for (int32_t u = plan->first_user[i]; u < plan->first_user[i + 1]; u++) {
        int32_t of_user = plan->fusion.root[plan->users[u]];
        if (root >= 0 && of_user != root)
            return -1;
        root = of_user;
    }
    return root;
}

static bool has_one_source(const struct tw_node *node)
{
    int32_t first = -1;
    for (int32_t i = 0; i < node->input_count; i++) {
        int32_t source = node->inputs[i].node;
        if (source >= 0 && first >= 0 && source != first)
            return false;
        first = source >= 0 ? source : first;
    }
    return true;
}

/* `late`, by root: some input of its group is computed after node i. */
static bool joins(const struct tw_recipe *recipe, const struct tw_plan *plan, int32_t i,
                  const bool *late)
{
    int32_t root = common_root(plan, i);
    return root >= 0 && tw_fusion_is_cellwise(recipe, &recipe->nodes[root]) &&
           tw_fusion_is_cellwise(recipe, &recipe->nodes[i]) &&
           (!late[root] || has_one_source(&recipe->nodes[i]));
}

static void find_groups(const struct tw_recipe *recipe, const bool *is_goal, bool fuse,
                        struct tw_plan *plan, bool *late)
{
    struct tw_fusion *fusion = &plan->fusion;
    for (int32_t i = recipe->count - 1; i >= 0; i--) {
        fusion->root[i] = fusion->first[i] = fusion->next[i] = i;
        fusion->buffer[i] = -1;
        if (!fuse || !plan->needed[i])
            continue;
        if (!is_goal[i] && joins(recipe, plan, i, late)) {
            int32_t root = common_root(plan, i);
            fusion->root[i] = root;
            fusion->next[i] = fusion->first[root];
            fusion->first[root] = i;
        } else {
            for (int32_t u = plan->first_user[i]; u < plan->first_user[i + 1]; u++)
                late[fusion->root[plan->users[u]]] = true;
        }
    }
}

/* ---- blocks between the nodes of a group ---- */

/* Returns whether node `user` is the last to take the member's result. */
static bool is_last_user(const struct tw_plan *plan, int32_t member, int32_t user)
{
    return plan->users[plan->first_user[member + 1] - 1] == user;
}

static int32_t edges_from(const struct tw_node *node, int32_t source)
{
    int32_t edges = 0;
    for (int32_t i = 0; i < node->input_count; i++)
        edges += node->inputs[i].node == source;
    return edges;
}

/* Assigns member i the block of its first input, or a free block; `free_blocks` is a stack. */
static void assign_block(const struct tw_recipe *recipe, struct tw_plan *plan, int32_t i,
                         int32_t *free_blocks, int32_t *free_count)
{
    struct tw_fusion *fusion = &plan->fusion;
    const struct tw_node *node = &recipe->nodes[i];
    int32_t root = fusion->root[i], first = node->inputs[0].node;
    bool taken = node->type->in_place && first >= 0 && fusion->buffer[first] >= 0 &&
                 is_last_user(plan, first, i) && edges_from(node, first) == 1;
    if (taken)
        fusion->buffer[i] = fusion->buffer[first];
    else
        fusion->buffer[i] =
            *free_count > 0 ? free_blocks[--*free_count] : fusion->buffer_count[root]++;
    for (int32_t e = 0; e < node->input_count; e++) {
        int32_t source = node->inputs[e].node;
        bool repeated = false;
        for (int32_t before = 0; before < e; before++)
            repeated |= node->inputs[before].node == source;
        if (source >= 0 && !repeated && fusion->root[source] == root &&
            is_last_user(plan, source, i) && !(taken && source == first))
            free_blocks[(*free_count)++] = fusion->buffer[source];
    }
}

static void place_members(const struct tw_recipe *recipe, struct tw_plan *plan, int32_t root,
                          int32_t *free_blocks)
{
    struct tw_fusion *fusion = &plan->fusion;
    int32_t free_count = 0;
    for (int32_t i = fusion->first[root]; i != root; i = fusion->next[i])
        assign_block(recipe, plan, i, free_blocks, &free_count);
}

uint64_t tw_fusion_bytes(const struct tw_recipe *recipe, const struct tw_plan *plan, int32_t root)
{
    return (uint64_t)plan->fusion.buffer_count[root] * tw_fusion_block_bytes(recipe);
}

bool tw_fusion_find(const struct tw_recipe *recipe, const bool *is_goal, bool fuse,
                    struct tw_plan *plan)
{
    size_t count = (size_t)recipe->count + 1;
    struct tw_fusion *fusion = &plan->fusion;
    bool *late = calloc(count, sizeof *late);
    int32_t *free_blocks = calloc(count, sizeof *free_blocks);
    int32_t **lists[] = {&fusion->root, &fusion->first, &fusion->next, &fusion->buffer,
                         &fusion->buffer_count};
    bool ok = late && free_blocks;
    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++) {
        *lists[k] = calloc(count, sizeof **lists[k]);
        ok &= *lists[k] != NULL;
    }
    if (ok) {
        find_groups(recipe, is_goal, fuse, plan, late);
        for (int32_t i = 0; i < recipe->count; i++)
            if (fusion->first[i] != i)
                place_members(recipe, plan, i, free_blocks);
    }
    free(late);
    free(free_blocks);
    return ok;
}

void tw_fusion_release(struct tw_fusion *fusion)
{
    free(fusion->root);
    free(fusion->first);
    free(fusion->next);
    free(fusion->buffer);
    free(fusion->buffer_count);
    *fusion = (struct tw_fusion){0};
}
