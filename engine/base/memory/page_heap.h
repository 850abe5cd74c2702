/* SPDX-License-Identifier: MIT */
/* Blocks of less than two large pages, packed into shared large pages. A map of 512 squared would
 * otherwise take 256 page faults, which virtual machines without hardware page tables answer in 10
 * us each: longer than most nodes compute. Any thread; base/memory/block.h decides which blocks lie
 * here. */
#ifndef TW_ENGINE_BASE_MEMORY_PAGE_HEAP_H
#define TW_ENGINE_BASE_MEMORY_PAGE_HEAP_H

#include <stddef.h>

/* Smallest and largest block, in bytes. */
enum { TW_PAGE_HEAP_LEAST = 32 << 10, TW_PAGE_HEAP_MOST = (4 << 20) - 1 };
/* A block's address modulo TW_PAGE_HEAP_STEP, which distinguishes it from other allocators'
 * blocks. */
enum { TW_PAGE_HEAP_STEP = 256, TW_PAGE_HEAP_START = 192 };

/* Allocates an uninitialised block for tw_page_heap_free(); NULL when there is no address space.
 * *fresh is how many bytes of its large pages the system has yet to provide. */
void *tw_page_heap_alloc(size_t bytes, size_t *fresh);
/* Frees a block and keeps its memory for the next one. */
void tw_page_heap_free(void *block);

/* Returns large pages without a block to the system until `bytes` are returned or none remain;
 * returns the number of bytes. */
size_t tw_page_heap_drop(size_t bytes);

#endif
