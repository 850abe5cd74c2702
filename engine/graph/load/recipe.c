/* SPDX-License-Identifier: MIT */
/* Recipe files to facts: head, parameters, nodes, then edges, outputs and order. Every fault of a
 * file is reported, not only the first. */
#include "graph/load/recipe.h"
#include "graph/load/expect.h"
#include "graph/load/load_private.h"

#include "base/cpu.h"
#include "base/file.h"
#include "base/suggest.h"
#include "field/field.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char *const top_keys[] = {"thalweg", "about",  "size",  "seed",    "world",  "borders",
                                       "params",  "inputs", "nodes", "outputs", "export", NULL};

static bool check_version(struct tw_loader *loader, const struct tw_yaml *root)
{
    const struct tw_yaml_item *first = root->items;
    if (!first || strcmp(first->key->text, "thalweg") != 0) {
        tw_report_fault(loader->report, TW_RECIPE, first ? first->key->place : root->place,
                        "write 'thalweg: 1' as the first line",
                        "the first key must be 'thalweg', the version of the language");
        return false;
    }
    if (first->value->kind == TW_YAML_SCALAR && strcmp(first->value->text, "1") == 0)
        return true;
    tw_report_fault(loader->report, TW_RECIPE, first->value->place, NULL,
                    "this engine reads version 1 of the language");
    return false;
}

static bool is_id(const char *id)
{
    size_t length = strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789_");
    return id[0] >= 'a' && id[0] <= 'z' && id[length] == 0 && length <= TW_ID_MAX;
}

static bool add_member(struct tw_loader *loader, struct tw_scope *scope, const struct tw_yaml *key,
                       const struct tw_yaml *value)
{
    struct tw_member *member = tw_arena_alloc(&loader->recipe->arena, 1, sizeof *member);
    if (!member)
        return false;
    *member = (struct tw_member){.id = key->text, .place = key->place, .yaml = value, .node = -1};
    struct tw_name *name = tw_names_entry(&loader->names, scope, member->id);
    if (!name)
        return false;
    name->thing = name->thing ? name->thing : member;
    *(scope->last ? &scope->last->next : &scope->members) = member;
    scope->last = member;
    if (!is_id(member->id)) {
        tw_report_fault(
            loader->report, TW_RECIPE, key->place, NULL,
            "'%.60s' is not an id: lower-case letters, digits and _, a letter first, at "
            "most %d",
            member->id, TW_ID_MAX);
        member->id = "(no id)"; /* paths consist of ids, so these must be short */
    }
    return tw_load_member(loader, scope, member);
}

/* An experiment's replacements take the place of nodes of the same name; others are added. */
static bool load_members(struct tw_loader *loader, struct tw_scope *scope,
                         const struct tw_yaml *nodes)
{
    const struct tw_yaml *replacements = scope->parent ? NULL : loader->replacements;
    for (const struct tw_yaml_item *item = nodes->items; item; item = item->next) {
        const struct tw_yaml *other = tw_yaml_find(replacements, item->key->text);
        if (!add_member(loader, scope, item->key, other ? other : item->value))
            return false;
    }
    for (const struct tw_yaml_item *item = replacements ? replacements->items : NULL; item;
         item = item->next)
        if (!tw_yaml_find(nodes, item->key->text) &&
            !add_member(loader, scope, item->key, item->value))
            return false;
    return true;
}

/* inputs: {name: type} */
static void check_inputs(struct tw_loader *loader, const struct tw_yaml *inputs)
{
    if (!inputs || !tw_expect_kind(loader->report, inputs, TW_YAML_MAPPING, "inputs"))
        return;
    for (const struct tw_yaml_item *item = inputs->items; item; item = item->next) {
        struct tw_suggestion suggestion = {.unknown = item->value->text ? item->value->text : ""};
        bool found = false;
        for (int type = 0; type < TW_TYPE_COUNT; type++) {
            const char *name = tw_type_name((enum tw_type)type);
            found = found || strcmp(suggestion.unknown, name) == 0;
            tw_suggest_offer(&suggestion, name);
        }
        if (!found)
            tw_report_fault(loader->report, TW_RECIPE, item->value->place,
                            tw_suggest_hint(&suggestion, &loader->recipe->arena),
                            "input %s needs a type, such as heightmap", item->key->text);
    }
}

/* Top-level keys; how many of them are nodes that were not indented. */
static int check_top_keys(struct tw_loader *loader, const struct tw_yaml *root)
{
    struct tw_arena *arena = &loader->recipe->arena;
    int strays = 0;
    for (const struct tw_yaml_item *item = root->items; item; item = item->next) {
        bool known = false;
        for (const char *const *key = top_keys; *key; key++)
            known = known || strcmp(item->key->text, *key) == 0;
        if (known || !tw_yaml_find(item->value, "type")) {
            tw_expect_key(loader->report, arena, item->key, "a recipe", top_keys);
            continue;
        }
        strays++;
        tw_report_fault(
            loader->report, TW_RECIPE, item->key->place, "indent the nodes by two blanks",
            "node '%.60s' is at the top level; expected it indented below nodes:", item->key->text);
    }
    return strays;
}

static bool load_body(struct tw_loader *loader, struct tw_scope *scope)
{
    const struct tw_yaml *root = scope->root, *nodes;
    if (!tw_expect_kind(loader->report, root, TW_YAML_MAPPING, "a recipe"))
        return false;
    check_version(loader, root);
    int strays = check_top_keys(loader, root);
    if (!scope->parent) {
        tw_load_head(loader, root);
        scope->seed = loader->recipe->seed;
    }
    tw_scope_params(loader, scope);
    check_inputs(loader, tw_yaml_find(root, "inputs"));
    nodes = tw_yaml_find(root, "nodes");
    if (!nodes) {
        tw_report_fault(loader->report, TW_RECIPE, root->place, NULL, "a recipe needs nodes:");
        return false;
    }
    if (strays > 0 && tw_yaml_is_empty(nodes))
        return false; /* that was reported */
    return tw_expect_kind(loader->report, nodes, TW_YAML_MAPPING, "nodes") &&
           load_members(loader, scope, nodes);
}

static struct tw_scope *new_scope(struct tw_loader *loader, struct tw_scope *parent,
                                  const struct tw_member *user, const char *file)
{
    struct tw_arena *arena = &loader->recipe->arena;
    struct tw_scope *scope = tw_arena_alloc(arena, 1, sizeof *scope);
    const char *real = parent || !loader->real_path ? file : loader->real_path;
    const char *slash = strrchr(real, '/');
    if (!scope)
        return NULL;
    scope->parent = parent;
    scope->user = user;
    scope->file = file;
    scope->folder = slash ? tw_arena_copy(arena, real, (size_t)(slash - real + 1)) : ".";
    scope->prefix = parent ? tw_arena_print(arena, "%s%s/", parent->prefix, user->id) : "";
    scope->seed_prefix =
        parent ? tw_arena_print(arena, "%s%s/", parent->seed_prefix, user->id) : "";
    scope->seed = parent ? parent->seed : 0;
    scope->depth = parent ? parent->depth + 1 : 0;
    return scope->folder && scope->prefix && scope->seed_prefix ? scope : NULL;
}

bool tw_load_add_reading(struct tw_loader *loader, const char *path, const char *node)
{
    struct tw_recipe *recipe = loader->recipe;
    struct tw_reading *reading = tw_arena_alloc(&recipe->arena, 1, sizeof *reading);
    if (!reading)
        return false;
    *reading = (struct tw_reading){path, node, recipe->readings};
    recipe->readings = reading;
    return true;
}

static bool is_open(const struct tw_scope *scope, const char *file)
{
    for (; scope; scope = scope->parent)
        if (strcmp(scope->file, file) == 0)
            return true;
    return false;
}

/* Reads a file into the arena. */
static const char *read_text(struct tw_loader *loader, const char *path, size_t *length,
                             struct tw_error *error)
{
    unsigned char *data = NULL;
    if (tw_file_read(path, TW_YAML_BYTES_MAX, &data, length, error) != TW_OK)
        return NULL;
    const char *text = tw_arena_copy(&loader->recipe->arena, (const char *)data, *length);
    free(data);
    if (!text)
        tw_error_set(error, TW_MEMORY, "out of memory");
    return text;
}

static bool is_exhausted(const struct tw_loader *loader)
{
    return loader->used_recipes > TW_NODES_MAX || loader->used_bytes > TW_USED_BYTES_MAX ||
           loader->used_text > TW_USED_BYTES_MAX ||
           loader->used_yaml_nodes > TW_USED_YAML_NODES_MAX;
}

/* Recipes that use recipes that use recipes: a few small files may cause any amount of work. */
static bool may_expand(struct tw_loader *loader, struct tw_place place, size_t length)
{
    loader->used_bytes += length;
    if (++loader->used_recipes <= TW_NODES_MAX && loader->used_bytes <= TW_USED_BYTES_MAX)
        return true;
    if (loader->used_recipes <= TW_NODES_MAX)
        tw_report_fault(loader->report, TW_LIMIT, place, NULL,
                        "recipes used as nodes have more than %zu bytes together",
                        TW_USED_BYTES_MAX);
    else
        tw_report_fault(loader->report, TW_LIMIT, place, NULL,
                        "more than %d recipes are used as nodes", TW_NODES_MAX);
    return false;
}

/* With `seed:` on the node, the nodes within draw the numbers of that recipe run by itself with
 * that seed: their paths count from here. A parameter or input named seed takes precedence. */
static void take_seed(struct tw_loader *loader, struct tw_scope *scope)
{
    const struct tw_yaml *value = tw_yaml_find(scope->user->yaml, "seed");
    if (!value || tw_yaml_find(tw_yaml_find(scope->root, "params"), "seed") ||
        tw_yaml_find(tw_yaml_find(scope->root, "inputs"), "seed"))
        return;
    if (tw_load_seed(loader, scope->parent, value, scope->user->id, &scope->seed))
        scope->seed_prefix = "";
}

/* The same for the file's contents: many nodes may take few bytes. */
static bool may_weigh(struct tw_loader *loader, struct tw_place place, const struct tw_yaml *root)
{
    loader->used_yaml_nodes += root->weight;
    loader->used_text += root->bytes;
    if (loader->used_yaml_nodes <= TW_USED_YAML_NODES_MAX && loader->used_text <= TW_USED_BYTES_MAX)
        return true;
    tw_report_fault(loader->report, TW_LIMIT, place, NULL,
                    "recipes used as nodes have more than %d YAML nodes or %zu bytes of text "
                    "together",
                    TW_USED_YAML_NODES_MAX, TW_USED_BYTES_MAX);
    return false;
}

struct tw_scope *tw_load_scope(struct tw_loader *loader, struct tw_scope *parent,
                               const struct tw_member *user, const char *file, int32_t round)
{
    if (is_exhausted(loader))
        return NULL; /* that was reported */
    struct tw_place place = tw_yaml_find(user->yaml, "type")->place;
    struct tw_error error = {.status = TW_OK};
    char path[PATH_MAX];
    size_t length;
    const char *text = NULL;
    if (tw_file_resolve(parent->folder, file, loader->options->allow, path, &error) == TW_OK)
        text = read_text(loader, path, &length, &error);
    if (!text) {
        enum tw_status status = error.status == TW_IO ? TW_INPUT : error.status;
        tw_report_fault(loader->report, status, place, NULL, "%s", error.message);
        return NULL;
    }
    char *kept = tw_arena_copy(&loader->recipe->arena, path, strlen(path));
    if (!kept || !tw_load_add_reading(loader, kept, NULL))
        return NULL;
    if (!is_open(parent, kept) && parent->depth + 1 >= TW_RECIPE_DEPTH_MAX) {
        tw_report_fault(loader->report, TW_LIMIT, place, NULL, "more than %d recipes in each other",
                        TW_RECIPE_DEPTH_MAX);
        return NULL;
    }
    if (is_open(parent, kept)) {
        tw_report_fault(loader->report, TW_RECIPE, place, NULL, "%s uses itself", file);
        return NULL;
    }
    if (!may_expand(loader, place, length))
        return NULL;
    struct tw_scope *scope = new_scope(loader, parent, user, kept);
    if (!scope)
        return NULL;
    scope->root = tw_yaml_parse(&loader->recipe->arena, loader->report, kept, text, length);
    if (!scope->root || !may_weigh(loader, place, scope->root))
        return NULL;
    take_seed(loader, scope);
    if (!tw_repeat_number(loader, scope, round))
        return NULL;
    return load_body(loader, scope) ? scope : NULL;
}

/* Copies the folders that may be read, since options are borrowed for the call only. */
static const char *const *keep_allowed(struct tw_recipe *recipe, const char *const *allow)
{
    size_t count = 0;
    while (allow && allow[count])
        count++;
    const char **kept = tw_arena_alloc(&recipe->arena, count + 1, sizeof *kept);
    for (size_t i = 0; kept && i < count; i++)
        kept[i] = tw_arena_copy(&recipe->arena, allow[i], strlen(allow[i]));
    return kept;
}

static enum tw_status load_root(struct tw_loader *loader, const char *text, size_t length,
                                const char *file)
{
    struct tw_recipe *recipe = loader->recipe;
    recipe->file = file;
    recipe->allow = keep_allowed(recipe, loader->options->allow);
    struct tw_scope *scope = new_scope(loader, NULL, NULL, file);
    if (!scope || !recipe->allow || !tw_load_add_reading(loader, file, NULL))
        return TW_MEMORY;
    scope->root = tw_yaml_parse(&recipe->arena, loader->report, file, text, length);
    if (scope->root && load_body(loader, scope)) {
        tw_resolve_edges(loader, scope);
        tw_load_choices(recipe);
        if (!tw_load_types(recipe))
            return TW_MEMORY;
        tw_resolve_check_types(loader);
        tw_load_outputs(loader, scope);
        if (recipe->arena.failed)
            return TW_MEMORY; /* reported or not: facts may be missing */
        if (loader->report->faults == 0 && !recipe->outputs && !recipe->exports)
            tw_report_fault(loader->report, TW_RECIPE, scope->root->place, NULL,
                            "a recipe needs outputs: or export:, else it computes nothing");
        if (loader->report->faults == 0 && !tw_graph_sort(recipe, loader->report) &&
            loader->report->faults == 0)
            return TW_MEMORY;
        if (loader->report->faults == 0 && !tw_load_borders(loader, scope->root))
            return TW_MEMORY;
        if (loader->report->faults == 0)
            tw_load_warn_unused(loader, scope);
    } else if (loader->report->faults == 0) {
        return TW_MEMORY;
    }
    return loader->report->faults ? loader->report->first.status : TW_OK;
}

static enum tw_status load_text(const char *text, size_t length, const char *name,
                                const char *real_path, const struct tw_load_options *options,
                                const struct tw_yaml *replacements, struct tw_recipe **recipe,
                                struct tw_error *error)
{
    static const struct tw_load_options none = {0};
    struct tw_recipe *created = calloc(1, sizeof *created);
    if (!created)
        return tw_error_set(error, TW_MEMORY, "out of memory");
    options = options ? options : &none;
    fenv_t mode;
    tw_cpu_enter(&mode); /* numbers are read the same way in every host */
    struct tw_report report = {.sink = options->diagnostic, .context = options->context};
    struct tw_loader loader = {.recipe = created,
                               .report = &report,
                               .registry = {options->types},
                               .options = options,
                               .replacements = replacements,
                               .real_path = real_path};
    const char *kept = tw_arena_copy(&created->arena, text, length);
    const char *file = tw_arena_copy(&created->arena, name, strlen(name));
    enum tw_status status = kept && file ? load_root(&loader, kept, length, file) : TW_MEMORY;
    tw_cpu_leave(&mode);
    tw_names_release(&loader.names);
    if (status == TW_OK) {
        *recipe = created;
        return TW_OK;
    }
    if (created->arena.failed)
        status = TW_MEMORY; /* further faults may follow from that */
    if (report.faults && error && report.first.status == status)
        *error = report.first;
    else
        tw_error_set(error, status, "%s", tw_status_text(status));
    tw_recipe_release(created);
    return status;
}

enum tw_status tw_recipe_parse(const char *text, size_t length, const char *name,
                               const struct tw_load_options *options, struct tw_recipe **recipe,
                               struct tw_error *error)
{
    return load_text(text, length, name, NULL, options, NULL, recipe, error);
}

enum tw_status tw_recipe_load(const char *path, const struct tw_load_options *options,
                              struct tw_recipe **recipe, struct tw_error *error)
{
    return tw_recipe_load_with(path, options, NULL, recipe, error);
}

enum tw_status tw_recipe_load_with(const char *path, const struct tw_load_options *options,
                                   const struct tw_yaml *replacements, struct tw_recipe **recipe,
                                   struct tw_error *error)
{
    unsigned char *data = NULL;
    size_t length = 0;
    char real[PATH_MAX];
    enum tw_status status = tw_file_read(path, TW_YAML_BYTES_MAX, &data, &length, error);
    if (status == TW_OK && !tw_file_real_path(path, real))
        status = tw_error_set(error, TW_IO, "cannot read %s: %s", path, strerror(errno));
    if (status == TW_IO) {
        status = TW_INPUT;
        if (error)
            error->status = status;
    }
    if (status == TW_OK)
        status =
            load_text((const char *)data, length, path, real, options, replacements, recipe, error);
    free(data);
    return status;
}

void tw_recipe_release(struct tw_recipe *recipe)
{
    if (!recipe)
        return;
    tw_arena_release(&recipe->arena);
    free(recipe);
}
