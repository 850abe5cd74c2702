/* SPDX-License-Identifier: MIT */
/* Memory that begins at a multiple of a power of two. Uninitialised; NULL when out of memory. Any
 * thread. */
#ifndef TW_ENGINE_BASE_MEMORY_ALIGNED_H
#define TW_ENGINE_BASE_MEMORY_ALIGNED_H

#include <stddef.h>

/* Allocates a block for tw_aligned_free(). */
void *tw_aligned_alloc(size_t alignment, size_t bytes);
void tw_aligned_free(void *block);
/* Allocates a block for free(), at such a multiple where the C library can release that: elsewhere
 * the alignment, which then only serves speed, is malloc()'s. */
void *tw_aligned_alloc_freeable(size_t alignment, size_t bytes);

#endif
