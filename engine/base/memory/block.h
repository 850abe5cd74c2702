/* SPDX-License-Identifier: MIT */
/* Memory for maps and scratch: uninitialised, aligned to a cache line, NULL when out of memory. Any
 * thread.
 *
 * Blocks from 32 KiB on lie in large pages; those below 4 MiB share them (base/memory/page_heap.h).
 * A map then costs one page fault for each 2 MiB instead of each 4 KiB, and its rows need fewer
 * entries of the TLB. */
#ifndef TW_ENGINE_BASE_MEMORY_BLOCK_H
#define TW_ENGINE_BASE_MEMORY_BLOCK_H

#include <stddef.h>

/* Allocates a block for tw_block_free(). From 4 MiB on it begins near the start of a large page. */
void *tw_block_alloc(size_t bytes);
/* Allocates a block in small pages, for data written sparsely: each part would take a large
 * page. */
void *tw_block_alloc_sparse(size_t bytes);
/* Frees a block and keeps its memory for other blocks. */
void tw_block_free(void *block);
/* Returns kept memory to the system, after a run. */
void tw_block_trim(void);

/* realloc() for a buffer of which only the first `used` bytes are kept; from 2 MiB on it lies in
 * large pages. Release with free(). NULL leaves the old buffer unchanged. */
void *tw_block_grow(void *buffer, size_t used, size_t bytes);

/* Reserves address space that takes memory only where it is written, until that part is dropped.
 * Undefined contents; NULL when there is none. Release with tw_block_unreserve(). */
void *tw_block_reserve(size_t bytes);
/* Returns the first `bytes` of a reservation to the system, in whole large pages; their contents
 * are lost. */
void tw_block_drop(void *reserved, size_t bytes);
void tw_block_unreserve(void *reserved, size_t bytes);

#endif
