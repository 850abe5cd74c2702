/* SPDX-License-Identifier: MIT */
/* What base/ uses of the operating system beyond C11, in one place. The names are POSIX's; where a
 * system lacks one, or has it under another name, its stand-in is below or, for Windows, in
 * base/windows/posix.h.
 *
 * Beyond POSIX, used where a system has them and done without elsewhere (macOS, musl, the BSDs):
 *   madvise() with MADV_HUGEPAGE and MADV_POPULATE_WRITE, MAP_NORESERVE   memory/pages.c
 *   sched_getcpu(), sched_getaffinity(), pthread_setaffinity_np()         os/cpu.c
 *   sync_file_range()                                                     os/file.c
 *   pthread_condattr_setclock(), which macOS has not                      net/web_server.c
 *   flock(), which macOS and the BSDs have, too           memory/tally.c, os/temporary.c
 *   /proc/sys/kernel/random/boot_id                                       os/temporary.c
 *   MALLOC_PERTURB_ of glibc                                              memory/block.c
 *
 * A file that uses one of them defines _DEFAULT_SOURCE or _GNU_SOURCE before its first include. */
#ifndef TW_ENGINE_BASE_OS_POSIX_H
#define TW_ENGINE_BASE_OS_POSIX_H

#ifdef _WIN32
#include "base/windows/posix.h"
#else

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#ifndef MAP_ANONYMOUS /* macOS with _XOPEN_SOURCE */
#define MAP_ANONYMOUS MAP_ANON
#endif
#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

/* Nanoseconds of a file's time of modification. */
#ifdef __APPLE__
#define TW_POSIX_MTIM(info) ((info)->st_mtimespec)
#else
#define TW_POSIX_MTIM(info) ((info)->st_mtim)
#endif

/* The clock of conditions that wait until a time: macOS cannot choose it. */
#ifdef __APPLE__
#define TW_POSIX_WAIT_CLOCK CLOCK_REALTIME
static inline int tw_posix_set_wait_clock(pthread_condattr_t *attributes)
{
    (void)attributes;
    return 0;
}
#else
#define TW_POSIX_WAIT_CLOCK CLOCK_MONOTONIC
static inline int tw_posix_set_wait_clock(pthread_condattr_t *attributes)
{
    return pthread_condattr_setclock(attributes, CLOCK_MONOTONIC);
}
#endif

#endif
#endif
