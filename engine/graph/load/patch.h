/* SPDX-License-Identifier: MIT */
/* Sets values in a recipe's text: exactly the scalar's bytes are replaced, so that comments,
 * quotes, anchors and line ends stay; what a node's mapping or list lacks is added to it. */
#ifndef TW_ENGINE_GRAPH_LOAD_PATCH_H
#define TW_ENGINE_GRAPH_LOAD_PATCH_H

#include "base/memory/bytes.h"
#include "graph/load/yaml.h"

#define TW_PATCH_PATH_BYTES 256

/* A value to set. Paths are params.NAME, nodes.NODE.NAME and, for item I of a list, counted from 0,
 * nodes.NODE.NAME.I. */
struct tw_value_patch {
    const char *path, *value;
    const char *initial; /* the whole list, as in "0 1", for one that the file lacks; else NULL */
    bool misfits;        /* set by tw_recipe_patch() */
};

/* What a recipe's text has for a path. */
struct tw_patch_place {
    const struct tw_yaml *scalar; /* NULL: nothing */
    const struct tw_yaml *owner;  /* the mapping to which the name is added; NULL: there is none */
    char name[TW_PATCH_PATH_BYTES]; /* what is added */
    int32_t item;                   /* index in the list; -1: no list */
    bool fixed; /* an alias, "${...}", or a notation of several lines: not to be replaced */
};
/* Finds the place of a path in a parsed recipe; false if the path has no such form, or the recipe
 * no such node or parameter. */
bool tw_patch_find(const struct tw_yaml *root, const char *path, struct tw_patch_place *place);

/* Appends the recipe's text with the values set to `out`, and marks those that cannot be set, which
 * are left out. TW_RECIPE if the text is no YAML, TW_MEMORY. */
enum tw_status tw_recipe_patch(const char *text, size_t length, struct tw_value_patch *patches,
                               int32_t count, struct tw_bytes *out, struct tw_error *err);

#endif
