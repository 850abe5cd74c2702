/* SPDX-License-Identifier: MIT */
#include "base/windows/posix_private.h"

#include "base/os/file_name.h"

#include <errno.h>
#include <io.h>
#include <stdio.h>
#include <string.h>
#include <windows.h>

enum { LENGTH_LIMIT = 240, WIDE = 2 * PATH_MAX };

int tw_posix_result(int64_t code)
{
    static const struct {
        int uv, number;
    } rows[] = {
        {UV_ENOENT, ENOENT},       {UV_EEXIST, EEXIST},      {UV_EACCES, EACCES},
        {UV_EPERM, EACCES},        {UV_ENOTDIR, ENOTDIR},    {UV_EISDIR, EISDIR},
        {UV_ENOMEM, ENOMEM},       {UV_EMFILE, EMFILE},      {UV_EBUSY, EBUSY},
        {UV_EINVAL, EINVAL},       {UV_ENOSPC, ENOSPC},      {UV_ENAMETOOLONG, ENAMETOOLONG},
        {UV_ENOTEMPTY, ENOTEMPTY}, {UV_EROFS, EROFS},        {UV_EPIPE, EPIPE},
        {UV_EOF, EPIPE},           {UV_ENOTSUP, EOPNOTSUPP}, {UV_ENOSYS, ENOSYS},
        {UV_EBADF, EBADF},         {UV_ELOOP, ELOOP},        {UV_EXDEV, EXDEV},
    };
    if (code >= 0)
        return (int)code;
    errno = EIO;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].uv == code)
            errno = rows[i].number;
    return -1;
}

/* Windows takes no '/' in such a name, no "." and no "..", which it resolves here. */
static bool lengthen(struct tw_posix_name *name)
{
    wchar_t written[WIDE], full[WIDE];
    if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, name->at, -1, written, WIDE) == 0)
        return false;
    DWORD length = GetFullPathNameW(written, WIDE, full, NULL);
    if (length == 0 || length >= WIDE)
        return false;
    memcpy(name->at, "\\\\?\\", 4);
    const bool is_share = full[0] == L'\\' && full[1] == L'\\';
    if (is_share) /* \\server\share is \\?\UNC\server\share */
        memcpy(name->at + 4, "UNC", 3);
    return full[0] != 0 && WideCharToMultiByte(CP_UTF8, 0, full + (is_share ? 1 : 0), -1,
                                               name->at + (is_share ? 7 : 4),
                                               (int)sizeof name->at - 7, NULL, NULL) > 0;
}

/* Returns the length of an open folder's path, with a final backslash; 0 if there is none. */
static size_t folder_of(int folder, char *path, size_t size)
{
    wchar_t wide[WIDE];
    DWORD length =
        GetFinalPathNameByHandleW((HANDLE)_get_osfhandle(folder), wide, WIDE, FILE_NAME_NORMALIZED);
    if (length == 0 || length >= WIDE)
        return 0;
    int used = WideCharToMultiByte(CP_UTF8, 0, wide, -1, path, (int)size - 1, NULL, NULL);
    if (used <= 1)
        return 0;
    path[used - 1] = '\\';
    return (size_t)used;
}

static bool is_absolute(const char *path)
{
    return path[0] == '/' || path[0] == '\\' || (path[0] && path[1] == ':');
}

/* Whether a path of some bytes is longer than what Windows takes as it is, when it is absolute. */
static bool is_long(const char *path, size_t length)
{
    if (memcmp(path, "\\\\?\\", length < 4 ? length : 4) == 0)
        return false;
    return length > LENGTH_LIMIT ||
           (!is_absolute(path) && length + GetCurrentDirectoryW(0, NULL) > LENGTH_LIMIT);
}

/* Whether Windows takes a path for what it says: "con" and "com1.png" are devices, "hills:b" is a
 * stream of the file hills, "a." and "a " are the file a, and "\\.\com1" is a device. */
static bool is_plain(const char *path)
{
    struct tw_file_name_fault fault;
    char names[PATH_MAX];
    path += strncmp(path, "\\\\?\\", 4) == 0 ? 4 : 0;
    path += path[0] && path[1] == ':' ? 2 : 0;
    snprintf(names, sizeof names, "%s", path);
    for (char *at = names; (at = strchr(at, '\\'));)
        *at = '/';
    return strncmp(names, "//./", 4) != 0 && tw_file_name_check(names, &fault);
}

const char *tw_posix_path(struct tw_posix_name *name, int folder, const char *path)
{
    size_t used = 0, length = strlen(path);
    if (length == 0)
        return errno = ENOENT, NULL;
    if (length < PATH_MAX && !is_plain(path))
        return errno = TW_LIBC_OTHER_FILE, NULL;
    if (folder >= 0 && !is_absolute(path)) {
        used = folder_of(folder, name->at, sizeof name->at);
        if (used == 0)
            return errno = EBADF, NULL;
        if (strcmp(path, ".") == 0)
            length = 0;
    }
    if (used + length + 2 >= PATH_MAX)
        return errno = ENAMETOOLONG, NULL;
    memcpy(name->at + used, path, length);
    name->at[used + length] = 0;
    if (used > 0)
        for (char *at = name->at + used; (at = strchr(at, '/'));)
            *at = '\\';
    if (used == 0 && length == 2 && path[1] == ':')
        memcpy(name->at + 2, "\\", 2);
    if (used == 0 && is_long(name->at, length) && !lengthen(name))
        return errno = ENAMETOOLONG, NULL;
    return name->at;
}
