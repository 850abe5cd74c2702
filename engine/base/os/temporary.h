/* SPDX-License-Identifier: MIT */
/* A new file that replaces another whole or not at all: however the process ends, the next writer
 * of that file removes what is left. */
#ifndef TW_ENGINE_BASE_OS_TEMPORARY_H
#define TW_ENGINE_BASE_OS_TEMPORARY_H

#include <stdbool.h>

struct tw_temporary {
    int descriptor;
    int slot; /* index of its name for tw_temporary_remove_all(), or -1 */
    char path[4096];
};

/* Creates a temporary file next to `path`. False with errno. */
bool tw_temporary_open(const char *path, struct tw_temporary *temporary);
/* Closes the file and renames it to `path`, or removes it and returns false with errno. */
bool tw_temporary_finish(struct tw_temporary *temporary, const char *path);
void tw_temporary_remove(struct tw_temporary *temporary);
/* Removes temporary files that killed processes left next to `path`; those of this host for any
 * file. */
void tw_temporary_sweep(const char *path);
/* Tests, by creating a file for a moment, whether files of a folder can be locked, so that
 * processes see each other's locks. False with errno. */
bool tw_temporary_check_locks(const char *folder);
/* Removes all open temporary files; for a signal handler that ends the process. */
void tw_temporary_remove_all(void);

#endif
