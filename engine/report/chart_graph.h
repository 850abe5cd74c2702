/* SPDX-License-Identifier: MIT */
/* A small graph of nodes from left to right: what comes from where, and what differs. */
#ifndef TW_ENGINE_REPORT_CHART_GRAPH_H
#define TW_ENGINE_REPORT_CHART_GRAPH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { TW_GRAPH_NODES_MAX = 40, TW_GRAPH_EDGES_MAX = 200 };

enum tw_graph_mark { TW_MARK_SAME, TW_MARK_CHANGED, TW_MARK_ADDED, TW_MARK_REMOVED };

struct tw_graph_chart {
    struct {
        const char *name, *type;
        enum tw_graph_mark mark;
    } nodes[TW_GRAPH_NODES_MAX];
    int32_t node_count;
    struct {
        int32_t from, to; /* nodes */
        enum tw_graph_mark mark;
    } edges[TW_GRAPH_EDGES_MAX];
    int32_t edge_count;
    int32_t left_out;  /* nodes that are the same and touch nothing that differs */
    bool alone;        /* what differs is joined to more than fits, and that is left out, too */
    int32_t differing; /* nodes that differ: all of them are drawn, or none */
};

struct tw_recipe_difference;
/* recipe_graph.c: what differs between two recipes, and what it is joined to, if that is not too
 * large to look at; without nodes when what differs is. */
void tw_recipe_graph_find(const struct tw_recipe_difference *difference,
                          struct tw_graph_chart *chart);

/* One <svg>. False, with nothing written, for an empty graph, and for edges that go round in a
 * circle, as those of two recipes together may. */
bool tw_chart_graph(FILE *out, const char *title, const struct tw_graph_chart *chart);

#endif
