/* SPDX-License-Identifier: MIT */
/* Temporary folders, in the user's own folder for them. */
#include "base/os/file.h"

#include "base/windows/posix_private.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum tw_status tw_file_make_temporary_folder(char *path, struct tw_error *err)
{
    char base[PATH_MAX], template[PATH_MAX];
    size_t size = sizeof base;
    uv_fs_t request;
    if (uv_os_tmpdir(base, &size) != 0)
        snprintf(base, sizeof base, ".");
    snprintf(template, sizeof template, "%.*s/thalweg-XXXXXX", PATH_MAX - 32, base);
    int code = uv_fs_mkdtemp(NULL, &request, template, NULL);
    if (code == 0)
        snprintf(path, PATH_MAX, "%s", request.path);
    uv_fs_req_cleanup(&request);
    for (char *at = path; code == 0 && (at = strchr(at, '\\'));)
        *at = '/';
    if (code == 0)
        return TW_OK;
    (void)tw_posix_result(code);
    return tw_error_set(err, TW_IO, "cannot make a folder such as %.*s: %s", TW_FILE_NAME_SHOWN,
                        template, strerror(errno));
}

static void remove_name(const char *path, bool is_folder)
{
    struct tw_posix_name name;
    uv_fs_t request;
    const char *at = tw_posix_path(&name, -1, path);
    if (!at)
        return;
    (void)(is_folder ? uv_fs_rmdir(NULL, &request, at, NULL)
                     : uv_fs_unlink(NULL, &request, at, NULL));
    uv_fs_req_cleanup(&request);
}

/* Continues with whatever can be removed. */
void tw_file_remove_folder(const char *path)
{
    char below[PATH_MAX];
    struct stat info;
    DIR *list = opendir(path);
    for (const struct dirent *entry; list && (entry = readdir(list));) {
        if (snprintf(below, sizeof below, "%s/%s", path, entry->d_name) >= PATH_MAX ||
            lstat(below, &info) != 0)
            continue;
        if (S_ISDIR(info.st_mode))
            tw_file_remove_folder(below);
        else
            remove_name(below, false);
    }
    if (list)
        (void)closedir(list);
    remove_name(path, true);
}
