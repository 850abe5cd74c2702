/* SPDX-License-Identifier: MIT */
/* Decides whether the recipe's world is a torus or ends at its borders. The key `borders` says so;
 * without it the world is a torus if all sources of the outputs and exports wrap, except for
 * pictures. */
#include "graph/load/load_private.h"

#include "base/text/suggest.h"

#include <string.h>

/* Returns the first needed node that does not wrap, or NULL. Unneeded nodes must not affect
 * others. */
static const struct tw_node *find_open_source(const struct tw_recipe *recipe, const bool *needed)
{
    for (int32_t i = 0; i < recipe->count; i++) {
        const struct tw_node *node = &recipe->nodes[i];
        if (needed[i] && node->type->wraps &&
            !node->type->wraps(node->params, recipe->width, recipe->height))
            return node;
    }
    return NULL;
}

static bool read_key(struct tw_loader *loader, const struct tw_yaml *value)
{
    struct tw_recipe *recipe = loader->recipe;
    struct tw_suggestion suggestion = {.unknown = value->text ? value->text : ""};
    recipe->borders_reason = "as the recipe says";
    for (int i = TW_BORDERS_WRAP; i <= TW_BORDERS_CLOSED; i++) {
        const char *name = tw_borders_name((enum tw_borders)i);
        recipe->borders = (enum tw_borders)i;
        if (strcmp(suggestion.unknown, name) == 0)
            return true;
        tw_suggest_offer(&suggestion, name);
    }
    tw_fault_log_add(loader->log, TW_RECIPE, value->place,
                     tw_suggest_hint(&suggestion, &recipe->arena),
                     "borders is %s; expected wrap or closed", TW_YAML_FOUND(value));
    return true;
}

static bool derive(struct tw_recipe *recipe)
{
    const bool *needed = tw_graph_needed(recipe);
    if (!needed)
        return false;
    const struct tw_node *source = find_open_source(recipe, needed);
    recipe->borders = source ? TW_BORDERS_CLOSED : TW_BORDERS_WRAP;
    recipe->borders_reason = source ? tw_arena_print(&recipe->arena, "since %s '%s' does not wrap",
                                                     source->type->name, source->path)
                                    : "since every source wraps";
    return recipe->borders_reason;
}

/* Pictures show a map alone, so they get closed borders unless the recipe sets `borders`: even on a
 * derived torus maps may not wrap, such as crops and results of nodes that do not wrap. */
static enum tw_borders borders_of(const struct tw_recipe *recipe, const struct tw_node_type *type,
                                  bool said)
{
    bool picture = type->outputs[0].name && type->outputs[0].type == TW_IMAGE;
    return picture && !said ? TW_BORDERS_CLOSED : recipe->borders;
}

bool tw_load_borders(struct tw_loader *loader, const struct tw_yaml *root)
{
    struct tw_recipe *recipe = loader->recipe;
    const struct tw_yaml *value = tw_yaml_find(root, "borders");
    if (!(value ? read_key(loader, value) : derive(recipe)))
        return false;
    for (int32_t i = 0; i < recipe->count; i++)
        recipe->nodes[i].borders = borders_of(recipe, recipe->nodes[i].type, value);
    return true;
}
