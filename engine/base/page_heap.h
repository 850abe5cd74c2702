/* SPDX-License-Identifier: MIT */
/* Blocks that are smaller than large pages or end within one, side by side in large pages. A map of
 * 512 squared would take 256 page faults of its own, which virtual machines without page tables in
 * hardware answer in 10 us each: longer than most nodes compute. Any thread; base/block.h decides
 * what lies here. */
#ifndef TW_ENGINE_BASE_PAGE_HEAP_H
#define TW_ENGINE_BASE_PAGE_HEAP_H

#include <stddef.h>

/* Bytes of the least and the largest block that this is for. */
enum { TW_PAGE_HEAP_LEAST = 32 << 10, TW_PAGE_HEAP_MOST = (4 << 20) - 1 };
/* Where a block begins, modulo TW_PAGE_HEAP_STEP: what tells it from those of others. */
enum { TW_PAGE_HEAP_STEP = 256, TW_PAGE_HEAP_START = 192 };

/* Uninitialised, for tw_page_heap_free(); NULL when there is no address space. */
void *tw_page_heap_alloc(size_t bytes);
/* The system gets back what is left of whole large pages without a block, but for a few, and
 * regions of 16 MiB without one, but for one. */
void tw_page_heap_free(void *block);

#endif
