/* SPDX-License-Identifier: MIT */
/* `repeat: n` on a recipe used as a node: n instances in a row, hills/1 to hills/n, each fed by the
 * outputs of the one before. The output of an input's name feeds that input; if no name matches,
 * the only output feeds the only input. Round 1 equals the recipe without `repeat`, and no round
 * depends on how many follow, so that the cache keeps rounds when more are added. */
#include "graph/load/load_private.h"

#include "base/text/number.h"

#include <stdio.h>

#define ROUNDS_MAX 1000

/* Returns the entry `repeat` of the node that uses the scope; NULL if it has none, or if the recipe
 * has a parameter or an input of that name. */
static const struct tw_yaml *repeat_entry(const struct tw_scope *scope)
{
    bool own = tw_yaml_find(tw_yaml_find(scope->root, "params"), "repeat") ||
               tw_yaml_find(tw_yaml_find(scope->root, "inputs"), "repeat");
    return own ? NULL : tw_yaml_find(scope->user->yaml, "repeat");
}

bool tw_repeat_number(struct tw_loader *loader, struct tw_scope *scope, int32_t round)
{
    struct tw_arena *arena = &loader->recipe->arena;
    if (!repeat_entry(scope))
        return true;
    scope->round = round;
    scope->prefix = tw_arena_print(arena, "%s%d/", scope->prefix, (int)round);
    if (round > 1)
        scope->seed_prefix = tw_arena_print(arena, "%s%d/", scope->seed_prefix, (int)round);
    return scope->prefix && scope->seed_prefix;
}

/* Returns the entries of `inputs:` or `outputs:`. */
static const struct tw_yaml_item *entries(const struct tw_scope *scope, const char *key)
{
    const struct tw_yaml *yaml = tw_yaml_find(scope->root, key);
    return yaml && yaml->kind == TW_YAML_MAPPING ? yaml->items : NULL;
}

static bool feeds_by_name(const struct tw_scope *scope)
{
    const struct tw_yaml *outputs = tw_yaml_find(scope->root, "outputs");
    for (const struct tw_yaml_item *item = entries(scope, "inputs"); item; item = item->next)
        if (tw_yaml_find(outputs, item->key->text))
            return true;
    return false;
}

const char *tw_repeat_output(const struct tw_scope *scope, const char *input)
{
    const struct tw_yaml_item *outputs = entries(scope, "outputs");
    if (!tw_yaml_find(tw_yaml_find(scope->root, "inputs"), input))
        return NULL;
    if (feeds_by_name(scope))
        return tw_yaml_find(tw_yaml_find(scope->root, "outputs"), input) ? input : NULL;
    return outputs ? outputs->key->text : NULL;
}

/* Prints "in, mask", or "none". */
static void list_names(const struct tw_yaml_item *items, char text[120])
{
    bool hidden = items && items->key->place.hidden;
    size_t used = (size_t)snprintf(text, 120, "%s", !items ? "none" : hidden ? "..." : "");
    for (; !hidden && items && used < 120; items = items->next)
        used += (size_t)snprintf(text + used, 120 - used, "%.40s%s", items->key->text,
                                 items->next ? ", " : "");
}

static bool check_feeds(struct tw_loader *loader, const struct tw_scope *scope,
                        const struct tw_yaml *repeat)
{
    const struct tw_yaml_item *inputs = entries(scope, "inputs");
    const struct tw_yaml_item *outputs = entries(scope, "outputs");
    bool only = inputs && !inputs->next && outputs && !outputs->next;
    char in[120], out[120];
    if (only || feeds_by_name(scope))
        return true;
    list_names(inputs, in);
    list_names(outputs, out);
    tw_fault_log_add(loader->log, TW_RECIPE, repeat->place, NULL,
                     "%s cannot be repeated: its inputs are %s, its outputs %s; expected an output "
                     "with the name of an input, or one of each",
                     scope->shown, in, out);
    return false;
}

/* Returns 0 after a fault. */
static int32_t read_rounds(struct tw_loader *loader, struct tw_scope *scope,
                           const struct tw_yaml *value, const char *id)
{
    uint64_t rounds = 0;
    const char *text = value->kind == TW_YAML_SCALAR ? tw_substitute(loader, scope, value) : "";
    if (!text || (tw_number_parse_whole(text, &rounds) && rounds >= 1 && rounds <= ROUNDS_MAX))
        return text ? (int32_t)rounds : 0;
    tw_fault_log_add(loader->log, TW_RECIPE, value->place, NULL,
                     "%s.repeat is %s; expected a whole number from 1 to %d", id,
                     text != value->text && value->kind == TW_YAML_SCALAR ? text
                                                                          : TW_YAML_FOUND(value),
                     ROUNDS_MAX);
    return 0;
}

struct tw_scope *tw_load_repeats(struct tw_loader *loader, struct tw_scope *parent,
                                 const struct tw_member *member, const char *file)
{
    int32_t faults = loader->log->faults;
    struct tw_scope *scope = tw_load_scope(loader, parent, member, file, 1);
    const struct tw_yaml *repeat = scope ? repeat_entry(scope) : NULL;
    if (!repeat)
        return scope;
    int32_t rounds = read_rounds(loader, parent, repeat, member->id);
    if (loader->log->faults > faults || !check_feeds(loader, scope, repeat))
        return scope;
    for (int32_t round = 2; scope && round <= rounds; round++) {
        struct tw_scope *next = tw_load_scope(loader, parent, member, file, round);
        if (next)
            next->last_round = scope;
        scope = loader->log->faults == faults ? next : NULL;
    }
    return scope;
}
