/* SPDX-License-Identifier: MIT */
/* The flood enters a flat at its shores: cells of its level that are outlets or have a lower
 * neighbour. It reaches all of them before it goes on at that level, and then always takes the
 * least cell it knows. So one pass over the cells in their order is enough, with a heap of those
 * that it reached behind the place where it is. */
#include "measure/kernels/receivers.h"

#include <thalweg/simd.h>

#include <string.h>

enum { FLAT = 9 /* a direction not known yet */, POLL = 1 << 16 };

#define REAL double
#define CODE double
#define NO_WAY FLAT
#include "common/drainage/steepest.h"

struct steepest_job {
    struct slopes land;
    void (*steepest)(const struct slopes *, int32_t);
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

/* ---- flats ---- */

struct flood {
    struct slopes land;
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
 * `to`, which are outlets, never flats. */
static int32_t next_of(const struct tw_drainage *d, int32_t cell, int k)
{
    return d->rim ? tw_drainage_neighbour(d, cell, k) : cell + d->step[k];
}

static void enter(struct flood *f, int32_t cell)
{
    struct tw_drainage *d = f->land.d;
    for (int k = 0; k < 8; k++) {
        const int32_t next = next_of(d, cell, k);
        if (d->to[next] != FLAT || f->land.heights[next] != f->land.heights[cell])
            continue;
        d->to[next] = (uint8_t)(7 - k);
        if (next > f->at)
            d->edge[next] = 1;
        else
            push(f, next);
    }
}

static int32_t mark_shores(const struct slopes *land)
{
    struct tw_drainage *d = land->d;
    int32_t found = 0;
    for (int32_t cell = 0; cell < d->cells; cell++) {
        if (d->to[cell] != FLAT)
            continue;
        found++;
        for (int k = 0; k < 8; k++) {
            const int32_t next = tw_drainage_neighbour(d, cell, k);
            d->edge[next] |= d->to[next] != FLAT && land->heights[next] == land->heights[cell];
        }
    }
    return found;
}

static enum tw_status cross_flats(struct tw_task *task, const struct slopes *land)
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
    enum tw_status status = cross_flats(task, &job.land);
    if (status == TW_OK)
        tw_drainage_donors(task, d);
    return status;
}
