/* SPDX-License-Identifier: MIT */
/* Cells that wait in the order of their costs, by buckets of one width (Dial 1969): a ring, since
 * all that wait lie within the greatest increment of each other. A bucket is a chain of chunks of
 * cells. A cell whose cost falls goes to another bucket and its old entry stays behind, to be
 * skipped; the caller compares a cell's cost with the bucket. */
#ifndef TW_NODES_FEATURE_KERNELS_BUCKET_QUEUE_H
#define TW_NODES_FEATURE_KERNELS_BUCKET_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TW_BUCKET_CHUNK = 64 }; /* entries: the chunk before in the chain, then cells */

struct tw_bucket_queue {
    uint32_t *tails;      /* ring of buckets: where the next entry goes; 0: empty */
    uint32_t *pool;       /* chunks; the first entry of each is the next chunk of its chain */
    uint32_t free, fresh; /* chain of free chunks; first chunk never used */
    int32_t buckets;      /* a power of two */
    int64_t waiting;      /* entries in buckets, those to be skipped included */
    double width;         /* of a bucket */
    double base, inverse; /* cost where bucket 0 begins; 1 / width */
};

/* The cells of one chunk. */
struct tw_bucket_cells {
    uint32_t *at;
    int32_t count;
};

/* Makes buckets a little narrower than the least increment, so that rounding cannot put a cell and
 * its predecessor into one bucket. They are wider where a ring of bounded size needs that, or where
 * double precision could not tell costs up to `highest` apart. */
void tw_bucket_queue_choose(struct tw_bucket_queue *queue, double least, double most,
                            double highest);

/* Entries of the pool for a grid where every cell is entered 8 times at most. */
size_t tw_bucket_queue_pool(const struct tw_bucket_queue *queue, int32_t cells);

/* Entries of it that searches of large grids touch, since chunks are used again: an eighth of the
 * cells wait at once. */
size_t tw_bucket_queue_expected(const struct tw_bucket_queue *queue, int32_t cells);

/* Takes the last chunk off a chain whose entries end at *tail, which moves to the rest of the
 * chain; false at its end. The chunk is free from then on and holds until the next entry. */
bool tw_bucket_queue_take(struct tw_bucket_queue *queue, uint32_t *tail,
                          struct tw_bucket_cells *cells);

/* Goes through the chunks of a chain and leaves them there. */
bool tw_bucket_queue_next(const struct tw_bucket_queue *queue, uint32_t *tail,
                          struct tw_bucket_cells *cells);

/* Later than all buckets in use: of costs that nothing has reached. */
#define TW_BUCKET_LAST 0x1p60

static inline int64_t tw_bucket_of(const struct tw_bucket_queue *queue, double cost)
{
    double bucket = (cost - queue->base) * queue->inverse;
    return (int64_t)(bucket < TW_BUCKET_LAST ? bucket : TW_BUCKET_LAST);
}

static inline uint32_t *tw_bucket_tail(const struct tw_bucket_queue *queue, int64_t bucket)
{
    return &queue->tails[bucket & (queue->buckets - 1)];
}

/* A chunk that continues a chain at chunk `next`; 0: at its end. */
static inline uint32_t tw_bucket_queue_chunk(struct tw_bucket_queue *queue, uint32_t next)
{
    uint32_t chunk = queue->free;
    if (chunk)
        queue->free = queue->pool[(size_t)chunk * TW_BUCKET_CHUNK];
    else
        chunk = queue->fresh++;
    queue->pool[(size_t)chunk * TW_BUCKET_CHUNK] = next;
    return chunk;
}

/* Enters a cell if `enters`, without a branch on that as long as chunks have room. */
static inline void tw_bucket_queue_enter(struct tw_bucket_queue *queue, int32_t cell,
                                         int64_t bucket, bool enters)
{
    uint32_t *tail = tw_bucket_tail(queue, bucket);
    if (*tail % TW_BUCKET_CHUNK == 0) {
        if (!enters)
            return;
        *tail = tw_bucket_queue_chunk(queue, *tail ? *tail / TW_BUCKET_CHUNK - 1 : 0) *
                    TW_BUCKET_CHUNK +
                1;
    }
    queue->pool[*tail] = (uint32_t)cell;
    *tail += enters;
    queue->waiting += enters;
}

#endif
