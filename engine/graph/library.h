/* SPDX-License-Identifier: MIT */
/* The recipes that ship inside the program: graphs/library/NAME.yaml, which recipes use as
 * `type: thalweg/NAME`. Their texts are part of the binary, so no file is read. */
#ifndef TW_ENGINE_GRAPH_LIBRARY_H
#define TW_ENGINE_GRAPH_LIBRARY_H

#include "base/memory/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TW_LIBRARY_PREFIX "thalweg/"

struct tw_library_recipe {
    const char *name;    /* as recipes write it: thalweg/snow */
    const char *text;    /* the YAML; ends with a zero that `length` does not count */
    const char *example; /* a recipe that uses it */
    size_t length;
};

/* Written by CMake into library_table.c: sorted by name, ends with a row without a name. */
extern const struct tw_library_recipe tw_library_table[];

/* Without `world:` a recipe of the library takes this size for lengths that it gives in metres and
 * for slopes in degrees. */
#define TW_LIBRARY_SIDE_M 10000
#define TW_LIBRARY_HEIGHT_M 1500

/* Returns whether a node's type names a recipe of the library, existing or not; a name that ends
 * with .yaml is a file in a folder of that name. */
bool tw_library_is_name(const char *type);
/* Returns the recipe of that name, with or without "thalweg/" before it; NULL if there is none. */
const struct tw_library_recipe *tw_library_named(const char *name);
/* Returns "did you mean 'thalweg/snow'?" in the arena; NULL if no name is near. */
const char *tw_library_guess(const char *name, struct tw_arena *arena);

#endif
