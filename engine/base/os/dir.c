/* SPDX-License-Identifier: MIT */
/* The *at() calls of POSIX. */
#include "base/os/dir.h"

#include "base/os/posix.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Returns 0, or errno of the first folder that could not be created. Some failures are harmless:
 * the caller tries to open the last folder. */
static int make_folders(const char *path)
{
    char part[PATH_MAX];
    size_t length = strlen(path);
    int why = 0;
    for (size_t i = 1; i <= length && length < sizeof part; i++) {
        if (path[i] != '/' && path[i] != 0)
            continue;
        memcpy(part, path, i);
        part[i] = 0;
        if (mkdir(part, 0777) != 0 && errno != EEXIST && why == 0)
            why = errno;
    }
    return why;
}

int tw_dir_open(const char *path, bool make)
{
    int why = make ? make_folders(path) : 0;
    int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0 && errno == ENOENT && why != 0)
        errno = why; /* more informative: "Read-only file system" */
    return dir;
}

bool tw_dir_make(int dir, const char *name)
{
    return mkdirat(dir, name, 0777) == 0 || errno == EEXIST;
}

bool tw_dir_is_writable(int dir, const char *name)
{
    return faccessat(dir, name, W_OK | X_OK, 0) == 0;
}

int tw_dir_read_file(int dir, const char *path)
{
    return openat(dir, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

int tw_dir_create_file(int dir, const char *path, bool secret)
{
    return openat(dir, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, secret ? 0600 : 0666);
}

static bool describe(const struct stat *info, struct tw_file_info *file)
{
    const struct timespec modified = TW_POSIX_MTIM(info);
    *file =
        (struct tw_file_info){(uint64_t)info->st_size, modified.tv_sec, (int32_t)modified.tv_nsec};
    return S_ISREG(info->st_mode);
}

bool tw_dir_stat(int dir, const char *path, struct tw_file_info *info)
{
    struct stat found;
    return fstatat(dir, path, &found, 0) == 0 && describe(&found, info);
}

bool tw_dir_rename(int dir, const char *from, const char *to)
{
    return renameat(dir, from, dir, to) == 0;
}

/* Without hard links, two concurrent calls may both succeed. */
bool tw_dir_rename_new(int dir, const char *from, const char *to)
{
    if (linkat(dir, from, dir, to, 0) == 0)
        return unlinkat(dir, from, 0) == 0;
    if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS && errno != EMLINK)
        return false;
    struct stat found;
    if (fstatat(dir, to, &found, AT_SYMLINK_NOFOLLOW) == 0) {
        errno = EEXIST;
        return false;
    }
    return tw_dir_rename(dir, from, to);
}

bool tw_dir_remove(int dir, const char *path) { return unlinkat(dir, path, 0) == 0; }

static enum tw_status failed(struct tw_error *err, const char *folder, int why)
{
    return tw_error_set(err, TW_IO, "cannot list the folder %s: %s", folder, strerror(why));
}

/* Closes `list`. */
static enum tw_status list_names(DIR *list, const char *folder, tw_dir_each *each, void *context,
                                 struct tw_error *err)
{
    enum tw_status status = TW_OK;
    while (status == TW_OK) {
        struct stat found;
        struct tw_file_info info;
        errno = 0;
        const struct dirent *next = readdir(list);
        if (!next) {
            status = errno ? failed(err, folder, errno) : TW_OK;
            break;
        }
        if (fstatat(dirfd(list), next->d_name, &found, AT_SYMLINK_NOFOLLOW) == 0 &&
            describe(&found, &info))
            status = each(context, next->d_name, &info, err);
    }
    closedir(list);
    return status;
}

enum tw_status tw_dir_list(int dir, const char *folder, tw_dir_each *each, void *context,
                           struct tw_error *err)
{
    int descriptor = openat(dir, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return errno == ENOENT ? TW_OK : failed(err, folder, errno);
    DIR *list = fdopendir(descriptor);
    if (list)
        return list_names(list, folder, each, context, err);
    enum tw_status status = failed(err, folder, errno);
    close(descriptor);
    return status;
}
