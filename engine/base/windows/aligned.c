/* SPDX-License-Identifier: MIT */
#include "base/memory/aligned.h"

#include <malloc.h>
#include <stdlib.h>

void *tw_aligned_alloc(size_t alignment, size_t bytes) { return _aligned_malloc(bytes, alignment); }

void tw_aligned_free(void *block) { _aligned_free(block); }

void *tw_aligned_alloc_freeable(size_t alignment, size_t bytes)
{
    (void)alignment;
    return malloc(bytes);
}
