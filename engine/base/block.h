/* SPDX-License-Identifier: MIT */
/* Memory for maps and for what nodes work on. */
#ifndef TW_ENGINE_BLOCK_H
#define TW_ENGINE_BLOCK_H

#include <stddef.h>

/* At least one byte, aligned to a line of the cache and not set to anything; NULL when there is no
 * memory for it. For free(). Any thread.
 * Large blocks ask for large pages: a map is touched for the first time once for 2 MiB of it, not
 * once for 4 KiB, and its rows need fewer entries of the processor's page table cache. */
void *tw_block_alloc(size_t bytes);

#endif
