/* SPDX-License-Identifier: MIT */
/* Private to graph/load: the size of a world from the file of a node. All do nothing for other
 * nodes than that of `world: {from: ...}`. */
#ifndef TW_ENGINE_GRAPH_LOAD_WORLD_FROM_H
#define TW_ENGINE_GRAPH_LOAD_WORLD_FROM_H

#include "format/mosaic.h"
#include "graph/load/load_private.h"

/* Returns whether the world is from that node. */
bool tw_world_is_from(const struct tw_loader *loader, const struct tw_node *node);
/* Returns the entry of `nodes:` that the world is from; NULL after a fault. */
const struct tw_yaml_item *tw_world_find_source(struct tw_loader *loader,
                                                const struct tw_yaml *nodes);
/* Lets the node read metres unless it says otherwise; call before its file is read. */
void tw_world_take_unit(struct tw_loader *loader, struct tw_node *node);
/* Reads the greatest height of the file, as the file has it; 0 if it is not needed. */
enum tw_status tw_world_read_heights(const struct tw_loader *loader, const struct tw_node *node,
                                     const char *path, const struct tw_format *format,
                                     const struct tw_codec_head *head,
                                     const struct tw_file_facts *facts, double *greatest,
                                     struct tw_error *err);
/* Reads the greatest height of tiles that lie beside each other, as their files have it; 0 if it is
 * not needed. */
enum tw_status tw_world_read_tiles(const struct tw_loader *loader, const struct tw_node *node,
                                   const struct tw_mosaic *tiles, double *greatest,
                                   struct tw_error *err);
/* Settles the world, the recipe's size if it gives none, and the node's projection. */
void tw_world_settle(struct tw_loader *loader, struct tw_node *node,
                     const struct tw_file_facts *facts, const struct tw_georeference *at,
                     double greatest);

#endif
