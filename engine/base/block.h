/* SPDX-License-Identifier: MIT */
/* Memory for maps and scratch: uninitialised, aligned to a cache line, NULL when there is none. Any
 * thread.
 * Large blocks ask for large pages: a map then costs one page fault for each 2 MiB instead of each
 * 4 KiB, and its rows need fewer entries of the TLB. */
#ifndef TW_ENGINE_BASE_BLOCK_H
#define TW_ENGINE_BASE_BLOCK_H

#include <stddef.h>

/* For free(). */
void *tw_block_alloc(size_t bytes);
/* Block `number` of several that are used together; *base is for free(). Each begins near a large
 * page but at another cache line: otherwise a dozen maps would share a few sets of the cache. */
void *tw_block_alloc_staggered(size_t bytes, int number, void **base);

#endif
