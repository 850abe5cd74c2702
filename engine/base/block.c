/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* madvise */
#include "base/block.h"

#include "base/page_heap.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifdef __has_feature
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)
#include <sanitizer/asan_interface.h>
#define FORBID(memory, bytes) ASAN_POISON_MEMORY_REGION(memory, bytes)
enum { SHARES_PAGES = 0 }; /* the sanitizer sees the ends of its own blocks only */
#else
#define FORBID(memory, bytes) (void)(memory)
enum { SHARES_PAGES = 1 };
#endif

enum { LINE = 64, PAGE = 4096, LARGE_PAGE = 2 << 20, STEP = PAGE + 2 * LINE, STEPS = 32 };

/* For the whole large pages within the block. Returns how many bytes lie behind them, or 0 where
 * there is no large page. Only a hint: a refusal is not an error. */
static size_t ask_for_large_pages(unsigned char *block, size_t bytes)
{
    const size_t before = (LARGE_PAGE - (uintptr_t)block % LARGE_PAGE) % LARGE_PAGE;
    if (bytes < before + LARGE_PAGE)
        return 0;
    const size_t large = (bytes - before) / LARGE_PAGE * LARGE_PAGE;
#ifdef MADV_HUGEPAGE
    (void)madvise(block + before, large, MADV_HUGEPAGE);
#endif
    return bytes - before - large;
}

/* Small pages, all at once: a seventh of what a fault for each takes in a virtual machine. */
static void ask_for_small_pages(unsigned char *from, size_t bytes)
{
#ifdef MADV_POPULATE_WRITE
    if (bytes > 0)
        (void)madvise(from, bytes, MADV_POPULATE_WRITE);
#else
    (void)from;
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

/* Where a block begins tells where its memory does, and whose it is: small blocks begin a cache
 * line behind theirs, an odd one; those of the page heap at other odd lines; large ones at even
 * lines, less than a large page behind their memory. A note before the block would be the first
 * thing written there, and have whoever allocates a map clear its first large page. Small and large
 * blocks end where their memory does, and what is before them is forbidden, so that the address
 * sanitizer sees who goes beyond. */
static bool is_large(const void *block) { return (uintptr_t)block % (2 * LINE) == 0; }
static bool is_in_heap(const void *block)
{
    return (uintptr_t)block % TW_PAGE_HEAP_STEP == TW_PAGE_HEAP_START;
}

static void *memory_of(void *block)
{
    return (unsigned char *)block - (is_large(block) ? (uintptr_t)block % LARGE_PAGE : LINE);
}

static void *allocate_small(size_t bytes)
{
    void *memory;
    if (posix_memalign(&memory, TW_PAGE_HEAP_STEP, LINE + bytes) != 0)
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
    const size_t rest = ask_for_large_pages(memory, place + bytes);
    ask_for_small_pages((unsigned char *)memory + place + bytes - rest, rest);
    FORBID(memory, place);
    return (unsigned char *)memory + place;
}

void *tw_block_alloc(size_t bytes)
{
    void *block = NULL;
    if (bytes > SIZE_MAX / 2)
        return NULL;
    if (SHARES_PAGES && bytes >= TW_PAGE_HEAP_LEAST && bytes <= TW_PAGE_HEAP_MOST)
        block = tw_page_heap_alloc(bytes);
    if (block)
        return block;
    return bytes < LARGE_PAGE ? allocate_small(bytes) : allocate_large(bytes);
}

void *tw_block_alloc_sparse(size_t bytes)
{
    return bytes > SIZE_MAX / 2 ? NULL : allocate_small(bytes);
}

void tw_block_free(void *block)
{
    if (block && is_in_heap(block))
        tw_page_heap_free(block);
    else if (block)
        free(memory_of(block));
}

void *tw_block_grow(void *buffer, size_t used, size_t bytes)
{
    void *larger;
    if (bytes < LARGE_PAGE)
        return realloc(buffer, bytes);
    if (bytes > SIZE_MAX / 2 || posix_memalign(&larger, LARGE_PAGE, bytes) != 0)
        return NULL;
    (void)ask_for_large_pages(larger, bytes);
    if (used > 0)
        memcpy(larger, buffer, used);
    free(buffer);
    return larger;
}

void *tw_block_reserve(size_t bytes)
{
    void *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED)
        return NULL;
    (void)ask_for_large_pages(block, bytes);
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
