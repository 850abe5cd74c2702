/* SPDX-License-Identifier: MIT */
#include "feature/kernels/bucket_queue.h"

enum { BUCKETS_MIN = 8, BUCKETS_MAX = 4096, SPARE = 4, ENTRIES_PER_CELL = 8 };
enum { CELLS_PER_WAITING = 8 };
#define NARROWER (1 - 1e-6) /* than the least increment */

/* Bucket numbers up to this have an error below 1 - NARROWER: 4 roundings of 2^-53 each. */
#define NUMBER_MAX 2e9

void tw_bucket_queue_choose(struct tw_bucket_queue *queue, double least, double most,
                            double highest)
{
    double width = least * NARROWER;
    if (highest / width > NUMBER_MAX)
        width = highest / NUMBER_MAX;
    if (most / width > BUCKETS_MAX - SPARE)
        width = most / (BUCKETS_MAX - SPARE);
    queue->width = width;
    queue->inverse = 1 / width;
    queue->buckets = BUCKETS_MIN;
    while ((double)queue->buckets < most / width + SPARE)
        queue->buckets *= 2;
}

/* Every bucket may hold one chunk that is not full. */
size_t tw_bucket_queue_pool(const struct tw_bucket_queue *queue, int32_t cells)
{
    size_t entries = (size_t)cells * ENTRIES_PER_CELL;
    return (entries / (TW_BUCKET_CHUNK - 1) + (size_t)queue->buckets + 2) * TW_BUCKET_CHUNK;
}

size_t tw_bucket_queue_expected(const struct tw_bucket_queue *queue, int32_t cells)
{
    size_t entries = (size_t)cells / CELLS_PER_WAITING;
    return (entries / (TW_BUCKET_CHUNK - 1) + (size_t)queue->buckets + 2) * TW_BUCKET_CHUNK;
}

bool tw_bucket_queue_next(const struct tw_bucket_queue *queue, uint32_t *tail,
                          struct tw_bucket_cells *cells)
{
    if (*tail == 0)
        return false;
    uint32_t chunk = (*tail - 1) / TW_BUCKET_CHUNK;
    uint32_t *start = queue->pool + (size_t)chunk * TW_BUCKET_CHUNK;
    *cells = (struct tw_bucket_cells){start + 1, (int32_t)(*tail - chunk * TW_BUCKET_CHUNK) - 1};
    *tail = start[0] ? (start[0] + 1) * TW_BUCKET_CHUNK : 0;
    return true;
}

bool tw_bucket_queue_take(struct tw_bucket_queue *queue, uint32_t *tail,
                          struct tw_bucket_cells *cells)
{
    uint32_t chunk = (*tail - 1) / TW_BUCKET_CHUNK;
    if (!tw_bucket_queue_next(queue, tail, cells))
        return false;
    queue->pool[(size_t)chunk * TW_BUCKET_CHUNK] = queue->free;
    queue->free = chunk;
    queue->waiting -= cells->count;
    return true;
}
