/* SPDX-License-Identifier: MIT */
/* Finds project files, and the recipes of one. */
#include "project/project.h"

#include "base/os/file.h"
#include "base/os/walk.h"
#include "base/text/glob.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- membership ---- */

static bool has_entry(const char *folder, const char *name, char *path)
{
    struct tw_file_id id;
    return snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX &&
           tw_file_identify(path, true, &id, NULL) == TW_OK && id.exists;
}

/* Finds the nearest folder that has an entry of that name, or of the other unless it is NULL. */
static bool find_above(const char *folder, const char *name, const char *other, char *at)
{
    char path[PATH_MAX];
    if (!tw_file_real_path(folder[0] ? folder : ".", at))
        return false;
    for (size_t length = strlen(at);; length--) {
        while (length > 0 && at[length] != '/' && at[length] != 0)
            length--;
        at[length] = 0;
        if (has_entry(at, name, path) || (other && has_entry(at, other, path)))
            return true;
        if (length == 0)
            return false;
    }
}

bool tw_project_find(const char *folder, char *path)
{
    char at[PATH_MAX];
    return find_above(folder, TW_PROJECT_FILE, NULL, at) && has_entry(at, TW_PROJECT_FILE, path);
}

bool tw_project_find_root(const char *folder, char *path)
{
    if (!find_above(folder, TW_PROJECT_FILE, ".git", path))
        return false;
    if (!path[0])
        memcpy(path, "/", sizeof "/");
    return true;
}

const char *tw_project_below(const struct tw_project *project, const char *file, char *place)
{
    size_t length = strlen(project->real);
    if (!tw_file_place(file, place) || strncmp(place, project->real, length) != 0)
        return NULL;
    return place + length;
}

static bool any_covers(const struct tw_project_globs *globs, const char *below)
{
    for (int32_t i = 0; i < globs->count; i++)
        if (tw_glob_covers(globs->at[i].text, below))
            return true;
    return false;
}

static bool any_matches(const struct tw_project_globs *globs, const char *below)
{
    for (int32_t i = 0; i < globs->count; i++)
        if (tw_glob_matches(globs->at[i].text, below))
            return true;
    return false;
}

bool tw_project_has(const struct tw_project *project, const char *below)
{
    return any_matches(&project->recipes, below) && !any_covers(&project->exclude, below);
}

bool tw_project_locks(const struct tw_project *project, const char *below)
{
    return !project->has_locked || any_matches(&project->locked, below);
}

/* ---- kinds of files ---- */

static const char *find_unfed(const struct tw_yaml *inputs)
{
    const struct tw_yaml_item *item =
        inputs && inputs->kind == TW_YAML_MAPPING ? inputs->items : NULL;
    while (item && tw_yaml_find(item->value, "default"))
        item = item->next;
    return item ? item->key->text : NULL;
}

enum tw_project_kind tw_project_kind_of(struct tw_arena *arena, const char *path,
                                        const char **input)
{
    unsigned char *data = NULL;
    size_t length = 0;
    struct tw_fault_log silent = {0};
    if (tw_file_read(path, TW_YAML_BYTES_MAX, &data, &length, NULL) != TW_OK)
        return TW_PROJECT_RECIPE_FILE;
    const char *text = tw_arena_copy(arena, (const char *)data, length);
    free(data);
    const struct tw_yaml *root = text ? tw_yaml_parse(arena, &silent, path, text, length) : NULL;
    const struct tw_yaml_item *first = root && root->kind == TW_YAML_MAPPING ? root->items : NULL;
    const char *key = first ? first->key->text : "";
    const char *unfed = find_unfed(tw_yaml_find(root, "inputs"));
    if (strcmp(key, "thalweg-experiment") == 0)
        return TW_PROJECT_EXPERIMENT;
    if (strcmp(key, "thalweg-lock") == 0)
        return TW_PROJECT_LOCK;
    if (strcmp(key, "thalweg-project") == 0)
        return TW_PROJECT_ITSELF;
    if (input)
        *input = unfed;
    return unfed ? TW_PROJECT_UNFED : TW_PROJECT_RECIPE_FILE;
}

/* ---- the list ---- */

struct list {
    struct tw_project *project;
    const struct tw_project_glob *glob; /* under way */
    struct tw_project_file *at;
    int32_t count, capacity;
    bool found; /* by that glob */
};

static bool is_yaml(const char *path)
{
    const char *ending = strrchr(path, '.');
    return ending && (strcmp(ending, ".yaml") == 0 || strcmp(ending, ".yml") == 0);
}

/* A recipe behind a link to a folder would not belong to the project, which goes by real folders.
 */
static bool is_behind_link(const struct tw_project *project, const char *path, const char *below)
{
    char place[PATH_MAX];
    const char *real = tw_project_below(project, path, place);
    return !real || strcmp(real, below) != 0;
}

/* Adds a file of the glob under way; false without memory. */
static bool add(struct list *list, const char *below)
{
    struct tw_arena *arena = &list->project->arena;
    const char *unfed = NULL;
    const char *path = tw_arena_print(arena, "%s%s", list->project->prefix, below);
    if (path && is_behind_link(list->project, path, below))
        return true;
    list->found = true;
    if (any_covers(&list->project->exclude, below))
        return true;
    enum tw_project_kind kind =
        path ? tw_project_kind_of(arena, path, &unfed) : TW_PROJECT_RECIPE_FILE;
    if (kind != TW_PROJECT_RECIPE_FILE && kind != TW_PROJECT_UNFED)
        return true;
    if (list->count == list->capacity) {
        int32_t capacity = list->capacity ? 2 * list->capacity : 64;
        struct tw_project_file *grown = tw_arena_alloc(arena, (size_t)capacity, sizeof *grown);
        if (!grown)
            return false;
        if (list->count > 0)
            memcpy(grown, list->at, (size_t)list->count * sizeof *grown);
        list->at = grown;
        list->capacity = capacity;
    }
    list->at[list->count++] = (struct tw_project_file){path, unfed};
    return path != NULL;
}

static bool on_file(void *context, const char *path)
{
    struct list *list = context;
    return !is_yaml(path) || !tw_glob_matches(list->glob->text, path) || add(list, path);
}

/* Counts the folders that a pattern can enter below those that it names; `**` enters any. */
static int depth_of(const char *pattern)
{
    int depth = 0;
    for (const char *at = pattern; *at; at++)
        depth += *at == '/';
    return strstr(pattern, "**") ? TW_WALK_DEPTH_MAX : depth;
}

static enum tw_status refuse_missing(struct list *list, const char *path, struct tw_error *err)
{
    const struct tw_place *place = &list->glob->place;
    tw_error_set(err, TW_RECIPE, "there is no file %s", path);
    snprintf(err->file, sizeof err->file, "%s", place->file);
    err->line = place->line;
    err->column = place->column;
    return TW_RECIPE;
}

static enum tw_status list_glob(struct list *list, struct tw_error *err)
{
    struct tw_project *project = list->project;
    const char *text = list->glob->text;
    struct tw_file_id id = {0};
    size_t fixed = tw_glob_fixed(text);
    list->found = false;
    if (!tw_glob_is_one(text)) {
        const char *path = tw_arena_print(&project->arena, "%s%s", project->prefix, text);
        if (!path || tw_file_identify(path, true, &id, NULL) != TW_OK || !id.exists)
            return path ? refuse_missing(list, text, err)
                        : tw_error_set(err, TW_MEMORY, "out of memory");
        return add(list, text) ? TW_OK : tw_error_set(err, TW_MEMORY, "out of memory");
    }
    const char *start = tw_arena_copy(&project->arena, text, fixed);
    struct tw_walk walk = {.arena = &project->arena,
                           .root = project->prefix,
                           .depth = depth_of(text + fixed),
                           .each = on_file,
                           .context = list};
    return start ? tw_walk_files(&walk, start, err) : tw_error_set(err, TW_MEMORY, "out of memory");
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct tw_project_file *)a)->path,
                  ((const struct tw_project_file *)b)->path);
}

static void remove_twins(struct list *list)
{
    int32_t kept = 0;
    if (list->count > 1)
        qsort(list->at, (size_t)list->count, sizeof *list->at, by_path);
    for (int32_t i = 0; i < list->count; i++)
        if (kept == 0 || strcmp(list->at[kept - 1].path, list->at[i].path) != 0)
            list->at[kept++] = list->at[i];
    list->count = kept;
}

enum tw_status tw_project_list(struct tw_project *project,
                               void (*unmatched)(void *context, const struct tw_project_glob *glob),
                               void *context, struct tw_project_file **files, int32_t *count,
                               struct tw_error *err)
{
    struct list list = {.project = project};
    enum tw_status status = TW_OK;
    for (int32_t i = 0; status == TW_OK && i < project->recipes.count; i++) {
        list.glob = &project->recipes.at[i];
        status = list_glob(&list, err);
        if (status == TW_OK && !list.found && unmatched)
            unmatched(context, list.glob);
    }
    remove_twins(&list);
    *files = list.at;
    *count = list.count;
    return status;
}
