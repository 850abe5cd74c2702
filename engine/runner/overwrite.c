/* SPDX-License-Identifier: MIT */
#include "runner/overwrite.h"

#include "run/export.h"
#include "runner/runner_private.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(struct tw_overwrite_guard *guard)
{
    if (guard->count < guard->capacity)
        return true;
    size_t capacity = guard->capacity ? 2 * guard->capacity : 16;
    struct tw_guarded_file *files = realloc(guard->files, capacity * sizeof *files);
    if (!files)
        return false;
    guard->files = files;
    guard->capacity = capacity;
    return true;
}

static enum tw_status add(struct tw_overwrite_guard *guard, const struct tw_reading *reading,
                          const char *kind, struct tw_error *err)
{
    struct tw_guarded_file file = {.kind = kind};
    snprintf(file.node, sizeof file.node, "%s", reading->node ? reading->node : "");
    enum tw_status status = tw_file_identify(reading->path, !reading->is_link, &file.id, err);
    if (status != TW_OK || !file.id.exists)
        return status; /* from memory, or deleted: the code that needs it reports that */
    if (!reserve(guard))
        return tw_error_set(err, TW_MEMORY, "out of memory");
    guard->files[guard->count++] = file;
    return TW_OK;
}

enum tw_status tw_overwrite_guard_add(struct tw_overwrite_guard *guard, const char *path,
                                      const char *kind, struct tw_error *err)
{
    enum tw_status status = add(guard, &(struct tw_reading){.path = path}, kind, err);
    if (status == TW_IO && (errno == ELOOP || errno == EACCES)) /* nor can it be read */
        return TW_OK;
    return status;
}

enum tw_status tw_overwrite_guard_add_readings(struct tw_overwrite_guard *guard,
                                               const struct tw_recipe *recipe, struct tw_error *err)
{
    enum tw_status status = TW_OK;
    for (const struct tw_reading *r = recipe->readings; status == TW_OK && r; r = r->next)
        status = add(guard, r,
                     r->is_link ? "a link by which this run reads" : "a recipe of this run", err);
    return status;
}

static enum tw_status refuse(const struct tw_guarded_file *file, const char *name,
                             struct tw_error *err)
{
    if (file->node[0])
        tw_error_set(err, TW_PATH, "'%s' would overwrite the file that node '%s' reads", name,
                     file->node);
    else
        tw_error_set(err, TW_PATH, "'%s' would overwrite %s", name, file->kind);
    if (err)
        snprintf(err->hint, sizeof err->hint, "choose another name or another output folder");
    return TW_PATH;
}

enum tw_status tw_overwrite_guard_check(const struct tw_overwrite_guard *guard, const char *path,
                                        const char *name, struct tw_error *err)
{
    struct tw_file_id id;
    enum tw_status status = tw_file_identify(path, false, &id, err);
    for (size_t i = 0; status == TW_OK && id.exists && i < guard->count; i++)
        if (guard->files[i].id.device == id.device && guard->files[i].id.inode == id.inode)
            return refuse(&guard->files[i], name, err);
    return status;
}

/* Finds or adds the entry of a place; NULL if memory runs out. */
static struct tw_name *find_place(struct tw_overwrite_guard *guard, const char *place)
{
    const char *kept = tw_arena_copy(&guard->arena, place, strlen(place));
    return kept ? tw_names_entry(&guard->places, guard, kept) : NULL;
}

enum tw_status tw_overwrite_guard_note(struct tw_overwrite_guard *guard, const char *path,
                                       const char *kind, struct tw_error *err)
{
    char place[PATH_MAX];
    if (!tw_file_place(path, place))
        return TW_OK; /* no file can be written there */
    struct tw_name *name = find_place(guard, place);
    if (!name)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    if (!name->thing)
        name->thing = kind;
    return TW_OK;
}

enum tw_status tw_overwrite_guard_claim(struct tw_overwrite_guard *guard, const char *path,
                                        const char *name, const char *kind, struct tw_error *err)
{
    char place[PATH_MAX];
    enum tw_status status = tw_overwrite_guard_check(guard, path, name, err);
    if (status != TW_OK || !tw_file_place(path, place))
        return status;
    struct tw_name *known = find_place(guard, place);
    if (!known)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    if (known->thing)
        return refuse(&(struct tw_guarded_file){.kind = known->thing}, name, err);
    known->thing = kind;
    return TW_OK;
}

enum tw_status tw_overwrite_guard_write(const struct tw_overwrite_guard *guard, const char *path,
                                        const struct tw_bytes *text, struct tw_error *err)
{
    enum tw_status status = tw_overwrite_guard_check(guard, path, path, err);
    if (status == TW_OK)
        status = tw_file_make_folder_of(path, err);
    if (status == TW_OK)
        status = tw_checkout_take(guard->checkout, path, err);
    return status == TW_OK ? tw_file_write(path, text->at, text->length, err) : status;
}

void tw_overwrite_guard_release(struct tw_overwrite_guard *guard)
{
    free(guard->files);
    tw_names_release(&guard->places);
    tw_arena_release(&guard->arena);
    *guard = (struct tw_overwrite_guard){0};
}

enum tw_status tw_overwrite_guard_claim_export(struct tw_overwrite_guard *guard, const char *folder,
                                               const struct tw_export *item, struct tw_error *err)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", folder, item->file) >= PATH_MAX)
        return TW_OK; /* too long to be written */
    enum tw_status status =
        tw_overwrite_guard_claim(guard, path, item->file, "an export of this run", err);
    if (status != TW_OK && err)
        tw_export_locate(item, err);
    return status;
}

enum tw_status tw_overwrite_check(const struct tw_run *run, struct tw_error *err)
{
    const char *folder = run->request->export_folder;
    struct tw_overwrite_guard guard = {0};
    enum tw_status status =
        folder ? tw_overwrite_guard_add_readings(&guard, run->recipe, err) : TW_OK;
    for (int32_t g = 0; g < run->goal_count && status == TW_OK; g++)
        if (run->goals[g].kind == TW_GOAL_EXPORT)
            status = tw_overwrite_guard_claim_export(&guard, folder, run->goals[g].item, err);
    tw_overwrite_guard_release(&guard);
    return status;
}
