/* SPDX-License-Identifier: MIT */
/* Keys of the cache: the key of a node is the SHA-256 of its canonical text, which names everything
 * that decides the outputs and nothing else. Equal texts give equal outputs; `--explain` prints the
 * lines that differ. */
#ifndef TW_ENGINE_GRAPH_KEY_H
#define TW_ENGINE_GRAPH_KEY_H

#include "format/raw_layout.h"
#include "graph/graph.h"

/* Decides how a node's file is read. */
struct tw_key_file {
    struct tw_sha256 bytes;          /* digest of the file */
    char layout[TW_RAW_LAYOUT_TEXT]; /* without a header: tw_raw_layout_print(); else "" */
};

/* Prints lines "name value": format, type, version, size, seed, world, borders, parameters in the
 * descriptor's order, the file or the digest of a fed value, inputs by content. `inputs` has a
 * stamp for each connected input port. Allocated with malloc; NULL when out of memory. */
char *tw_key_text(const struct tw_recipe *recipe, const struct tw_node *node,
                  const struct tw_stamp *const *inputs, const struct tw_key_file *file);

#endif
