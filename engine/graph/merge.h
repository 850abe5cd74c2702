/* SPDX-License-Identifier: MIT */
/* Merges several recipes into one graph in which equal nodes are one node, so that variants of an
 * experiment compute shared parts once. */
#ifndef TW_ENGINE_GRAPH_MERGE_H
#define TW_ENGINE_GRAPH_MERGE_H

#include "graph/graph.h"
#include "graph/names.h"

/* Appends the nodes of `part`, which must have the size, seed and world of the others, to `merged`
 * (from tw_merge_new()). `seen` is {0} before the first part; call tw_names_release() after the
 * last. node_of[i] becomes the index of the part's node i; it has space for all. Names, parameters
 * and places belong to the part, which must outlive `merged`. */
enum tw_status tw_merge_add(struct tw_recipe *merged, struct tw_names *seen,
                            const struct tw_recipe *part, int32_t *node_of, struct tw_error *err);
/* Creates an empty recipe with the first part's size, seed and world and space for `nodes` nodes;
 * release with tw_recipe_release(). */
struct tw_recipe *tw_merge_new(const struct tw_recipe *first, int32_t nodes);
/* Several recipes as one graph. Initialise with {0}. */
struct tw_merged {
    struct tw_recipe *recipe; /* has no outputs or exports; reads the files of all parts */
    int32_t **node_of;        /* by part: indices of its nodes in `recipe` */
    int32_t count;            /* number of parts */
    struct tw_names seen;
};
/* Returns whether the recipes have one size and one world, as a graph requires. */
bool tw_merge_may_share(const struct tw_recipe *a, const struct tw_recipe *b);
/* Merges parts that may share a graph and must outlive it; reserves space for `spare` nodes added
 * later. Call tw_merged_release() even after a failure. */
enum tw_status tw_merge_all(struct tw_merged *merged, struct tw_recipe *const *parts, int32_t count,
                            int32_t spare, struct tw_error *err);
/* Returns the part's node that became node i of the merged recipe, if the part's outputs or exports
 * need it; else NULL. `node_of` is from tw_merge_add(). */
const struct tw_node *tw_merge_find_node(struct tw_recipe *part, const int32_t *node_of, int32_t i);
void tw_merged_release(struct tw_merged *merged);

/* Adds a node with default parameters whose first inputs are `sources`: a renderer, a measure. Its
 * parameters may be set until it runs. -1 when out of memory. */
int32_t tw_merge_add_node(struct tw_recipe *merged, const struct tw_node_type *type,
                          const struct tw_source *sources, int32_t count);
/* Adds an output; copies the name. */
bool tw_merge_add_output(struct tw_recipe *merged, const char *name, struct tw_source source);

#endif
