/* SPDX-License-Identifier: MIT */
/* Memory for maps and scratch: uninitialised, aligned to a cache line, NULL when there is none. Any
 * thread.
 * Blocks from 32 KiB on lie in large pages, those below 4 MiB side by side
 * (base/memory/page_heap.h): a map then costs one page fault for each 2 MiB instead of each 4 KiB,
 * and its rows need fewer entries of the TLB. */
#ifndef TW_ENGINE_BASE_MEMORY_BLOCK_H
#define TW_ENGINE_BASE_MEMORY_BLOCK_H

#include <stddef.h>

/* For tw_block_free(). From 4 MiB on they begin near a large page. */
void *tw_block_alloc(size_t bytes);
/* The same with small pages, for a block of which little is written, here and there: each part
 * would take a large page. */
void *tw_block_alloc_sparse(size_t bytes);
/* The memory is kept for other blocks. */
void tw_block_free(void *block);
/* Gives what is kept back to the system: after a run. */
void tw_block_trim(void);

/* realloc() for a buffer of which only the first `used` bytes are to be kept: from 2 MiB on it lies
 * in large pages. For free(); NULL leaves the buffer as it was. */
void *tw_block_grow(void *buffer, size_t used, size_t bytes);

/* Address space that takes memory only where it is written, until that part is dropped;
 * undefined at first. NULL when there is none. tw_block_unreserve(). */
void *tw_block_reserve(size_t bytes);
/* Gives the memory of the first `bytes` back, as far as whole large pages go; their contents are
 * lost. */
void tw_block_drop(void *reserved, size_t bytes);
void tw_block_unreserve(void *reserved, size_t bytes);

#endif
