/* SPDX-License-Identifier: MIT */
/* Where files lie or may be written: folders, links on the way, and checks in advance. */
#include "base/os/file.h"

#include "base/os/posix.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum tw_status cannot(struct tw_error *err, const char *what, const char *path)
{
    bool is_long = strlen(path) > TW_FILE_NAME_SHOWN; /* the reason must still fit */
    return tw_error_set(err, TW_IO, "cannot %s %.*s%s: %s", what, is_long ? 80 : TW_FILE_NAME_SHOWN,
                        path, is_long ? "..." : "", strerror(errno));
}

bool tw_file_real_path(const char *path, char *real) { return realpath(path, real) != NULL; }

const char *tw_file_shown(const char *path)
{
    char folder[PATH_MAX];
    size_t length = getcwd(folder, sizeof folder) ? strlen(folder) : 0;
    bool inside = length > 1 && strncmp(path, folder, length) == 0 && path[length] == '/';
    return inside ? path + length + 1 : path;
}

bool tw_file_real_folder(const char *path, char *folder)
{
    char *slash = tw_file_real_path(path, folder) ? strrchr(folder, '/') : NULL;
    if (slash)
        slash[1] = 0;
    return slash != NULL;
}

/* Appends the parts of a path that does not exist, and so has no symbolic links. */
static bool append_parts(const char *rest, char *place)
{
    for (size_t length; rest += strspn(rest, "/"), (length = strcspn(rest, "/")) > 0;
         rest += length) {
        size_t used = strlen(place);
        char *slash = strrchr(place, '/');
        if (length == 2 && memcmp(rest, "..", 2) == 0)
            *(slash ? slash : place) = 0;
        else if ((length != 1 || *rest != '.') &&
                 snprintf(place + used, PATH_MAX - used, "/%.*s", (int)length, rest) >=
                     (int)(PATH_MAX - used))
            return false;
    }
    return true;
}

bool tw_file_place(const char *path, char *place)
{
    char full[PATH_MAX], folder[PATH_MAX];
    int end = snprintf(full, sizeof full, "%s%s", tw_file_is_absolute(path) ? "" : "./", path);
    if (end >= (int)sizeof full)
        return errno = ENAMETOOLONG, false;
    do {
        while (full[--end] != '/')
            ;
        snprintf(folder, sizeof folder, "%.*s", end > 0 ? end : 1, full);
        if (!realpath(folder, place))
            continue;
        if (strcmp(place, "/") == 0)
            place[0] = 0;
        return append_parts(full + end, place);
    } while (errno == ENOENT && end > 1);
    return false;
}

enum tw_status tw_file_make_folder(const char *path, struct tw_error *err)
{
    char part[PATH_MAX];
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof part)
        return tw_error_set(err, TW_IO, "cannot make a folder of that name: %.80s", path);
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != 0)
            continue;
        memcpy(part, path, i);
        part[i] = 0;
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return cannot(err, "make folder", part);
    }
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode))
        return tw_error_set(err, TW_IO, "cannot make folder %s: a file of that name exists", path);
    return TW_OK;
}

/* Both paths must be free of symbolic links. */
static bool is_below(const char *folder, const char *path)
{
    size_t length = strlen(folder);
    while (length > 0 && folder[length - 1] == '/')
        length--;
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

static bool lies_in(const char *folder, const char *path)
{
    char real[PATH_MAX];
    return realpath(folder, real) && is_below(real, path);
}

/* TW_PATH for a folder outside `root`, or a link whose target does not exist. */
static enum tw_status check_inside(const char *root, const char *path, struct tw_error *err)
{
    char real[PATH_MAX];
    bool found = realpath(path, real) != NULL;
    if (!found && errno != ENOENT)
        return cannot(err, "write to", path);
    if (!found || (strcmp(real, root) != 0 && !is_below(root, real)))
        return tw_error_set(err, TW_PATH, "%s leads out of the output folder", path);
    return TW_OK;
}

enum tw_status tw_file_make_place(const char *folder, const char *file, char *path,
                                  struct tw_error *err)
{
    char root[PATH_MAX];
    int used = snprintf(path, PATH_MAX, "%s/%s", folder, file);
    if (used < 0 || used >= PATH_MAX)
        return tw_error_set(err, TW_IO, "cannot write %.80s: the path is too long", file);
    enum tw_status status = tw_file_make_folder(folder, err);
    if (status != TW_OK)
        return status;
    if (!realpath(folder, root))
        return cannot(err, "write to", folder);
    for (char *at = path + strlen(folder) + 1; (at = strchr(at, '/')); *at++ = '/') {
        *at = 0;
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            return cannot(err, "make folder", path);
        if ((status = check_inside(root, path, err)) != TW_OK)
            return status;
    }
    return TW_OK;
}

/* If the existing folder `path` is longer than `folder`, checks that it lies inside; an ancestor of
 * `folder` passes. */
static enum tw_status check_below(const char *folder, const char *path, struct tw_error *err)
{
    char root[PATH_MAX];
    if (strlen(path) <= strlen(folder) || !realpath(folder, root))
        return TW_OK;
    return check_inside(root, path, err);
}

enum tw_status tw_file_check_place(const char *folder, const char *file, struct tw_error *err)
{
    char path[PATH_MAX];
    struct stat info;
    if (snprintf(path, sizeof path, "%s/%s", folder, file) >= (int)sizeof path)
        return tw_error_set(err, TW_PATH, "%s/%s: the name is too long", folder, file);
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return errno = EISDIR, cannot(err, "write", path);
    do {
        char *slash = strrchr(path, '/');
        if (slash == path)
            slash[1] = 0;
        else if (slash)
            *slash = 0;
        else
            snprintf(path, sizeof path, ".");
        if (stat(path, &info) == 0) {
            if (!S_ISDIR(info.st_mode))
                errno = ENOTDIR;
            else if (access(path, W_OK | X_OK) == 0)
                return check_below(folder, path, err);
            break;
        } else if (errno == ENOENT && lstat(path, &info) == 0)
            return check_below(folder, path, err);
        /* "." and "/" give ENOENT only if a disk fails; stop there to end the loop */
    } while (errno == ENOENT && strcmp(path, ".") != 0 && strcmp(path, "/") != 0);
    if (strlen(folder) + strlen(file) > TW_FILE_NAME_SHOWN / 2)
        return cannot(err, "write", path);
    return tw_error_set(err, TW_IO, "cannot write %s/%s: %s: %s", folder, file, path,
                        strerror(errno));
}

/* Returns the folder of a path, "." for none. */
static const char *folder_of(const char *path, char folder[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    int length = slash == path ? 1 : slash ? (int)(slash - path) : 0;
    snprintf(folder, PATH_MAX, "%.*s", slash ? length : 1, slash ? path : ".");
    return slash ? slash + 1 : path;
}

enum tw_status tw_file_make_folder_of(const char *path, struct tw_error *err)
{
    char folder[PATH_MAX];
    (void)folder_of(path, folder);
    return tw_file_make_folder(folder, err);
}

/* A rename there would replace a device, or the target of this process's standard output. On Linux
 * /dev/fd/ is a link below /proc/; elsewhere it is a folder. */
static bool is_for_devices(const char *place)
{
    return strncmp(place, "/proc/", 6) == 0 || strncmp(place, "/dev/fd/", 8) == 0 ||
           (strncmp(place, "/dev/", 5) == 0 && !strchr(place + 5, '/'));
}

enum tw_status tw_file_check_new(const char *path, struct tw_error *err)
{
    char place[PATH_MAX];
    struct stat info;
    if (!tw_file_place(path, place))
        return cannot(err, "write", path);
    bool exists = stat(path, &info) == 0;
    if (exists && S_ISDIR(info.st_mode))
        return errno = EISDIR, cannot(err, "write", path);
    if (is_for_devices(place) || (exists && !S_ISREG(info.st_mode)))
        return tw_error_set(err, TW_IO, "cannot write %s: files cannot be written there", path);
    const char *name = folder_of(path, place);
    return tw_file_check_place(place, name, err);
}

bool tw_file_free_space(const char *folder, uint64_t *bytes)
{
    char path[PATH_MAX];
    struct statvfs disk;
    if (snprintf(path, sizeof path, "%s", folder) >= (int)sizeof path)
        return false;
    while (statvfs(path, &disk) != 0) {
        char *slash = strrchr(path, '/');
        if (errno != ENOENT || strcmp(path, ".") == 0 || strcmp(path, "/") == 0)
            return false;
        if (!slash)
            snprintf(path, sizeof path, ".");
        else
            slash[slash == path] = 0;
    }
    *bytes = (uint64_t)disk.f_bavail * (uint64_t)disk.f_frsize;
    return true;
}

/* Returns whether a file that does not exist, or cannot be seen, would lie in `folder`. Callers
 * must reveal nothing about files outside, not even that they are missing. */
static bool would_lie_in(const char *folder, const char *path)
{
    char root[PATH_MAX], at[PATH_MAX], real[PATH_MAX];
    char *slash = at;
    snprintf(at, sizeof at, "%s", path);
    for (bool found = false; !found && (slash = strrchr(at, '/'));) {
        slash[slash == at] = 0;
        found = realpath(at, real) != NULL;
        if (!found && slash == at)
            return false;
    }
    return slash && realpath(folder, root) && (strcmp(root, real) == 0 || is_below(root, real));
}

static bool is_allowed(bool (*lies)(const char *folder, const char *path), const char *base,
                       const char *const *allow, const char *path)
{
    bool found = lies(base, path);
    for (; !found && allow && *allow; allow++)
        found = lies(*allow, path);
    return found;
}

/* Suggests a shorter form for a name written from another folder's view, such as
 * "graphs/olsen/hills.yaml": a readable file whose name is a suffix of it. */
static void suggest_shorter(const char *base, const char *const *allow, const char *name,
                            struct tw_error *err)
{
    char joined[PATH_MAX], real[PATH_MAX];
    struct stat info;
    for (const char *at = name; err && !err->hint[0] && (at = strchr(at, '/')); at++)
        if (at > name && at[1] && at[1] != '/' &&
            snprintf(joined, sizeof joined, "%s/%s", base, at + 1) < (int)sizeof joined &&
            realpath(joined, real) && is_allowed(lies_in, base, allow, real) &&
            stat(real, &info) == 0 && S_ISREG(info.st_mode))
            snprintf(err->hint, sizeof err->hint,
                     "did you mean '%s'? Paths are relative to the file that names them", at + 1);
}

enum tw_status tw_file_resolve(const char *folder, const char *name, const char *const *allow,
                               char *resolved, struct tw_error *err)
{
    char joined[PATH_MAX];
    const char *base = folder[0] ? folder : ".";
    int used = tw_file_is_absolute(name) ? snprintf(joined, sizeof joined, "%s", name)
                                         : snprintf(joined, sizeof joined, "%s/%s", base, name);
    if (used < 0 || (size_t)used >= sizeof joined)
        return tw_error_set(err, TW_PATH, "the path is too long");
    bool found = realpath(joined, resolved) != NULL;
    int why = errno;
    if (is_allowed(found ? lies_in : would_lie_in, base, allow, found ? resolved : joined)) {
        if (found)
            return TW_OK;
        tw_error_set(err, TW_IO, "cannot read %s: %s", name, strerror(why));
        suggest_shorter(base, allow, name, err);
        return TW_IO;
    }
    tw_error_set(err, TW_PATH, "%s lies outside the recipe's folder", name);
    if (err)
        snprintf(err->hint, sizeof err->hint, "--allow-path DIR lets recipes read files below DIR");
    return TW_PATH;
}
