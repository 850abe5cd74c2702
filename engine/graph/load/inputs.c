/* SPDX-License-Identifier: MIT */
/* `inputs:` of a recipe. For a recipe used as a node, the using node feeds them; for the root, the
 * program that loaded it, by tw_recipe_feed(). Each of the root's becomes a node with edges like
 * any other. */
#include "graph/load/expect.h"
#include "graph/load/load_private.h"

#include "base/text/suggest.h"
#include "graph/feed.h"
#include "value/field.h"

#include <string.h>

bool tw_load_find_type(const char *name, enum tw_type *type)
{
    if (!name)
        return false;
    for (int i = 0; i < TW_TYPE_COUNT; i++)
        if (strcmp(name, tw_type_name((enum tw_type)i)) == 0) {
            *type = (enum tw_type)i;
            return true;
        }
    return false;
}

const struct tw_yaml *tw_load_input_type(const struct tw_yaml *declared)
{
    const struct tw_yaml *type = tw_yaml_find(declared, "type");
    return type ? type : declared;
}

const struct tw_yaml *tw_load_input_default(const struct tw_yaml *declared)
{
    return tw_yaml_find(declared, "default");
}

static void check_input(struct tw_loader *loader, const struct tw_yaml_item *item)
{
    static const char *const known[] = {"type", "default", "about", NULL};
    const struct tw_yaml *type = tw_load_input_type(item->value);
    struct tw_suggestion suggestion = {.unknown = type->text ? type->text : ""};
    enum tw_type found;
    if (item->value->kind == TW_YAML_MAPPING)
        tw_expect_keys(loader->log, &loader->recipe->arena, item->value, "an input's declaration",
                       known);
    if (tw_load_find_type(suggestion.unknown, &found))
        return;
    for (int i = 0; i < TW_TYPE_COUNT; i++)
        tw_suggest_offer(&suggestion, tw_type_name((enum tw_type)i));
    tw_fault_log_add(
        loader->log, TW_RECIPE, type->place, tw_suggest_hint(&suggestion, &loader->recipe->arena),
        "input %s is %s; expected a type, such as heightmap", item->key->text, TW_YAML_FOUND(type));
}

void tw_scope_inputs(struct tw_loader *loader, const struct tw_yaml *inputs)
{
    if (!inputs || !tw_expect_kind(loader->log, inputs, TW_YAML_MAPPING, "inputs"))
        return;
    for (const struct tw_yaml_item *item = inputs->items; item; item = item->next)
        check_input(loader, item);
}

/* Creates the node of an input under a name that references find. */
static bool add_feed(struct tw_loader *loader, struct tw_scope *root,
                     const struct tw_yaml_item *item, struct tw_feed *feed)
{
    const bool has_default = tw_load_input_default(item->value);
    const struct tw_node_type *type = tw_feed_type(feed->type, has_default);
    struct tw_member *member = tw_arena_alloc(&loader->recipe->arena, 1, sizeof *member);
    struct tw_name *name = member ? tw_names_entry(&loader->names, root, feed->name) : NULL;
    if (!name)
        return false;
    if (name->thing) {
        tw_fault_log_add(loader->log, TW_RECIPE, item->key->place, NULL,
                         "'%s' is the name of an input and of a node; expected different names",
                         feed->name);
        return true;
    }
    *member = (struct tw_member){.id = feed->name, .place = item->key->place, .yaml = item->value};
    member->node = tw_load_hidden_node(loader, root, type, feed->name, item->value);
    if (member->node < 0)
        return false;
    struct tw_node *node = &loader->recipe->nodes[member->node];
    node->feed = feed;
    node->params = feed;
    node->place = item->key->place;
    name->thing = member;
    return true;
}

static bool may_feed(struct tw_loader *loader, const struct tw_yaml_item *item, int32_t count,
                     enum tw_type *type)
{
    if (!tw_load_find_type(tw_load_input_type(item->value)->text, type))
        return false; /* reported already */
    if (count >= TW_INPUTS_MAX)
        tw_fault_log_add(loader->log, TW_LIMIT, item->key->place, NULL,
                         "more than the %d inputs that a recipe may have", TW_INPUTS_MAX);
    else if (tw_type(*type)->shape == TW_PACKED)
        tw_fault_log_add(loader->log, TW_RECIPE, item->value->place, NULL,
                         "input %s is a %s, which no program can feed; expected another type",
                         item->key->text, tw_type_name(*type));
    else
        return true;
    return false;
}

/* Connects each input to its default, which stays until the program feeds the input. */
static bool connect_defaults(struct tw_loader *loader, struct tw_scope *root,
                             const struct tw_yaml *inputs)
{
    bool ok = true;
    for (const struct tw_yaml_item *item = inputs->items; item; item = item->next) {
        const struct tw_member *member = tw_names_find(&loader->names, root, item->key->text);
        if (member && member->node >= 0 && tw_load_input_default(item->value))
            ok &=
                tw_resolve_inputs(loader, root, &loader->recipe->nodes[member->node], item->value);
    }
    return ok || loader->log->faults > 0;
}

bool tw_load_feeds(struct tw_loader *loader, struct tw_scope *root)
{
    const struct tw_yaml *inputs = tw_yaml_find(root->root, "inputs");
    struct tw_feed **tail = &loader->recipe->feeds;
    int32_t count = 0;
    if (!loader->options->feeds || !inputs || inputs->kind != TW_YAML_MAPPING)
        return true;
    for (const struct tw_yaml_item *item = inputs->items; item; item = item->next) {
        enum tw_type type;
        if (!may_feed(loader, item, count++, &type))
            return true;
        struct tw_feed *feed = tw_arena_alloc(&loader->recipe->arena, 1, sizeof *feed);
        if (!feed)
            return false;
        *feed = (struct tw_feed){.name = item->key->text, .type = type};
        *tail = feed;
        tail = &feed->next;
        if (!add_feed(loader, root, item, feed))
            return false;
    }
    return connect_defaults(loader, root, inputs);
}
