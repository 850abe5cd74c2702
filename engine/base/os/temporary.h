/* SPDX-License-Identifier: MIT */
/* A new file that becomes another whole, or vanishes: whatever ends the process, the next writer of
 * the same file removes what is left. */
#ifndef TW_ENGINE_BASE_OS_TEMPORARY_H
#define TW_ENGINE_BASE_OS_TEMPORARY_H

#include <stdbool.h>

struct tw_temporary {
    int descriptor;
    int slot; /* where its name is listed for tw_temporary_remove_all(), or -1 */
    char path[4096];
};

/* Creates one next to `path`. False with errno. */
bool tw_temporary_open(const char *path, struct tw_temporary *temporary);
/* Closes it and gives it the name `path`, or removes it: false with errno. */
bool tw_temporary_finish(struct tw_temporary *temporary, const char *path);
void tw_temporary_remove(struct tw_temporary *temporary);
/* Removes those that killed processes left next to `path`: on this host, for whatever file. */
void tw_temporary_sweep(const char *path);
/* Whether files of a folder can be locked, so that one process sees what another holds; makes one
 * for a moment. False with errno. */
bool tw_temporary_check_locks(const char *folder);
/* Removes all that are open; for a signal handler that ends the process. */
void tw_temporary_remove_all(void);

#endif
