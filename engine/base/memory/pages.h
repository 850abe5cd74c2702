/* SPDX-License-Identifier: MIT */
/* Maps address space and asks the system for pages. A refused hint is no error. Any thread. */
#ifndef TW_ENGINE_BASE_MEMORY_PAGES_H
#define TW_ENGINE_BASE_MEMORY_PAGES_H

#include <stddef.h>

enum { TW_PAGE = 4096, TW_LARGE_PAGE = 2 << 20 };

/* Maps zeroed bytes that take memory where they are written, beginning at a multiple of
 * `alignment`, which is TW_PAGE or more. NULL on failure. */
void *tw_pages_map(size_t bytes, size_t alignment);
/* Releases all `bytes` of a mapping. */
void tw_pages_unmap(void *mapped, size_t bytes);
/* Asks for large pages where whole ones fit within the block. */
void tw_pages_enlarge(void *block, size_t bytes);
/* Provides all pages at once, at a seventh of the cost of a fault for each in a virtual machine;
 * `block` begins at a page. */
void tw_pages_populate(void *block, size_t bytes);
/* Returns whole pages to the system; their contents are lost. */
void tw_pages_drop(void *block, size_t bytes);

#endif
