/* SPDX-License-Identifier: MIT */
#include "base/windows/libc.h"

#include <stdlib.h>
#include <uv.h>

char *strndup(const char *text, size_t length)
{
    const size_t used = strnlen(text, length);
    char *copy = malloc(used + 1);
    if (!copy)
        return NULL;
    memcpy(copy, text, used);
    copy[used] = 0;
    return copy;
}

/* For getenv(), whose texts have the system's code page, and then in Unicode for libuv and programs
 * that are started. */
int setenv(const char *name, const char *value, int replace)
{
    if (!replace && getenv(name))
        return 0;
    return _putenv_s(name, value) == 0 && uv_os_setenv(name, value) == 0 ? 0 : -1;
}

int unsetenv(const char *name)
{
    return uv_os_unsetenv(name) == 0 && _putenv_s(name, "") == 0 ? 0 : -1;
}

#undef strerror
char *tw_libc_strerror(int number)
{
    static char other_file[] = "Windows takes this name for a device or another file";
    return number == TW_LIBC_OTHER_FILE ? other_file : strerror(number);
}

int strerror_r(int number, char *text, size_t size)
{
    return number == TW_LIBC_OTHER_FILE ? strcpy_s(text, size, tw_libc_strerror(number))
                                        : strerror_s(text, size, number);
}

int timespec_get(struct timespec *time, int base)
{
    return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, time) == 0 ? base : 0;
}

int tw_libc_output_is_console;

static void show(FILE *stream)
{
    if (stream == stderr || (stream == stdout && tw_libc_output_is_console))
        (void)fflush(stream);
}

int tw_libc_show(FILE *stream, int result)
{
    show(stream);
    return result;
}

size_t tw_libc_show_bytes(FILE *stream, size_t result)
{
    show(stream);
    return result;
}
