/* SPDX-License-Identifier: MIT */
/* The file of a node's file parameter, for loading, planning and running alike. */
#ifndef TW_ENGINE_GRAPH_NODE_FILE_H
#define TW_ENGINE_GRAPH_NODE_FILE_H

#include "format/mosaic.h"
#include "graph/graph.h"

/* Returns the name relative to the node's folder; "" without one. */
const char *tw_node_file_name(const struct tw_node *node);

/* Returns whether more than the file decides the meaning of its cells: it has no header, or the
 * node reads heights, whose scale a sidecar may give. */
bool tw_node_file_is_described(const struct tw_node *node);

/* Determines the layout of such a file of `length` bytes: from the node's parameters, else from the
 * sidecar, whose path, or "", goes into `sidecar` (4096 bytes). */
enum tw_status tw_node_file_layout(const struct tw_recipe *recipe, const struct tw_node *node,
                                   uint64_t length, struct tw_raw_layout *layout, char *sidecar,
                                   struct tw_error *err);

/* Returns what the node wants of its file. */
struct tw_file_wish tw_node_file_wish(const struct tw_node *node);

/* Adds the sidecar's scale of heights to the facts of a file with a header. */
void tw_node_file_scale(const struct tw_node *node, const struct tw_raw_layout *layout,
                        struct tw_file_facts *facts);

/* Returns whether the node's file stands for several, which lie beside each other. */
bool tw_node_file_is_tiled(const struct tw_node *node);
/* Opens them; tw_mosaic_release() in any case. */
enum tw_status tw_node_file_tiles(const struct tw_recipe *recipe, const struct tw_node *node,
                                  struct tw_mosaic *mosaic, struct tw_error *err);
/* Computes the digest of their names, layouts and bytes. */
enum tw_status tw_node_file_tiles_sha256(const struct tw_recipe *recipe, const struct tw_node *node,
                                         struct tw_sha256 *digest, struct tw_error *err);

#endif
