/* SPDX-License-Identifier: MIT */
/* What C11 and POSIX have and Microsoft's C library has not: every file is compiled with it
 * (CMakeLists.txt), so that no other need know. */
#ifndef TW_ENGINE_BASE_WINDOWS_LIBC_H
#define TW_ENGINE_BASE_WINDOWS_LIBC_H

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
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

/* Microsoft's standard error, and its standard output if that is a console, write every byte by
 * itself: letters of UTF-8 fall apart, and a line takes a hundred calls of the system. So both have
 * a buffer (tw_process_start()), which each of these calls empties. */
extern int tw_libc_output_is_console;
int tw_libc_show(FILE *stream, int result);
size_t tw_libc_show_bytes(FILE *stream, size_t result);
#define fprintf(stream, ...) tw_libc_show(stream, fprintf(stream, __VA_ARGS__))
#define vfprintf(stream, ...) tw_libc_show(stream, vfprintf(stream, __VA_ARGS__))
#define printf(...) tw_libc_show(stdout, printf(__VA_ARGS__))
#define fputs(text, stream) tw_libc_show(stream, fputs(text, stream))
#define fputc(byte, stream) tw_libc_show(stream, fputc(byte, stream))
#define putc(byte, stream) tw_libc_show(stream, fputc(byte, stream))
#define puts(text) tw_libc_show(stdout, puts(text))
#define putchar(byte) tw_libc_show(stdout, fputc(byte, stdout))
#define fwrite(at, size, count, stream) tw_libc_show_bytes(stream, fwrite(at, size, count, stream))

#endif
