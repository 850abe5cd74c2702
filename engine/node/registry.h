/* SPDX-License-Identifier: MIT */
/* Which node types there are: the table that CMake writes from the file names in nodes/, and an
 * embedder's own. */
#ifndef TW_ENGINE_NODE_REGISTRY_H
#define TW_ENGINE_NODE_REGISTRY_H

#include <thalweg/node.h>

/* Written by CMake into node_table.c: sorted by name, NULL-terminated. */
extern const struct tw_node_type *const tw_node_table[];

struct tw_registry {
    const struct tw_node_type *const *extra; /* NULL-terminated, may be NULL; found first */
};

const struct tw_node_type *tw_registry_find(const struct tw_registry *registry, const char *name);
/* All types, an embedder's first, without those of the table that it replaces: starts at
 * `*position` 0 and returns NULL after the last. */
const struct tw_node_type *tw_registry_next(const struct tw_registry *registry, int32_t *position);
/* What an export's `as:` names: "hillshade" is render.hillshade, "studio.ink" is itself; NULL when
 * there is none. */
const struct tw_node_type *tw_registry_find_renderer(const struct tw_registry *registry,
                                                     const char *name);

/* "erosion.thermal" without its family: "thermal". */
const char *tw_node_kind(const struct tw_node_type *type);
bool tw_node_in_family(const struct tw_node_type *type, const char *family);
/* Positions in the descriptor's rows, or -1. */
int tw_node_find_port(const struct tw_port *ports, const char *name);
int tw_node_count_ports(const struct tw_port *ports);
/* Input ports that take one edge each; a variadic one comes after them. */
int tw_node_fixed_inputs(const struct tw_node_type *type);
/* The type's reach with these parameters on a map of this size: TW_REACH_CELL, cells, or
 * TW_REACH_ALL. */
int32_t tw_node_reach(const struct tw_node_type *type, const void *params, int32_t width,
                      int32_t height);
const struct tw_param *tw_node_find_param(const struct tw_node_type *type, const char *name);
const struct tw_param *tw_node_file_param(const struct tw_node_type *type);

#endif
