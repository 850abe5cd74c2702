/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* madvise */
#include "base/block.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define FORBID(memory, bytes) ASAN_POISON_MEMORY_REGION(memory, bytes)
#else
#define FORBID(memory, bytes) (void)(memory)
#endif

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

/* Of several maps that are used together, each begins at another cache line: otherwise they would
 * share a few sets of the cache. */
static size_t next_place(void)
{
    static atomic_uint number;
    return atomic_fetch_add(&number, 1) % STEPS * STEP;
}

/* Small blocks begin at odd cache lines and large ones at even ones, less than a large page behind
 * their memory, so that this follows from where a block begins: a note before it would be the first
 * thing written there, and have whoever allocates a map clear its first large page. Blocks end
 * where their memory does, and what is before them is forbidden, so that the address sanitizer sees
 * who goes beyond. */
static void *memory_of(void *block)
{
    const uintptr_t at = (uintptr_t)block;
    return (unsigned char *)block - (at % (2 * LINE) ? LINE : at % LARGE_PAGE);
}

static void *allocate_small(size_t bytes)
{
    void *memory;
    if (posix_memalign(&memory, 2 * LINE, LINE + bytes) != 0)
        return NULL;
    FORBID(memory, LINE);
    return (unsigned char *)memory + LINE;
}

static void *allocate_large(size_t bytes)
{
    const size_t place = next_place();
    void *memory;
    if (posix_memalign(&memory, LARGE_PAGE, place + bytes) != 0)
        return NULL;
    ask_for_large_pages(memory, place + bytes);
    FORBID(memory, place);
    return (unsigned char *)memory + place;
}

void *tw_block_alloc(size_t bytes)
{
    if (bytes > SIZE_MAX / 2)
        return NULL;
    return bytes < LARGE_PAGE ? allocate_small(bytes) : allocate_large(bytes);
}

void *tw_block_alloc_sparse(size_t bytes)
{
    return bytes > SIZE_MAX / 2 ? NULL : allocate_small(bytes);
}

void tw_block_free(void *block)
{
    if (block)
        free(memory_of(block));
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
