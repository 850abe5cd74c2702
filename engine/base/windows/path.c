/* SPDX-License-Identifier: MIT */
#include "base/os/file.h"

#include <stdio.h>
#include <string.h>
#include <uv.h>

/* A path of a drive without a root, C:a, depends on a folder that only the drive knows: no folder
 * is put before it either. */
bool tw_file_is_absolute(const char *path)
{
    return path[0] == '/' || path[0] == '\\' || (path[0] && path[1] == ':');
}

const char *tw_file_cache_folder(char *path, size_t size)
{
    static const char *const names[] = {"XDG_CACHE_HOME", "LOCALAPPDATA"};
    static const char below[] = "/thalweg";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = size;
        if (size <= sizeof below || uv_os_getenv(names[i], path, &length) != 0 ||
            !tw_file_is_absolute(path) || length > size - sizeof below)
            continue;
        for (char *at = path; (at = strchr(at, '\\'));)
            *at = '/';
        memcpy(path + length, below, sizeof below);
        return names[i];
    }
    return NULL;
}
