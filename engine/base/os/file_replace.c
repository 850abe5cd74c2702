/* SPDX-License-Identifier: MIT */
#include "base/os/file.h"

#include "base/os/posix.h"
#include "base/os/temporary.h"

#include <errno.h>
#include <string.h>

static enum tw_status failed(struct tw_error *err, const char *path)
{
    return tw_error_set(err, TW_IO, "cannot write %.*s: %s", TW_FILE_NAME_SHOWN, path,
                        strerror(errno));
}

static enum tw_status write_file(const char *path, mode_t mode, const void *data, size_t length,
                                 struct tw_error *err)
{
    struct tw_temporary temporary;
    tw_temporary_sweep(path);
    if (!tw_temporary_open(path, &temporary))
        return failed(err, path);
    if (fchmod(temporary.descriptor, mode) != 0 ||
        !tw_file_write_all(temporary.descriptor, data, length) ||
        !tw_file_sync(temporary.descriptor)) {
        const enum tw_status status = failed(err, path);
        tw_temporary_remove(&temporary);
        return status;
    }
    return tw_temporary_finish(&temporary, path) ? TW_OK : failed(err, path);
}

enum tw_status tw_file_replace(const char *path, const void *data, size_t length,
                               struct tw_error *err)
{
    struct stat info;
    char real[4096];
    if (!tw_file_real_path(path, real) || stat(real, &info) != 0)
        return failed(err, path);
    return write_file(real, info.st_mode & 07777, data, length, err);
}

bool tw_file_is_writable(const char *path)
{
    struct stat info;
    char real[4096];
    if (!tw_file_real_path(path, real) || stat(real, &info) != 0 || access(real, W_OK) != 0)
        return false;
    *strrchr(real, '/') = 0;
    return (info.st_mode & 0222) != 0 && access(real[0] ? real : "/", W_OK | X_OK) == 0;
}

enum tw_status tw_file_write_private(const char *path, const void *data, size_t length,
                                     struct tw_error *err)
{
    return write_file(path, S_IRUSR | S_IWUSR, data, length, err);
}
