/* SPDX-License-Identifier: MIT */
/* Loads one entry of `nodes:`: a node type with its parameters, or a recipe used as a node. Inputs
 * are connected later, when every node exists. */
#include "graph/load/expect.h"
#include "graph/load/load_private.h"
#include "graph/load/world_from.h"

#include "base/os/file.h"
#include "base/text/number.h"
#include "base/text/suggest.h"
#include "node/guess.h"
#include "node/param.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* FNV-1a, 64 bit: hashes names to seed keys. */
static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001B3u;
    return hash;
}

/* Finaliser of splitmix64 (Steele, Lea, Flood 2014): spreads close seeds over all bits. */
static uint64_t mix(uint64_t v)
{
    v = (v ^ (v >> 30)) * 0xBF58476D1CE4E5B9u;
    v = (v ^ (v >> 27)) * 0x94D049BB133111EBu;
    return v ^ (v >> 31);
}

/* A node with a seed of its own does not depend on its name. */
static uint64_t seed_key(const struct tw_scope *scope, const char *id, bool own, uint64_t seed)
{
    uint64_t basis = own ? mix(seed + 0x9E3779B97F4A7C15u)
                         : hash_text(hash_text(0xCBF29CE484222325u, scope->seed_prefix), id);
    return mix(mix(scope->seed) ^ basis);
}

static struct tw_node *add_node(struct tw_loader *loader, int32_t *index)
{
    struct tw_recipe *recipe = loader->recipe;
    if (recipe->count == loader->capacity) {
        int32_t capacity = loader->capacity ? 2 * loader->capacity : 64;
        struct tw_node *nodes =
            tw_arena_alloc(&recipe->arena, (size_t)capacity, sizeof *recipe->nodes);
        if (!nodes)
            return NULL;
        if (recipe->count)
            memcpy(nodes, recipe->nodes, (size_t)recipe->count * sizeof *nodes);
        recipe->nodes = nodes;
        loader->capacity = capacity;
    }
    *index = recipe->count;
    return &recipe->nodes[recipe->count++];
}

static void unknown_entry(struct tw_loader *loader, const struct tw_scope *scope,
                          const struct tw_node_type *type, const struct tw_yaml *yaml,
                          const struct tw_yaml *key)
{
    struct tw_suggestion suggestion = {.unknown = key->text};
    bool heard = tw_fault_log_has_room(loader->log);
    const struct tw_yaml *mistaken = NULL;
    const char *input = heard ? tw_load_meant_input(loader, scope, type, yaml, &mistaken) : NULL;
    if (mistaken == key)
        suggestion.best = input;
    for (const struct tw_port *row = type->inputs; heard && row && row->name; row++)
        tw_suggest_offer(&suggestion, row->name);
    for (const struct tw_param *row = type->params; heard && row && row->name; row++)
        tw_suggest_offer(&suggestion, row->name);
    if (type->random)
        tw_suggest_offer(&suggestion, "seed");
    bool repeat = strcmp(key->text, "repeat") == 0;
    bool digits = key->text[0] && !key->text[strspn(key->text, "0123456789")]; /* of 3,5 */
    tw_fault_log_add(loader->log, TW_RECIPE, key->place,
                     repeat   ? "repeat: is for recipes used as nodes: put the node into one"
                     : digits ? "a ',' ends an entry; decimals have a point, as in 0.5"
                              : tw_suggest_hint(&suggestion, &loader->recipe->arena),
                     "%s has no input or parameter '%s'", type->name, key->text);
}

static void set_list(struct tw_loader *loader, struct tw_scope *scope, const char *owner,
                     const struct tw_param *row, void *params, const struct tw_yaml *value)
{
    char message[300];
    struct tw_list *list = (struct tw_list *)((unsigned char *)params + row->offset);
    list->count = 0; /* labels begin with their count, too */
    for (const struct tw_yaml_item *item = value->items; item; item = item->next) {
        const char *text = item->value->kind == TW_YAML_SCALAR
                               ? tw_substitute(loader, scope, item->value)
                               : "[...]";
        if (text)
            text =
                tw_load_world_unit(loader, owner, row->name, row->unit, text, &item->value->place);
        if (text && !tw_param_append(row, params, text, message, sizeof message))
            tw_fault_log_add(loader->log, TW_RECIPE, item->value->place, NULL, "%s.%s", owner,
                             message);
    }
}

/* A single number counts as a list of one. */
static bool set_text(const struct tw_param *row, void *params, const char *text, char *message,
                     size_t size)
{
    double number;
    struct tw_list *list = (struct tw_list *)((unsigned char *)params + row->offset);
    if (row->kind != TW_KIND_LIST || !tw_number_parse(text, &number))
        return tw_param_set(row, params, text, message, size);
    list->count = 0;
    return tw_param_append(row, params, text, message, size);
}

/* Suggests [0, 1] for "0 1"; NULL for words, and for a number, which needs no brackets. */
static const char *list_hint(struct tw_loader *loader, const char *text)
{
    char list[100] = "";
    size_t used = 0;
    double number;
    if (text[strspn(text, "0123456789+-.eE, ")] || tw_number_parse(text, &number))
        return NULL;
    for (const char *at = text; *at && used + 4 < sizeof list; at++) {
        bool between = *at == ' ' || *at == ',';
        if (!between && used > 0 && (at[-1] == ' ' || at[-1] == ',')) {
            list[used++] = ',';
            list[used++] = ' ';
        }
        if (!between)
            list[used++] = *at;
    }
    return used > 0 ? tw_arena_print(&loader->recipe->arena, "did you mean '[%s]'?", list) : NULL;
}

/* Hints at a fraction from `${...}` where a whole number is expected. */
static const char *whole_hint(const struct tw_yaml *value, const char *text)
{
    double number;
    bool is_fraction = tw_number_parse(text, &number) && number != floor(number);
    return text != value->text && is_fraction ? "round(...) gives a whole number" : NULL;
}

/* Hints at a number that world: has converted to the parameter's unit, or at a unit that the
 * parameter does not take. */
static const char *unit_hint(struct tw_loader *loader, const struct tw_param *row,
                             const char *given, const char *text)
{
    if (text != given)
        return tw_arena_print(&loader->recipe->arena, "'%.60s' is %s %s", given, text, row->unit);
    if (text[0] < '0' || text[0] > '9' || !text[strcspn(text, "dmk")])
        return NULL;
    if (tw_unit_takes_degrees(row->unit))
        return "with world: also in degrees below 90, as in 35 deg";
    return tw_unit_takes_metres(row->unit) ? "with world: also in metres, as in 120 m" : NULL;
}

void tw_load_param(struct tw_loader *loader, struct tw_scope *scope, const char *owner,
                   const struct tw_param *row, void *params, const struct tw_yaml *value)
{
    char message[300];
    bool is_list = row->kind == TW_KIND_LIST || row->kind == TW_KIND_LABELS;
    if (is_list && value->kind == TW_YAML_SEQUENCE) {
        set_list(loader, scope, owner, row, params, value);
        return;
    }
    if (row->kind == TW_KIND_TABLE) {
        tw_load_table(loader, scope, row, params, value);
        return;
    }
    if (value->kind != TW_YAML_SCALAR) {
        tw_fault_log_add(loader->log, TW_RECIPE, value->place, NULL, "%s.%s is %s; expected %s",
                         owner, row->name, tw_yaml_kind_name(value),
                         row->kind == TW_KIND_LIST     ? "a list of numbers"
                         : row->kind == TW_KIND_LABELS ? "a list of words"
                                                       : "one value");
        return;
    }
    const char *given = tw_substitute(loader, scope, value), *text = given;
    if (row->kind == TW_KIND_ENUM && given != value->text)
        tw_load_note_words(loader, scope, value, row->unit);
    if (text && (row->kind == TW_KIND_F32 || row->kind == TW_KIND_LIST))
        text = tw_load_world_unit(loader, owner, row->name, row->unit, text, &value->place);
    if (text && !set_text(row, params, text, message, sizeof message))
        tw_fault_log_add(loader->log, TW_RECIPE, value->place,
                         row->kind == TW_KIND_LIST  ? list_hint(loader, text)
                         : row->kind == TW_KIND_I32 ? whole_hint(value, text)
                         : row->kind == TW_KIND_F32 ? unit_hint(loader, row, given, text)
                                                    : NULL,
                         "%s.%s", owner, message);
}

bool tw_load_seed(struct tw_loader *loader, struct tw_scope *scope, const struct tw_yaml *value,
                  const char *owner, uint64_t *seed)
{
    const char *text = value->kind == TW_YAML_SCALAR ? tw_substitute(loader, scope, value) : "";
    if (!text)
        return false;
    if (tw_number_parse_whole(text, seed))
        return true;
    tw_fault_log_add(loader->log, TW_RECIPE, value->place, NULL,
                     "%s.seed is %s; expected a whole number from 0 to 2^64 - 1", owner,
                     text != value->text && value->kind == TW_YAML_SCALAR ? text
                                                                          : TW_YAML_FOUND(value));
    return false;
}

static void read_entries(struct tw_loader *loader, struct tw_scope *scope,
                         const struct tw_yaml *yaml, struct tw_node *node)
{
    const struct tw_node_type *type = node->type;
    bool own = false;
    uint64_t seed = 0;
    for (const struct tw_yaml_item *item = yaml->items; item; item = item->next) {
        const char *key = item->key->text;
        const struct tw_param *row = tw_node_find_param(type, key);
        if (strcmp(key, "type") == 0 || (tw_node_find_port(type->inputs, key) >= 0 &&
                                         !tw_load_gives_rows(type, key, item->value)))
            continue;
        if (row && row->kind == TW_KIND_FORMULA && item->value->kind == TW_YAML_SCALAR) {
            tw_load_formula(loader, scope, type, yaml, row, node->params, item->value);
        } else if (row) {
            tw_load_param(loader, scope, type->name, row, node->params, item->value);
        } else if (strcmp(key, "seed") == 0 && type->random) {
            own = true;
            tw_load_seed(loader, scope, item->value, type->name, &seed);
        } else {
            unknown_entry(loader, scope, type, yaml, item->key);
        }
    }
    if (type->random)
        node->seed_key = seed_key(scope, node->path + strlen(scope->prefix), own, seed);
}

static void check_formulas(struct tw_loader *loader, const struct tw_node *node,
                           const struct tw_yaml *yaml)
{
    for (const struct tw_param *row = node->type->params; row && row->name; row++)
        if (row->kind == TW_KIND_FORMULA && !tw_yaml_find(yaml, row->name))
            tw_fault_log_add(loader->log, TW_RECIPE, node->place, NULL, "%s needs '%s' (%s)",
                             node->type->name, row->name, row->help);
}

static void check_node(struct tw_loader *loader, struct tw_node *node, const struct tw_yaml *yaml)
{
    const struct tw_param *row = tw_node_file_param(node->type);
    tw_load_check_rules(loader, node, yaml);
    check_formulas(loader, node, yaml);
    if (!row)
        return;
    const struct tw_file *file =
        (const struct tw_file *)((const unsigned char *)node->params + row->offset);
    const struct tw_yaml *value = tw_yaml_find(yaml, row->name);
    if (file->name[0] && value)
        tw_load_check_file(loader, node, file->name, value->place);
    else if (row->min > 0)
        tw_fault_log_add(loader->log, TW_RECIPE, node->place, NULL, "%s needs '%s'",
                         node->type->name, row->name);
}

/* Names the outermost recipe of the library around the scope, as locks record it. */
static const char *library_of(const struct tw_loader *loader, const struct tw_scope *scope)
{
    const struct tw_scope *outermost = NULL;
    for (; scope; scope = scope->parent)
        outermost = scope->library ? scope : outermost;
    return outermost ? tw_arena_print(&loader->recipe->arena, "%s %d", outermost->library->name,
                                      (int)outermost->version)
                     : NULL;
}

static bool load_plain(struct tw_loader *loader, struct tw_scope *scope, struct tw_member *member,
                       const struct tw_node_type *type)
{
    struct tw_arena *arena = &loader->recipe->arena;
    int32_t index;
    struct tw_node *node = add_node(loader, &index);
    if (!node)
        return false;
    int32_t inputs = tw_node_fixed_inputs(type);
    node->path = tw_arena_print(arena, "%s%s", scope->prefix, member->id);
    node->type = type;
    node->folder = scope->folder;
    node->library = library_of(loader, scope);
    node->place = member->yaml->place;
    node->params = tw_arena_alloc(arena, type->params_size + 1, 1);
    bool variadic = inputs < tw_node_count_ports(type->inputs);
    size_t edges = variadic ? TW_INPUTS_MAX : (size_t)inputs + 1;
    node->inputs = tw_arena_alloc(arena, edges, sizeof *node->inputs);
    if (!node->path || !node->params || !node->inputs)
        return false;
    for (size_t i = 0; i < edges; i++)
        node->inputs[i].node = -1;
    node->input_count = inputs;
    member->node = index;
    tw_param_defaults(type->params, node->params);
    int32_t faults = loader->log->faults + loader->unset_uses;
    read_entries(loader, scope, member->yaml, node);
    tw_load_true_scale(loader, node);
    tw_world_take_unit(loader, node);
    if (loader->log->faults + loader->unset_uses == faults)
        check_node(loader, node, member->yaml);
    return true;
}

int32_t tw_load_hidden_node(struct tw_loader *loader, struct tw_scope *scope,
                            const struct tw_node_type *type, const char *id,
                            const struct tw_yaml *yaml)
{
    struct tw_member member = {.id = id, .yaml = yaml, .node = -1};
    return load_plain(loader, scope, &member, type) ? member.node : -1;
}

/* Suggests a recipe of that name in this folder, or the nearest node types. */
static const char *guess_type(const struct tw_loader *loader, const struct tw_scope *scope,
                              const char *name)
{
    struct tw_arena *arena = &loader->recipe->arena;
    char beside[NAME_MAX + 1], resolved[4096];
    int length = snprintf(beside, sizeof beside, "./%s.yaml", name);
    bool fits = scope->folder && length > 0 && (size_t)length < sizeof beside;
    if (!tw_fault_log_has_room(loader->log))
        return NULL;
    if (tw_library_named(name))
        return tw_arena_print(arena, "did you mean '" TW_LIBRARY_PREFIX "%s'?", name);
    if (fits && tw_file_resolve(scope->folder, beside, NULL, resolved, NULL) == TW_OK)
        return tw_arena_print(arena, "did you mean '%s'?", beside);
    return tw_guess_type(&loader->registry, name, arena);
}

static bool is_recipe_name(const char *type)
{
    size_t length = strlen(type);
    return tw_library_is_name(type) || strncmp(type, "./", 2) == 0 ||
           strncmp(type, "../", 3) == 0 || (length > 5 && strcmp(type + length - 5, ".yaml") == 0);
}

/* The keys a node that is a recipe may have: its inputs and parameters. */
struct use {
    const struct tw_yaml *inputs, *params;
};

static bool takes(const struct use *use, const char *key)
{
    return strcmp(key, "type") == 0 || strcmp(key, "seed") == 0 || strcmp(key, "repeat") == 0 ||
           tw_yaml_find(use->inputs, key) || tw_yaml_find(use->params, key);
}

static struct tw_suggestion suggest_key(struct tw_loader *loader, const struct use *use,
                                        const char *key)
{
    struct tw_suggestion suggestion = {.unknown = key};
    const struct tw_yaml *const known[] = {use->inputs, use->params};
    for (int i = 0; i < 2; i++)
        for (const struct tw_yaml_item *item = known[i] ? known[i]->items : NULL;
             item && tw_fault_log_may_suggest(loader->log); item = item->next)
            if (item->key)
                tw_suggest_offer(&suggestion, item->key->text);
    tw_suggest_offer(&suggestion, "seed");
    tw_suggest_offer(&suggestion, "repeat");
    return suggestion;
}

static void unknown_key(struct tw_loader *loader, const struct tw_member *member,
                        const struct use *use, const struct tw_yaml *key)
{
    const struct tw_suggestion suggestion = suggest_key(loader, use, key->text);
    tw_fault_log_add(loader->log, TW_RECIPE, key->place,
                     member->scope->root->place.hidden
                         ? NULL
                         : tw_suggest_hint(&suggestion, &loader->recipe->arena),
                     "%s has no input or parameter '%.60s'", member->scope->shown, key->text);
}

/* Returns whether an unknown key, which is reported, was meant for the input. */
static bool was_meant(struct tw_loader *loader, const struct use *use, const struct tw_yaml *node,
                      const char *input)
{
    for (const struct tw_yaml_item *item = node->items; item; item = item->next) {
        if (takes(use, item->key->text))
            continue;
        const char *best = suggest_key(loader, use, item->key->text).best;
        if (best && strcmp(best, input) == 0)
            return true;
    }
    return false;
}

/* A node that is a recipe may have that recipe's inputs and parameters, and `seed`. */
static void check_use(struct tw_loader *loader, const struct tw_member *member)
{
    const struct tw_yaml *root = member->scope->root, *node = member->yaml;
    const struct use use = {tw_yaml_find(root, "inputs"), tw_yaml_find(root, "params")};
    for (const struct tw_yaml_item *item = node->items; item; item = item->next)
        if (!takes(&use, item->key->text))
            unknown_key(loader, member, &use, item->key);
    if (!use.inputs || use.inputs->kind != TW_YAML_MAPPING)
        return;
    for (const struct tw_yaml_item *item = use.inputs->items; item; item = item->next)
        if (!tw_yaml_find(node, item->key->text) && !tw_load_input_default(item->value) &&
            tw_fault_log_has_room(loader->log) && !was_meant(loader, &use, node, item->key->text))
            tw_fault_log_add(loader->log, TW_RECIPE, node->place, NULL,
                             "%s needs the input '%.60s'", member->scope->shown,
                             root->place.hidden ? "..." : item->key->text);
}

bool tw_load_member(struct tw_loader *loader, struct tw_scope *scope, struct tw_member *member)
{
    const struct tw_yaml *yaml = member->yaml;
    if (!tw_expect_kind(loader->log, yaml, TW_YAML_MAPPING, member->id))
        return true;
    const struct tw_yaml *type_name = tw_yaml_find(yaml, "type");
    if (!type_name) {
        tw_fault_log_add(loader->log, TW_RECIPE, yaml->place, NULL, "node '%s' needs a type",
                         member->id);
        return true;
    }
    if (!tw_expect_kind(loader->log, type_name, TW_YAML_SCALAR, "type"))
        return true;
    int32_t limit = loader->options->limits.nodes;
    limit = limit > 0 && limit < TW_NODES_MAX ? limit : TW_NODES_MAX;
    if (loader->recipe->count >= limit) {
        tw_fault_log_add(loader->log, TW_LIMIT, yaml->place, NULL,
                         "more than %d nodes after expansion", (int)limit);
        return false;
    }
    const char *name = tw_substitute(loader, scope, type_name);
    if (!name)
        return true;
    if (is_recipe_name(name)) {
        member->scope = tw_load_repeats(loader, scope, member, name);
        if (member->scope)
            check_use(loader, member);
        return true;
    }
    const struct tw_node_type *type = tw_registry_find(&loader->registry, name);
    if (!type) {
        tw_fault_log_add(loader->log, TW_RECIPE, type_name->place, guess_type(loader, scope, name),
                         "there is no node type '%.100s'", name);
        return true;
    }
    return load_plain(loader, scope, member, type);
}
