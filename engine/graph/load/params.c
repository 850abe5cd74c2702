/* SPDX-License-Identifier: MIT */
/* `params:` of a recipe: values come from options, from the node that uses the recipe, or are the
 * defaults, within declared bounds. */
#include "graph/load/expect.h"
#include "graph/load/load_private.h"

#include "base/text/number.h"
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

/* Units that `unit:` of a declaration may name: those that take metres or degrees. */
static const char *const units[] = {
    TW_UNIT_HEIGHT,      TW_UNIT_RISE_PER_SIDE, TW_UNIT_SIDE, TW_UNIT_SIDE_SOUTH,
    TW_UNIT_SIDE_LONGER, TW_UNIT_TRUE_SLOPE,    NULL};

/* Checks `unit:` of a declaration; NULL in *unit without one. False after a fault. */
static bool read_unit(struct tw_loader *loader, const struct tw_yaml *declared, const char **unit)
{
    const struct tw_yaml *row = tw_yaml_find(declared, "unit");
    struct tw_suggestion suggestion = {.unknown = row && row->text ? row->text : ""};
    *unit = NULL;
    for (const char *const *known = units; row && *known; known++) {
        if (strcmp(*known, suggestion.unknown) == 0)
            *unit = *known;
        tw_suggest_offer(&suggestion, *known);
    }
    if (!row || *unit)
        return true;
    tw_fault_log_add(loader->log, TW_RECIPE, row->place,
                     tw_suggest_hint(&suggestion, &loader->recipe->arena),
                     "unit is %s; expected one of height, rise per map side, map sides, "
                     "north-south sides, longer sides, rise over run",
                     TW_YAML_FOUND(row));
    return false;
}

/* Converts a value to the declared unit. Without one a quantity stays as it is written; a recipe of
 * the library takes an author's only with `world:`, since the size that it takes otherwise is not
 * the author's. NULL after a fault. */
static const char *convert(struct tw_loader *loader, const struct tw_scope *scope, const char *name,
                           const char *unit, const char *text, const struct tw_place *place)
{
    double number;
    enum tw_quantity quantity;
    if (unit)
        return tw_load_world_unit(loader, scope->shown, name, unit, text, place);
    if (!scope->library || place->user || loader->recipe->world.given ||
        !tw_load_quantity(text, &number, &quantity) || quantity == TW_QUANTITY_NUMBER)
        return text;
    return tw_load_world_unit(loader, scope->shown, name,
                              quantity == TW_QUANTITY_METRES ? TW_UNIT_SIDE : TW_UNIT_RISE_PER_SIDE,
                              text, place);
}

/* The values that a declaration allows, and its bounds as written. They are numbers, or quantities
 * of one unit, if it has bounds or an unquoted numeric default. A default that is a word in spite
 * of bounds, as in `{default: auto, min: 0, max: 360}`, may later replace a number, too. */
struct bounds {
    bool is_number;
    const char *unit; /* `unit:`, to which values are converted; NULL for none */
    enum tw_quantity quantity;
    double low, high;
    const char *min, *max; /* NULL for none */
    const char *word;      /* NULL for none */
};

/* Reads a bound of a declaration; *text is NULL without one. False after a fault. */
static bool read_bound(struct tw_loader *loader, const struct tw_scope *scope,
                       const struct tw_yaml *declared, const char *key, struct bounds *bounds,
                       double *bound, const char **text)
{
    const struct tw_yaml *row = tw_yaml_find(declared, key);
    *text = row && row->kind == TW_YAML_SCALAR ? row->text : NULL;
    const char *converted =
        *text ? convert(loader, scope, key, bounds->unit, *text, &row->place) : NULL;
    if (*text && !converted)
        return false;
    if (!row || (converted && tw_load_quantity(converted, bound, &bounds->quantity)))
        return true;
    tw_fault_log_add(loader->log, TW_RECIPE, row->place, NULL, "%s is %s; expected a number", key,
                     TW_YAML_FOUND(row));
    return false;
}

/* Recognises the words that node types accept for numbers: TW_PARAM_F32_OR. */
static bool is_number_word(const char *text)
{
    return strcmp(text, "auto") == 0 || strcmp(text, "none") == 0;
}

static bool check_order(struct tw_loader *loader, const struct tw_yaml *declared,
                        const struct bounds *bounds, enum tw_quantity of_min)
{
    if (!bounds->min || !bounds->max)
        return true;
    if (bounds->quantity != of_min) {
        tw_fault_log_add(loader->log, TW_RECIPE, tw_yaml_find(declared, "max")->place, NULL,
                         "max is %.30s and min is %.30s; expected both in one unit", bounds->max,
                         bounds->min);
        return false;
    }
    if (bounds->low <= bounds->high)
        return true;
    tw_fault_log_add(loader->log, TW_RECIPE, tw_yaml_find(declared, "max")->place, NULL,
                     "max is %.30s; expected at least min, %.30s", bounds->max, bounds->min);
    return false;
}

static bool read_bounds(struct tw_loader *loader, const struct tw_scope *scope,
                        const struct tw_yaml *declared, const struct tw_yaml *initial,
                        struct bounds *bounds)
{
    double standard;
    bool numeric = tw_number_parse(initial->text, &standard);
    *bounds = (struct bounds){.is_number = false};
    if (!read_unit(loader, declared, &bounds->unit) ||
        !read_bound(loader, scope, declared, "min", bounds, &bounds->low, &bounds->min))
        return false;
    enum tw_quantity of_min = bounds->quantity;
    if (!read_bound(loader, scope, declared, "max", bounds, &bounds->high, &bounds->max) ||
        !check_order(loader, declared, bounds, of_min))
        return false;
    bool bounded = bounds->min || bounds->max || bounds->unit;
    bounds->is_number = bounded || (!initial->quoted && numeric);
    bounds->word = bounded && is_number_word(initial->text) ? initial->text : NULL;
    return true;
}

static bool check_value(struct tw_loader *loader, const struct bounds *bounds, const char *name,
                        const char *text, struct tw_place place)
{
    const char *min = bounds->min, *max = bounds->max;
    double number = 0;
    enum tw_quantity quantity;
    if (!bounds->is_number || (bounds->word && strcmp(text, bounds->word) == 0))
        return true;
    if (tw_load_quantity(text, &number, &quantity) && quantity == bounds->quantity &&
        !(min && number < bounds->low) && !(max && number > bounds->high))
        return true;
    tw_fault_log_add(loader->log, TW_RECIPE, place, NULL,
                     "parameter %.100s is '%.60s'; expected %.60s%sa number%s%.30s%s%.30s", name,
                     text, bounds->word ? bounds->word : "", bounds->word ? " or " : "",
                     !min  ? ""
                     : max ? " from "
                           : " not below ",
                     min ? min : "",
                     !max  ? ""
                     : min ? " to "
                           : " not above ",
                     max ? max : "");
    return false;
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
                       const struct bounds *bounds, const char *initial,
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
                  .max = bounds->high}};
    *(recipe->last_param ? &recipe->last_param->next : &recipe->params) = known;
    recipe->last_param = known;
    return true;
}

static void take_value(struct tw_loader *loader, struct tw_scope *scope,
                       const struct tw_yaml *declared, const struct tw_yaml *initial,
                       struct tw_binding *binding)
{
    struct tw_place place;
    struct bounds bounds;
    const char *given = value_of(loader, scope, binding->name, initial, &place);
    if (!given || !read_bounds(loader, scope, declared, initial, &bounds))
        return;
    const char *text = convert(loader, scope, binding->name, bounds.unit, given, &place);
    if (!text || !check_value(loader, &bounds, binding->name, text, place))
        return;
    binding->text = text;
    if (!scope->user && !list_param(loader, declared, &bounds, initial->text, binding))
        tw_fault_log_add(loader->log, TW_MEMORY, place, NULL, "out of memory");
}

static void declare(struct tw_loader *loader, struct tw_scope *scope,
                    const struct tw_yaml_item *item)
{
    static const char *const known[] = {"default", "min", "max", "unit", "about", NULL};
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
