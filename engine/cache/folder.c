/* SPDX-License-Identifier: MIT */
/* Where the cache is unless a program says otherwise. */
#include "base/os/file.h"

#include <thalweg/thalweg.h>

#include <string.h>

bool tw_cache_folder(char *path, size_t size)
{
    char found[4096];
    if (!tw_file_cache_folder(found, sizeof found) || strlen(found) >= size)
        return false;
    memcpy(path, found, strlen(found) + 1);
    return true;
}
