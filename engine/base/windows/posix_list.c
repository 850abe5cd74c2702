/* SPDX-License-Identifier: MIT */
#include "base/windows/posix_private.h"

#include <errno.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>

struct tw_posix_list {
    uv_fs_t request; /* all names at once */
    int folder;
    struct dirent entry;
};

DIR *fdopendir(int folder)
{
    struct tw_posix_name name;
    DIR *list = calloc(1, sizeof *list);
    const char *at = list ? tw_posix_path(&name, folder, ".") : NULL;
    int code = at ? uv_fs_scandir(NULL, &list->request, at, 0, NULL) : 0;
    if (!at || code < 0) {
        if (list)
            uv_fs_req_cleanup(&list->request); /* before libuv has it, it is all zeros */
        (void)tw_posix_result(code);
        free(list);
        return NULL;
    }
    list->folder = folder;
    return list;
}

DIR *opendir(const char *path)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY);
    DIR *list = folder >= 0 ? fdopendir(folder) : NULL;
    if (!list && folder >= 0) {
        int why = errno;
        (void)_close(folder);
        errno = why;
    }
    return list;
}

struct dirent *readdir(DIR *list)
{
    uv_dirent_t next;
    if (uv_fs_scandir_next(&list->request, &next) != 0)
        return NULL;
    snprintf(list->entry.d_name, sizeof list->entry.d_name, "%s", next.name);
    return &list->entry;
}

int closedir(DIR *list)
{
    uv_fs_req_cleanup(&list->request);
    (void)_close(list->folder);
    free(list);
    return 0;
}

int dirfd(DIR *list) { return list->folder; }
