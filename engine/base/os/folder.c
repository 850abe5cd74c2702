/* SPDX-License-Identifier: MIT */
/* Temporary folders. */
#include "base/os/file.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum tw_status tw_file_make_temporary_folder(char *path, struct tw_error *err)
{
    const char *base = getenv("TMPDIR");
    snprintf(path, 4096, "%s/thalweg-XXXXXX", base && base[0] == '/' ? base : "/tmp");
    if (mkdtemp(path))
        return TW_OK;
    return tw_error_set(err, TW_IO, "cannot make a folder such as %s: %s", path, strerror(errno));
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info;
    (void)kind;
    (void)walk;
    remove(path);
    return 0; /* continue with whatever can be removed */
}

void tw_file_remove_folder(const char *path)
{
    enum { OPEN_AT_ONCE = 16 };
    nftw(path, remove_one, OPEN_AT_ONCE, FTW_DEPTH | FTW_PHYS);
}
