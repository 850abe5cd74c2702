/* SPDX-License-Identifier: MIT */
/* Parameters of a recipe and `${name}`. No arithmetic, no environment, no nesting. */
#include "graph/load/expect.h"
#include "graph/load/load_private.h"

#include "base/number.h"
#include "base/suggest.h"
#include "node/param.h"

#include <inttypes.h>
#include <string.h>

enum { PARAMS_MAX = 1000, TEXT_MAX = 4096 };

static const char *built_in(struct tw_loader *loader, const char *name)
{
    struct tw_recipe *recipe = loader->recipe;
    if (strcmp(name, "seed") == 0)
        return tw_arena_print(&recipe->arena, "%" PRIu64, recipe->seed);
    if (strcmp(name, "width") == 0)
        return tw_arena_print(&recipe->arena, "%d", (int)recipe->width);
    if (strcmp(name, "height") == 0)
        return tw_arena_print(&recipe->arena, "%d", (int)recipe->height);
    return NULL;
}

static const char *look_up(struct tw_loader *loader, struct tw_scope *scope, const char *name,
                           const struct tw_yaml *scalar)
{
    struct tw_suggestion suggestion = {.wanted = name};
    for (const struct tw_binding *binding = scope->params; binding; binding = binding->next)
        if (strcmp(binding->name, name) == 0)
            return binding->text;
    const char *text = built_in(loader, name);
    if (text)
        return text;
    bool told = loader->report->faults < TW_FAULTS_REPORTED_MAX; /* else nobody reads it */
    for (const struct tw_binding *binding = scope->params; told && binding; binding = binding->next)
        tw_suggest_offer(&suggestion, binding->name);
    tw_report_fault(loader->report, TW_RECIPE, scalar->place,
                    suggestion.best ? tw_arena_print(&loader->recipe->arena,
                                                     "did you mean '${%s}'?", suggestion.best)
                                    : "declare it under params:",
                    "'${%s}' is no parameter of this recipe", name);
    return NULL;
}

const char *tw_substitute(struct tw_loader *loader, struct tw_scope *scope,
                          const struct tw_yaml *scalar)
{
    struct tw_arena *arena = &loader->recipe->arena;
    const char *done = "", *rest = scalar->text;
    for (const char *open; (open = strstr(rest, "${"));) {
        const char *close = strchr(open, '}');
        if (!close) {
            tw_report_fault(loader->report, TW_RECIPE, scalar->place, NULL,
                            "'${' without a closing '}'");
            return NULL;
        }
        char *name = tw_arena_copy(arena, open + 2, (size_t)(close - open - 2));
        const char *value = name ? look_up(loader, scope, name, scalar) : NULL;
        if (!value)
            return NULL;
        if (strlen(done) + strlen(value) > TEXT_MAX) {
            tw_report_fault(loader->report, TW_LIMIT, scalar->place, NULL,
                            "a text with '${...}' replaced has more than %d bytes", TEXT_MAX);
            return NULL;
        }
        done = tw_arena_print(arena, "%s%.*s%s", done, (int)(open - rest), rest, value);
        if (!done)
            return NULL;
        rest = close + 1;
    }
    return rest == scalar->text ? rest : tw_arena_print(arena, "%s%s", done, rest);
}

/* The text given from outside, or NULL: an option of the root, a key of the using node. */
static const char *given(struct tw_loader *loader, struct tw_scope *scope, const char *name,
                         struct tw_place *place)
{
    if (scope->user) {
        const struct tw_yaml *value = tw_yaml_find(scope->user->yaml, name);
        if (!value)
            return NULL;
        if (value->kind != TW_YAML_SCALAR) {
            tw_report_fault(loader->report, TW_RECIPE, value->place, NULL,
                            "parameter %s is %s; one number or word is wanted", name,
                            tw_yaml_kind_name(value));
            return NULL;
        }
        *place = value->place;
        return tw_substitute(loader, scope->parent, value);
    }
    size_t length = strlen(name);
    const char *found = NULL;
    for (const char *const *set = loader->options->set; set && *set; set++)
        if (strncmp(*set, name, length) == 0 && (*set)[length] == '=')
            found = *set + length + 1;
    if (found)
        *place = (struct tw_place){.file = "command line"};
    return found;
}

/* Checks a value against the declared min and max and the type of the default. */
static bool check_bounds(struct tw_loader *loader, const struct tw_yaml *declared, const char *name,
                         const char *text, struct tw_place place)
{
    const char *const keys[] = {"min", "max"};
    double number = 0, bound;
    for (int i = 0; i < 2; i++) {
        const struct tw_yaml *row = tw_yaml_find(declared, keys[i]);
        if (!row)
            continue;
        if (row->kind != TW_YAML_SCALAR || !tw_number_parse(row->text, &bound)) {
            tw_report_fault(loader->report, TW_RECIPE, row->place, NULL, "%s must be a number",
                            keys[i]);
            return false;
        }
        bool is_number = tw_number_parse(text, &number);
        if (!is_number || (i == 0 ? number < bound : number > bound)) {
            tw_report_fault(loader->report, TW_RECIPE, place, NULL,
                            "parameter %s is '%.60s'; allowed is a number %s %s", name, text,
                            i == 0 ? "not below" : "not above", row->text);
            return false;
        }
    }
    return true;
}

static bool declare(struct tw_loader *loader, struct tw_scope *scope, const char *name,
                    const struct tw_yaml *value)
{
    static const char *const known[] = {"default", "min", "max", "about", NULL};
    const struct tw_yaml *initial = value;
    if (value->kind == TW_YAML_MAPPING) {
        tw_expect_keys(loader->report, &loader->recipe->arena, value, "a parameter's declaration",
                       known);
        initial = tw_yaml_find(value, "default");
    }
    if (!initial || initial->kind != TW_YAML_SCALAR) {
        tw_report_fault(loader->report, TW_RECIPE, value->place, NULL,
                        "parameter %s needs a default: one number or word", name);
        return false;
    }
    struct tw_place place = initial->place;
    const char *text = given(loader, scope, name, &place);
    struct tw_binding *binding = tw_arena_alloc(&loader->recipe->arena, 1, sizeof *binding);
    if (!binding)
        return false;
    *binding = (struct tw_binding){name, text ? text : initial->text, scope->params};
    scope->params = binding;
    return check_bounds(loader, value, name, binding->text, place);
}

static void check_options(struct tw_loader *loader, struct tw_scope *scope)
{
    for (const char *const *set = loader->options->set; set && *set; set++) {
        size_t length = strcspn(*set, "=");
        char *name = tw_arena_copy(&loader->recipe->arena, *set, length);
        struct tw_suggestion suggestion = {.wanted = name ? name : ""};
        bool found = false;
        for (struct tw_binding *b = scope->params; b && name; b = b->next) {
            found = found || strcmp(b->name, name) == 0;
            tw_suggest_offer(&suggestion, b->name);
        }
        if (!found)
            tw_report_fault(loader->report, TW_RECIPE, (struct tw_place){.file = "command line"},
                            tw_suggest_hint(&suggestion, &loader->recipe->arena),
                            "'%s' is no parameter of %s", name ? name : "", scope->file);
    }
}

bool tw_scope_params(struct tw_loader *loader, struct tw_scope *scope)
{
    const struct tw_yaml *params = tw_yaml_find(scope->root, "params");
    if (params && !tw_expect_kind(loader->report, params, TW_YAML_MAPPING, "params"))
        return false;
    int count = 0;
    for (const struct tw_yaml_item *item = params ? params->items : NULL; item; item = item->next) {
        if (++count > PARAMS_MAX) {
            tw_report_fault(loader->report, TW_LIMIT, item->key->place, NULL,
                            "more than %d parameters", PARAMS_MAX);
            return false;
        }
        declare(loader, scope, item->key->text, item->value);
    }
    if (!scope->user)
        check_options(loader, scope);
    return true;
}
