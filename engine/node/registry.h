/* SPDX-License-Identifier: MIT */
/* The available node types: the table that CMake writes from the file names in nodes/, and an
 * embedder's own. */
#ifndef TW_ENGINE_NODE_REGISTRY_H
#define TW_ENGINE_NODE_REGISTRY_H

#include <thalweg/node.h>

/* Written by CMake into node_table.c: sorted by name, NULL-terminated. */
extern const struct tw_node_type *const tw_node_table[];

struct tw_registry {
    const struct tw_node_type *const *extra; /* NULL-terminated, may be NULL; searched first */
};

const struct tw_node_type *tw_registry_find(const struct tw_registry *registry, const char *name);
/* Iterates over all types, an embedder's first, without those that these replace. Start with
 * `*position` 0; returns NULL after the last. */
const struct tw_node_type *tw_registry_next(const struct tw_registry *registry, int32_t *position);
/* Returns the type that an export's `as:` names: "hillshade" is render.hillshade, "studio.ink" is
 * itself; NULL if there is none. */
const struct tw_node_type *tw_registry_find_renderer(const struct tw_registry *registry,
                                                     const char *name);

/* Returns a type's name without its family, as in "thermal" for "erosion.thermal". */
const char *tw_node_kind(const struct tw_node_type *type);
bool tw_node_in_family(const struct tw_node_type *type, const char *family);
/* Returns the index in the descriptor's rows, or -1. */
int tw_node_find_port(const struct tw_port *ports, const char *name);
int tw_node_count_ports(const struct tw_port *ports);
/* Returns how many input ports take exactly one edge; a variadic port follows them. */
int tw_node_fixed_inputs(const struct tw_node_type *type);
/* Returns the type's reach with these parameters on a map of this size: TW_REACH_CELL, a number of
 * cells, or TW_REACH_ALL. */
int32_t tw_node_reach(const struct tw_node_type *type, const void *params, int32_t width,
                      int32_t height);
const struct tw_param *tw_node_find_param(const struct tw_node_type *type, const char *name);
const struct tw_param *tw_node_file_param(const struct tw_node_type *type);

#endif
