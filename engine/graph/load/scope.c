/* SPDX-License-Identifier: MIT */
/* Loads one recipe file as a scope: its top-level keys and the members of `nodes:`, and the files
 * of recipes used as nodes, within limits for all of them together. */
#include "graph/load/expect.h"
#include "graph/load/load_private.h"
#include "graph/load/world_from.h"

#include "base/os/file.h"
#include "base/os/file_name.h"
#include "base/os/links.h"
#include "base/text/number.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const top_keys[] = {"thalweg", "version", "about",   "keywords", "size",
                                       "seed",    "world",   "borders", "params",   "inputs",
                                       "nodes",   "outputs", "assert",  "export",   NULL};

/* Recognises another kind of document of ours, which is then the only fault reported. */
static bool is_another_document(struct tw_loader *loader, const struct tw_yaml *root)
{
    const struct tw_yaml_item *first = root->items;
    bool experiment = first && strcmp(first->key->text, "thalweg-experiment") == 0;
    bool lock = first && strcmp(first->key->text, "thalweg-lock") == 0;
    if (experiment || lock)
        tw_fault_log_add(loader->log, TW_RECIPE, first->key->place,
                         experiment ? "thalweg compare runs experiments"
                                    : "thalweg verify takes the recipe and finds its lock",
                         "this is %s; expected a recipe", experiment ? "an experiment" : "a lock");
    return experiment || lock;
}

static bool check_version(struct tw_loader *loader, const struct tw_yaml *root)
{
    const struct tw_yaml_item *first = root->items;
    if (!first || strcmp(first->key->text, "thalweg") != 0) {
        tw_fault_log_add(
            loader->log, TW_RECIPE, first ? first->key->place : root->place,
            "write 'thalweg: 1' as the first line",
            "the first key is '%.60s'; expected 'thalweg', the version of the language",
            first ? first->key->text : "");
        return false;
    }
    if (first->value->kind == TW_YAML_SCALAR && strcmp(first->value->text, "1") == 0)
        return true;
    tw_fault_log_add(loader->log, TW_RECIPE, first->value->place, NULL,
                     "thalweg is %s; expected 1, the only version that this engine reads",
                     TW_YAML_FOUND(first->value));
    return false;
}

/* The recipe's own version, a whole number that its author raises when its results change. */
static int32_t read_version(struct tw_loader *loader, const struct tw_yaml *version)
{
    uint64_t number = 1;
    if (!version ||
        (version->kind == TW_YAML_SCALAR && tw_number_parse_whole(version->text, &number) &&
         number >= 1 && number <= INT32_MAX))
        return (int32_t)number;
    tw_fault_log_add(loader->log, TW_RECIPE, version->place, NULL,
                     "version is %s; expected a whole number from 1", TW_YAML_FOUND(version));
    return 1;
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
        tw_fault_log_add(
            loader->log, TW_RECIPE, key->place, NULL,
            "'%.60s' is not an id; expected lower-case letters, digits and _, a letter first, "
            "at most %d",
            member->id, TW_ID_MAX);
        member->id = TW_NO_ID;
    }
    const struct tw_load_subject outer = tw_load_enter(loader, scope->prefix, member->id);
    const bool ok = tw_load_member(loader, scope, member);
    tw_load_leave(loader, outer);
    return ok;
}

/* An experiment's nodes replace those of the same name; others are added. */
static bool load_members(struct tw_loader *loader, struct tw_scope *scope,
                         const struct tw_yaml *nodes)
{
    const struct tw_yaml *replacements = scope->parent ? NULL : loader->changes->nodes;
    const struct tw_yaml_item *first = NULL;
    if (!scope->parent && loader->world_from) {
        first = tw_world_find_source(loader, nodes);
        const struct tw_yaml *other = first ? tw_yaml_find(replacements, first->key->text) : NULL;
        if (first && !add_member(loader, scope, first->key, other ? other : first->value))
            return false;
        loader->recipe->world.given |= TW_WORLD_PRESENT;
    }
    for (const struct tw_yaml_item *item = nodes->items; item; item = item->next) {
        if (item == first)
            continue;
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

/* Checks top-level keys; returns how many of them are nodes that were not indented. */
static int check_top_keys(struct tw_loader *loader, const struct tw_yaml *root)
{
    struct tw_arena *arena = &loader->recipe->arena;
    int strays = 0;
    for (const struct tw_yaml_item *item = root->items; item; item = item->next) {
        bool known = false;
        for (const char *const *key = top_keys; *key; key++)
            known = known || strcmp(item->key->text, *key) == 0;
        if (known || !tw_yaml_find(item->value, "type")) {
            tw_expect_key(loader->log, arena, item->key, "a recipe", top_keys);
            continue;
        }
        strays++;
        tw_fault_log_add(
            loader->log, TW_RECIPE, item->key->place, "indent the nodes by two spaces",
            "node '%.60s' is at the top level; expected it indented below nodes:", item->key->text);
    }
    return strays;
}

bool tw_scope_load(struct tw_loader *loader, struct tw_scope *scope)
{
    const struct tw_yaml *root = scope->root, *nodes;
    if (!tw_expect_kind(loader->log, root, TW_YAML_MAPPING, "a recipe"))
        return false;
    if (is_another_document(loader, root))
        return false;
    check_version(loader, root);
    scope->version = read_version(loader, tw_yaml_find(root, "version"));
    int strays = check_top_keys(loader, root);
    if (!scope->parent) {
        tw_load_head(loader, root);
        scope->seed = loader->recipe->seed;
    }
    tw_scope_params(loader, scope);
    tw_scope_inputs(loader, tw_yaml_find(root, "inputs"));
    nodes = tw_yaml_find(root, "nodes");
    if (!nodes) {
        tw_fault_log_add(loader->log, TW_RECIPE, root->place, NULL, "a recipe needs nodes:");
        return false;
    }
    if (strays > 0 && tw_yaml_is_empty(nodes))
        return false; /* reported already */
    return tw_expect_kind(loader->log, nodes, TW_YAML_MAPPING, "nodes") &&
           load_members(loader, scope, nodes);
}

struct tw_scope *tw_scope_create(struct tw_loader *loader, struct tw_scope *parent,
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
    scope->shown = parent ? tw_file_shown(file) : file;
    scope->folder = slash ? tw_arena_copy(arena, real, (size_t)(slash - real + 1)) : ".";
    scope->prefix = parent ? tw_arena_print(arena, "%s%s/", parent->prefix, user->id) : "";
    scope->seed_prefix =
        parent ? tw_arena_print(arena, "%s%s/", parent->seed_prefix, user->id) : "";
    scope->seed = parent ? parent->seed : 0;
    scope->depth = parent ? parent->depth + 1 : 0;
    scope->round = 1;
    return scope->folder && scope->prefix && scope->seed_prefix ? scope : NULL;
}

/* Joins folder and name into a path; false if it is too long. */
static bool join(const char *folder, const char *name, char path[PATH_MAX])
{
    size_t end = strlen(folder);
    const char *slash = end > 0 && folder[end - 1] == '/' ? "" : "/";
    int length = tw_file_is_absolute(name)
                     ? snprintf(path, PATH_MAX, "%s", name)
                     : snprintf(path, PATH_MAX, "%s%s%s", folder, slash, name);
    return length < PATH_MAX;
}

void tw_load_note(const struct tw_loader *loader, const char *folder, const char *name)
{
    const struct tw_load_options *options = loader->options;
    char path[PATH_MAX];
    if (options->reads && join(folder, name, path))
        options->reads(options->context, path);
}

enum tw_status tw_load_resolve(const struct tw_loader *loader, const char *folder, const char *name,
                               char *path, struct tw_error *error)
{
    tw_load_note(loader, folder, name);
    return tw_file_resolve(folder, name, loader->options->allow, path, error);
}

static bool add_reading(struct tw_recipe *recipe, struct tw_reading found)
{
    struct tw_reading *reading = tw_arena_alloc(&recipe->arena, 1, sizeof *reading);
    if (!reading)
        return false;
    *reading = found;
    reading->next = recipe->readings;
    recipe->readings = reading;
    return true;
}

bool tw_load_add_reading(struct tw_loader *loader, const char *path, const char *node)
{
    return add_reading(loader->recipe, (struct tw_reading){.path = path, .node = node});
}

static bool is_link(const char *path)
{
    struct tw_file_id itself, target;
    return tw_file_identify(path, false, &itself, NULL) == TW_OK &&
           tw_file_identify(path, true, &target, NULL) == TW_OK &&
           (itself.device != target.device || itself.inode != target.inode);
}

bool tw_load_add_link(struct tw_loader *loader, const char *folder, const char *name)
{
    struct tw_recipe *recipe = loader->recipe;
    char path[PATH_MAX];
    if (!join(folder, name, path) || tw_names_find(&loader->names, recipe, path))
        return true; /* no file, or already checked */
    const char *kept = tw_arena_copy(&recipe->arena, path, strlen(path));
    struct tw_name *seen = kept ? tw_names_entry(&loader->names, recipe, kept) : NULL;
    if (!seen)
        return false;
    seen->thing = kept;
    return !is_link(kept) ||
           add_reading(recipe, (struct tw_reading){.path = kept, .is_link = true});
}

bool tw_load_hides(const struct tw_loader *loader, const char *folder, const char *name)
{
    char path[PATH_MAX];
    return loader->options->suspects_links && tw_links_lead_from(folder, name, path);
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

/* Limits nested recipes: a few small files could cause any amount of work. */
static bool may_use_file(struct tw_loader *loader, struct tw_place place, size_t length)
{
    loader->used_bytes += length;
    if (++loader->used_recipes <= TW_NODES_MAX && loader->used_bytes <= TW_USED_BYTES_MAX)
        return true;
    if (loader->used_recipes <= TW_NODES_MAX)
        tw_fault_log_add(loader->log, TW_LIMIT, place, NULL,
                         "recipes used as nodes have more than %zu bytes together",
                         TW_USED_BYTES_MAX);
    else
        tw_fault_log_add(loader->log, TW_LIMIT, place, NULL,
                         "more than %d recipes are used as nodes", TW_NODES_MAX);
    return false;
}

/* With `seed:` on the node, its inner nodes draw the numbers of that recipe run alone with that
 * seed, since their paths start here. A parameter or input named seed takes precedence. */
static void take_seed(struct tw_loader *loader, struct tw_scope *scope)
{
    const struct tw_yaml *value = tw_yaml_find(scope->user->yaml, "seed");
    if (!value || tw_yaml_find(tw_yaml_find(scope->root, "params"), "seed") ||
        tw_yaml_find(tw_yaml_find(scope->root, "inputs"), "seed"))
        return;
    if (tw_load_seed(loader, scope->parent, value, scope->user->id, &scope->seed))
        scope->seed_prefix = "";
}

/* Limits the expanded contents of nested recipes: a few bytes may hold many nodes. */
static bool may_use_contents(struct tw_loader *loader, struct tw_place place,
                             const struct tw_yaml *root)
{
    loader->used_yaml_nodes += root->weight;
    loader->used_text += root->bytes;
    if (loader->used_yaml_nodes <= TW_USED_YAML_NODES_MAX && loader->used_text <= TW_USED_BYTES_MAX)
        return true;
    tw_fault_log_add(loader->log, TW_LIMIT, place, NULL,
                     "recipes used as nodes have more than %d YAML nodes or %zu bytes of text "
                     "together",
                     TW_USED_YAML_NODES_MAX, TW_USED_BYTES_MAX);
    return false;
}

/* A recipe used as a node, as text: from a file or from the library. */
struct used_recipe {
    char *name; /* the file's real path, or thalweg/snow */
    const char *text;
    size_t length;
    const struct tw_library_recipe *library;
};

static bool take_from_library(struct tw_loader *loader, const char *name, struct tw_place place,
                              struct used_recipe *used)
{
    struct tw_arena *arena = &loader->recipe->arena;
    const struct tw_library_recipe *found = tw_library_named(name);
    if (!found) {
        tw_fault_log_add(loader->log, TW_RECIPE, place, tw_library_guess(name, arena),
                         "the library has no recipe '%.100s'", name);
        return false;
    }
    *used = (struct used_recipe){tw_arena_copy(arena, found->name, strlen(found->name)),
                                 found->text, found->length, found};
    return used->name;
}

static bool take_file(struct tw_loader *loader, const struct tw_scope *parent, const char *file,
                      struct tw_place place, struct used_recipe *used)
{
    struct tw_error error = {.status = TW_OK};
    struct tw_file_name_fault fault;
    char path[PATH_MAX];
    *used = (struct used_recipe){.library = NULL};
    if (!tw_file_name_check_relative(file, &fault)) {
        tw_fault_log_add(loader->log, TW_PATH, place, NULL, "a recipe is '%s', %s", file,
                         fault.message);
        return false;
    }
    if (tw_load_resolve(loader, parent->folder, file, path, &error) == TW_OK)
        used->text = read_text(loader, path, &used->length, &error);
    if (!used->text) {
        enum tw_status status = tw_file_as_input(error.status, NULL);
        tw_fault_log_add(loader->log, status, place, error.hint, "%s", error.message);
        return false;
    }
    used->name = tw_arena_copy(&loader->recipe->arena, path, strlen(path));
    return used->name && tw_load_add_reading(loader, used->name, NULL) &&
           tw_load_add_link(loader, parent->folder, file);
}

static bool check_depth(struct tw_loader *loader, const struct tw_scope *parent, const char *file,
                        struct tw_place place, const struct used_recipe *used)
{
    if (is_open(parent, used->name))
        tw_fault_log_add(loader->log, TW_RECIPE, place, NULL, "%s uses itself", file);
    else if (parent->depth + 1 >= TW_RECIPE_DEPTH_MAX)
        tw_fault_log_add(loader->log, TW_LIMIT, place, NULL, "more than %d recipes in each other",
                         TW_RECIPE_DEPTH_MAX);
    else
        return true;
    return false;
}

/* Returns the place where an author's file uses the library: faults in a recipe of the library name
 * it. NULL for a file. */
static const struct tw_place *library_user(const struct used_recipe *used,
                                           const struct tw_yaml *type)
{
    return !used->library ? NULL : type->place.user ? type->place.user : &type->place;
}

static const struct tw_yaml *parse(struct tw_loader *loader, const struct tw_scope *parent,
                                   const char *file, const struct used_recipe *used,
                                   const struct tw_yaml *type, const char *shown)
{
    struct tw_fault_log *log = loader->log;
    const bool hides = log->hides;
    const struct tw_place *user = log->user;
    log->hides = !used->library && tw_load_hides(loader, parent->folder, file);
    log->user = library_user(used, type);
    const struct tw_yaml *root =
        tw_yaml_parse(&loader->recipe->arena, log, shown, used->text, used->length);
    log->hides = hides;
    log->user = user;
    return root;
}

struct tw_scope *tw_load_scope(struct tw_loader *loader, struct tw_scope *parent,
                               const struct tw_member *user, const char *file, int32_t round)
{
    if (is_exhausted(loader))
        return NULL; /* reported already */
    const struct tw_yaml *type = tw_yaml_find(user->yaml, "type");
    struct used_recipe used;
    if (!(tw_library_is_name(file) ? take_from_library(loader, file, type->place, &used)
                                   : take_file(loader, parent, file, type->place, &used)) ||
        !check_depth(loader, parent, file, type->place, &used) ||
        !may_use_file(loader, type->place, used.length))
        return NULL;
    struct tw_scope *scope = tw_scope_create(loader, parent, user, used.name);
    if (!scope)
        return NULL;
    if (used.library) {
        scope->library = used.library;
        scope->shown = used.name;
        scope->folder = ".";
    }
    scope->root = parse(loader, parent, file, &used, type, scope->shown);
    if (!scope->root || !may_use_contents(loader, type->place, scope->root))
        return NULL;
    take_seed(loader, scope);
    if (!tw_repeat_number(loader, scope, round))
        return NULL;
    return tw_scope_load(loader, scope) ? scope : NULL;
}
