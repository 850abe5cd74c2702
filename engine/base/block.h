/* SPDX-License-Identifier: MIT */
/* Memory for maps and for what nodes work on, not set to anything and aligned to a line of the
 * cache; NULL when there is none. Any thread.
 * Large blocks ask for large pages: a map is touched for the first time once for 2 MiB of it, not
 * once for 4 KiB, and its rows need fewer entries of the processor's page table cache. */
#ifndef TW_ENGINE_BASE_BLOCK_H
#define TW_ENGINE_BASE_BLOCK_H

#include <stddef.h>

/* For free(). */
void *tw_block_alloc(size_t bytes);
/* The block number `number` of several that are used together; *base is for free(). It begins near
 * a large page, but each at another line of the cache: a dozen maps would else meet in a few. */
void *tw_block_alloc_beside(size_t bytes, int number, void **base);

#endif
