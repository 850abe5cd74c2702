/* SPDX-License-Identifier: MIT */
/* Ordering of the facts. Explicit arrays, no recursion: 100,000 nodes deep is fine. */
#include "graph/graph.h"

#include <stdio.h>
#include <string.h>

enum tw_type tw_source_type(const struct tw_recipe *recipe, struct tw_source source)
{
    return recipe->nodes[source.node].type->outputs[source.port].type;
}

static bool is_ready(const struct tw_recipe *recipe, const struct tw_node *node,
                     const int32_t *rank)
{
    (void)recipe;
    int inputs = tw_node_count_ports(node->type->inputs);
    for (int i = 0; i < inputs; i++)
        if (node->inputs[i].node >= 0 && rank[node->inputs[i].node] < 0)
            return false;
    return true;
}

/* From any unranked node, walking to unranked sources must come back to a node: print that loop. */
static void report_cycle(const struct tw_recipe *recipe, struct tw_report *report,
                         const int32_t *rank)
{
    int32_t at = 0;
    while (rank[at] >= 0)
        at++;
    for (int pass = 0; pass < 2; pass++) {
        char loop[400] = "";
        int32_t start = at;
        for (int32_t step = 0; step <= recipe->count; step++) {
            size_t used = strlen(loop);
            snprintf(loop + used, sizeof loop - used, "%s%s", used ? " <- " : "",
                     recipe->nodes[at].path);
            const struct tw_node *node = &recipe->nodes[at];
            int port = 0;
            while (node->inputs[port].node < 0 || rank[node->inputs[port].node] >= 0)
                port++;
            at = node->inputs[port].node;
            if (pass == 1 && at == start)
                break;
        }
        if (pass == 1)
            tw_report_fault(report, TW_RECIPE, recipe->nodes[start].place, NULL,
                            "nodes feed each other in a cycle: %s <- %s", loop,
                            recipe->nodes[start].path);
    }
}

static void rename_source(struct tw_source *source, const int32_t *rank)
{
    if (source->node >= 0)
        source->node = rank[source->node];
}

static bool apply(struct tw_recipe *recipe, const int32_t *rank)
{
    struct tw_node *sorted =
        tw_arena_alloc(&recipe->arena, (size_t)recipe->count + 1, sizeof *sorted);
    if (!sorted)
        return false;
    for (int32_t i = 0; i < recipe->count; i++) {
        int inputs = tw_node_count_ports(recipe->nodes[i].type->inputs);
        for (int port = 0; port < inputs; port++)
            rename_source(&recipe->nodes[i].inputs[port], rank);
        sorted[rank[i]] = recipe->nodes[i];
    }
    for (struct tw_output *output = recipe->outputs; output; output = output->next)
        rename_source(&output->source, rank);
    for (struct tw_export *item = recipe->exports; item; item = item->next)
        rename_source(&item->source, rank);
    recipe->nodes = sorted;
    return true;
}

bool tw_graph_sort(struct tw_recipe *recipe, struct tw_report *report)
{
    int32_t *rank = tw_arena_alloc(&recipe->arena, (size_t)recipe->count + 1, sizeof *rank);
    if (!rank)
        return false;
    for (int32_t i = 0; i < recipe->count; i++)
        rank[i] = -1;
    int32_t next = 0;
    for (bool moved = true; moved;) {
        moved = false;
        for (int32_t i = 0; i < recipe->count; i++) {
            if (rank[i] >= 0 || !is_ready(recipe, &recipe->nodes[i], rank))
                continue;
            rank[i] = next++;
            moved = true;
        }
    }
    if (next == recipe->count)
        return apply(recipe, rank);
    report_cycle(recipe, report, rank);
    return false;
}
