/* SPDX-License-Identifier: MIT */
#include "base/windows/posix_private.h"

static void describe(struct stat *info, const uv_stat_t *found)
{
    *info = (struct stat){.st_dev = found->st_dev,
                          .st_ino = found->st_ino,
                          .st_nlink = found->st_nlink,
                          .st_mode = (uint32_t)found->st_mode,
                          .st_size = (int64_t)found->st_size,
                          .st_mtim = {found->st_mtim.tv_sec, found->st_mtim.tv_nsec}};
    info->st_mode &= ~(uint32_t)(S_IRWXG | S_IRWXO);
}

static int take(uv_fs_t *request, int code, struct stat *info)
{
    if (code == 0)
        describe(info, &request->statbuf);
    uv_fs_req_cleanup(request);
    return tw_posix_result(code);
}

int fstatat(int folder, const char *path, struct stat *info, int flags)
{
    struct tw_posix_name name;
    uv_fs_t request;
    const char *at = tw_posix_path(&name, folder, path);
    if (!at)
        return -1;
    int code = flags & AT_SYMLINK_NOFOLLOW ? uv_fs_lstat(NULL, &request, at, NULL)
                                           : uv_fs_stat(NULL, &request, at, NULL);
    return take(&request, code, info);
}

int stat(const char *path, struct stat *info) { return fstatat(-1, path, info, 0); }

int lstat(const char *path, struct stat *info)
{
    return fstatat(-1, path, info, AT_SYMLINK_NOFOLLOW);
}

int fstat(int descriptor, struct stat *info)
{
    uv_fs_t request;
    int code = uv_fs_fstat(NULL, &request, descriptor, NULL);
    return take(&request, code, info);
}

int faccessat(int folder, const char *path, int mode, int flags)
{
    struct tw_posix_name name;
    uv_fs_t request;
    const char *at = tw_posix_path(&name, folder, path);
    (void)flags;
    if (!at)
        return -1;
    int code = uv_fs_access(NULL, &request, at, mode & W_OK, NULL);
    uv_fs_req_cleanup(&request);
    return tw_posix_result(code);
}

int access(const char *path, int mode) { return faccessat(-1, path, mode, 0); }

long sysconf(int name)
{
    (void)name;
    return (long)uv_available_parallelism();
}
