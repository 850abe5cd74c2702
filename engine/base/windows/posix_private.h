/* SPDX-License-Identifier: MIT */
/* Shared by the files posix_*.c. */
#ifndef TW_ENGINE_BASE_WINDOWS_POSIX_PRIVATE_H
#define TW_ENGINE_BASE_WINDOWS_POSIX_PRIVATE_H

#include "base/windows/posix.h"

#include <stdbool.h>
#include <uv.h>

/* A name as libuv is given it. */
struct tw_posix_name {
    char at[3 * PATH_MAX];
};

/* Sets `name` to a path below an open folder; -1: below the working folder. "C:" becomes "C:\", and
 * what is longer than 240 bytes absolute and free of their limit ("\\?\C:\..."). Returns its text;
 * NULL with errno. */
const char *tw_posix_path(struct tw_posix_name *name, int folder, const char *path);

/* Sets errno to what a code of libuv says. Returns -1, or `code` if it is not negative. */
int tw_posix_result(int64_t code);

#endif
