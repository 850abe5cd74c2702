/* SPDX-License-Identifier: MIT */
/* Checks a call of several recipes as a whole before any of them runs. */
#include "session/recipe_set.h"

#include "graph/file_claims.h"
#include "runner/runner.h"

#include <stdio.h>
#include <string.h>

static enum tw_status check_only(const struct tw_recipe_set *parts, struct tw_error *err)
{
    enum tw_status status = TW_OK;
    for (int32_t p = 0; status == TW_OK && p < parts->count; p++) {
        status = tw_run_check_only(parts->at[p].recipe, parts->only, err);
        if (status != TW_OK && parts->count > 1)
            snprintf(err->file, sizeof err->file, "%s", parts->at[p].file);
    }
    return status;
}

static const char *name_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

static bool is_of_one_name(const char *a, const char *b)
{
    return strcmp(name_of(a), name_of(b)) == 0;
}

/* Suggests the placeholder that keeps two recipes apart. */
static void suggest_folder(const struct tw_recipe_entry *part, bool one_name, struct tw_error *err)
{
    if (one_name && part->place.member)
        snprintf(
            err->hint, sizeof err->hint,
            "{folder} gives each recipe of a project a folder of its own: -o '%.200s/{folder}'",
            part->place.base);
    else
        snprintf(err->hint, sizeof err->hint, "%s",
                 one_name
                     ? "{recipe} is the same for files of one name: rename one, or run them apart"
                     : "{recipe} in --out gives each recipe a folder of its own: -o out/{recipe}");
}

static enum tw_status refuse(const struct tw_recipe_entry *part, const struct tw_export *item,
                             enum tw_clash clash, const struct tw_export *first, const char *path,
                             struct tw_error *err)
{
    static const char *const whys[] = {
        [TW_CLASH_TWICE] = "would be written twice; the first is",
        [TW_CLASH_CASE] = "differs in case only, which Windows and macOS do not see, from that",
        [TW_CLASH_FOLDER] = "would lie in a folder that has the name of the file",
        [TW_CLASH_FILE] = "has the name of a folder of the file"};
    tw_error_set(err, TW_USAGE, "%s %s in %s:%d", path, whys[clash], first->place.file,
                 (int)first->place.line);
    snprintf(err->file, sizeof err->file, "%s", item->place.file);
    suggest_folder(part, is_of_one_name(item->place.file, first->place.file), err);
    err->line = item->place.line;
    err->column = item->place.column;
    return TW_USAGE;
}

/* Rejects files that two recipes write; loading has checked each recipe by itself. */
static enum tw_status check_twice(const struct tw_recipe_set *parts, struct tw_error *err)
{
    struct tw_file_claims claims = {0};
    enum tw_status status = TW_OK;
    for (int32_t p = 0; p < parts->count; p++)
        for (const struct tw_export *e = parts->at[p].recipe->exports; status == TW_OK && e;
             e = e->next) {
            if (!tw_run_selects(e, parts->only))
                continue;
            const void *first = NULL;
            char *path = tw_arena_print(&claims.arena, "%s/%s", parts->at[p].folder, e->file);
            enum tw_clash clash =
                path ? tw_file_claim(&claims, path, tw_export_is_entry(e), e, &first)
                     : TW_CLASH_MEMORY;
            if (clash == TW_CLASH_MEMORY)
                status = tw_error_set(err, TW_MEMORY, "out of memory");
            else if (clash != TW_CLASH_NONE)
                status = refuse(&parts->at[p], e, clash, first, path, err);
        }
    tw_file_claims_release(&claims);
    return status;
}

/* Rejects exports that would replace a file that another recipe reads. */
static enum tw_status check_overwriting(const struct tw_recipe_set *parts,
                                        struct tw_overwrite_guard *guard, struct tw_error *err)
{
    enum tw_status status = TW_OK;
    for (int32_t p = 0; status == TW_OK && p < parts->count; p++)
        status = tw_overwrite_guard_add_readings(guard, parts->at[p].recipe, err);
    for (int32_t p = 0; p < parts->count; p++)
        for (const struct tw_export *e = parts->at[p].recipe->exports; status == TW_OK && e;
             e = e->next)
            if (tw_run_selects(e, parts->only))
                status = tw_overwrite_guard_claim_export(guard, parts->at[p].folder, e, err);
    return status;
}

enum tw_status tw_recipe_set_check(const struct tw_recipe_set *parts,
                                   const struct tw_run_request *request,
                                   struct tw_overwrite_guard *guard, struct tw_error *err)
{
    struct tw_run_options options = *request->options;
    struct tw_run_request one = *request;
    one.options = &options;
    bool writes = !request->cache_only && !parts->shown;
    enum tw_status status = check_only(parts, err);
    if (status == TW_OK && writes)
        status = check_twice(parts, err);
    if (status == TW_OK && writes)
        status = check_overwriting(parts, guard, err);
    for (int32_t g = 0; status == TW_OK && g < parts->graph_count; g++) {
        options.only = tw_recipe_set_only(parts, &parts->graphs[g]);
        one.export_folder = writes ? parts->graphs[g].folder : NULL;
        status = tw_run_check(parts->graphs[g].recipe, &one, err);
    }
    return status;
}
