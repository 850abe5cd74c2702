/* SPDX-License-Identifier: MIT */
/* Windows maps whole address ranges and releases them only whole, and counts all of a range against
 * memory and page file when it is mapped, whether it is written or not. Large pages need a
 * privilege that users have not, so there are none. */
#include "base/memory/pages.h"

#include <stdint.h>
#include <windows.h>

/* Another thread may take the place between the two calls. */
static void *map_aligned(size_t bytes, size_t alignment)
{
    enum { TRIES = 100 };
    for (int i = 0; i < TRIES; i++) {
        void *wider = VirtualAlloc(NULL, bytes + alignment, MEM_RESERVE, PAGE_NOACCESS);
        if (!wider)
            return NULL;
        const uintptr_t place = ((uintptr_t)wider + alignment - 1) / alignment * alignment;
        (void)VirtualFree(wider, 0, MEM_RELEASE);
        void *block = VirtualAlloc((void *)place, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
        if (block)
            return block;
    }
    return NULL;
}

void *tw_pages_map(size_t bytes, size_t alignment)
{
    if (bytes > SIZE_MAX / 2 || alignment > SIZE_MAX / 2)
        return NULL;
    return alignment > TW_PAGE
               ? map_aligned(bytes, alignment)
               : VirtualAlloc(NULL, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void tw_pages_unmap(void *mapped, size_t bytes)
{
    (void)bytes;
    (void)VirtualFree(mapped, 0, MEM_RELEASE);
}

void tw_pages_enlarge(void *block, size_t bytes)
{
    (void)block;
    (void)bytes;
}

void tw_pages_populate(void *block, size_t bytes)
{
    (void)block;
    (void)bytes;
}

/* Without memory for the pages again they stay as they are. */
void tw_pages_drop(void *block, size_t bytes)
{
    if (bytes > 0 && VirtualFree(block, bytes, MEM_DECOMMIT))
        (void)VirtualAlloc(block, bytes, MEM_COMMIT, PAGE_READWRITE);
}
