/* SPDX-License-Identifier: MIT */
/* Reads `assert:` of the recipe that is run: {output.field: {min: ..., max: ...}}. A recipe is
 * tuned for its own size, so another size judges nothing. */
#include "graph/assertion.h"
#include "graph/load/expect.h"
#include "graph/load/load_private.h"

#include "base/text/number.h"
#include "base/text/suggest.h"

#include <string.h>

enum { ASSERTIONS_MAX = 1000 };

static bool read_bound(struct tw_loader *loader, const struct tw_yaml *bounds, const char *key,
                       double *bound, bool *has)
{
    const struct tw_yaml *value = tw_yaml_find(bounds, key);
    *has = value != NULL;
    if (!value || (value->kind == TW_YAML_SCALAR && tw_number_parse(value->text, bound)))
        return true;
    tw_fault_log_add(loader->log, TW_RECIPE, value->place, NULL, "%s is %s; expected a number", key,
                     TW_YAML_FOUND(value));
    return false;
}

static bool read_bounds(struct tw_loader *loader, const struct tw_yaml_item *item,
                        struct tw_assertion *assertion)
{
    static const char *const known[] = {"min", "max", NULL};
    if (!tw_expect_kind(loader->log, item->value, TW_YAML_MAPPING, item->key->text))
        return false;
    tw_expect_keys(loader->log, &loader->recipe->arena, item->value, "an assertion", known);
    if (!read_bound(loader, item->value, "min", &assertion->min, &assertion->has_min) ||
        !read_bound(loader, item->value, "max", &assertion->max, &assertion->has_max))
        return false;
    if (assertion->has_min && assertion->has_max && assertion->min > assertion->max)
        tw_fault_log_add(loader->log, TW_RECIPE, item->value->place, NULL,
                         "min is above max; no number is both");
    else if (!assertion->has_min && !assertion->has_max)
        tw_fault_log_add(loader->log, TW_RECIPE, item->value->place, NULL,
                         "an assertion needs min, max or both, as in {min: 0.95}");
    else
        return true;
    return false;
}

/* Finds the record output that the key names, as in fair.area_balance. */
static const struct tw_output *find_output(struct tw_loader *loader, const struct tw_yaml *key)
{
    struct tw_arena *arena = &loader->recipe->arena;
    const size_t length = strcspn(key->text, ".");
    const char *name = tw_arena_copy(arena, key->text, length);
    struct tw_suggestion suggestion = {.unknown = name ? name : ""};
    const struct tw_output *output =
        tw_names_find(&loader->names, &loader->recipe->outputs, suggestion.unknown);
    for (const struct tw_output *o = output ? NULL : loader->recipe->outputs;
         o && tw_fault_log_may_suggest(loader->log); o = o->next)
        tw_suggest_offer(&suggestion, o->name);
    if (!key->text[length] || !key->text[length + 1])
        tw_fault_log_add(loader->log, TW_RECIPE, key->place, NULL,
                         "'%.60s' names no field; expected an output and a field of its record, as "
                         "in score.game",
                         key->text);
    else if (!output)
        tw_fault_log_add(loader->log, TW_RECIPE, key->place, tw_suggest_hint(&suggestion, arena),
                         "there is no output '%.60s'", suggestion.unknown);
    else if (tw_source_type(loader->recipe, output->source) != TW_RECORD)
        tw_fault_log_add(loader->log, TW_RECIPE, key->place, NULL,
                         "output '%.60s' is %s; expected a record", output->name,
                         tw_type_name(tw_source_type(loader->recipe, output->source)));
    else
        return output;
    return NULL;
}

/* Names the assertion's node by what the recipe asserts, or only by its number if that is hidden.
 */
static const char *name_node(struct tw_loader *loader, const struct tw_yaml_item *item)
{
    int number = 1;
    for (const struct tw_output *o = loader->recipe->assertions; o; o = o->next)
        number++;
    return item->key->place.hidden
               ? tw_arena_print(&loader->recipe->arena, "assert %d", number)
               : tw_arena_print(&loader->recipe->arena, "assert %s", item->key->text);
}

static bool add(struct tw_loader *loader, struct tw_scope *root, const struct tw_yaml_item *item)
{
    struct tw_recipe *recipe = loader->recipe;
    struct tw_assertion *assertion = tw_arena_alloc(&recipe->arena, 1, sizeof *assertion);
    struct tw_output *goal = tw_arena_alloc(&recipe->arena, 1, sizeof *goal);
    static const struct tw_yaml empty = {.kind = TW_YAML_MAPPING};
    if (!assertion || !goal)
        return false;
    const struct tw_output *output = find_output(loader, item->key);
    assertion->name = item->key->text;
    assertion->field = item->key->text + strcspn(item->key->text, ".") + 1;
    if (!output || !read_bounds(loader, item, assertion))
        return true; /* reported */
    const char *id = name_node(loader, item);
    int32_t node = id ? tw_load_hidden_node(loader, root, &tw_assertion_type, id, &empty) : -1;
    if (node < 0)
        return false;
    recipe->nodes[node].assertion = assertion;
    recipe->nodes[node].params = assertion;
    recipe->nodes[node].place = item->key->place;
    recipe->nodes[node].hides = item->key->place.hidden;
    recipe->nodes[node].inputs[0] = output->source;
    *goal = (struct tw_output){assertion->name, {node, 0}, recipe->assertions, 0};
    recipe->assertions = goal;
    return true;
}

static bool has_own_size(const struct tw_loader *loader)
{
    const struct tw_load_options *options = loader->options;
    return options->width == 0 || (loader->own_width == loader->recipe->width &&
                                   loader->own_height == loader->recipe->height);
}

bool tw_load_assertions(struct tw_loader *loader, struct tw_scope *root)
{
    const struct tw_yaml *list = tw_yaml_find(root->root, "assert");
    bool ok = true;
    if (!list || !tw_expect_kind(loader->log, list, TW_YAML_MAPPING, "assert"))
        return true;
    if (list->count > ASSERTIONS_MAX) {
        tw_fault_log_add(loader->log, TW_LIMIT, list->place, NULL, "more than %d assertions",
                         ASSERTIONS_MAX);
        return true;
    }
    for (const struct tw_yaml_item *item = list->items; item && ok; item = item->next)
        ok = add(loader, root, item);
    if (has_own_size(loader))
        return ok;
    loader->recipe->assertions = NULL;
    tw_fault_log_warn(loader->log, list->place,
                      "nothing is asserted at %d x %d cells: assert: is judged at the recipe's own "
                      "size, %d x %d",
                      (int)loader->recipe->width, (int)loader->recipe->height,
                      (int)loader->own_width, (int)loader->own_height);
    return ok;
}
