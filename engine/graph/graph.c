/* SPDX-License-Identifier: MIT */
/* Puts the facts in order. Uses explicit arrays and no recursion: 100,000 nodes deep is fine. */
#include "graph/graph.h"

#include "format/sidecar.h"

#include "base/os/links.h"

#include <stdio.h>
#include <string.h>

void tw_node_locate(struct tw_error *error, const struct tw_node *node)
{
    snprintf(error->path, sizeof error->path, "%s", node->path);
    snprintf(error->file, sizeof error->file, "%s", node->place.file);
    error->line = node->place.line;
    error->column = node->place.column;
    if (node->place.hidden)
        error->line = error->column = 0; /* so that no line is quoted */
    const bool quotes = error->status == TW_INPUT || error->status == TW_NODE || node->assertion;
    if (node->hides && quotes)
        tw_links_hide(error);
}

const char *tw_borders_name(enum tw_borders borders)
{
    return borders == TW_BORDERS_WRAP ? "wrap" : "closed";
}

enum tw_type tw_output_type(const struct tw_node *node, int32_t port)
{
    const struct tw_port *row = &node->type->outputs[port];
    return node->masks && (row->flags & TW_KEEPS_TYPE) ? TW_MASK : row->type;
}

bool tw_type_converts(enum tw_type from, enum tw_type to)
{
    return from == to || (from == TW_MASK && to == TW_HEIGHTMAP);
}

enum tw_type tw_source_type(const struct tw_recipe *recipe, struct tw_source source)
{
    return tw_output_type(&recipe->nodes[source.node], source.port);
}

void tw_node_output_size(const struct tw_recipe *recipe, const struct tw_node *node, int32_t *width,
                         int32_t *height)
{
    *width = recipe->width;
    *height = recipe->height;
    if (node->type->output_size)
        node->type->output_size(node->params, width, height);
}

const struct tw_port *tw_input_port(const struct tw_node *node, int32_t i)
{
    int32_t last = tw_node_count_ports(node->type->inputs) - 1;
    return &node->type->inputs[i < last ? i : last];
}

static void mark_outputs(const struct tw_output *output, bool *needed)
{
    for (; output; output = output->next)
        needed[output->source.node] = true;
}

void tw_graph_mark_sources(const struct tw_recipe *recipe, bool *needed)
{
    for (int32_t i = recipe->count - 1; i >= 0; i--)
        for (int32_t port = 0; needed[i] && port < recipe->nodes[i].input_count; port++)
            if (recipe->nodes[i].inputs[port].node >= 0)
                needed[recipe->nodes[i].inputs[port].node] = true;
}

const bool *tw_graph_needed(struct tw_recipe *recipe)
{
    bool *needed = tw_arena_alloc(&recipe->arena, (size_t)recipe->count + 1, sizeof *needed);
    if (!needed)
        return NULL;
    mark_outputs(recipe->outputs, needed);
    mark_outputs(recipe->assertions, needed);
    for (const struct tw_export *item = recipe->exports; item; item = item->next)
        mark_outputs(item->sources, needed);
    tw_graph_mark_sources(recipe, needed);
    return needed;
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
        for (int32_t port = 0; port < recipe->nodes[i].input_count; port++)
            rename_source(&recipe->nodes[i].inputs[port], rank);
        sorted[rank[i]] = recipe->nodes[i];
    }
    for (struct tw_output *output = recipe->outputs; output; output = output->next)
        rename_source(&output->source, rank);
    for (struct tw_output *output = recipe->assertions; output; output = output->next)
        rename_source(&output->source, rank);
    for (struct tw_export *item = recipe->exports; item; item = item->next)
        for (struct tw_output *source = item->sources; source; source = source->next)
            rename_source(&source->source, rank);
    recipe->nodes = sorted;
    return true;
}

bool tw_graph_arrange(struct tw_recipe *recipe, int32_t *tier, int32_t *rank)
{
    int32_t ranked = 0, least = INT32_MAX, greatest = 0;
    for (int32_t i = recipe->count - 1; i >= 0; i--) {
        const struct tw_node *node = &recipe->nodes[i];
        for (int32_t port = 0; port < node->input_count; port++)
            if (node->inputs[port].node >= 0 && tier[node->inputs[port].node] > tier[i])
                tier[node->inputs[port].node] = tier[i];
        least = tier[i] < least ? tier[i] : least;
        greatest = tier[i] > greatest ? tier[i] : greatest;
    }
    for (int32_t at = least; at <= greatest; at++)
        for (int32_t i = 0; i < recipe->count; i++)
            if (tier[i] == at)
                rank[i] = ranked++;
    return apply(recipe, rank);
}

/* Depth-first walk with an explicit stack; a node is ranked after all its sources. */
struct walk {
    int32_t *rank;  /* -1: not ranked yet */
    int32_t *port;  /* next input to follow; 0: not visited */
    int32_t *stack; /* each is a user of the next */
    int32_t depth, ranked;
};

/* Ranks a node and its sources. Returns the node at which a cycle closes, or -1. */
static int32_t rank_from(const struct tw_recipe *recipe, struct walk *walk, int32_t root)
{
    walk->stack[walk->depth++] = root;
    while (walk->depth > 0) {
        int32_t at = walk->stack[walk->depth - 1];
        const struct tw_node *node = &recipe->nodes[at];
        if (walk->port[at] == node->input_count) {
            walk->port[at]++; /* past the last input: counts as visited */
            walk->rank[at] = walk->ranked++;
            walk->depth--;
            continue;
        }
        int32_t from = node->inputs[walk->port[at]++].node;
        if (from < 0 || walk->rank[from] >= 0)
            continue;
        if (walk->port[from] > 0)
            return from;
        walk->stack[walk->depth++] = from;
    }
    return -1;
}

/* The cycle is the stack from the repeated node up. */
static void report_cycle(const struct tw_recipe *recipe, struct tw_fault_log *log,
                         const struct walk *walk, int32_t repeated)
{
    char loop[400] = "";
    int32_t at = walk->depth - 1;
    while (walk->stack[at] != repeated)
        at--;
    for (; at < walk->depth; at++) {
        size_t used = strlen(loop);
        snprintf(loop + used, sizeof loop - used, "%s <- ", recipe->nodes[walk->stack[at]].path);
    }
    tw_fault_log_add(log, TW_RECIPE, recipe->nodes[repeated].place, NULL,
                     "nodes feed each other in a cycle: %s%s", loop, recipe->nodes[repeated].path);
}

bool tw_graph_sort(struct tw_recipe *recipe, struct tw_fault_log *log)
{
    size_t count = (size_t)recipe->count + 1;
    struct walk walk = {.rank = tw_arena_alloc(&recipe->arena, count, sizeof *walk.rank),
                        .port = tw_arena_alloc(&recipe->arena, count, sizeof *walk.port),
                        .stack = tw_arena_alloc(&recipe->arena, count, sizeof *walk.stack)};
    if (!walk.rank || !walk.port || !walk.stack)
        return false;
    for (int32_t i = 0; i < recipe->count; i++)
        walk.rank[i] = -1;
    for (int32_t i = 0; i < recipe->count; i++) {
        int32_t repeated = walk.rank[i] < 0 ? rank_from(recipe, &walk, i) : -1;
        if (repeated >= 0) {
            report_cycle(recipe, log, &walk, repeated);
            return false;
        }
    }
    return log->faults == 0 && apply(recipe, walk.rank);
}

bool tw_export_is_sidecar(const struct tw_export *item)
{
    return item->format == &tw_format_sidecar;
}
