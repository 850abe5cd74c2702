/* SPDX-License-Identifier: MIT */
/* Large blocks, each in address space of its own. glibc puts those below 32 MiB next to others; if
 * it has written even a block's head, the system uses small pages for that whole large page. Any
 * thread; base/memory/block.h decides which blocks lie here. */
#ifndef TW_ENGINE_BASE_MEMORY_EXTENT_H
#define TW_ENGINE_BASE_MEMORY_EXTENT_H

#include <stddef.h>

/* Allocates an uninitialised block for tw_extent_free(). It begins at an even cache line, a
 * different one each time, less than 135 KB into a large page. NULL when out of memory. *fresh is
 * how many bytes the system has yet to provide. */
void *tw_extent_alloc(size_t bytes, size_t *fresh);
/* Frees a block and keeps its memory for the next one of that size. */
void tw_extent_free(void *block);

/* Returns unused spans to the system until `bytes` are returned or none remain; returns the number
 * of bytes. */
size_t tw_extent_drop(size_t bytes);

#endif
