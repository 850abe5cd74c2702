/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* madvise */
#include "base/memory/pages.h"

#include "base/os/posix.h"

#include <stdint.h>

void *tw_pages_map(size_t bytes, size_t alignment)
{
    if (bytes > SIZE_MAX / 2 || alignment > SIZE_MAX / 2)
        return NULL;
    const size_t more = alignment > TW_PAGE ? alignment : 0;
    unsigned char *memory = mmap(NULL, bytes + more, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    const size_t before = (alignment - (uintptr_t)memory % alignment) % alignment;
    if (before > 0)
        (void)munmap(memory, before);
    if (more > before)
        (void)munmap(memory + before + bytes, more - before);
    return memory + before;
}

void tw_pages_unmap(void *mapped, size_t bytes) { (void)munmap(mapped, bytes); }

void tw_pages_enlarge(void *block, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    const size_t before = (TW_LARGE_PAGE - (uintptr_t)block % TW_LARGE_PAGE) % TW_LARGE_PAGE;
    if (bytes >= before + TW_LARGE_PAGE)
        (void)madvise((unsigned char *)block + before,
                      (bytes - before) / TW_LARGE_PAGE * TW_LARGE_PAGE, MADV_HUGEPAGE);
#else
    (void)block;
    (void)bytes;
#endif
}

void tw_pages_populate(void *block, size_t bytes)
{
#ifdef MADV_POPULATE_WRITE
    if (bytes > 0)
        (void)madvise(block, bytes, MADV_POPULATE_WRITE);
#else
    (void)block;
    (void)bytes;
#endif
}

void tw_pages_drop(void *block, size_t bytes)
{
    if (bytes > 0)
        (void)madvise(block, bytes, MADV_DONTNEED);
}
