/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* madvise */
#include "base/block.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { LINE = 64, LARGE_PAGE = 2 << 20, STEP = 4096 + 2 * LINE, STEPS = 32 };

/* For the whole large pages within the block. Only a hint: a refusal is not an error. */
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

/* The cache line before a block: what to free. */
struct head {
    void *base;
};

/* A block ends where its memory does, so that the address sanitizer sees who goes beyond. */
static void *allocate(size_t alignment, size_t place, size_t bytes)
{
    struct head head;
    if (posix_memalign(&head.base, alignment, place + LINE + bytes) != 0)
        return NULL;
    if (alignment == LARGE_PAGE)
        ask_for_large_pages(head.base, place + LINE + bytes);
    unsigned char *at = (unsigned char *)head.base + place;
    memcpy(at, &head, sizeof head);
    return at + LINE;
}

/* Of several maps that are used together, each begins at another cache line: otherwise they would
 * share a few sets of the cache. */
static size_t next_place(void)
{
    static atomic_uint number;
    return atomic_fetch_add(&number, 1) % STEPS * STEP;
}

void *tw_block_alloc(size_t bytes)
{
    if (bytes > SIZE_MAX / 2)
        return NULL;
    return bytes < LARGE_PAGE ? allocate(LINE, 0, bytes)
                              : allocate(LARGE_PAGE, next_place(), bytes);
}

void *tw_block_alloc_sparse(size_t bytes)
{
    return bytes > SIZE_MAX / 2 ? NULL : allocate(LINE, 0, bytes);
}

void tw_block_free(void *block)
{
    struct head head;
    if (!block)
        return;
    memcpy(&head, (unsigned char *)block - LINE, sizeof head);
    free(head.base);
}

void tw_block_enlarge_pages(void *block, size_t bytes) { ask_for_large_pages(block, bytes); }

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
