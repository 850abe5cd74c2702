/* SPDX-License-Identifier: MIT */
/* Describes a recipe of the library as if it were a node type, so that manual, pages, JSON
 * catalogue and schema treat both alike. */
#ifndef TW_ENGINE_GRAPH_LIBRARY_PAGE_H
#define TW_ENGINE_GRAPH_LIBRARY_PAGE_H

#include "graph/graph.h"
#include "graph/library.h"
#include "node/describe.h"

struct tw_library_page {
    struct tw_arena arena;
    struct tw_recipe *recipe;
    struct tw_node_type type; /* name, version, summary, keywords and example; no ports or rows */
    struct tw_param *rows;    /* of the description's parameters */
    struct tw_description description;
};

/* Loads the recipe and describes it, for tw_library_page_release(). False when out of memory, or
 * after a fault, which no shipped recipe has. */
bool tw_library_page(const struct tw_library_recipe *recipe, struct tw_library_page *page);
void tw_library_page_release(struct tw_library_page *page);

#endif
