/* SPDX-License-Identifier: MIT */
/* `params:` of a recipe: values come from options, from the node that uses the recipe, or are the
 * defaults, within declared bounds. */
#include "graph/load/expect.h"
#include "graph/load/load_private.h"
#include "graph/load/param_bounds.h"

#include "base/text/suggest.h"

#include <string.h>

enum { PARAMS_MAX = 1000 };

/* Returns an experiment's last value of a parameter. */
static const struct tw_setting *setting_of(const struct tw_loader *loader, const char *name)
{
    for (int32_t i = loader->changes->setting_count; i-- > 0;)
        if (strcmp(loader->changes->settings[i].name, name) == 0)
            return &loader->changes->settings[i];
    return NULL;
}

/* Finds the last `-s name=value`; its place is in the option itself. */
static const char *option_of(struct tw_loader *loader, const char *name, struct tw_place *place)
{
    size_t length = strlen(name);
    const char *found = NULL;
    const struct tw_setting *setting = setting_of(loader, name);
    if (setting) {
        *place = setting->place;
        return setting->text;
    }
    for (const char *const *set = loader->options->set; set && *set; set++)
        if (strncmp(*set, name, length) == 0 && (*set)[length] == '=')
            found = *set + length + 1;
    const char *line =
        found ? tw_arena_print(&loader->recipe->arena, "-s %s=%s", name, found) : NULL;
    if (line)
        *place = (struct tw_place){.file = "command line",
                                   .text = line,
                                   .length = strlen(line),
                                   .line = 1,
                                   .column = (int32_t)length + 5};
    return found;
}

/* Returns a parameter's value: from an option for the root, a key of the using node, or the
 * default. NULL after a fault. */
static const char *value_of(struct tw_loader *loader, struct tw_scope *scope, const char *name,
                            const struct tw_yaml *initial, struct tw_place *place)
{
    *place = initial->place;
    if (!scope->user) {
        const char *found = option_of(loader, name, place);
        return found ? found : initial->text;
    }
    const struct tw_yaml *value = tw_yaml_find(scope->user->yaml, name);
    if (!value)
        return initial->text;
    *place = value->place;
    if (value->kind == TW_YAML_SCALAR)
        return tw_substitute(loader, scope->parent, value);
    tw_fault_log_add(loader->log, TW_RECIPE, value->place, NULL,
                     "parameter %s is %s; expected one number or word", name,
                     tw_yaml_kind_name(value));
    return NULL;
}

static struct tw_binding *add_binding(struct tw_loader *loader, struct tw_scope *scope,
                                      const struct tw_yaml *name)
{
    struct tw_binding *binding = tw_arena_alloc(&loader->recipe->arena, 1, sizeof *binding);
    bool *used = tw_arena_alloc(&loader->recipe->arena, 1, sizeof *used);
    struct tw_name *entry =
        binding && used ? tw_names_entry(&loader->names, tw_scope_bindings(scope), name->text)
                        : NULL;
    if (!entry)
        return NULL;
    *binding = (struct tw_binding){
        .name = name->text, .place = name->place, .used = used, .next = scope->params};
    entry->thing = binding;
    scope->params = binding;
    return binding;
}

/* Lists a parameter for programs. Copies the value, since options are borrowed for the call
 * only. */
static bool list_param(struct tw_loader *loader, const struct tw_yaml *declared,
                       const struct tw_param_bounds *bounds, const char *initial,
                       const struct tw_binding *binding)
{
    struct tw_recipe *recipe = loader->recipe;
    const struct tw_yaml *about = tw_yaml_find(declared, "about");
    struct tw_known_param *known = tw_arena_alloc(&recipe->arena, 1, sizeof *known);
    const char *value = tw_arena_copy(&recipe->arena, binding->text, strlen(binding->text));
    if (!known || !value)
        return false;
    *known = (struct tw_known_param){
        .param = {.name = binding->name,
                  .about = about && tw_expect_kind(loader->log, about, TW_YAML_SCALAR, "about")
                               ? about->text
                               : "",
                  .initial = initial,
                  .value = value,
                  .is_number = bounds->is_number && bounds->quantity == TW_QUANTITY_NUMBER,
                  .has_min = bounds->min != NULL,
                  .has_max = bounds->max != NULL,
                  .min = bounds->low,
                  .max = bounds->high,
                  .has_usual = bounds->usual_low < bounds->usual_high,
                  .usual_min = bounds->usual_low,
                  .usual_max = bounds->usual_high}};
    *(recipe->last_param ? &recipe->last_param->next : &recipe->params) = known;
    recipe->last_param = known;
    return true;
}

static void take_value(struct tw_loader *loader, struct tw_scope *scope,
                       const struct tw_yaml *declared, const struct tw_yaml *initial,
                       struct tw_binding *binding)
{
    struct tw_place place;
    struct tw_param_bounds bounds;
    const char *given = value_of(loader, scope, binding->name, initial, &place);
    if (!given || !tw_param_bounds_read(loader, scope, declared, initial, &bounds))
        return;
    const char *text = tw_param_convert(loader, scope, binding->name, bounds.unit, given, &place);
    if (!text || !tw_param_bounds_check(loader, &bounds, binding->name, text, place))
        return;
    binding->text = text;
    if (!scope->user && !list_param(loader, declared, &bounds, initial->text, binding))
        tw_fault_log_add(loader->log, TW_MEMORY, place, NULL, "out of memory");
}

static void declare(struct tw_loader *loader, struct tw_scope *scope,
                    const struct tw_yaml_item *item)
{
    static const char *const known[] = {"default", "min", "max", "usual", "unit", "about", NULL};
    const struct tw_yaml *value = item->value, *initial = value;
    struct tw_binding *binding = add_binding(loader, scope, item->key);
    if (value->kind == TW_YAML_MAPPING) {
        tw_expect_keys(loader->log, &loader->recipe->arena, value, "a parameter's declaration",
                       known);
        initial = tw_yaml_find(value, "default");
    }
    if (!binding)
        tw_fault_log_add(loader->log, TW_MEMORY, value->place, NULL, "out of memory");
    else if (!initial || initial->kind != TW_YAML_SCALAR)
        tw_fault_log_add(loader->log, TW_RECIPE, value->place, NULL,
                         "parameter %.100s needs a default: one number or word", binding->name);
    else
        take_value(loader, scope, value, initial, binding);
}

/* Reports a name that is set at `place` but not declared. */
static void check_declared(struct tw_loader *loader, const struct tw_scope *scope, const char *name,
                           struct tw_place place)
{
    struct tw_suggestion suggestion = {.unknown = name};
    if (tw_names_find(&loader->names, tw_scope_bindings(scope), name))
        return;
    for (struct tw_binding *b = scope->params; b; b = b->next)
        tw_suggest_offer(&suggestion, b->name);
    tw_fault_log_add(loader->log, TW_RECIPE, place,
                     scope->root->place.hidden ? NULL
                     : scope->params ? tw_suggest_hint(&suggestion, &loader->recipe->arena)
                                     : "declare it under params:",
                     "'%s' is not a parameter of %s", name, scope->shown);
}

static void check_options(struct tw_loader *loader, struct tw_scope *scope)
{
    const struct tw_load_changes *changes = loader->changes;
    for (const char *const *set = loader->options->set; set && *set; set++) {
        const struct tw_place place = {.file = "command line"};
        char *name = tw_arena_copy(&loader->recipe->arena, *set, strcspn(*set, "="));
        check_declared(loader, scope, name ? name : "", place);
        if (!strchr(*set, '='))
            tw_fault_log_add(loader->log, TW_RECIPE, place, NULL,
                             "'%s' sets nothing; expected name=value", name ? name : "");
    }
    for (int32_t i = 0; i < changes->setting_count; i++)
        check_declared(loader, scope, changes->settings[i].name, changes->settings[i].place);
}

bool tw_scope_params(struct tw_loader *loader, struct tw_scope *scope)
{
    const struct tw_yaml *params = tw_yaml_find(scope->root, "params");
    if (params && !tw_expect_kind(loader->log, params, TW_YAML_MAPPING, "params"))
        return false;
    int count = 0;
    for (const struct tw_yaml_item *item = params ? params->items : NULL; item; item = item->next) {
        if (++count > PARAMS_MAX) {
            tw_fault_log_add(loader->log, TW_LIMIT, item->key->place, NULL,
                             "more than %d parameters", PARAMS_MAX);
            return false;
        }
        declare(loader, scope, item);
    }
    if (!scope->user)
        check_options(loader, scope);
    return true;
}
