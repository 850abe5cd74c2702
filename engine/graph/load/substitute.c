/* SPDX-License-Identifier: MIT */
/* Replaces `${...}` by the text of a parameter of the recipe, or by the result of arithmetic over
 * parameters. No environment, no nesting. */
#include "graph/load/load_private.h"

#include "base/text/number.h"
#include "base/text/suggest.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define WORD "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* A text under construction, and a name within it. */
struct expansion {
    char text[TW_TEXT_MAX + 1];
    char name[TW_ID_MAX + 1];
    char number[TW_BUILT_IN_BYTES];
    size_t length;
};

static const char *const built_ins[] = {"seed", "width", "height", "side_m", "height_m", "round"};

/* Prints the world's size; false without `world:`, but for a recipe of the library, which takes a
 * size then. */
static bool print_metres(const struct tw_scope *scope, const struct tw_recipe *recipe,
                         const char *name, char number[TW_BUILT_IN_BYTES])
{
    const bool is_side = strcmp(name, "side_m") == 0;
    const struct tw_world world = tw_load_world_of(recipe, scope->library);
    if (world.given)
        tw_number_print(number, TW_BUILT_IN_BYTES, is_side ? world.side_m : world.height_m);
    return world.given;
}

/* Returns NULL if there is no such name, or no such number here. */
static const char *built_in(const struct tw_scope *scope, const struct tw_recipe *recipe,
                            const char *name, char number[TW_BUILT_IN_BYTES])
{
    if (strcmp(name, "seed") == 0)
        snprintf(number, TW_BUILT_IN_BYTES, "%" PRIu64, scope->seed);
    else if (strcmp(name, "width") == 0)
        snprintf(number, TW_BUILT_IN_BYTES, "%d", (int)recipe->width);
    else if (strcmp(name, "height") == 0)
        snprintf(number, TW_BUILT_IN_BYTES, "%d", (int)recipe->height);
    else if (strcmp(name, "round") == 0)
        snprintf(number, TW_BUILT_IN_BYTES, "%d", (int)scope->round);
    else if ((strcmp(name, "side_m") != 0 && strcmp(name, "height_m") != 0) ||
             !print_metres(scope, recipe, name, number))
        return NULL;
    return number;
}

bool tw_scope_needs_world(const struct tw_scope *scope, const struct tw_recipe *recipe,
                          const char *name)
{
    char number[TW_BUILT_IN_BYTES];
    bool metres = strcmp(name, "side_m") == 0 || strcmp(name, "height_m") == 0;
    return metres && !print_metres(scope, recipe, name, number);
}

/* Offers the scope's parameters and, in arithmetic, the built-in names. */
static void offer_names(struct tw_loader *loader, const struct tw_scope *scope,
                        struct tw_suggestion *suggestion)
{
    for (const struct tw_binding *binding = scope->params;
         binding && tw_fault_log_may_suggest(loader->log); binding = binding->next)
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
    if (tw_scope_needs_world(scope, loader->recipe, name)) {
        tw_fault_log_add(loader->log, TW_RECIPE, place, NULL, TW_NEEDS_WORLD, name);
        return;
    }
    tw_fault_log_add(loader->log, TW_RECIPE, place,
                     best ? tw_arena_print(&loader->recipe->arena, "did you mean '${%s}'?", best)
                          : "declare it under params:",
                     "'${%.60s}' is not a parameter of this recipe", name);
}

bool tw_scope_value(struct tw_loader *loader, struct tw_scope *scope, const char *name,
                    char number[TW_BUILT_IN_BYTES], const char **text)
{
    const struct tw_binding *binding =
        tw_names_find(&loader->names, tw_scope_bindings(scope), name);
    if (binding)
        *binding->used = true;
    loader->unset_uses += binding && !binding->text;
    *text = binding ? binding->text : built_in(scope, loader->recipe, name, number);
    return binding || *text;
}

static bool append(struct tw_loader *loader, struct expansion *expansion, const char *text,
                   size_t length, const struct tw_yaml *scalar)
{
    if (length > TW_TEXT_MAX - expansion->length) {
        tw_fault_log_add(loader->log, TW_LIMIT, scalar->place, NULL,
                         "a text with '${...}' replaced has more than %d bytes", TW_TEXT_MAX);
        return false;
    }
    memcpy(expansion->text + expansion->length, text, length);
    expansion->length += length;
    return true;
}

/* Extracts the name in "${ name }" without its blanks; false if it is too long. */
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

/* Returns the value of the text between "${" at `open` and its brace; NULL after a fault. */
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
        tw_fault_log_add(loader->log, TW_RECIPE, scalar->place, NULL,
                         "a name in '${...}' has %zu bytes; expected at most %d", length,
                         TW_ID_MAX);
    return NULL;
}

static const char *closing_brace(struct tw_loader *loader, const char *open,
                                 const struct tw_yaml *scalar)
{
    const char *close = strchr(open, '}');
    if (!close)
        tw_fault_log_add(loader->log, TW_RECIPE,
                         tw_yaml_place_within(scalar, (size_t)(open - scalar->text)), NULL,
                         "'${' without a closing '}'");
    return close;
}

/* Keeps the finished text in the arena, within the limit for all texts of a recipe. */
static const char *keep(struct tw_loader *loader, const struct expansion *expansion,
                        const struct tw_yaml *scalar)
{
    loader->expanded_bytes += expansion->length + 1;
    if (loader->expanded_bytes <= TW_EXPANDED_BYTES_MAX)
        return tw_arena_copy(&loader->recipe->arena, expansion->text, expansion->length);
    tw_fault_log_add(loader->log, TW_LIMIT, scalar->place, NULL,
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
