/* SPDX-License-Identifier: MIT */
#include "support/faulty_disk.h"

#include "support/call_paths.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_bool armed, noting, recorded;
static atomic_long calls;
static struct disk_fault requested;
static struct disk_failure first;
static atomic_bool complete; /* `first` has been written */

void disk_begin(const struct disk_fault *fault)
{
    requested = *fault;
    first = (struct disk_failure){NULL, ""};
    atomic_store(&recorded, false);
    atomic_store(&complete, false);
    atomic_store(&calls, 0);
    atomic_store(&armed, true);
}

void disk_note(void)
{
    call_paths_begin();
    atomic_store(&noting, true);
    disk_begin(&(struct disk_fault){.which = LONG_MAX});
}

bool disk_end(struct disk_failure *failure)
{
    atomic_store(&armed, false);
    atomic_store(&noting, false);
    *failure = first;
    return atomic_load(&complete);
}

long disk_calls(void) { return atomic_load(&calls); }

static void record(const char *call, int descriptor, const char *path)
{
    char link[40], folder[2048] = "";
    if (atomic_exchange(&recorded, true))
        return;
    if (descriptor >= 0 && !(path && path[0] == '/')) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
        ssize_t length = readlink(link, folder, sizeof folder - 1);
        folder[length > 0 ? length : 0] = 0;
    }
    snprintf(first.path, sizeof first.path, "%s%s%.2000s", folder, folder[0] && path ? "/" : "",
             path ? path : "");
    first.call = call;
    atomic_store(&complete, true);
}

/* Whether this call fails, setting errno. The call is about a path, relative to a folder or not, or
 * a descriptor. */
static bool fails(const char *call, int descriptor, const char *path)
{
    if (!atomic_load(&armed) || (requested.only && strcmp(call, requested.only) != 0))
        return false;
    long number = atomic_fetch_add(&calls, 1) + 1;
    if (atomic_load(&noting))
        call_paths_note(number);
    if (number < requested.which || (number > requested.which && !requested.ever))
        return false;
    record(call, descriptor, path);
    errno = requested.error;
    return true;
}

/* With --wrap=name the linker turns calls of name() into __wrap_name(), which may call
 * __real_name(). */
#define WRAP(type, name, ...)                                                                      \
    type __real_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__)

/* ---- by path ---- */

static int mode_of(int flags, va_list arguments)
{
    return flags & O_CREAT ? va_arg(arguments, int) : 0;
}

WRAP(int, open, const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    int mode = mode_of(flags, arguments);
    va_end(arguments);
    return fails("open", -1, path) ? -1 : __real_open(path, flags, mode);
}

WRAP(int, openat, int folder, const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    int mode = mode_of(flags, arguments);
    va_end(arguments);
    return fails("openat", folder, path) ? -1 : __real_openat(folder, path, flags, mode);
}

WRAP(int, rename, const char *from, const char *to)
{
    return fails("rename", -1, to) ? -1 : __real_rename(from, to);
}

WRAP(int, renameat, int folder, const char *from, int folder_to, const char *to)
{
    return fails("renameat", folder, to) ? -1 : __real_renameat(folder, from, folder_to, to);
}

WRAP(int, linkat, int folder, const char *from, int folder_to, const char *to, int flags)
{
    return fails("linkat", folder, to) ? -1 : __real_linkat(folder, from, folder_to, to, flags);
}

WRAP(int, unlink, const char *path) { return fails("unlink", -1, path) ? -1 : __real_unlink(path); }

WRAP(int, unlinkat, int folder, const char *path, int flags)
{
    return fails("unlinkat", folder, path) ? -1 : __real_unlinkat(folder, path, flags);
}

WRAP(int, mkdir, const char *path, mode_t mode)
{
    return fails("mkdir", -1, path) ? -1 : __real_mkdir(path, mode);
}

WRAP(int, mkdirat, int folder, const char *path, mode_t mode)
{
    return fails("mkdirat", folder, path) ? -1 : __real_mkdirat(folder, path, mode);
}

WRAP(int, stat, const char *path, struct stat *info)
{
    return fails("stat", -1, path) ? -1 : __real_stat(path, info);
}

WRAP(int, lstat, const char *path, struct stat *info)
{
    return fails("lstat", -1, path) ? -1 : __real_lstat(path, info);
}

WRAP(int, fstatat, int folder, const char *path, struct stat *info, int flags)
{
    return fails("fstatat", folder, path) ? -1 : __real_fstatat(folder, path, info, flags);
}

WRAP(int, access, const char *path, int mode)
{
    return fails("access", -1, path) ? -1 : __real_access(path, mode);
}

WRAP(int, faccessat, int folder, const char *path, int mode, int flags)
{
    return fails("faccessat", folder, path) ? -1 : __real_faccessat(folder, path, mode, flags);
}

WRAP(char *, realpath, const char *path, char *real)
{
    return fails("realpath", -1, path) ? NULL : __real_realpath(path, real);
}

WRAP(char *, __realpath_chk, const char *path, char *real, size_t size)
{
    return fails("realpath", -1, path) ? NULL : __real___realpath_chk(path, real, size);
}

WRAP(DIR *, opendir, const char *path)
{
    return fails("opendir", -1, path) ? NULL : __real_opendir(path);
}

/* ---- by descriptor ---- */

WRAP(ssize_t, read, int file, void *to, size_t length)
{
    return fails("read", file, NULL) ? -1 : __real_read(file, to, length);
}

WRAP(ssize_t, __read_chk, int file, void *to, size_t length, size_t size)
{
    return fails("read", file, NULL) ? -1 : __real___read_chk(file, to, length, size);
}

ssize_t __real_write(int file, const void *from, size_t length);
ssize_t __wrap_write(int file, const void *from, size_t length);

/* A disk accepts a part before it fails; an interrupted write accepts nothing. */
ssize_t __wrap_write(int file, const void *from, size_t length)
{
    if (!fails("write", file, NULL))
        return __real_write(file, from, length);
    int error = errno;
    if (error != EINTR)
        (void)!__real_write(file, from, length / 2);
    errno = error;
    return -1;
}

/* The descriptor is closed whatever close() returns. */
WRAP(int, close, int file)
{
    bool failed = fails("close", file, NULL);
    int error = errno, code = __real_close(file);
    errno = failed ? error : errno;
    return failed ? -1 : code;
}

WRAP(int, fsync, int file) { return fails("fsync", file, NULL) ? -1 : 0; }

WRAP(int, flock, int file, int operation)
{
    return fails("flock", file, NULL) ? -1 : __real_flock(file, operation);
}

WRAP(int, fstat, int file, struct stat *info)
{
    return fails("fstat", file, NULL) ? -1 : __real_fstat(file, info);
}

WRAP(int, futimens, int file, const struct timespec times[2])
{
    return fails("futimens", file, NULL) ? -1 : __real_futimens(file, times);
}

WRAP(DIR *, fdopendir, int file)
{
    return fails("fdopendir", file, NULL) ? NULL : __real_fdopendir(file);
}

WRAP(struct dirent *, readdir, DIR *list)
{
    return fails("readdir", dirfd(list), NULL) ? NULL : __real_readdir(list);
}
