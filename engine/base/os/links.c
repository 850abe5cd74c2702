/* SPDX-License-Identifier: MIT */
#include "base/os/links.h"

#include "base/os/file.h"
#include "base/os/posix.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Skips the working folder if a path begins with it. */
static size_t begin_of(const char *path)
{
    const char *below = tw_file_shown(path);
    return (size_t)(below - path);
}

/* Finds the next link in a path; false for none. *end is where the part examined last ends; `part`
 * is the path up to there, and `folder` the length of its folder. */
static bool find_link(const char *path, size_t *end, char part[PATH_MAX], size_t *folder)
{
    struct stat info;
    while (path[*end]) {
        size_t begin = *end + strspn(path + *end, "/");
        *end = begin + strcspn(path + begin, "/");
        if (*end >= PATH_MAX)
            return false; /* it cannot be opened either */
        memcpy(part, path, *end);
        part[*end] = 0;
        *folder = begin;
        if (*end > begin && lstat(part, &info) == 0 && S_ISLNK(info.st_mode))
            return true;
    }
    return false;
}

bool tw_links_lead_to(const char *path)
{
    char part[PATH_MAX];
    size_t end = begin_of(path), folder;
    return find_link(path, &end, part, &folder);
}

bool tw_links_lead_from(const char *folder, const char *path, char joined[4096])
{
    size_t end = strlen(folder);
    bool bare = tw_file_is_absolute(path) || end == 0;
    const char *slash = bare || folder[end - 1] == '/' ? "" : "/";
    int length = snprintf(joined, 4096, "%s%s%s", bare ? "" : folder, slash, path);
    return length < 4096 && tw_links_lead_to(joined);
}

/* Whether the link `part`, whose folder is its first `length` bytes, leads out of that folder. */
static bool leads_out(const char *part, size_t length)
{
    char folder[PATH_MAX], root[PATH_MAX], target[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", (int)length, length > 0 ? part : "");
    if (!realpath(length > 0 ? folder : ".", root) || !realpath(part, target))
        return true;
    size_t used = strcmp(root, "/") == 0 ? 0 : strlen(root);
    return strncmp(target, root, used) != 0 || target[used] != '/';
}

enum tw_status tw_links_check(const char *path, struct tw_error *err)
{
    char part[PATH_MAX];
    size_t folder;
    for (size_t end = begin_of(path); find_link(path, &end, part, &folder);)
        if (leads_out(part, folder))
            return tw_error_set(err, TW_PATH, "cannot read %s: a link leads out of its folder",
                                path);
    return TW_OK;
}

void tw_links_hide(struct tw_error *error)
{
    error->hint[0] = 0;
    snprintf(error->message, sizeof error->message,
             "what is wrong here is not shown, as a link leads to the file");
}
