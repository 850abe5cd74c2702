/* SPDX-License-Identifier: MIT */
/* Parses YAML text to a small tree with places. Only yaml.c uses libyaml, which has no limits of
 * its own on size, depth, nodes and alias expansion; yaml.c adds them. */
#ifndef TW_ENGINE_GRAPH_LOAD_YAML_H
#define TW_ENGINE_GRAPH_LOAD_YAML_H

#include "base/memory/arena.h"
#include "base/text/fault_log.h"

#define TW_YAML_BYTES_MAX ((size_t)1 << 20)
#define TW_YAML_DEPTH_MAX 64
/* Nodes after aliases are expanded. */
#define TW_YAML_NODES_MAX 200000
#define TW_YAML_TEXT_MAX ((size_t)4 << 20) /* bytes of all scalars */

enum tw_yaml_kind { TW_YAML_SCALAR, TW_YAML_SEQUENCE, TW_YAML_MAPPING };

struct tw_yaml_item {
    struct tw_yaml_item *next;
    const struct tw_yaml *key; /* key of a scalar's entry; NULL in sequences */
    const struct tw_yaml *value;
};

struct tw_yaml {
    enum tw_yaml_kind kind;
    const char *text; /* text of a scalar */
    bool quoted;
    int32_t weight; /* nodes below and including this one, aliases expanded */
    size_t bytes;   /* bytes of the scalars among them */
    struct tw_place place;
    struct tw_yaml_item *items, *last;
    int32_t count;                     /* number of items */
    const struct tw_yaml_item **slots; /* hash table of a large mapping's items */
    size_t slot_count;                 /* a power of two */
};

/* Parses one document; NULL after a reported fault. `file` and `text` must outlive the tree. */
const struct tw_yaml *tw_yaml_parse(struct tw_arena *arena, struct tw_fault_log *log,
                                    const char *file, const char *text, size_t length);
/* Returns the value of a key, or NULL, also if `mapping` is NULL or not a mapping. */
const struct tw_yaml *tw_yaml_find(const struct tw_yaml *mapping, const char *key);
/* Returns whether the node is a key without a value, as in "key:". */
bool tw_yaml_is_empty(const struct tw_yaml *node);
const char *tw_yaml_kind_name(const struct tw_yaml *node);
/* How messages name the node: 12, 'soft', [0, 1], "a list", "a mapping" or "nothing". */
#define TW_FOUND_BYTES 80
const char *tw_yaml_found(const struct tw_yaml *node, char text[TW_FOUND_BYTES]);
#define TW_YAML_FOUND(node) tw_yaml_found(node, (char[TW_FOUND_BYTES]){0})

/* The bytes of a scalar's text in its file, within its quotes; and where its notation ends. */
struct tw_yaml_span {
    const char *begin, *end, *after;
};
/* scalar_place.c: false for a notation of several lines, or one that cannot be followed. */
bool tw_yaml_span(const struct tw_yaml *scalar, struct tw_yaml_span *span);
/* Returns the byte of a place, in its text. */
const char *tw_yaml_byte(struct tw_place place);

/* scalar_place.c: returns the place of a byte of a scalar's text, or of the scalar itself if its
 * notation cannot be followed. Reads the file up to there: for faults only. */
struct tw_place tw_yaml_place_within(const struct tw_yaml *scalar, size_t offset);

#endif
