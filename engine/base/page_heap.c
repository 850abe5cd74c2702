/* SPDX-License-Identifier: MIT */
/* Regions of address space, each with a record at its beginning: a bit for each unit of it that is
 * taken. A block takes the first units in a row that suffice, of the oldest region that has them,
 * so that blocks stay together, few large pages are touched and later regions become empty. Regions
 * begin at multiples of their size, so a block's region follows from its address. */
#define _DEFAULT_SOURCE /* madvise */
#include "base/page_heap.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { UNIT = 4096, LARGE_PAGE = 2 << 20, REGION = 16 << 20 };
enum { UNITS = REGION / UNIT, PAGE_UNITS = LARGE_PAGE / UNIT, PAGES = REGION / LARGE_PAGE };
enum { WORD = 64, IDLE_MOST = 1 };

struct region {
    struct region *next;
    int used;                     /* units, without those of this record */
    bool resident[PAGES];         /* large pages that a block was in since the system had them */
    uint64_t taken[UNITS / WORD]; /* a bit for each unit */
    uint16_t length[UNITS];       /* of the block that begins at a unit, in units */
};
enum { RECORD = (sizeof(struct region) + UNIT - 1) / UNIT }; /* units */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all that follows */
static struct region *regions;
static int empty_regions;
static int idle_pages;      /* large pages that are resident and have no block */
static unsigned next_start; /* see start_of_next() */
static int filler;          /* see read_filler() */

/* ---- units ---- */

/* The first unit from `at` on that is taken, or is free; UNITS when there is none. */
static int first_unit(const struct region *region, int at, bool taken)
{
    while (at < UNITS) {
        uint64_t word = taken ? region->taken[at / WORD] : ~region->taken[at / WORD];
        word >>= at % WORD;
        if (word)
            return at + __builtin_ctzll(word);
        at += WORD - at % WORD;
    }
    return UNITS;
}

/* The first of `count` free units in a row; UNITS when there are none. */
static int find_units(const struct region *region, int count)
{
    int at = first_unit(region, RECORD, false);
    while (at + count <= UNITS) {
        const int end = first_unit(region, at, true);
        if (end - at >= count)
            return at;
        at = first_unit(region, end, false);
    }
    return UNITS;
}

static void flip_units(struct region *region, int at, int count)
{
    for (int i = at; i < at + count; i++)
        region->taken[i / WORD] ^= UINT64_C(1) << i % WORD;
}

/* ---- large pages ---- */

static bool is_idle(const struct region *region, int page)
{
    return region->resident[page] &&
           first_unit(region, page * PAGE_UNITS, true) >= (page + 1) * PAGE_UNITS;
}

/* Of those that the units lie in. */
static int count_idle(const struct region *region, int at, int count)
{
    int idle = 0;
    for (int page = at / PAGE_UNITS; page <= (at + count - 1) / PAGE_UNITS; page++)
        idle += is_idle(region, page);
    return idle;
}

static void occupy_pages(struct region *region, int at, int count)
{
    for (int page = at / PAGE_UNITS; page <= (at + count - 1) / PAGE_UNITS; page++)
        region->resident[page] = true;
}

/* Gives pages without a block back to the system, but for a few, so that what is resident is what
 * blocks take and little more. */
static void drop_pages(struct region *region, int at, int count)
{
    for (int page = at / PAGE_UNITS; page <= (at + count - 1) / PAGE_UNITS; page++)
        if (idle_pages > IDLE_MOST && is_idle(region, page)) {
            (void)madvise((unsigned char *)region + (size_t)page * LARGE_PAGE, LARGE_PAGE,
                          MADV_DONTNEED);
            region->resident[page] = false;
            idle_pages--;
        }
}

/* ---- regions ---- */

static struct region *map_region(void)
{
    unsigned char *memory = mmap(NULL, 2 * (size_t)REGION, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    const size_t before = (REGION - (uintptr_t)memory % REGION) % REGION;
    if (before > 0)
        (void)munmap(memory, before);
    (void)munmap(memory + before + REGION, REGION - before);
    memory += before;
#ifdef MADV_HUGEPAGE
    (void)madvise(memory, REGION, MADV_HUGEPAGE);
#endif
    return (struct region *)(void *)memory;
}

/* glibc's switch for new memory that is not zero, which tests of goldens use, holds here, too. */
static void read_filler(void)
{
    const char *byte = getenv("MALLOC_PERTURB_");
    filler = byte ? atoi(byte) ^ 0xff : 0;
}

static struct region *add_region(void)
{
    struct region *region = map_region();
    if (!region)
        return NULL;
    read_filler();
    struct region **link = &regions;
    while (*link)
        link = &(*link)->next;
    *link = region; /* the rest of it is zeros */
    flip_units(region, 0, RECORD);
    empty_regions++;
    return region;
}

static void remove_region(struct region *region)
{
    struct region **link = &regions;
    while (*link != region)
        link = &(*link)->next;
    *link = region->next;
    idle_pages -= count_idle(region, 0, UNITS);
    empty_regions--;
    (void)munmap(region, REGION);
}

/* ---- blocks ---- */

/* Of several maps that are used together each begins at other cache lines. */
static size_t start_of_next(void)
{
    return next_start++ % (UNIT / TW_PAGE_HEAP_STEP) * TW_PAGE_HEAP_STEP + TW_PAGE_HEAP_START;
}

static unsigned char *take_units(size_t start, size_t bytes)
{
    const int count = (int)((start + bytes + UNIT - 1) / UNIT);
    struct region *region = regions;
    int at = UNITS;
    for (; region; region = region->next)
        if (region->used + count <= UNITS - RECORD && (at = find_units(region, count)) < UNITS)
            break;
    if (!region) {
        region = add_region();
        at = RECORD;
    }
    if (!region)
        return NULL;
    empty_regions -= region->used == 0;
    idle_pages -= count_idle(region, at, count);
    region->used += count;
    region->length[at] = (uint16_t)count;
    flip_units(region, at, count);
    occupy_pages(region, at, count);
    return (unsigned char *)region + (size_t)at * UNIT + start;
}

void *tw_page_heap_alloc(size_t bytes)
{
    (void)pthread_mutex_lock(&lock);
    void *block = take_units(start_of_next(), bytes);
    const int byte = filler;
    (void)pthread_mutex_unlock(&lock);
    if (block && byte)
        memset(block, byte, bytes);
    return block;
}

void tw_page_heap_free(void *block)
{
    const uintptr_t offset = (uintptr_t)block % REGION;
    struct region *region = (struct region *)(void *)((unsigned char *)block - offset);
    const int at = (int)(offset / UNIT);
    (void)pthread_mutex_lock(&lock);
    const int count = region->length[at];
    flip_units(region, at, count);
    region->used -= count;
    idle_pages += count_idle(region, at, count);
    drop_pages(region, at, count);
    if (region->used == 0 && empty_regions++ > 0)
        remove_region(region);
    (void)pthread_mutex_unlock(&lock);
}
