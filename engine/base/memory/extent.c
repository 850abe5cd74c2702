/* SPDX-License-Identifier: MIT */
/* A span has whole large pages, then small ones, so that a block takes no more memory than it
 * needs; the small ones are populated at once, at a seventh of the cost of a fault for each. A
 * freed span waits for a block of the same number of large pages. */
#define _DEFAULT_SOURCE /* madvise */
#include "base/memory/extent.h"

#include "base/memory/pages.h"
#include "base/os/posix.h"

#include <stdint.h>
#include <stdlib.h>

enum { LINE = 64, STEP = TW_PAGE + 2 * LINE, STEPS = 32 };

struct span {
    struct span *next;
    unsigned char *memory; /* starts at a large page */
    size_t length;         /* address space, in whole large pages */
    size_t start;          /* offset of the block within the memory */
    size_t bytes;          /* size of the largest block so far */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards everything below */
static struct span *taken, *idle;
static unsigned number; /* counter of spans */

/* Returns a different cache line for each span: maps used together would otherwise compete for a
 * few sets of the cache. */
static size_t next_start(void) { return (size_t)(number++ % STEPS) * STEP; }

static size_t length_for(size_t bytes)
{
    return (bytes + TW_LARGE_PAGE - 1) / TW_LARGE_PAGE * TW_LARGE_PAGE;
}

static size_t resident(const struct span *span) { return span->start + span->bytes; }

static void push(struct span **list, struct span *span)
{
    span->next = *list;
    *list = span;
}

static struct span *take(struct span **link)
{
    struct span *span = *link;
    *link = span->next;
    return span;
}

static struct span *find_idle(size_t bytes)
{
    struct span **link = &idle;
    while (*link && (*link)->length != length_for((*link)->start + bytes))
        link = &(*link)->next;
    return *link ? take(link) : NULL;
}

static struct span *map_span(size_t start, size_t bytes)
{
    struct span *span = malloc(sizeof *span);
    if (!span)
        return NULL;
    *span = (struct span){.length = length_for(start + bytes), .start = start};
    span->memory = tw_pages_map(span->length, TW_LARGE_PAGE);
    if (span->memory)
        return span;
    free(span);
    return NULL;
}

/* Populates the pages behind the last whole large page of this block, or of the span's larger block
 * before it. */
static void ask_for_pages(const struct span *span)
{
    const size_t large = resident(span) / TW_LARGE_PAGE * TW_LARGE_PAGE;
    tw_pages_enlarge(span->memory, large);
    tw_pages_populate(span->memory + large, resident(span) - large);
}

void *tw_extent_alloc(size_t bytes, size_t *fresh)
{
    *fresh = 0;
    if (bytes > SIZE_MAX / 2)
        return NULL;
    (void)pthread_mutex_lock(&lock);
    struct span *span = find_idle(bytes);
    const size_t start = span ? 0 : next_start();
    (void)pthread_mutex_unlock(&lock);
    const size_t before = span ? resident(span) : 0;
    if (!span && !(span = map_span(start, bytes)))
        return NULL;
    if (span->bytes < bytes)
        span->bytes = bytes;
    *fresh = resident(span) - before;
    if (*fresh > 0)
        ask_for_pages(span);
    (void)pthread_mutex_lock(&lock);
    push(&taken, span);
    (void)pthread_mutex_unlock(&lock);
    return span->memory + span->start;
}

void tw_extent_free(void *block)
{
    (void)pthread_mutex_lock(&lock);
    struct span **link = &taken;
    while ((*link)->memory + (*link)->start != block)
        link = &(*link)->next;
    push(&idle, take(link));
    (void)pthread_mutex_unlock(&lock);
}

static struct span *take_any_idle(void)
{
    (void)pthread_mutex_lock(&lock);
    struct span *span = idle ? take(&idle) : NULL;
    (void)pthread_mutex_unlock(&lock);
    return span;
}

size_t tw_extent_drop(size_t bytes)
{
    size_t dropped = 0;
    for (struct span *span; dropped < bytes && (span = take_any_idle());) {
        dropped += resident(span);
        tw_pages_unmap(span->memory, span->length);
        free(span);
    }
    return dropped;
}
