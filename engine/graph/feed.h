/* SPDX-License-Identifier: MIT */
/* Inputs of a recipe that a program feeds with arrays of its own. Each is a node of a type that is
 * in no table and has no run(): a task of it copies the array (task/task_feed.c). The array's
 * digest is part of the cache key. */
#ifndef TW_ENGINE_GRAPH_FEED_H
#define TW_ENGINE_GRAPH_FEED_H

#include "graph/graph.h"

/* The node type of inputs of this type of value. */
const struct tw_node_type *tw_feed_type(enum tw_type type);
/* The first node among the needed whose input has not been fed; NULL when there is none. */
const struct tw_node *tw_feed_missing(const struct tw_recipe *recipe, const bool *needed);

#endif
