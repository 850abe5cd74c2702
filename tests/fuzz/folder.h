/* SPDX-License-Identifier: MIT */
/* A fuzz target's own folder, in memory where there is /dev/shm; removed at exit. */
#ifndef TW_TESTS_FUZZ_FOLDER_H
#define TW_TESTS_FUZZ_FOLDER_H

#include "support/folder.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char fuzz_folder_path[64];

static void fuzz_folder_remove(void) { (void)folder_remove(fuzz_folder_path); }

/* The same in every call. */
static inline const char *fuzz_folder(void)
{
    if (fuzz_folder_path[0])
        return fuzz_folder_path;
    snprintf(fuzz_folder_path, sizeof fuzz_folder_path, "%s/thalweg-fuzz-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (!mkdtemp(fuzz_folder_path))
        abort();
    atexit(fuzz_folder_remove);
    return fuzz_folder_path;
}

static inline void fuzz_write(const char *path, const void *data, size_t size)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0 || write(file, data, size) != (ssize_t)size || close(file) != 0)
        abort();
}

#endif
