/* SPDX-License-Identifier: MIT */
/* libuv opens files so that others may rename and delete them meanwhile, and folders, too. */
#include "base/windows/posix_private.h"

#include <errno.h>
#include <io.h>
#include <stdarg.h>
#include <windows.h>

/* Refuses a link, and anything but a folder, where the flags ask for it. */
static int check_kind(const char *at, int flags)
{
    struct stat info;
    if (!(flags & (O_NOFOLLOW | O_DIRECTORY)) ||
        fstatat(-1, at, &info, flags & O_NOFOLLOW ? AT_SYMLINK_NOFOLLOW : 0) != 0)
        return 0; /* opening says what is wrong */
    if (S_ISLNK(info.st_mode))
        return errno = ELOOP, -1;
    return flags & O_DIRECTORY && !S_ISDIR(info.st_mode) ? (errno = ENOTDIR, -1) : 0;
}

int openat(int folder, const char *path, int flags, ...)
{
    struct tw_posix_name name;
    uv_fs_t request;
    const char *at = tw_posix_path(&name, folder, path);
    if (!at || check_kind(at, flags) != 0)
        return -1;
    int asked = flags & (_O_WRONLY | _O_RDWR | _O_APPEND | _O_CREAT | _O_TRUNC | _O_EXCL);
    int code = (int)uv_fs_open(NULL, &request, at, asked, _S_IREAD | _S_IWRITE, NULL);
    uv_fs_req_cleanup(&request);
    return tw_posix_result(code);
}

int open(const char *path, int flags, ...) { return openat(-1, path, flags); }

/* What libuv and Windows count lengths in has 32 bits. */
static unsigned step_of(size_t length)
{
    const size_t most = 1u << 30;
    return (unsigned)(length < most ? length : most);
}

/* Reads or writes at an offset; -1: where the file stands. */
static ssize_t move(int descriptor, void *at, size_t length, int64_t offset, bool writes)
{
    uv_fs_t request;
    uv_buf_t part = uv_buf_init(at, step_of(length));
    int code = writes ? uv_fs_write(NULL, &request, descriptor, &part, 1, offset, NULL)
                      : uv_fs_read(NULL, &request, descriptor, &part, 1, offset, NULL);
    uv_fs_req_cleanup(&request);
    return tw_posix_result(code);
}

ssize_t read(int descriptor, void *to, size_t length)
{
    return move(descriptor, to, length, -1, false);
}

ssize_t write(int descriptor, const void *from, size_t length)
{
    return move(descriptor, (void *)from, length, -1, true);
}

ssize_t pread(int descriptor, void *to, size_t length, int64_t offset)
{
    return move(descriptor, to, length, offset, false);
}

ssize_t pwrite(int descriptor, const void *from, size_t length, int64_t offset)
{
    return move(descriptor, (void *)from, length, offset, true);
}

int ftruncate(int descriptor, int64_t length)
{
    uv_fs_t request;
    int code = uv_fs_ftruncate(NULL, &request, descriptor, length, NULL);
    uv_fs_req_cleanup(&request);
    return tw_posix_result(code);
}

int fsync(int descriptor)
{
    uv_fs_t request;
    int code = uv_fs_fsync(NULL, &request, descriptor, NULL);
    uv_fs_req_cleanup(&request);
    return tw_posix_result(code);
}

/* A descriptor that only reads has no right to change times: the file is opened once more. */
int futimens(int descriptor, const struct timespec *times)
{
    FILETIME now;
    HANDLE file = ReOpenFile((HANDLE)_get_osfhandle(descriptor), FILE_WRITE_ATTRIBUTES,
                             FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, 0);
    (void)times;
    if (file == INVALID_HANDLE_VALUE)
        return errno = EACCES, -1;
    GetSystemTimeAsFileTime(&now);
    const bool done = SetFileTime(file, NULL, &now, &now);
    (void)CloseHandle(file);
    return done ? 0 : (errno = EACCES, -1);
}

/* Others can neither read nor write bytes that are locked: this one lies beyond any file's. */
int flock(int descriptor, int operation)
{
    OVERLAPPED place = {.OffsetHigh = 1u << 30};
    (void)operation;
    if (LockFileEx((HANDLE)_get_osfhandle(descriptor),
                   LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place))
        return 0;
    const DWORD why = GetLastError();
    errno = why == ERROR_LOCK_VIOLATION || why == ERROR_IO_PENDING ? EWOULDBLOCK : ENOLCK;
    return -1;
}
