/* SPDX-License-Identifier: MIT */
/* System calls that fail on demand, for programs that are linked with --wrap as test.disk is
 * (tests/CMakeLists.txt): all that engine/base uses of files and folders. libuv's and the C
 * library's own calls are left alone. fsync() never reaches the disk: files are written by the
 * thousand and nobody pulls the plug. */
#ifndef TW_TESTS_SUPPORT_FAULTY_DISK_H
#define TW_TESTS_SUPPORT_FAULTY_DISK_H

#include <stdbool.h>

struct disk_fault {
    long which;       /* of the calls from now on: 1 is the next */
    bool ever;        /* all after it fail, too */
    int error;        /* errno */
    const char *only; /* the call's name; NULL: all calls */
};

/* The first call that failed. */
struct disk_failure {
    const char *call;
    char path[4096]; /* what it was about, where that is known */
};

void disk_begin(const struct disk_fault *fault);
/* None fails; the paths of calls that they come from are noted (support/call_paths.h), each system
 * call under its number. */
void disk_note(void);
/* Calls work again. True when one failed since disk_begin(). */
bool disk_end(struct disk_failure *failure);
/* Calls since disk_begin(). */
long disk_calls(void);

#endif
