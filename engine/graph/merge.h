/* SPDX-License-Identifier: MIT */
/* Several recipes as one graph in which equal nodes are one node, so that what variants of an
 * experiment share is computed once. */
#ifndef TW_ENGINE_GRAPH_MERGE_H
#define TW_ENGINE_GRAPH_MERGE_H

#include "graph/graph.h"
#include "graph/names.h"

/* Appends the nodes of `part`, which has the size, seed and world of the others, to `merged` (a
 * recipe from tw_merge_new()). `seen` is {0} at the first part, tw_names_release() after the last.
 * node_of[i] becomes the index of the part's node i; it has room for all. Names, parameters and
 * places are the part's own: it must outlive `merged`. */
enum tw_status tw_merge_add(struct tw_recipe *merged, struct tw_names *seen,
                            const struct tw_recipe *part, int32_t *node_of, struct tw_error *err);
/* An empty recipe with the first part's size, seed and world and room for `nodes` nodes;
 * tw_recipe_release(). */
struct tw_recipe *tw_merge_new(const struct tw_recipe *first, int32_t nodes);
/* Recipes as one graph. Starts as {0}. */
struct tw_merged {
    struct tw_recipe *recipe; /* without outputs and exports; it reads what the parts read */
    int32_t **node_of;        /* by part: its nodes in `recipe` */
    int32_t count;            /* parts */
    struct tw_names seen;
};
/* One graph has one size and one world. */
bool tw_merge_may_share(const struct tw_recipe *a, const struct tw_recipe *b);
/* Merges parts that may share a graph, and that must outlive it; there is room for `spare` nodes
 * that are added later. tw_merged_release() it after a failure, too. */
enum tw_status tw_merge_all(struct tw_merged *merged, struct tw_recipe *const *parts, int32_t count,
                            int32_t spare, struct tw_error *err);
/* The node of a part that is node i of the recipe it was merged into, and that the part's outputs
 * or exports need; NULL for none. `node_of` as from tw_merge_add(). */
const struct tw_node *tw_merge_find_node(struct tw_recipe *part, const int32_t *node_of, int32_t i);
void tw_merged_release(struct tw_merged *merged);

/* A node with its defaults whose first inputs are `sources`: a renderer, a measure. Its parameters
 * may be set until it runs. -1 without memory. */
int32_t tw_merge_add_node(struct tw_recipe *merged, const struct tw_node_type *type,
                          const struct tw_source *sources, int32_t count);
/* An output under a name that is copied. */
bool tw_merge_add_output(struct tw_recipe *merged, const char *name, struct tw_source source);

#endif
