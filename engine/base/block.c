/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* madvise */
#include "base/block.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { LINE = 64, LARGE_PAGE = 2 << 20, STEP = 4096 + 2 * LINE, STEPS = 32 };

/* For the whole large pages within the block. Only a hint: a refusal is no error. */
static void ask_for_large_pages(unsigned char *block, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    size_t before = (LARGE_PAGE - (uintptr_t)block % LARGE_PAGE) % LARGE_PAGE;
    if (bytes >= before + LARGE_PAGE)
        (void)madvise(block + before, (bytes - before) / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE);
#else
    (void)block;
    (void)bytes;
#endif
}

static void *allocate(size_t bytes, size_t alignment)
{
    if (bytes > SIZE_MAX / 2)
        return NULL;
    void *block = aligned_alloc(alignment, (bytes / alignment + 1) * alignment);
    if (block)
        ask_for_large_pages(block, bytes);
    return block;
}

void *tw_block_alloc(size_t bytes) { return allocate(bytes, LINE); }

void tw_block_enlarge_pages(void *block, size_t bytes) { ask_for_large_pages(block, bytes); }

void *tw_block_alloc_sparse(size_t bytes)
{
    return bytes > SIZE_MAX / 2 ? NULL : aligned_alloc(LINE, (bytes / LINE + 1) * LINE);
}

void *tw_block_alloc_staggered(size_t bytes, int number, void **base)
{
    size_t shift = bytes < LARGE_PAGE ? 0 : (size_t)(number % STEPS) * STEP;
    if (bytes > SIZE_MAX / 2)
        return NULL;
    *base = allocate(bytes + shift, bytes < LARGE_PAGE ? LINE : LARGE_PAGE);
    return *base ? (unsigned char *)*base + shift : NULL;
}

void *tw_block_reserve(size_t bytes)
{
    void *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED)
        return NULL;
    ask_for_large_pages(block, bytes);
    return block;
}

/* A part of a large page would not give its memory back. */
void tw_block_drop(void *reserved, size_t bytes)
{
    const size_t over = ((uintptr_t)reserved + bytes) % LARGE_PAGE;
    if (bytes > over)
        (void)madvise(reserved, bytes - over, MADV_DONTNEED);
}

void tw_block_unreserve(void *reserved, size_t bytes)
{
    if (reserved)
        (void)munmap(reserved, bytes);
}
