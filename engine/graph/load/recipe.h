/* SPDX-License-Identifier: MIT */
/* Loads recipes with the changes of an experiment. */
#ifndef TW_ENGINE_GRAPH_LOAD_RECIPE_H
#define TW_ENGINE_GRAPH_LOAD_RECIPE_H

#include "graph/graph.h"
#include "graph/load/yaml.h"

/* A parameter of a recipe that a file sets from outside. */
struct tw_setting {
    const char *name, *text;
    struct tw_place place; /* place of the value, for faults */
};

struct tw_load_changes {
    const struct tw_yaml *nodes; /* replace nodes of the same name, or are added; NULL for none */
    const struct tw_setting *settings; /* the last of a name counts; options->set overrides them */
    int32_t setting_count;
    const char *text; /* stands for the file's own text; NULL: the file is read */
    size_t length;
};

/* Loads as tw_recipe_load() does, with changes, which must outlive the recipe. */
enum tw_status tw_recipe_load_with(const char *path, const struct tw_load_options *options,
                                   const struct tw_load_changes *changes, struct tw_recipe **recipe,
                                   struct tw_error *error);

/* types.c: determines the types of outputs that keep those of their inputs, once all edges exist.
 * False when out of memory. */
bool tw_load_types(struct tw_recipe *recipe);

#endif
