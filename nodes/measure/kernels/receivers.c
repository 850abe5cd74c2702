/* SPDX-License-Identifier: MIT */
/* The flood enters level ground at its shores: cells of its level that are outlets or have a lower
 * neighbour. It reaches all of them before it goes on at that level, and then always takes the
 * least cell it knows. So one pass over the cells in their order is enough, with a heap of those
 * that it reached behind the place where it is. */
#include "measure/kernels/receivers.h"

#include <thalweg/simd.h>

#include <string.h>

enum { LEVEL = 9 /* a direction not known yet */, BLOCK = 64, POLL = 1 << 16 };

struct land {
    struct tw_drainage *d;
    const double *filled;
};

/* Inner cells of one row. */
static TW_INLINE void steepest_body(const struct land *land, int32_t y)
{
    size_t w = (size_t)land->d->width, end = (size_t)(y + 1) * w - 1;
    const double diagonal = 0.7071067811865476;
    double codes[BLOCK];
    for (size_t first = (size_t)y * w + 1, count; first < end; first += count) {
        const double *here = land->filled + first, *up = here - w, *down = here + w;
        uint8_t *to = land->d->to + first;
        count = end - first < BLOCK ? end - first : BLOCK;
        for (size_t x = 0; x < count; x++) {
            double z = here[x], best = 0, code = LEVEL, drop;
#define CONSIDER(k, neighbour, weight)                                                             \
    drop = (z - (neighbour)) * (weight);                                                           \
    code = drop > best ? k : code;                                                                 \
    best = drop > best ? drop : best;
            CONSIDER(0, up[x - 1], diagonal)
            CONSIDER(1, up[x], 1.0)
            CONSIDER(2, up[x + 1], diagonal)
            CONSIDER(3, here[x - 1], 1.0)
            CONSIDER(4, here[x + 1], 1.0)
            CONSIDER(5, down[x - 1], diagonal)
            CONSIDER(6, down[x], 1.0)
            CONSIDER(7, down[x + 1], diagonal)
#undef CONSIDER
            codes[x] = code;
        }
        for (size_t x = 0; x < count; x++)
            to[x] = (uint8_t)codes[x];
    }
}
TW_SIMD_KERNEL(steepest, (const struct land *land, int32_t y), (land, y))

/* On a torus. */
static uint8_t steepest_on_rim(const struct land *land, int32_t cell)
{
    double best = 0;
    uint8_t code = LEVEL;
    for (int k = 0; k < 8; k++) {
        const bool straight = k == 1 || k == 3 || k == 4 || k == 6;
        double drop = land->filled[cell] - land->filled[tw_drainage_neighbour(land->d, cell, k)];
        drop *= straight ? 1.0 : 0.7071067811865476;
        code = drop > best ? (uint8_t)k : code;
        best = drop > best ? drop : best;
    }
    return code;
}

struct steepest_job {
    struct land land;
    void (*steepest)(const struct land *, int32_t);
};

static void steepest_rows(void *context, int32_t begin, int32_t end)
{
    const struct steepest_job *job = context;
    const struct tw_drainage *d = job->land.d;
    for (int32_t y = begin; y < end; y++) {
        const int32_t first = y * d->width;
        if (y > 0 && y < d->height - 1)
            job->steepest(&job->land, y);
        for (int32_t x = 0; x < d->width; x += tw_drainage_rim_step(d, y))
            d->to[first + x] = d->outlet ? steepest_on_rim(&job->land, first + x) : TW_OUTLET;
        for (int32_t x = 0; d->outlet && x < d->width; x++)
            if (d->outlet[first + x])
                d->to[first + x] = TW_OUTLET;
        memset(d->edge + first, 0, (size_t)d->width);
    }
}

/* ---- level ground ---- */

struct flood {
    struct land land;
    int32_t at; /* known cells before it have had their turn, or are in the heap */
    int32_t *heap, length;
};

static void push(struct flood *f, int32_t cell)
{
    int32_t at = f->length++;
    for (; at > 0 && f->heap[(at - 1) / 2] > cell; at = (at - 1) / 2)
        f->heap[at] = f->heap[(at - 1) / 2];
    f->heap[at] = cell;
}

static int32_t pop(struct flood *f)
{
    const int32_t top = f->heap[0], moved = f->heap[--f->length];
    int32_t at = 0;
    for (int32_t child = 1; child < f->length; child = 2 * at + 1) {
        child += child + 1 < f->length && f->heap[child + 1] < f->heap[child];
        if (f->heap[child] >= moved)
            break;
        f->heap[at] = f->heap[child];
        at = child;
    }
    f->heap[at] = moved;
    return top;
}

/* The neighbour's index; beyond a closed border that of another border cell or of the margin of
 * `to`, which are outlets, never level ground. */
static int32_t next_of(const struct tw_drainage *d, int32_t cell, int k)
{
    return d->rim ? tw_drainage_neighbour(d, cell, k) : cell + d->step[k];
}

static void enter(struct flood *f, int32_t cell)
{
    struct tw_drainage *d = f->land.d;
    for (int k = 0; k < 8; k++) {
        const int32_t next = next_of(d, cell, k);
        if (d->to[next] != LEVEL || f->land.filled[next] != f->land.filled[cell])
            continue;
        d->to[next] = (uint8_t)(7 - k);
        if (next > f->at)
            d->edge[next] = 1;
        else
            push(f, next);
    }
}

static int32_t mark_shores(const struct land *land)
{
    struct tw_drainage *d = land->d;
    int32_t found = 0;
    for (int32_t cell = 0; cell < d->cells; cell++) {
        if (d->to[cell] != LEVEL)
            continue;
        found++;
        for (int k = 0; k < 8; k++) {
            const int32_t next = tw_drainage_neighbour(d, cell, k);
            d->edge[next] |= d->to[next] != LEVEL && land->filled[next] == land->filled[cell];
        }
    }
    return found;
}

static enum tw_status cross_level(struct tw_task *task, const struct land *land)
{
    struct flood f = {.land = *land, .heap = land->d->order};
    const struct tw_drainage *d = land->d;
    if (mark_shores(land) == 0)
        return TW_OK;
    for (; f.at < d->cells; f.at++) {
        if (f.at % POLL == 0 && tw_task_cancelled(task))
            return TW_CANCELLED;
        if (d->edge[f.at])
            enter(&f, f.at);
        while (f.length > 0)
            enter(&f, pop(&f));
    }
    return TW_OK;
}

enum tw_status tw_receivers_find(struct tw_task *task, struct tw_drainage *d, const double *filled)
{
    struct steepest_job job = {{d, filled}, steepest(tw_task_simd(task))};
    tw_rows(task, d->height, 16, steepest_rows, &job);
    enum tw_status status = cross_level(task, &job.land);
    if (status == TW_OK)
        tw_drainage_donors(task, d);
    return status;
}
