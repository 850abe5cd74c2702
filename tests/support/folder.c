/* SPDX-License-Identifier: MIT */
#include "support/folder.h"

#include <ftw.h>
#include <stdio.h>

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)info;
    (void)kind;
    (void)at;
    return remove(path);
}

int folder_remove(const char *path) { return nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS); }
