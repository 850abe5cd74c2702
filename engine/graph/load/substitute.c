/* SPDX-License-Identifier: MIT */
/* Parameters of a recipe, and `${...}`: the text of one of them, or the number that arithmetic over
 * them gives. No environment, no nesting. */
#include "graph/load/expect.h"
#include "graph/load/load_private.h"

#include "base/number.h"
#include "base/suggest.h"
#include "node/param.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PARAMS_MAX = 1000 };
#define WORD "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* A text under construction; a name within it. */
struct expansion {
    char text[TW_TEXT_MAX + 1];
    char name[TW_ID_MAX + 1];
    char number[TW_BUILT_IN_BYTES];
    size_t length;
};

/* Owner of a scope's bindings in the table of names; members have the scope itself. */
static const void *bindings_of(const struct tw_scope *scope) { return &scope->params; }

static const char *const built_ins[] = {"seed", "width", "height"};

static const char *built_in(const struct tw_scope *scope, const struct tw_recipe *recipe,
                            const char *name, char number[TW_BUILT_IN_BYTES])
{
    if (strcmp(name, "seed") == 0)
        snprintf(number, TW_BUILT_IN_BYTES, "%" PRIu64, scope->seed);
    else if (strcmp(name, "width") == 0)
        snprintf(number, TW_BUILT_IN_BYTES, "%d", (int)recipe->width);
    else if (strcmp(name, "height") == 0)
        snprintf(number, TW_BUILT_IN_BYTES, "%d", (int)recipe->height);
    else
        return NULL;
    return number;
}

/* The nearest of the scope's parameters and, in arithmetic, of the names that are always there. */
static void offer_names(struct tw_loader *loader, const struct tw_scope *scope,
                        struct tw_suggestion *suggestion)
{
    for (const struct tw_binding *binding = scope->params;
         binding && tw_report_may_offer(loader->report); binding = binding->next)
        tw_suggest_offer(suggestion, binding->name);
    for (size_t i = 0; i < sizeof built_ins / sizeof *built_ins; i++)
        tw_suggest_offer(suggestion, built_ins[i]);
}

const char *tw_scope_nearest(struct tw_loader *loader, const struct tw_scope *scope,
                             const char *name)
{
    struct tw_suggestion suggestion = {.unknown = name};
    offer_names(loader, scope, &suggestion);
    return suggestion.best;
}

static void unknown_name(struct tw_loader *loader, const struct tw_scope *scope, const char *name,
                         struct tw_place place)
{
    const char *best = tw_scope_nearest(loader, scope, name);
    tw_report_fault(loader->report, TW_RECIPE, place,
                    best ? tw_arena_print(&loader->recipe->arena, "did you mean '${%s}'?", best)
                         : "declare it under params:",
                    "'${%.60s}' is not a parameter of this recipe", name);
}

bool tw_scope_value(struct tw_loader *loader, struct tw_scope *scope, const char *name,
                    char number[TW_BUILT_IN_BYTES], const char **text)
{
    const struct tw_binding *binding = tw_names_find(&loader->names, bindings_of(scope), name);
    if (binding)
        *binding->used = true;
    *text = binding ? binding->text : built_in(scope, loader->recipe, name, number);
    return binding || *text;
}

static bool append(struct tw_loader *loader, struct expansion *expansion, const char *text,
                   size_t length, const struct tw_yaml *scalar)
{
    if (length > TW_TEXT_MAX - expansion->length) {
        tw_report_fault(loader->report, TW_LIMIT, scalar->place, NULL,
                        "a text with '${...}' replaced has more than %d bytes", TW_TEXT_MAX);
        return false;
    }
    memcpy(expansion->text + expansion->length, text, length);
    expansion->length += length;
    return true;
}

/* The name in "${ name }", without its blanks; false when it has too many bytes. */
static bool cut_name(struct expansion *expansion, const char *at, size_t length)
{
    for (; length > 0 && *at == ' '; at++)
        length--;
    while (length > 0 && at[length - 1] == ' ')
        length--;
    if (length > TW_ID_MAX)
        return false;
    memcpy(expansion->name, at, length);
    expansion->name[length] = 0;
    return true;
}

/* The value of what stands between "${" at `open` and its brace; NULL after a fault. */
static const char *value_between(struct tw_loader *loader, struct tw_scope *scope,
                                 struct expansion *expansion, const char *open, size_t length,
                                 const struct tw_yaml *scalar)
{
    const char *text;
    size_t offset = (size_t)(open - scalar->text) + 2;
    bool is_short = cut_name(expansion, open + 2, length);
    if (is_short && tw_scope_value(loader, scope, expansion->name, expansion->number, &text))
        return text;
    bool is_name = strspn(open + 2, WORD " ") >= length;
    if (!is_name)
        return tw_arithmetic(loader, scope, scalar, offset, length, expansion->number)
                   ? expansion->number
                   : NULL;
    if (is_short)
        unknown_name(loader, scope, expansion->name, tw_yaml_place_within(scalar, offset));
    else
        tw_report_fault(loader->report, TW_RECIPE, scalar->place, NULL,
                        "a name in '${...}' has %zu bytes; expected at most %d", length, TW_ID_MAX);
    return NULL;
}

static const char *closing_brace(struct tw_loader *loader, const char *open,
                                 const struct tw_yaml *scalar)
{
    const char *close = strchr(open, '}');
    if (!close)
        tw_report_fault(loader->report, TW_RECIPE,
                        tw_yaml_place_within(scalar, (size_t)(open - scalar->text)), NULL,
                        "'${' without a closing '}'");
    return close;
}

/* The finished text in the arena, within the limit for all texts of a recipe. */
static const char *keep(struct tw_loader *loader, const struct expansion *expansion,
                        const struct tw_yaml *scalar)
{
    loader->expanded_bytes += expansion->length + 1;
    if (loader->expanded_bytes <= TW_EXPANDED_BYTES_MAX)
        return tw_arena_copy(&loader->recipe->arena, expansion->text, expansion->length);
    tw_report_fault(loader->report, TW_LIMIT, scalar->place, NULL,
                    "texts with '${...}' replaced have more than %zu bytes together",
                    TW_EXPANDED_BYTES_MAX);
    return NULL;
}

const char *tw_substitute(struct tw_loader *loader, struct tw_scope *scope,
                          const struct tw_yaml *scalar)
{
    struct expansion expansion;
    const char *rest = scalar->text;
    expansion.length = 0;
    for (const char *open; (open = strstr(rest, "${"));) {
        const char *close = closing_brace(loader, open, scalar);
        const char *value = close ? value_between(loader, scope, &expansion, open,
                                                  (size_t)(close - open) - 2, scalar)
                                  : NULL;
        if (!value)
            return NULL;
        if (!append(loader, &expansion, rest, (size_t)(open - rest), scalar) ||
            !append(loader, &expansion, value, strlen(value), scalar))
            return NULL;
        rest = close + 1;
    }
    if (rest == scalar->text)
        return rest;
    return append(loader, &expansion, rest, strlen(rest), scalar) ? keep(loader, &expansion, scalar)
                                                                  : NULL;
}

/* An experiment's last value of a parameter. */
static const struct tw_setting *setting_of(const struct tw_loader *loader, const char *name)
{
    for (int32_t i = loader->changes->setting_count; i-- > 0;)
        if (strcmp(loader->changes->settings[i].name, name) == 0)
            return &loader->changes->settings[i];
    return NULL;
}

/* The last `-s name=value`; its place is in the option itself. */
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

/* What a parameter is set to: by an option of the root, a key of the using node, else its default.
 * NULL after a fault. */
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
    tw_report_fault(loader->report, TW_RECIPE, value->place, NULL,
                    "parameter %s is %s; expected one number or word", name,
                    tw_yaml_kind_name(value));
    return NULL;
}

/* A bound of a declaration; `*has` is false without one. False after a fault. */
static bool read_bound(struct tw_loader *loader, const struct tw_yaml *declared, const char *key,
                       double *bound, const char **text)
{
    const struct tw_yaml *row = tw_yaml_find(declared, key);
    *text = row && row->kind == TW_YAML_SCALAR ? row->text : NULL;
    if (!row || (*text && tw_number_parse(*text, bound)))
        return true;
    tw_report_fault(loader->report, TW_RECIPE, row->place, NULL, "%s must be a number", key);
    return false;
}

/* Checks a value against the declared bounds; it is a number where these or the default are. */
static bool check_value(struct tw_loader *loader, const struct tw_yaml *declared,
                        const struct tw_yaml *initial, const char *name, const char *text,
                        struct tw_place place)
{
    double number = 0, low = 0, high = 0, standard;
    const char *min, *max;
    if (!read_bound(loader, declared, "min", &low, &min) ||
        !read_bound(loader, declared, "max", &high, &max))
        return false;
    bool counts = min || max || (!initial->quoted && tw_number_parse(initial->text, &standard));
    if (!counts ||
        (tw_number_parse(text, &number) && !(min && number < low) && !(max && number > high)))
        return true;
    tw_report_fault(loader->report, TW_RECIPE, place, NULL,
                    "parameter %.100s is '%.60s'; expected a number%s%.30s%s%.30s", name, text,
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
        binding && used ? tw_names_entry(&loader->names, bindings_of(scope), name->text) : NULL;
    if (!entry)
        return NULL;
    *binding = (struct tw_binding){
        .name = name->text, .place = name->place, .used = used, .next = scope->params};
    entry->thing = binding;
    scope->params = binding;
    return binding;
}

static void declare(struct tw_loader *loader, struct tw_scope *scope,
                    const struct tw_yaml_item *item)
{
    static const char *const known[] = {"default", "min", "max", "about", NULL};
    const struct tw_yaml *value = item->value, *initial = value;
    struct tw_binding *binding = add_binding(loader, scope, item->key);
    if (value->kind == TW_YAML_MAPPING) {
        tw_expect_keys(loader->report, &loader->recipe->arena, value, "a parameter's declaration",
                       known);
        initial = tw_yaml_find(value, "default");
    }
    if (!binding) {
        tw_report_fault(loader->report, TW_MEMORY, value->place, NULL, "out of memory");
    } else if (!initial || initial->kind != TW_YAML_SCALAR) {
        tw_report_fault(loader->report, TW_RECIPE, value->place, NULL,
                        "parameter %.100s needs a default: one number or word", binding->name);
    } else {
        struct tw_place place;
        const char *text = value_of(loader, scope, binding->name, initial, &place);
        if (text && check_value(loader, value, initial, binding->name, text, place))
            binding->text = text;
    }
}

/* Reports a name that is set at `place` and not declared. */
static void check_declared(struct tw_loader *loader, const struct tw_scope *scope, const char *name,
                           struct tw_place place)
{
    struct tw_suggestion suggestion = {.unknown = name};
    if (tw_names_find(&loader->names, bindings_of(scope), name))
        return;
    for (struct tw_binding *b = scope->params; b; b = b->next)
        tw_suggest_offer(&suggestion, b->name);
    tw_report_fault(loader->report, TW_RECIPE, place,
                    tw_suggest_hint(&suggestion, &loader->recipe->arena),
                    "'%s' is not a parameter of %s", name, scope->file);
}

static void check_options(struct tw_loader *loader, struct tw_scope *scope)
{
    const struct tw_load_changes *changes = loader->changes;
    for (const char *const *set = loader->options->set; set && *set; set++) {
        char *name = tw_arena_copy(&loader->recipe->arena, *set, strcspn(*set, "="));
        check_declared(loader, scope, name ? name : "", (struct tw_place){.file = "command line"});
    }
    for (int32_t i = 0; i < changes->setting_count; i++)
        check_declared(loader, scope, changes->settings[i].name, changes->settings[i].place);
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
        declare(loader, scope, item);
    }
    if (!scope->user)
        check_options(loader, scope);
    return true;
}
