/* SPDX-License-Identifier: MIT */
/* Where the cache is unless a program says otherwise. */
#include <thalweg/thalweg.h>

#include <stdio.h>
#include <stdlib.h>

bool tw_cache_folder(char *path, size_t size)
{
    char found[4096];
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = -1;
    if (base && base[0] == '/')
        length = snprintf(found, sizeof found, "%s/thalweg", base);
    else if (home && home[0])
        length = snprintf(found, sizeof found, "%s/.cache/thalweg", home);
    if (length < 0 || (size_t)length >= sizeof found || (size_t)length >= size)
        return false;
    memcpy(path, found, (size_t)length + 1);
    return true;
}
