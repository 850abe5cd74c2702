/* SPDX-License-Identifier: MIT */
#include "base/windows/posix_private.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <windows.h>

int mkdirat(int folder, const char *path, unsigned mode)
{
    struct tw_posix_name name;
    struct stat info;
    uv_fs_t request;
    const char *at = tw_posix_path(&name, folder, path);
    if (!at)
        return -1;
    int code = uv_fs_mkdir(NULL, &request, at, (int)mode, NULL);
    uv_fs_req_cleanup(&request);
    /* roots of drives, and folders that may not be written, which exist */
    if ((code == UV_EACCES || code == UV_EPERM) && fstatat(folder, path, &info, 0) == 0)
        code = UV_EEXIST;
    return tw_posix_result(code);
}

int mkdir(const char *path, unsigned mode) { return mkdirat(-1, path, mode); }

/* A scanner opens a new file for some milliseconds, and Windows replaces none that is open. */
int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
    enum { TRIES = 60, MILLISECONDS = 5 };
    struct tw_posix_name first, second;
    uv_fs_t request;
    const char *old = tw_posix_path(&first, from_folder, from);
    const char *new = old ? tw_posix_path(&second, to_folder, to) : NULL;
    int code = UV_EACCES;
    if (!new)
        return -1;
    for (int i = 0; i < TRIES && (code == UV_EACCES || code == UV_EPERM || code == UV_EBUSY); i++) {
        if (i > 0)
            Sleep(MILLISECONDS);
        code = uv_fs_rename(NULL, &request, old, new, NULL);
        uv_fs_req_cleanup(&request);
    }
    return tw_posix_result(code);
}

int rename(const char *from, const char *to) { return renameat(-1, from, -1, to); }

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags)
{
    struct tw_posix_name first, second;
    uv_fs_t request;
    const char *old = tw_posix_path(&first, from_folder, from);
    const char *new = old ? tw_posix_path(&second, to_folder, to) : NULL;
    (void)flags;
    if (!new)
        return -1;
    int code = uv_fs_link(NULL, &request, old, new, NULL);
    uv_fs_req_cleanup(&request);
    return tw_posix_result(code);
}

int unlinkat(int folder, const char *path, int flags)
{
    struct tw_posix_name name;
    uv_fs_t request;
    const char *at = tw_posix_path(&name, folder, path);
    (void)flags;
    if (!at)
        return -1;
    int code = uv_fs_unlink(NULL, &request, at, NULL);
    uv_fs_req_cleanup(&request);
    return tw_posix_result(code);
}

int unlink(const char *path) { return unlinkat(-1, path, 0); }

static void use_slashes(char *path)
{
    for (char *at = path; (at = strchr(at, '\\'));)
        *at = '/';
    size_t length = strlen(path);
    if (length == 3 && path[1] == ':' && path[2] == '/')
        path[2] = 0;
}

/* Copies a resolved path, which libuv has freed of "\\?\" and "\\?\UNC\". */
static char *copy_real(const char *path, char *real)
{
    if (snprintf(real, PATH_MAX, "%s", path) >= PATH_MAX)
        return errno = ENAMETOOLONG, NULL;
    use_slashes(real);
    return real;
}

char *realpath(const char *path, char *real)
{
    struct tw_posix_name name;
    uv_fs_t request;
    const char *at = tw_posix_path(&name, -1, path);
    if (!at)
        return NULL;
    int code = uv_fs_realpath(NULL, &request, at, NULL);
    char *result = code == 0 ? copy_real(request.ptr, real) : NULL;
    uv_fs_req_cleanup(&request);
    if (code != 0)
        (void)tw_posix_result(code);
    return result;
}

char *getcwd(char *folder, size_t size)
{
    int code = uv_cwd(folder, &size);
    if (tw_posix_result(code) != 0)
        return NULL;
    use_slashes(folder);
    return folder;
}

int statvfs(const char *path, struct statvfs *disk)
{
    struct tw_posix_name name;
    uv_fs_t request;
    const char *at = tw_posix_path(&name, -1, path);
    if (!at)
        return -1;
    int code = uv_fs_statfs(NULL, &request, at, NULL);
    const uv_statfs_t *found = code == 0 ? request.ptr : NULL;
    if (found)
        *disk = (struct statvfs){found->f_bavail, found->f_bsize};
    uv_fs_req_cleanup(&request);
    return tw_posix_result(code);
}
