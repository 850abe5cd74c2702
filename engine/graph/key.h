/* SPDX-License-Identifier: MIT */
/* What makes the cache miss: the key of a node is the SHA-256 of its canonical text, which names
 * everything that decides the outputs and nothing else. Two runs whose texts are equal line for
 * line have equal outputs; a line that differs is what `--explain` prints. */
#ifndef TW_ENGINE_GRAPH_KEY_H
#define TW_ENGINE_GRAPH_KEY_H

#include "format/raw_layout.h"
#include "graph/graph.h"

/* What decides what a node's file is read as. */
struct tw_key_file {
    struct tw_sha256 bytes;          /* of the file */
    char layout[TW_RAW_LAYOUT_TEXT]; /* of one without a header: tw_raw_layout_print(); else "" */
};

/* Lines "name value": format, type, version, size, seed, world, borders, parameters in the
 * descriptor's order, the file or the digest of what a program fed, inputs by content. `inputs` has
 * a stamp for each connected input port. Allocated with malloc; NULL without memory. */
char *tw_key_text(const struct tw_recipe *recipe, const struct tw_node *node,
                  const struct tw_stamp *const *inputs, const struct tw_key_file *file);

#endif
