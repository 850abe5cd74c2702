/* SPDX-License-Identifier: MIT */
/* A file of a few numbers to which any number of processes add. Best effort: what cannot be written
 * at once, because another process holds the file or the disk refuses, is not counted. */
#ifndef TW_ENGINE_BASE_MEMORY_TALLY_H
#define TW_ENGINE_BASE_MEMORY_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#define TW_TALLY_MAX 16

/* Reads `count` numbers of the file `name` in an open folder; false, and zeros, where there is no
 * file or it is damaged. */
bool tw_tally_read(int folder, const char *name, uint64_t *numbers, int count);
/* Adds to each of them; a file that is damaged begins anew. */
bool tw_tally_add(int folder, const char *name, const uint64_t *numbers, int count);
/* Begins anew with these. */
bool tw_tally_set(int folder, const char *name, const uint64_t *numbers, int count);

#endif
