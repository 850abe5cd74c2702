/* SPDX-License-Identifier: MIT */
/* Describes everything that decides the outcome of recipes, as text to digest, for work that
 * several machines share. */
#ifndef TW_ENGINE_GRAPH_DESCRIBE_H
#define TW_ENGINE_GRAPH_DESCRIBE_H

#include "base/memory/bytes.h"
#include "graph/graph.h"

/* Appends every node's cache key text, with its inputs' positions in place of their contents. False
 * when out of memory. */
bool tw_describe_nodes(struct tw_bytes *text, const struct tw_recipe *recipe);
/* Appends the SHA-256 of every file that the recipe's nodes read, in lines that begin with
 * `number`. TW_INPUT, TW_MEMORY. */
enum tw_status tw_describe_files(struct tw_bytes *text, const struct tw_recipe *recipe,
                                 int32_t number, struct tw_error *err);

#endif
