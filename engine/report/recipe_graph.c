/* SPDX-License-Identifier: MIT */
#include "report/charts/graph.h"
#include "report/recipe_difference.h"

#include <string.h>

/* ---- edges of a snapshot ---- */

/* Finds the next source in "noise.out\tcells.domain": returns its path's length, and moves *text
 * past it; 0 at the end. */
static size_t next_source(const char **text, const char **path)
{
    size_t length = strcspn(*text, "\t"), dot = length;
    *path = *text;
    while (dot > 0 && (*path)[dot - 1] != '.')
        dot--;
    *text += length + ((*text)[length] == '\t');
    return dot > 0 ? dot - 1 : 0;
}

/* `to` may be NULL, which takes nothing. */
static bool takes(const struct tw_snapshot_node *to, const char *from)
{
    size_t length = strlen(from), found;
    const char *path;
    for (int32_t i = 0; to && i < to->causes.count; i++) {
        const struct tw_fact *fact = &to->causes.at[i];
        const char *text = strncmp(fact->name, "inputs.", 7) == 0 ? fact->value : "";
        while ((found = next_source(&text, &path)) > 0)
            if (found == length && strncmp(path, from, length) == 0)
                return true;
    }
    return false;
}

/* ---- nodes ---- */

static enum tw_graph_mark mark_for(const struct tw_node_drift *node)
{
    return node->kind == TW_DRIFT_ADDED     ? TW_MARK_ADDED
           : node->kind == TW_DRIFT_REMOVED ? TW_MARK_REMOVED
           : node->kind == TW_DRIFT_CHANGED ? TW_MARK_CHANGED
                                            : TW_MARK_SAME;
}

static enum tw_graph_mark mark_of(const struct tw_drift *drift, const char *path)
{
    for (int32_t i = 0; i < drift->node_count; i++) {
        const struct tw_node_drift *node = &drift->nodes[i];
        const struct tw_snapshot_node *known = node->after ? node->after : node->before;
        if (strcmp(known->path, path) == 0)
            return mark_for(node);
    }
    return TW_MARK_SAME;
}

static int32_t count_differing(const struct tw_drift *drift)
{
    int32_t count = 0;
    for (int32_t i = 0; i < drift->node_count; i++)
        count += mark_for(&drift->nodes[i]) != TW_MARK_SAME;
    return count;
}

/* A chart being filled, and its nodes in both states; NULL if one lacks the node. */
struct drawing {
    const struct tw_recipe_difference *difference;
    struct tw_graph_chart *chart;
    const struct tw_snapshot_node *before[TW_GRAPH_NODES_MAX], *after[TW_GRAPH_NODES_MAX];
};

/* False if the chart is full. */
static bool add_node(struct drawing *d, const struct tw_snapshot_node *node,
                     enum tw_graph_mark mark)
{
    struct tw_graph_chart *chart = d->chart;
    const char *type = tw_facts_find(&node->causes, "type");
    for (int32_t i = 0; i < chart->node_count; i++)
        if (strcmp(chart->nodes[i].name, node->path) == 0)
            return true;
    if (chart->node_count == TW_GRAPH_NODES_MAX)
        return false;
    d->before[chart->node_count] = tw_snapshot_find(d->difference->before, node->path);
    d->after[chart->node_count] = tw_snapshot_find(d->difference->after, node->path);
    chart->nodes[chart->node_count].name = node->path;
    chart->nodes[chart->node_count].type = type ? type : "";
    chart->nodes[chart->node_count++].mark = mark;
    return true;
}

/* Adds the nodes of one state that differ. */
static bool add_marked(struct drawing *d, const struct tw_snapshot *s)
{
    bool fits = true;
    for (int32_t i = 0; fits && i < s->node_count; i++) {
        enum tw_graph_mark mark = mark_of(d->difference->drift, s->nodes[i].path);
        if (mark != TW_MARK_SAME)
            fits = add_node(d, &s->nodes[i], mark);
    }
    return fits;
}

/* Adds the neighbours of the first `marked` nodes; `states` has these nodes in this snapshot. */
static bool add_neighbours(struct drawing *d, const struct tw_snapshot *s,
                           const struct tw_snapshot_node *const *states, int32_t marked)
{
    bool fits = true;
    for (int32_t i = 0; fits && i < s->node_count; i++) {
        bool joined = false;
        for (int32_t k = 0; !joined && k < marked; k++)
            joined =
                takes(states[k], s->nodes[i].path) || takes(&s->nodes[i], d->chart->nodes[k].name);
        if (joined)
            fits = add_node(d, &s->nodes[i], TW_MARK_SAME);
    }
    return fits;
}

static bool add_edges(const struct drawing *d)
{
    struct tw_graph_chart *chart = d->chart;
    for (int32_t to = 0; to < chart->node_count; to++)
        for (int32_t from = 0; from < chart->node_count; from++) {
            bool before = takes(d->before[to], chart->nodes[from].name);
            bool after = takes(d->after[to], chart->nodes[from].name);
            if (!before && !after)
                continue;
            if (chart->edge_count == TW_GRAPH_EDGES_MAX)
                return false;
            chart->edges[chart->edge_count].from = from;
            chart->edges[chart->edge_count].to = to;
            chart->edges[chart->edge_count++].mark = before && after ? TW_MARK_SAME
                                                     : after         ? TW_MARK_ADDED
                                                                     : TW_MARK_REMOVED;
        }
    return true;
}

static int32_t count_removed(const struct tw_drift *drift)
{
    int32_t count = 0;
    for (int32_t i = 0; i < drift->node_count; i++)
        count += drift->nodes[i].kind == TW_DRIFT_REMOVED;
    return count;
}

void tw_recipe_graph_find(const struct tw_recipe_difference *difference,
                          struct tw_graph_chart *chart)
{
    struct drawing d = {.difference = difference, .chart = chart};
    *chart = (struct tw_graph_chart){.node_count = 0};
    chart->differing = count_differing(difference->drift);
    bool fits = add_marked(&d, difference->after) && add_marked(&d, difference->before);
    int32_t marked = chart->node_count;
    chart->alone =
        fits && !(add_neighbours(&d, difference->after, d.after, marked) &&
                  add_neighbours(&d, difference->before, d.before, marked) && add_edges(&d));
    if (chart->alone) {
        chart->node_count = marked;
        chart->edge_count = 0;
        fits = add_edges(&d);
    }
    chart->left_out =
        difference->after->node_count + count_removed(difference->drift) - chart->node_count;
    if (!fits)
        chart->node_count = 0;
}
