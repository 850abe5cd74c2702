/* SPDX-License-Identifier: MIT */
/* Inputs of a recipe that a program feeds with its own arrays. Each becomes a node whose type is in
 * no table and has no run(): its task copies the array (task/task_feed.c). The array's digest is
 * part of the cache key. */
#ifndef TW_ENGINE_GRAPH_FEED_H
#define TW_ENGINE_GRAPH_FEED_H

#include "graph/graph.h"

/* Returns the node type of inputs of this type. With a default the node has an optional input: its
 * value is what the node outputs until the program feeds it. */
const struct tw_node_type *tw_feed_type(enum tw_type type, bool has_default);
/* Returns the first needed node whose input has not been fed; NULL if there is none. */
const struct tw_node *tw_feed_missing(const struct tw_recipe *recipe, const bool *needed);
/* Forgets what was fed: frees it, or gives it back to the program that lent it. */
void tw_feed_clear(struct tw_feed *feed);
/* Moves what was fed to an input of another recipe, which has the same type. */
void tw_feed_move(struct tw_feed *from, const struct tw_recipe *recipe, struct tw_feed *to);

#endif
