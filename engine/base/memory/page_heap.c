/* SPDX-License-Identifier: MIT */
/* Regions of address space, each starting with a record that has a bit for each taken unit. A block
 * takes the first sufficient run of units in the oldest region that has one, so that blocks stay
 * together, few large pages are touched and newer regions become empty. Regions begin at multiples
 * of their size, so a block's address gives its region. */
#include "base/memory/page_heap.h"

#include "base/memory/pages.h"
#include "base/os/posix.h"

#include <stdbool.h>
#include <stdint.h>

enum { UNIT = TW_PAGE, REGION = 16 << 20, WORD = 64 };
enum { UNITS = REGION / UNIT, PAGE_UNITS = TW_LARGE_PAGE / UNIT, PAGES = REGION / TW_LARGE_PAGE };

struct region {
    struct region *next;
    int used;             /* units, excluding those of this record */
    bool resident[PAGES]; /* large pages that have held a block since the system provided them */
    uint64_t taken[UNITS / WORD]; /* one bit per unit */
    uint16_t length[UNITS];       /* length in units of the block that begins at a unit */
};
enum { RECORD = (sizeof(struct region) + UNIT - 1) / UNIT }; /* the record's units */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards everything below */
static struct region *regions;
static unsigned next_start; /* see start_of_next() */

/* ---- units ---- */

/* Returns the first unit from `at` on that is taken (or free), or UNITS if there is none. */
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

/* Returns the first of `count` consecutive free units, or UNITS if there are none. */
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

/* Marks the large pages of these units as resident. Returns how many were not. */
static int occupy_pages(struct region *region, int at, int count)
{
    int fresh = 0;
    for (int page = at / PAGE_UNITS; page <= (at + count - 1) / PAGE_UNITS; page++) {
        fresh += !region->resident[page];
        region->resident[page] = true;
    }
    return fresh;
}

static bool is_idle(const struct region *region, int page)
{
    const int end = (page + 1) * PAGE_UNITS;
    return region->resident[page] && first_unit(region, page * PAGE_UNITS, true) >= end;
}

/* Drops up to `most` large pages that hold no block. Returns how many it dropped. */
static int drop_pages(struct region *region, int most)
{
    int dropped = 0;
    for (int page = 0; page < PAGES && dropped < most; page++)
        if (is_idle(region, page)) {
            tw_pages_drop((unsigned char *)region + (size_t)page * TW_LARGE_PAGE, TW_LARGE_PAGE);
            region->resident[page] = false;
            dropped++;
        }
    return dropped;
}

/* ---- regions ---- */

static struct region *add_region(void)
{
    struct region *region = tw_pages_map(REGION, REGION);
    if (!region)
        return NULL;
    tw_pages_enlarge(region, REGION);
    struct region **link = &regions;
    while (*link)
        link = &(*link)->next;
    *link = region; /* the rest of the record is zero */
    flip_units(region, 0, RECORD);
    return region;
}

/* Removes the region at `link`, which holds no block. Returns how many large pages it had. */
static int remove_region(struct region **link)
{
    struct region *region = *link;
    int had = 0;
    for (int page = 0; page < PAGES; page++)
        had += region->resident[page];
    *link = region->next;
    tw_pages_unmap(region, REGION);
    return had;
}

/* ---- blocks ---- */

/* Starts each block at other cache lines, as maps used together would otherwise compete for
 * them. */
static size_t start_of_next(void)
{
    return next_start++ % (UNIT / TW_PAGE_HEAP_STEP) * TW_PAGE_HEAP_STEP + TW_PAGE_HEAP_START;
}

static unsigned char *take_units(size_t start, size_t bytes, int *fresh)
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
    region->used += count;
    region->length[at] = (uint16_t)count;
    flip_units(region, at, count);
    *fresh = occupy_pages(region, at, count);
    return (unsigned char *)region + (size_t)at * UNIT + start;
}

void *tw_page_heap_alloc(size_t bytes, size_t *fresh)
{
    int pages = 0;
    (void)pthread_mutex_lock(&lock);
    void *block = take_units(start_of_next(), bytes, &pages);
    (void)pthread_mutex_unlock(&lock);
    *fresh = (size_t)pages * TW_LARGE_PAGE;
    return block;
}

void tw_page_heap_free(void *block)
{
    const uintptr_t offset = (uintptr_t)block % REGION;
    struct region *region = (struct region *)(void *)((unsigned char *)block - offset);
    const int at = (int)(offset / UNIT);
    (void)pthread_mutex_lock(&lock);
    flip_units(region, at, region->length[at]);
    region->used -= region->length[at];
    (void)pthread_mutex_unlock(&lock);
}

size_t tw_page_heap_drop(size_t bytes)
{
    const size_t most = bytes / TW_LARGE_PAGE + (bytes % TW_LARGE_PAGE > 0);
    size_t dropped = 0;
    (void)pthread_mutex_lock(&lock);
    for (struct region **link = &regions; *link && dropped < most;) {
        const size_t left = most - dropped;
        if ((*link)->used == 0 && left >= PAGES) {
            dropped += (size_t)remove_region(link);
        } else {
            dropped += (size_t)drop_pages(*link, left < PAGES ? (int)left : PAGES);
            link = &(*link)->next;
        }
    }
    (void)pthread_mutex_unlock(&lock);
    return dropped * TW_LARGE_PAGE;
}
