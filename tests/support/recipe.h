/* SPDX-License-Identifier: MIT */
/* Loads recipes from text, for tests of facts rather than maps. */
#ifndef TW_TESTS_SUPPORT_RECIPE_H
#define TW_TESTS_SUPPORT_RECIPE_H

#include "support/harness.h"

#include "graph/graph.h"

#include <string.h>

/* Fails the test if the recipe does not load. tw_recipe_release(). */
static inline struct tw_recipe *recipe_of(const char *text)
{
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    if (tw_recipe_parse(text, strlen(text), "test.yaml", NULL, &recipe, &error) != TW_OK)
        fail_msg("%s:%d:%d: %s", error.file, error.line, error.column, error.message);
    return recipe;
}

/* Returns the first fault of a text that must not load; its message must contain `words`. */
static inline struct tw_error recipe_fault(const char *text, const char *words)
{
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    if (tw_recipe_parse(text, strlen(text), "test.yaml", NULL, &recipe, &error) == TW_OK)
        fail_msg("this loads but should not:\n%s", text);
    if (!strstr(error.message, words))
        fail_msg("%d:%d: '%s' does not say '%s'", error.line, error.column, error.message, words);
    assert_null(recipe);
    return error;
}

static inline const struct tw_node *recipe_node(const struct tw_recipe *recipe, const char *path)
{
    for (int32_t i = 0; i < recipe->count; i++)
        if (strcmp(recipe->nodes[i].path, path) == 0)
            return &recipe->nodes[i];
    fail_msg("there is no node %s", path);
    return NULL;
}

#endif
