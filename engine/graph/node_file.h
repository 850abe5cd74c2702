/* SPDX-License-Identifier: MIT */
/* The file of a node's file parameter, as loading, planning and running all see it. */
#ifndef TW_ENGINE_GRAPH_NODE_FILE_H
#define TW_ENGINE_GRAPH_NODE_FILE_H

#include "format/raw_layout.h"
#include "graph/graph.h"

/* Relative to the node's folder; "" without one. */
const char *tw_node_file_name(const struct tw_node *node);

/* Whether anything besides the file decides what its cells mean to the node: it has no header, or
 * the node reads heights, which a sidecar may give the scale of. */
bool tw_node_file_is_described(const struct tw_node *node);

/* The layout of such a file, of `length` bytes: what the node's parameters give, else what the
 * sidecar says, whose path, or "", goes into `sidecar` (4096 bytes). */
enum tw_status tw_node_file_layout(const struct tw_recipe *recipe, const struct tw_node *node,
                                   uint64_t length, struct tw_raw_layout *layout, char *sidecar,
                                   struct tw_error *err);

/* Adds to what was found out of a file with a header what its sidecar says of heights. */
void tw_node_file_scale(const struct tw_node *node, const struct tw_raw_layout *layout,
                        struct tw_file_facts *facts);

#endif
