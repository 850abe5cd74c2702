/* SPDX-License-Identifier: MIT */
/* Turns recipe files into facts: the root scope, then edges, outputs and order. Reports every fault
 * of a file, not only the first. */
#include "graph/load/recipe.h"
#include "graph/load/load_private.h"

#include "base/memory/options.h"
#include "base/os/cpu.h"
#include "base/os/file.h"
#include "base/os/links.h"
#include "base/text/suggest.h"
#include "graph/feed.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Copies a list of strings, since options are borrowed for the call only. */
static const char *const *keep_strings(struct tw_arena *arena, const char *const *strings)
{
    size_t count = 0;
    while (strings && strings[count])
        count++;
    const char **kept = tw_arena_alloc(arena, count + 1, sizeof *kept);
    for (size_t i = 0; kept && i < count; i++)
        kept[i] = tw_arena_copy(arena, strings[i], strlen(strings[i]));
    return kept;
}

static const struct tw_node_type *const *keep_types(struct tw_arena *arena,
                                                    const struct tw_node_type *const *types)
{
    size_t count = 0;
    while (types && types[count])
        count++;
    const struct tw_node_type **kept = tw_arena_alloc(arena, count + 1, sizeof(*kept));
    for (size_t i = 0; kept && i < count; i++)
        kept[i] = types[i];
    return kept;
}

/* Keeps what tw_recipe_set() loads again. */
static void keep_origin(struct tw_loader *loader, const char *text, size_t length)
{
    struct tw_recipe *recipe = loader->recipe;
    struct tw_arena *arena = &recipe->arena;
    const char *path = loader->real_path;
    recipe->origin = (struct tw_origin){.text = text, .length = length};
    struct tw_load_options *kept = &recipe->origin.options;
    *kept = *loader->options;
    kept->diagnostic = NULL;
    kept->reads = NULL;
    kept->context = NULL;
    recipe->origin.real_path = path ? tw_arena_copy(arena, path, strlen(path)) : NULL;
    kept->set = keep_strings(arena, kept->set);
    kept->outputs = keep_strings(arena, kept->outputs);
    kept->allow = recipe->allow;
    kept->types = keep_types(arena, kept->types);
}

static enum tw_status load_root(struct tw_loader *loader, const char *text, size_t length,
                                const char *file)
{
    struct tw_recipe *recipe = loader->recipe;
    recipe->file = file;
    recipe->allow = keep_strings(&recipe->arena, loader->options->allow);
    struct tw_scope *scope = tw_scope_create(loader, NULL, NULL, file);
    if (!scope || !recipe->allow || !tw_load_add_reading(loader, file, NULL) ||
        !tw_load_add_link(loader, ".", file))
        return TW_MEMORY;
    scope->root = tw_yaml_parse(&recipe->arena, loader->log, file, text, length);
    if (scope->root && tw_scope_load(loader, scope) && tw_load_feeds(loader, scope)) {
        tw_resolve_edges(loader, scope);
        tw_load_choices(recipe);
        if (!tw_load_types(recipe))
            return TW_MEMORY;
        tw_resolve_check_types(loader);
        tw_load_outputs(loader, scope);
        if (!tw_load_further_outputs(loader, scope) || !tw_load_assertions(loader, scope))
            return TW_MEMORY;
        if (recipe->arena.failed)
            return TW_MEMORY; /* even if not reported: facts may be missing */
        if (loader->log->faults == 0 && !recipe->outputs && !recipe->exports)
            tw_fault_log_add(loader->log, TW_RECIPE, scope->root->place, NULL,
                             "a recipe needs outputs: or export:, else it computes nothing");
        tw_load_use_replaced(loader, scope);
        if (!tw_graph_sort(recipe, loader->log) && loader->log->faults == 0)
            return TW_MEMORY;
        if (loader->log->faults == 0 && !tw_load_borders(loader, scope->root))
            return TW_MEMORY;
        if (loader->log->faults == 0)
            tw_load_warn_unused(loader, scope);
    } else if (loader->log->faults == 0) {
        return TW_MEMORY;
    }
    return loader->log->faults ? loader->log->first.status : TW_OK;
}

static enum tw_status load_text(const char *text, size_t length, const char *name,
                                const char *real_path, const struct tw_load_options *options,
                                const struct tw_load_changes *changes, struct tw_recipe **recipe,
                                struct tw_error *error)
{
    static const struct tw_load_changes unchanged = {0};
    struct tw_recipe *created = calloc(1, sizeof *created);
    if (!created)
        return tw_error_set(error, TW_MEMORY, "out of memory");
    fenv_t mode;
    tw_cpu_enter(&mode); /* so that every host reads numbers the same way */
    struct tw_fault_log log = {.sink = options->diagnostic, .context = options->context};
    struct tw_loader loader = {.recipe = created,
                               .log = &log,
                               .registry = {options->types},
                               .options = options,
                               .changes = changes ? changes : &unchanged,
                               .real_path = real_path};
    log.hides = real_path && options->suspects_links && tw_links_lead_to(name);
    const char *kept = tw_arena_copy(&created->arena, text, length);
    const char *file = tw_arena_copy(&created->arena, name, strlen(name));
    enum tw_status status = kept && file ? load_root(&loader, kept, length, file) : TW_MEMORY;
    if (status == TW_OK)
        keep_origin(&loader, kept, length);
    if (status == TW_OK && created->arena.failed)
        status = TW_MEMORY;
    tw_cpu_leave(&mode);
    tw_names_release(&loader.names);
    if (status == TW_OK) {
        *recipe = created;
        return TW_OK;
    }
    if (created->arena.failed)
        status = TW_MEMORY; /* it may cause further faults */
    if (log.faults && error && log.first.status == status)
        *error = log.first;
    else
        tw_error_set(error, status, "%s", tw_status_text(status));
    tw_recipe_release(created);
    return status;
}

static enum tw_status take(const struct tw_load_options *given, struct tw_load_options *own,
                           struct tw_error *error)
{
    return tw_options_take(given, own, sizeof *own, "tw_load_options", error);
}

enum tw_status tw_recipe_parse(const char *text, size_t length, const char *name,
                               const struct tw_load_options *options, struct tw_recipe **recipe,
                               struct tw_error *error)
{
    struct tw_load_options own;
    enum tw_status status = take(options, &own, error);
    return status == TW_OK ? load_text(text, length, name, NULL, &own, NULL, recipe, error)
                           : status;
}

enum tw_status tw_recipe_load(const char *path, const struct tw_load_options *options,
                              struct tw_recipe **recipe, struct tw_error *error)
{
    return tw_recipe_load_with(path, options, NULL, recipe, error);
}

enum tw_status tw_recipe_load_with(const char *path, const struct tw_load_options *options,
                                   const struct tw_load_changes *changes, struct tw_recipe **recipe,
                                   struct tw_error *error)
{
    unsigned char *data = NULL;
    size_t length = 0;
    char real[PATH_MAX];
    const bool given = changes && changes->text;
    struct tw_load_options own;
    enum tw_status status = take(options, &own, error);
    if (status == TW_OK && own.suspects_links)
        status = tw_links_check(path, error);
    if (status == TW_OK && !given)
        status = tw_file_read(path, TW_YAML_BYTES_MAX, &data, &length, error);
    if (status == TW_OK && !tw_file_real_path(path, real))
        status = tw_error_set(error, TW_IO, "cannot read %s: %s", path, strerror(errno));
    status = tw_file_as_input(status, error);
    if (status == TW_OK)
        status =
            load_text(given ? changes->text : (const char *)data, given ? changes->length : length,
                      path, real, &own, changes, recipe, error);
    free(data);
    return status;
}

void tw_recipe_release(struct tw_recipe *recipe)
{
    if (!recipe)
        return;
    for (struct tw_feed *feed = recipe->feeds; feed; feed = feed->next)
        tw_feed_clear(feed);
    tw_arena_release(&recipe->arena);
    free(recipe);
}

/* ---- another value of a parameter ---- */

static enum tw_status unknown_param(const struct tw_recipe *recipe, const char *name,
                                    struct tw_error *error)
{
    struct tw_suggestion suggestion = {.unknown = name};
    for (const struct tw_known_param *known = recipe->params; known; known = known->next)
        tw_suggest_offer(&suggestion, known->param.name);
    tw_error_set(error, TW_USAGE, "the recipe has no parameter '%.60s'", name);
    tw_suggest_to(&suggestion, error);
    return TW_USAGE;
}

/* Returns the pairs with another value for one name, NULL: without that name. NULL without
 * memory; free() it. */
static const char **replace_pair(const char *const *set, const char *name, const char *pair)
{
    const size_t length = strlen(name);
    size_t count = 0, kept = 0;
    while (set && set[count])
        count++;
    const char **pairs = calloc(count + 2, sizeof *pairs);
    for (size_t i = 0; pairs && i < count; i++)
        if (strncmp(set[i], name, length) != 0 || set[i][length] != '=')
            pairs[kept++] = set[i];
    if (pairs && pair)
        pairs[kept] = pair;
    return pairs;
}

/* Moves what was fed to the inputs of the recipe's next form. */
static void move_feeds(struct tw_recipe *from, struct tw_recipe *to)
{
    struct tw_feed *next = to->feeds;
    for (struct tw_feed *feed = from->feeds; feed && next; feed = feed->next, next = next->next)
        if (strcmp(feed->name, next->name) == 0 && feed->type == next->type && feed->value.data)
            tw_feed_move(feed, to, next);
}

/* Gives the program's recipe the contents of another, and that one its own. */
static void swap(struct tw_recipe *recipe, struct tw_recipe *other)
{
    const struct tw_recipe before = *recipe;
    *recipe = *other;
    *other = before;
    for (struct tw_export *item = recipe->exports; item; item = item->next) {
        item->world = &recipe->world;
        item->provenance = &recipe->provenance;
    }
}

enum tw_status tw_recipe_set(struct tw_recipe *recipe, const char *name, const char *value,
                             struct tw_error *error)
{
    const struct tw_origin *origin = &recipe->origin;
    struct tw_load_options options = origin->options;
    const struct tw_known_param *known = recipe->params;
    struct tw_recipe *next = NULL;
    while (known && strcmp(known->param.name, name) != 0)
        known = known->next;
    if (!known)
        return unknown_param(recipe, name, error);
    const size_t bytes = strlen(name) + strlen(value ? value : "") + 2;
    char *pair = malloc(bytes);
    if (pair)
        snprintf(pair, bytes, "%s=%s", name, value ? value : "");
    const char **set = pair ? replace_pair(options.set, name, value ? pair : NULL) : NULL;
    options.set = set;
    enum tw_status status = set ? load_text(origin->text, origin->length, recipe->file,
                                            origin->real_path, &options, NULL, &next, error)
                                : tw_error_set(error, TW_MEMORY, "out of memory");
    if (status == TW_OK) {
        move_feeds(recipe, next);
        swap(recipe, next);
        tw_recipe_release(next);
    }
    free(set);
    free(pair);
    return status;
}
