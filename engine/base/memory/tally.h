/* SPDX-License-Identifier: MIT */
/* A file of a few numbers to which any number of processes add. Best effort: does not count what it
 * cannot write at once, because another process holds the lock or the disk refuses. */
#ifndef TW_ENGINE_BASE_MEMORY_TALLY_H
#define TW_ENGINE_BASE_MEMORY_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#define TW_TALLY_MAX 16

/* Reads `count` numbers from the file `name` in an open folder. False, and zeros, if it is missing
 * or damaged. */
bool tw_tally_read(int folder, const char *name, uint64_t *numbers, int count);
/* Adds to each number; restarts a damaged file from zero. */
bool tw_tally_add(int folder, const char *name, const uint64_t *numbers, int count);
/* Replaces the file's numbers. */
bool tw_tally_set(int folder, const char *name, const uint64_t *numbers, int count);

#endif
