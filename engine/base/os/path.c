/* SPDX-License-Identifier: MIT */
#include "base/os/file.h"

#include <stdio.h>
#include <stdlib.h>

bool tw_file_is_absolute(const char *path) { return path[0] == '/'; }

const char *tw_file_cache_folder(char *path, size_t size)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const bool is_named = base && base[0] == '/';
    int length = -1;
    if (is_named)
        length = snprintf(path, size, "%s/thalweg", base);
    else if (home && home[0])
        length = snprintf(path, size, "%s/.cache/thalweg", home);
    if (length < 0 || (size_t)length >= size)
        return NULL;
    return is_named ? "XDG_CACHE_HOME" : "HOME";
}
