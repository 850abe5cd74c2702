/* SPDX-License-Identifier: MIT */
/* Blocks of less than two large pages, side by side in large pages. A map of 512 squared would take
 * 256 page faults of its own, which virtual machines without page tables in hardware answer in
 * 10 us each: longer than most nodes compute. Any thread; base/memory/block.h decides what lies
 * here. */
#ifndef TW_ENGINE_BASE_MEMORY_PAGE_HEAP_H
#define TW_ENGINE_BASE_MEMORY_PAGE_HEAP_H

#include <stddef.h>

/* Bytes of the least and the largest block that this is for. */
enum { TW_PAGE_HEAP_LEAST = 32 << 10, TW_PAGE_HEAP_MOST = (4 << 20) - 1 };
/* Where a block begins, modulo TW_PAGE_HEAP_STEP: what tells it from those of others. */
enum { TW_PAGE_HEAP_STEP = 256, TW_PAGE_HEAP_START = 192 };

/* Uninitialised, for tw_page_heap_free(); NULL when there is no address space. *fresh is how many
 * bytes of its large pages the system has yet to give. */
void *tw_page_heap_alloc(size_t bytes, size_t *fresh);
/* The memory is kept for the next block. */
void tw_page_heap_free(void *block);

/* Gives large pages without a block back to the system, until that is `bytes` or there are none.
 * Returns how many bytes. */
size_t tw_page_heap_drop(size_t bytes);

#endif
