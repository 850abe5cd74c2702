/* SPDX-License-Identifier: MIT */
/* Basins by raster: every cell takes the label of the first on its way down that has one. Strips of
 * rows are labelled side by side; then ways that lead through several strips, from where they enter
 * one; then what leads to those. */
#include "common/drainage/basins.h"

#include <string.h>

enum { NO_BASIN = -1, ELSEWHERE = -2 }; /* ELSEWHERE: the way leaves the strip */
enum { ROWS_A_STRIP = 32 };

/* Returns the first cell from `cell` on that has no receiver and is not an outlet, or -1. */
static int32_t next_pit(const struct tw_drainage *d, int32_t cell)
{
    for (; cell < d->cells; cell++) {
        const uint8_t *found = memchr(d->to + cell, TW_OUTLET, (size_t)(d->cells - cell));
        if (!found)
            return -1;
        cell = (int32_t)(found - d->to);
        if (!(d->outlet ? d->outlet[cell]
                        : tw_drainage_on_border(d, cell % d->width, cell / d->width)))
            return cell;
    }
    return -1;
}

int32_t tw_drainage_list_pits(const struct tw_drainage *d, int32_t *pits)
{
    int32_t count = 0;
    for (int32_t pit = next_pit(d, 0); pit >= 0; pit = next_pit(d, pit + 1))
        pits[count++] = pit;
    return count;
}

static int32_t receiver(const struct tw_drainage *d, int32_t cell)
{
    return tw_drainage_neighbour(d, cell, d->to[cell]);
}

/* Follows every cell from begin to end - 1, and labels its way there. Outlets have 0. */
static void label_range(const struct tw_drainage *d, int32_t begin, int32_t end)
{
    for (int32_t start = begin; start < end; start++) {
        int32_t cell = start, basin = d->label[start];
        if (basin != NO_BASIN)
            continue;
        while (basin == NO_BASIN) {
            cell = receiver(d, cell);
            basin = cell < begin || cell >= end ? ELSEWHERE : d->label[cell];
        }
        for (cell = start; cell >= begin && cell < end && d->label[cell] == NO_BASIN;) {
            d->label[cell] = basin;
            cell = receiver(d, cell);
        }
    }
}

/* Labels one cell and its way with the basin that the way reaches, across strips. */
static void label_way(const struct tw_drainage *d, int32_t start)
{
    int32_t cell = start;
    while (d->label[cell] < 0)
        cell = receiver(d, cell);
    for (int32_t basin = d->label[cell]; d->label[start] < 0;) {
        d->label[start] = basin;
        start = receiver(d, start);
    }
}

static void label_ways(const struct tw_drainage *d, int32_t begin, int32_t end)
{
    for (int32_t cell = begin; cell < end; cell++)
        if (d->label[cell] < 0)
            label_way(d, cell);
}

static int32_t strip_begin(const struct tw_drainage *d, int32_t strip)
{
    int32_t row = strip * ROWS_A_STRIP;
    return row < d->height ? row * d->width : d->cells;
}

static void label_strips(void *context, int32_t begin, int32_t end)
{
    const struct tw_drainage *d = context;
    for (int32_t strip = begin; strip < end; strip++)
        label_range(d, strip_begin(d, strip), strip_begin(d, strip + 1));
}

/* Labels the ways that leave a strip: those of its first and last row. */
static void label_ends(const struct tw_drainage *d, int32_t strip)
{
    int32_t begin = strip_begin(d, strip), end = strip_begin(d, strip + 1);
    label_ways(d, begin, begin + d->width);
    label_ways(d, end - d->width, end);
}

static void finish_strips(void *context, int32_t begin, int32_t end)
{
    const struct tw_drainage *d = context;
    label_ways(d, strip_begin(d, begin), strip_begin(d, end));
}

static void clear_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_drainage *d = context;
    for (int32_t cell = begin * d->width; cell < end * d->width; cell++)
        d->label[cell] = d->to[cell] == TW_OUTLET ? 0 : NO_BASIN;
}

/* The label of an earlier pit that touches this one and is as high, so that a flat becomes one
 * basin or a few; NO_BASIN if there is no such pit. */
static int32_t pit_beside(const struct tw_drainage *d, const float *heights, int32_t pit)
{
    for (int k = 0; k < 4; k++) {
        int32_t near = tw_drainage_neighbour(d, pit, k);
        if (near >= 0 && near < pit && d->label[near] > 0 && heights[near] == heights[pit])
            return d->label[near];
    }
    return NO_BASIN;
}

/* Numbers the pits from 1 on. */
static int32_t label_pits(const struct tw_drainage *d, const float *heights)
{
    int32_t basins = 1;
    for (int32_t pit = next_pit(d, 0); pit >= 0; pit = next_pit(d, pit + 1)) {
        int32_t beside = pit_beside(d, heights, pit);
        d->label[pit] = beside == NO_BASIN ? basins++ : beside;
    }
    return basins;
}

int32_t tw_drainage_label_basins(struct tw_task *task, struct tw_drainage *d, const float *heights)
{
    int32_t strips = (d->height - 1) / ROWS_A_STRIP + 1;
    tw_rows(task, d->height, 16, clear_rows, d);
    int32_t basins = label_pits(d, heights);
    tw_rows(task, strips, 1, label_strips, d);
    for (int32_t strip = 0; strip < strips; strip++)
        label_ends(d, strip);
    tw_rows(task, strips, 1, finish_strips, d);
    return basins;
}
