/* SPDX-License-Identifier: MIT */
/* System calls that fail on demand, for programs linked with --wrap, as test.disk is
 * (tests/CMakeLists.txt): all calls by which engine/base uses files and folders. Calls made by
 * libuv and the C library do not fail. fsync() never reaches the disk, since tests write thousands
 * of files and do not test power loss. */
#ifndef TW_TESTS_SUPPORT_FAULTY_DISK_H
#define TW_TESTS_SUPPORT_FAULTY_DISK_H

#include <stdbool.h>

struct disk_fault {
    long which;       /* number of the call from now on: 1 is the next */
    bool ever;        /* all later calls fail too */
    int error;        /* errno */
    const char *only; /* the call's name; NULL: all calls */
};

/* The first call that failed. */
struct disk_failure {
    const char *call;
    char path[4096]; /* path of the call, if known */
};

void disk_begin(const struct disk_fault *fault);
/* Lets no call fail; notes each system call's call path under its number (support/call_paths.h). */
void disk_note(void);
/* Lets calls work again. True if one failed since disk_begin(). */
bool disk_end(struct disk_failure *failure);
/* Number of calls since disk_begin(). */
long disk_calls(void);

#endif
