/* SPDX-License-Identifier: MIT */
/* Address space, and which pages the system is asked for. Hints are no errors when they are
 * refused. Any thread. */
#ifndef TW_ENGINE_BASE_MEMORY_PAGES_H
#define TW_ENGINE_BASE_MEMORY_PAGES_H

#include <stddef.h>

enum { TW_PAGE = 4096, TW_LARGE_PAGE = 2 << 20 };

/* Zeros for munmap(), which take memory where they are written, beginning at a multiple of
 * `alignment`, which is TW_PAGE or more. NULL when there are none. */
void *tw_pages_map(size_t bytes, size_t alignment);
/* Large pages, where whole ones lie within the block. */
void tw_pages_enlarge(void *block, size_t bytes);
/* All at once, a seventh of what a fault for each takes in a virtual machine; `block` begins at a
 * page. */
void tw_pages_populate(void *block, size_t bytes);
/* Takes back what lies there, as whole pages; contents are lost. */
void tw_pages_drop(void *block, size_t bytes);

#endif
