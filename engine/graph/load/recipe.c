/* SPDX-License-Identifier: MIT */
/* Turns recipe files into facts: the root scope, then edges, outputs and order. Reports every fault
 * of a file, not only the first. */
#include "graph/load/recipe.h"
#include "graph/load/load_private.h"

#include "base/os/cpu.h"
#include "base/os/file.h"
#include "base/os/links.h"
#include "value/field.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Copies the folders allowed for reading, since options are borrowed for the call only. */
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
        if (!tw_load_assertions(loader, scope))
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
    static const struct tw_load_options none = {0};
    static const struct tw_load_changes unchanged = {0};
    struct tw_recipe *created = calloc(1, sizeof *created);
    if (!created)
        return tw_error_set(error, TW_MEMORY, "out of memory");
    options = options ? options : &none;
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
                                   const struct tw_load_changes *changes, struct tw_recipe **recipe,
                                   struct tw_error *error)
{
    unsigned char *data = NULL;
    size_t length = 0;
    char real[PATH_MAX];
    const bool suspects = options && options->suspects_links;
    enum tw_status status = suspects ? tw_links_check(path, error) : TW_OK;
    const bool given = changes && changes->text;
    if (status == TW_OK && !given)
        status = tw_file_read(path, TW_YAML_BYTES_MAX, &data, &length, error);
    if (status == TW_OK && !tw_file_real_path(path, real))
        status = tw_error_set(error, TW_IO, "cannot read %s: %s", path, strerror(errno));
    status = tw_file_as_input(status, error);
    if (status == TW_OK)
        status =
            load_text(given ? changes->text : (const char *)data, given ? changes->length : length,
                      path, real, options, changes, recipe, error);
    free(data);
    return status;
}

void tw_recipe_release(struct tw_recipe *recipe)
{
    if (!recipe)
        return;
    for (struct tw_feed *feed = recipe->feeds; feed; feed = feed->next)
        tw_field_clear(&feed->value);
    tw_arena_release(&recipe->arena);
    free(recipe);
}
