/* SPDX-License-Identifier: MIT */
/* Large blocks, each in address space of its own. glibc puts those below 32 MiB beside others, and
 * where it has written as much as the head of a block, the system gives small pages for all that
 * the large page would be. Any thread; base/memory/block.h decides what lies here. */
#ifndef TW_ENGINE_BASE_MEMORY_EXTENT_H
#define TW_ENGINE_BASE_MEMORY_EXTENT_H

#include <stddef.h>

/* Uninitialised, for tw_extent_free(). It begins at an even cache line, another one each time, less
 * than 135 KB behind a large page. NULL when there is none. *fresh is how many bytes the system has
 * yet to give. */
void *tw_extent_alloc(size_t bytes, size_t *fresh);
/* The memory is kept for the next block of that size. */
void tw_extent_free(void *block);

/* Gives spans without a block back to the system, until that is `bytes` or there are none. Returns
 * how many bytes. */
size_t tw_extent_drop(size_t bytes);

#endif
