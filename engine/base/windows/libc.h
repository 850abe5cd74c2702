/* SPDX-License-Identifier: MIT */
/* What C11 and POSIX have and Microsoft's C library has not: every file is compiled with it
 * (CMakeLists.txt), so that no other need know. */
#ifndef TW_ENGINE_BASE_WINDOWS_LIBC_H
#define TW_ENGINE_BASE_WINDOWS_LIBC_H

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#undef PATH_MAX
#undef NAME_MAX
#define PATH_MAX 4096
#define NAME_MAX 255

char *strndup(const char *text, size_t length);
int setenv(const char *name, const char *value, int replace);
int unsetenv(const char *name);
int strerror_r(int number, char *text, size_t size);

/* errno of a path that Windows takes for a device or for another file. */
#define TW_LIBC_OTHER_FILE EILSEQ
#define strerror(number) tw_libc_strerror(number)
char *tw_libc_strerror(int number);

#ifndef TIME_UTC
#define TIME_UTC 1
int timespec_get(struct timespec *time, int base);
#endif

#endif
