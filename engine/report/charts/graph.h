/* SPDX-License-Identifier: MIT */
/* A small graph of nodes from left to right: its edges, and what differs. */
#ifndef TW_ENGINE_REPORT_CHARTS_GRAPH_H
#define TW_ENGINE_REPORT_CHARTS_GRAPH_H

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
    int32_t left_out;  /* equal nodes that no differing node touches */
    bool alone;        /* the differing nodes' neighbours do not fit and are left out as well */
    int32_t differing; /* nodes that differ: either all are drawn or none */
};

struct tw_recipe_difference;
/* recipe_graph.c: fills in the nodes that differ between two recipes, and their neighbours if those
 * fit; leaves the chart empty if the differing nodes alone are too many. */
void tw_recipe_graph_find(const struct tw_recipe_difference *difference,
                          struct tw_graph_chart *chart);

/* Writes one <svg>. Returns false, having written nothing, for an empty graph, and for a cycle,
 * which two recipes together may have. */
bool tw_chart_graph(FILE *out, const char *title, const struct tw_graph_chart *chart);

#endif
