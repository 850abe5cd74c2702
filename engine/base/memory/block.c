/* SPDX-License-Identifier: MIT */
#include "base/memory/block.h"

#include "base/memory/aligned.h"
#include "base/memory/extent.h"
#include "base/memory/page_heap.h"
#include "base/memory/pages.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __has_feature
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)
#include <sanitizer/asan_interface.h>
#define FORBID(memory, bytes) ASAN_POISON_MEMORY_REGION(memory, bytes)
enum { LARGE_PAGES = 0 }; /* the address sanitizer checks the ends of its own blocks only */
#else
#define FORBID(memory, bytes) (void)(memory)
enum { LARGE_PAGES = 1 };
#endif

enum { LINE = 64 };

/* ---- small blocks ---- */

/* A small block begins one cache line into its memory and ends where that ends. The line before it
 * is poisoned, so that the address sanitizer catches overruns on both sides. */
static void *allocate_small(size_t bytes)
{
    unsigned char *memory = tw_aligned_alloc(TW_PAGE_HEAP_STEP, LINE + bytes);
    if (!memory)
        return NULL;
    FORBID(memory, LINE);
    return memory + LINE;
}

static void free_small(void *block) { tw_aligned_free((unsigned char *)block - LINE); }

/* ---- blocks in large pages ---- */

/* Releases kept memory before `fresh` new bytes are taken, so that resident memory does not exceed
 * the peak of all blocks by more than parts of large pages. */
static void release_kept(size_t fresh)
{
    const size_t dropped = fresh > 0 ? tw_extent_drop(fresh) : 0;
    if (dropped < fresh)
        (void)tw_page_heap_drop(fresh - dropped);
}

/* Fills new memory as glibc's perturb setting says, with which tests of goldens detect reads of
 * uninitialised bytes. */
static void perturb(void *block, size_t bytes)
{
    const char *text = getenv("MALLOC_PERTURB_");
    const int byte = text ? atoi(text) : 0;
    if (byte != 0)
        memset(block, byte ^ 0xff, bytes);
}

static void *allocate_in_large_pages(size_t bytes)
{
    size_t fresh;
    void *block = bytes <= TW_PAGE_HEAP_MOST ? tw_page_heap_alloc(bytes, &fresh)
                                             : tw_extent_alloc(bytes, &fresh);
    if (!block)
        return NULL;
    release_kept(fresh);
    perturb(block, bytes);
    return block;
}

/* ---- all blocks ---- */

/* A block's alignment tells who allocated it: spans begin at even cache lines, blocks of the page
 * heap at certain odd ones, small blocks at others. */
static bool is_span(const void *block) { return (uintptr_t)block % (2 * LINE) == 0; }
static bool is_in_heap(const void *block)
{
    return (uintptr_t)block % TW_PAGE_HEAP_STEP == TW_PAGE_HEAP_START;
}

void *tw_block_alloc(size_t bytes)
{
    void *block = NULL;
    if (bytes > SIZE_MAX / 2)
        return NULL;
    if (LARGE_PAGES && bytes >= TW_PAGE_HEAP_LEAST && !(block = allocate_in_large_pages(bytes)))
        tw_block_trim(); /* may be short of address space */
    return block ? block : allocate_small(bytes);
}

void *tw_block_alloc_sparse(size_t bytes)
{
    return bytes > SIZE_MAX / 2 ? NULL : allocate_small(bytes);
}

void tw_block_free(void *block)
{
    if (!block)
        return;
    if (is_span(block))
        tw_extent_free(block);
    else if (is_in_heap(block))
        tw_page_heap_free(block);
    else
        free_small(block);
}

void tw_block_trim(void)
{
    (void)tw_extent_drop(SIZE_MAX);
    (void)tw_page_heap_drop(SIZE_MAX);
}

void *tw_block_grow(void *buffer, size_t used, size_t bytes)
{
    if (bytes < TW_LARGE_PAGE)
        return realloc(buffer, bytes);
    release_kept(bytes);
    void *larger = bytes > SIZE_MAX / 2 ? NULL : tw_aligned_alloc_freeable(TW_LARGE_PAGE, bytes);
    if (!larger)
        return NULL;
    tw_pages_enlarge(larger, bytes);
    if (used > 0)
        memcpy(larger, buffer, used);
    free(buffer);
    return larger;
}

void *tw_block_reserve(size_t bytes)
{
    const size_t perturbed = (size_t)64 << 20; /* tests reserve less */
    void *block = tw_pages_map(bytes, TW_PAGE);
    if (block)
        tw_pages_enlarge(block, bytes);
    if (block && bytes <= perturbed)
        perturb(block, bytes);
    return block;
}

/* Skips partial large pages, which would not release their memory. */
void tw_block_drop(void *reserved, size_t bytes)
{
    const size_t over = ((uintptr_t)reserved + bytes) % TW_LARGE_PAGE;
    if (bytes > over)
        tw_pages_drop(reserved, bytes - over);
}

void tw_block_unreserve(void *reserved, size_t bytes)
{
    if (reserved)
        tw_pages_unmap(reserved, bytes);
}
