/* SPDX-License-Identifier: MIT */
#include "base/os/walk.h"

#include "base/os/posix.h"

#include <errno.h>
#include <string.h>

static enum tw_status walk_folder(struct tw_walk *walk, const char *folder, int depth,
                                  struct tw_error *err);

static enum tw_status visit(struct tw_walk *walk, const char *folder, const char *name, int depth,
                            struct tw_error *err)
{
    struct stat link, target;
    const char *path = tw_arena_print(walk->arena, "%s%s%s", walk->root, folder, name);
    if (!path)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    if (lstat(path, &link) != 0)
        return TW_OK; /* it went away meanwhile */
    path += strlen(walk->root);
    if (S_ISDIR(link.st_mode)) {
        const char *below = tw_arena_print(walk->arena, "%s/", path);
        if (!below)
            return tw_error_set(err, TW_MEMORY, "out of memory");
        return depth > 0 && name[0] != '.' ? walk_folder(walk, below, depth - 1, err) : TW_OK;
    }
    bool is_file = S_ISREG(link.st_mode) ||
                   (S_ISLNK(link.st_mode) && stat(path - strlen(walk->root), &target) == 0 &&
                    S_ISREG(target.st_mode));
    if (!is_file)
        return TW_OK;
    if (++walk->seen > TW_WALK_FILES_MAX)
        return tw_error_set(err, TW_LIMIT, "there are more than %d files below %s%s",
                            TW_WALK_FILES_MAX, walk->root, walk->root[0] ? "" : ".");
    return walk->each(walk->context, path) ? TW_OK : tw_error_set(err, TW_MEMORY, "out of memory");
}

static enum tw_status walk_folder(struct tw_walk *walk, const char *folder, int depth,
                                  struct tw_error *err)
{
    enum tw_status status = TW_OK;
    const char *path = tw_arena_print(walk->arena, "%s%s.", walk->root, folder);
    DIR *list = path ? opendir(path) : NULL;
    if (!path)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    if (!list && (errno == ENOENT || errno == ENOTDIR))
        return TW_OK;
    if (!list)
        return tw_error_set(err, TW_IO, "cannot list %s: %s", path, strerror(errno));
    for (struct dirent *entry; status == TW_OK && (entry = readdir(list));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            status = visit(walk, folder, entry->d_name, depth, err);
    closedir(list);
    return status;
}

enum tw_status tw_walk_files(struct tw_walk *walk, const char *start, struct tw_error *err)
{
    int depth = walk->depth < TW_WALK_DEPTH_MAX ? walk->depth : TW_WALK_DEPTH_MAX;
    return walk_folder(walk, start, depth, err);
}
