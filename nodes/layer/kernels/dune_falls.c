/* SPDX-License-Identifier: MIT */
/* Sand that lies steeper than repose falls to the steepest neighbour, all cells at once. */
#include "layer/kernels/dunes.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

enum { ROWS = 16 };
#define WALL 1e30f /* beyond a closed border: nothing falls there */

static float *row_of(const struct tw_dunes *d, int32_t y)
{
    return d->tops + (size_t)(y + 1) * ((size_t)d->width + 2) + 1;
}

static TW_INLINE void raise_body(const struct tw_dunes *d, int32_t y)
{
    const size_t first = (size_t)y * (size_t)d->width;
    const float *restrict rock = d->rock + first;
    const int32_t *restrict sand = d->sand + first;
    const int32_t width = d->width;
    float *restrict tops = d->tops + (size_t)(y + 1) * ((size_t)width + 2) + 1;
    for (int32_t x = 0; x < width; x++)
        tops[x] = rock[x] + (float)sand[x];
    tops[-1] = d->wraps ? tops[width - 1] : WALL;
    tops[width] = d->wraps ? tops[0] : WALL;
}
TW_SIMD_KERNEL(raise, (const struct tw_dunes *d, int32_t y), (d, y))

struct pass {
    const struct tw_dunes *d;
    enum tw_simd simd;
    int32_t turn; /* neighbour at which scans begin */
};

static void raise_rows(void *context, int32_t begin, int32_t end)
{
    const struct pass *p = context;
    for (int32_t y = begin; y < end; y++)
        raise(p->simd)(p->d, y);
}

void tw_dunes_raise(struct tw_task *task, const struct tw_dunes *d)
{
    struct pass pass = {d, tw_task_simd(task), 0};
    tw_rows(task, d->height, ROWS, raise_rows, &pass);
    const float *first = row_of(d, 0), *last = row_of(d, d->height - 1);
    float *above = row_of(d, -1), *below = row_of(d, d->height);
    for (int32_t x = -1; x <= d->width; x++) {
        above[x] = d->wraps ? last[x] : WALL;
        below[x] = d->wraps ? first[x] : WALL;
    }
}

/* Where the greatest drop beyond repose is a slab or more, half of it falls, at least a slab and at
 * most what lies there. */
static TW_INLINE void measure_body(const struct tw_dunes *d, int32_t y)
{
    const int32_t width = d->width;
    const float *restrict here = d->tops + (size_t)(y + 1) * ((size_t)width + 2) + 1;
    const float *restrict above = here - (width + 2), *restrict below = here + (width + 2);
    const int32_t *restrict sand = d->sand + (size_t)y * (size_t)width;
    int32_t *restrict gives = d->moves + (size_t)y * (size_t)width;
    const float rise = (float)d->rise, corner = (float)(d->rise * 1.4142135623730951);
    for (int32_t x = 0; x < width; x++) {
        const float sides = tw_min(tw_min(above[x], below[x]), tw_min(here[x - 1], here[x + 1]));
        const float corners =
            tw_min(tw_min(above[x - 1], above[x + 1]), tw_min(below[x - 1], below[x + 1]));
        const float excess = tw_max(here[x] - sides - rise, here[x] - corners - corner);
        const int32_t half = (int32_t)(tw_min(excess, 1e9f) * 0.5f);
        const int32_t falls = half > 1 ? half : 1, most = falls < sand[x] ? falls : sand[x];
        gives[x] = excess >= 1 ? most : 0;
    }
}
TW_SIMD_KERNEL(measure, (const struct tw_dunes *d, int32_t y), (d, y))

struct place {
    int32_t x, y;
};

/* Returns neighbour 0 to 7 of a cell, in reading order; on a torus perhaps beyond the border. */
static struct place neighbour_of(int32_t x, int32_t y, int32_t neighbour)
{
    const int32_t place = neighbour < 4 ? neighbour : neighbour + 1;
    return (struct place){x + place % 3 - 1, y + place / 3 - 1};
}

/* Returns the neighbour with the greatest drop beyond repose, on ties the first of a scan that
 * begins at neighbour `turn`. */
static uint8_t steepest(const struct tw_dunes *d, int32_t x, int32_t y, int32_t turn)
{
    static const bool diagonal[8] = {true, false, true, false, false, true, false, true};
    const float rise = (float)d->rise, corner = (float)(d->rise * 1.4142135623730951);
    const float top = row_of(d, y)[x];
    float greatest = 0;
    int32_t best = 0;
    for (int32_t i = 0; i < 8; i++) {
        const int32_t neighbour = (turn + i) % 8;
        const struct place at = neighbour_of(x, y, neighbour);
        const float excess = top - row_of(d, at.y)[at.x] - (diagonal[neighbour] ? corner : rise);
        best = excess > greatest ? neighbour : best;
        greatest = tw_max(excess, greatest);
    }
    return (uint8_t)best;
}

/* Finds what falls, and in `shade`, which is free after the hops, where to. */
static void measure_rows(void *context, int32_t begin, int32_t end)
{
    const struct pass *p = context;
    const struct tw_dunes *d = p->d;
    for (int32_t y = begin; y < end; y++) {
        const int32_t first = y * d->width;
        measure(p->simd)(d, y);
        for (int32_t x = 0; x < d->width; x++)
            if (d->moves[first + x] > 0)
                d->shade[first + x] = steepest(d, x, y, p->turn);
    }
}

static bool move(const struct tw_dunes *d)
{
    bool moved = false;
    int32_t cell = 0;
    for (int32_t y = 0; y < d->height; y++)
        for (int32_t x = 0; x < d->width; x++, cell++) {
            const int32_t gives = d->moves[cell];
            if (gives <= 0)
                continue;
            const struct place to = neighbour_of(x, y, d->shade[cell]);
            d->sand[cell] -= gives;
            d->sand[tw_wrap(to.y, d->height) * d->width + tw_wrap(to.x, d->width)] += gives;
            moved = true;
        }
    return moved;
}

int32_t tw_dunes_fall(struct tw_task *task, const struct tw_dunes *d, int32_t passes)
{
    struct pass pass = {d, tw_task_simd(task), 0};
    for (int32_t i = 0; i < passes; i++) {
        if (tw_task_cancelled(task))
            return i;
        pass.turn = (d->sweep + i) * 3 % 8;
        tw_rows(task, d->height, ROWS, measure_rows, &pass);
        if (!move(d))
            return i;
        tw_dunes_raise(task, d);
    }
    return passes;
}
