/* SPDX-License-Identifier: MIT */
#include "gate/changes.h"

#include "base/os/file.h"
#include "base/os/process.h"
#include "format/mosaic.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Looking for changes must not run programs that a repository configures. */
#define QUIET_GIT(folder)                                                                          \
    "git", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-C", (folder)

/* Runs git and returns its output, NULL if it fails. Free it. */
static char *ask(const char *const *arguments, size_t *length)
{
    struct tw_bytes output = {0};
    bool ok = tw_process_run(arguments, "GIT_OPTIONAL_LOCKS=0", &output) &&
              tw_bytes_append(&output, "", 1, NULL) == TW_OK;
    if (!ok) {
        free(output.at);
        return NULL;
    }
    *length = output.length - 1;
    return (char *)output.at;
}

static char *ask_line(const char *const *arguments)
{
    size_t length = 0;
    char *line = ask(arguments, &length);
    if (line)
        line[strcspn(line, "\n")] = 0;
    return line;
}

/* A repository within this one is a folder, whose name ends with a slash if git does not know it.
 */
static bool add(struct tw_changes *changes, const char *top, const char *name)
{
    const size_t length = strlen(name), slash = length > 0 && name[length - 1] == '/';
    const char *place =
        tw_arena_print(&changes->arena, "%s/%.*s", top, (int)(length - slash), name);
    struct tw_name *entry = place ? tw_names_entry(&changes->places, changes, place) : NULL;
    struct tw_changed *changed = tw_arena_alloc(&changes->arena, 1, sizeof *changed);
    if (!entry || !changed)
        return false;
    entry->thing = changes;
    *changed = (struct tw_changed){place, changes->all};
    changes->all = changed;
    changes->count++;
    return true;
}

/* Adds the names of a list that ends each with a zero. */
static enum tw_status add_list(struct tw_changes *changes, const char *top, char *list,
                               size_t length, struct tw_error *err)
{
    bool ok = true;
    if (!list)
        return tw_error_set(err, TW_INPUT, "git cannot list the changes of %s", top);
    for (size_t at = 0; ok && at < length; at += strlen(list + at) + 1)
        ok = add(changes, top, list + at);
    free(list);
    return ok ? TW_OK : tw_error_set(err, TW_MEMORY, "out of memory");
}

static enum tw_status list_changes(struct tw_changes *changes, const char *top, const char *base,
                                   struct tw_error *err)
{
    const char *const diff[] = {QUIET_GIT(top),
                                "diff",
                                "--name-only",
                                "--no-renames",
                                "--no-ext-diff",
                                "--ignore-submodules=none",
                                "-z",
                                base,
                                "--",
                                NULL};
    const char *const others[] = {QUIET_GIT(top),       "ls-files", "--others",
                                  "--exclude-standard", "-z",       NULL};
    size_t length = 0;
    changes->top = tw_arena_copy(&changes->arena, top, strlen(top));
    if (!changes->top)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    char *list = ask(diff, &length);
    enum tw_status status = add_list(changes, top, list, length, err);
    if (status != TW_OK)
        return status;
    list = ask(others, &length);
    return add_list(changes, top, list, length, err);
}

/* Git reads no repository of another user, as in a container, unless its settings name it. */
static bool is_of_another(const char *where)
{
    const char *const show[] = {QUIET_GIT(where), "rev-parse", "--show-toplevel", NULL};
    struct tw_bytes output = {0};
    bool of_another = tw_process_ask(show, &output) != 0 &&
                      tw_bytes_append(&output, "", 1, NULL) == TW_OK &&
                      strstr((const char *)output.at, "safe.directory");
    free(output.at);
    return of_another;
}

static enum tw_status refuse_place(const char *folder, struct tw_error *err)
{
    const char *shown = folder[0] ? folder : "the working folder";
    if (!is_of_another(folder[0] ? folder : "."))
        return tw_error_set(err, TW_INPUT, "--since needs git, and %.300s lies in no repository",
                            shown);
    tw_error_set(err, TW_INPUT,
                 "git does not read the repository of %.300s, which another user owns", shown);
    if (err)
        snprintf(err->hint, sizeof err->hint,
                 "'git config --global --add safe.directory FOLDER' allows it");
    return TW_INPUT;
}

static enum tw_status refuse(const char *folder, const char *revision, bool repository,
                             struct tw_error *err)
{
    if (!tw_process_finds("git"))
        return tw_error_set(err, TW_INPUT, "--since needs git, and there is no such program");
    if (!repository)
        return refuse_place(folder, err);
    tw_error_set(err, TW_INPUT, "git knows no common ancestor of HEAD and '%.200s'", revision);
    if (err)
        snprintf(err->hint, sizeof err->hint,
                 "expected a revision such as origin/main; a shallow clone lacks history, which "
                 "'git fetch --unshallow' gets");
    return TW_INPUT;
}

enum tw_status tw_changes_find(const char *folder, const char *revision, struct tw_changes *changes,
                               struct tw_error *err)
{
    const char *where = folder[0] ? folder : ".";
    const char *const show[] = {QUIET_GIT(where), "rev-parse", "--show-toplevel", NULL};
    const char *const merge_base[] = {QUIET_GIT(where), "merge-base", "HEAD", revision, NULL};
    char *top = ask_line(show);
    if (top && strcmp(top, "/") == 0)
        top[0] = 0; /* names below follow a slash */
    char *base = top && revision[0] != '-' ? ask_line(merge_base) : NULL;
    enum tw_status status =
        base ? list_changes(changes, top, base, err) : refuse(folder, revision, top != NULL, err);
    free(top);
    free(base);
    return status;
}

/* Of a repository within this one git knows only whether anything has changed. */
static bool has_folder_of(const struct tw_changes *changes, char *place)
{
    for (char *slash = strrchr(place, '/'); slash && slash > place; slash = strrchr(place, '/')) {
        *slash = 0;
        if (tw_names_find(&changes->places, changes, place))
            return true;
    }
    return false;
}

static bool has_place(const struct tw_changes *changes, char *place)
{
    if (tw_names_find(&changes->places, changes, place))
        return true;
    for (const struct tw_changed *at = changes->all; at && tw_mosaic_is(place); at = at->next)
        if (tw_mosaic_fits(place, at->place))
            return true;
    return has_folder_of(changes, place);
}

bool tw_changes_have(const struct tw_changes *changes, const char *path)
{
    char place[PATH_MAX], target[PATH_MAX];
    const bool known = tw_file_place(path, place);
    const bool links = known && tw_file_real_path(path, target) && strcmp(target, place) != 0;
    return known && (has_place(changes, place) || (links && has_place(changes, target)));
}

bool tw_changes_cover(const struct tw_changes *changes, const char *path)
{
    char place[PATH_MAX];
    const size_t length = strlen(changes->top);
    return tw_file_place(path, place) && strncmp(place, changes->top, length) == 0 &&
           place[length] == '/';
}

void tw_changes_release(struct tw_changes *changes)
{
    tw_names_release(&changes->places);
    tw_arena_release(&changes->arena);
}
