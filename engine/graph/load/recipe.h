/* SPDX-License-Identifier: MIT */
/* Loading with what an experiment changes. */
#ifndef TW_ENGINE_GRAPH_LOAD_RECIPE_H
#define TW_ENGINE_GRAPH_LOAD_RECIPE_H

#include "graph/graph.h"
#include "graph/load/yaml.h"

/* tw_recipe_load() with nodes that replace those of the same name, or are added: a mapping, or
 * NULL. It must outlive the recipe. */
enum tw_status tw_recipe_load_with(const char *path, const struct tw_load_options *options,
                                   const struct tw_yaml *replacements, struct tw_recipe **recipe,
                                   struct tw_error *error);

/* types.c: settles the types of outputs that keep those of their inputs, once all edges exist.
 * False without memory. */
bool tw_load_types(struct tw_recipe *recipe);

#endif
