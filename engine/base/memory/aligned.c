/* SPDX-License-Identifier: MIT */
#include "base/memory/aligned.h"

#include <stdlib.h>

void *tw_aligned_alloc(size_t alignment, size_t bytes)
{
    void *block;
    return posix_memalign(&block, alignment, bytes) == 0 ? block : NULL;
}

void tw_aligned_free(void *block) { free(block); }

void *tw_aligned_alloc_freeable(size_t alignment, size_t bytes)
{
    return tw_aligned_alloc(alignment, bytes);
}
