/* SPDX-License-Identifier: MIT */
/* The values of a recipe that a page shows and sets: rows of `params:` and of nodes. */
#ifndef TW_ENGINE_SERVE_STEER_H
#define TW_ENGINE_SERVE_STEER_H

#include "graph/graph.h"
#include "graph/load/yaml.h"

#include <jansson.h>

/* Returns the rows of the recipe's `params:`, without values. `prefix` begins their paths: "", "a."
 * or "b.". NULL without memory. */
json_t *tw_steer_params(const struct tw_yaml *root, const char *prefix);
/* Returns the rows of the node `id` of the recipe in a file; `folder` is that file's. An empty list
 * if the file has no such node. NULL without memory. */
json_t *tw_steer_node(const struct tw_yaml *root, const char *folder, const char *id,
                      const char *prefix);
/* Sets the rows' values: `pending` by path, else what the file has, else the default. */
void tw_steer_set_values(json_t *rows, const json_t *pending);

#endif
