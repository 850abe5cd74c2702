/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* madvise */
#include "base/block.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { LINE = 64, LARGE_PAGE = 2 << 20 };

void *tw_block_alloc(size_t bytes)
{
    if (bytes > SIZE_MAX / 2)
        return NULL;
    size_t line = bytes < LARGE_PAGE ? LINE : LARGE_PAGE;
    void *block = aligned_alloc(line, (bytes / line + 1) * line);
#ifdef MADV_HUGEPAGE
    /* Whole pages only: the last one is not worth the memory. It is a wish, its refusal no error.
     */
    if (block && line == LARGE_PAGE)
        (void)madvise(block, bytes / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE);
#endif
    return block;
}
