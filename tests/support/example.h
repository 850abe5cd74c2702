/* SPDX-License-Identifier: MIT */
/* The example of a node type as a recipe: every port of every node is an output named
 * <node>_<port>. */
#ifndef TW_TESTS_SUPPORT_EXAMPLE_H
#define TW_TESTS_SUPPORT_EXAMPLE_H

#include "graph/graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* All types, or those that THALWEG_NODE names, separated by commas. */
#define EACH_NODE_TYPE(type)                                                                       \
    for (const struct tw_node_type *const *type = tw_node_table; *type; type++)                    \
        if (example_is_selected(*type))

bool example_is_selected(const struct tw_node_type *type);

/* Loads the example; fails the test if it does not load. A type that refuses small maps gets the
 * least that it takes. tw_recipe_release(). */
struct tw_recipe *example_load(const struct tw_node_type *type, int32_t width, int32_t height);
/* Loads the example after `more`, further lines of `nodes:`, which become no outputs. */
struct tw_recipe *example_load_with(const struct tw_node_type *type, int32_t width, int32_t height,
                                    const char *more);
/* Loads the example in a world that ends at its borders. */
struct tw_recipe *example_load_closed(const struct tw_node_type *type, int32_t width,
                                      int32_t height);

#endif
