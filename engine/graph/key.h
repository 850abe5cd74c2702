/* SPDX-License-Identifier: MIT */
/* What makes the cache miss: the key of a node is the SHA-256 of its canonical text, which names
 * everything that decides the outputs and nothing else. Two runs whose texts are equal line for
 * line have equal outputs; a line that differs is what `--explain` prints. */
#ifndef TW_ENGINE_GRAPH_KEY_H
#define TW_ENGINE_GRAPH_KEY_H

#include "field/field.h"
#include "graph/graph.h"

/* Lines "name value": format, type, version, size, seed, world, borders, parameters in the
 * descriptor's order, digests of the file or of what a program fed, inputs by content. `inputs` has
 * a stamp for each connected input port, `file` the SHA-256 of the file parameter's bytes.
 * Allocated with malloc; NULL without memory. */
char *tw_key_text(const struct tw_recipe *recipe, const struct tw_node *node,
                  const struct tw_stamp *const *inputs, const struct tw_sha256 *file);

#endif
