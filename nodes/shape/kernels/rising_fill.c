/* SPDX-License-Identifier: MIT */
/* Dijkstra's search from the outlets, for cells that are lifted. A cell that needs no lift has its
 * final height as soon as any neighbour offers it no more than that, so it waits in a stack instead
 * of the heap: land that drains by itself takes linear time. */
#include "shape/kernels/rising_fill.h"

#include <thalweg/kernel.h>

enum { UNSEEN = -1, DONE = -2, POLL = 1 << 16 };

struct flood {
    const struct tw_rising_fill *fill;
    int32_t width, height, cells;
    double *level;  /* least height known so far */
    int32_t *queue; /* heap of cells by level from its start; stack from its end down */
    uint8_t *outlet;
    int32_t *place; /* in the heap, UNSEEN or DONE */
    int32_t length, stacked;
};

static void put(struct flood *f, int32_t at, int32_t cell)
{
    f->queue[at] = cell;
    f->place[cell] = at;
}

static void sift_up(struct flood *f, int32_t at, int32_t cell)
{
    for (; at > 0 && f->level[f->queue[(at - 1) / 2]] > f->level[cell]; at = (at - 1) / 2)
        put(f, at, f->queue[(at - 1) / 2]);
    put(f, at, cell);
}

static int32_t pop_lowest(struct flood *f)
{
    int32_t lowest = f->queue[0], moved = f->queue[--f->length], at = 0;
    for (int64_t child = 1; child < f->length; child = 2 * (int64_t)at + 1) {
        child += child + 1 < f->length && f->level[f->queue[child + 1]] < f->level[f->queue[child]];
        if (f->level[f->queue[child]] >= f->level[moved])
            break;
        put(f, at, f->queue[child]);
        at = (int32_t)child;
    }
    if (f->length > 0)
        put(f, at, moved);
    f->place[lowest] = DONE;
    return lowest;
}

/* A cell that keeps its height. */
static void settle(struct flood *f, int32_t cell)
{
    f->level[cell] = (double)f->fill->heights[cell];
    f->place[cell] = DONE;
    f->queue[f->cells - ++f->stacked] = cell;
}

static int32_t next_cell(struct flood *f)
{
    return f->stacked > 0 ? f->queue[f->cells - f->stacked--] : pop_lowest(f);
}

/* A way to the cell over a neighbour at hand. */
static void offer(struct flood *f, int32_t cell, double level)
{
    int32_t at = f->place[cell];
    if (at == DONE || (at >= 0 && level >= f->level[cell]))
        return;
    double own = (double)f->fill->heights[cell];
    if (at == UNSEEN && level <= own) {
        settle(f, cell);
        return;
    }
    f->level[cell] = level > own ? level : own;
    sift_up(f, at == UNSEEN ? f->length++ : at, cell);
}

static void offer_neighbours(struct flood *f, int32_t cell)
{
    const double step = f->fill->step, diagonal = 1.4142135623730951 * step;
    int32_t x = cell % f->width, y = cell / f->width;
    for (int32_t k = 0; k < 9; k++) {
        int32_t dx = k % 3 - 1, dy = k / 3 - 1, east = x + dx, south = y + dy;
        bool inside = east >= 0 && south >= 0 && east < f->width && south < f->height;
        if (!inside && !f->fill->exits->wrap)
            continue;
        int32_t next = inside ? cell + dy * f->width + dx
                              : tw_wrap(south, f->height) * f->width + tw_wrap(east, f->width);
        offer(f, next, f->level[cell] + (dx && dy ? diagonal : step));
    }
}

static enum tw_status search(struct tw_task *task, struct flood *f)
{
    for (int32_t i = 0; i < f->cells; i++)
        f->place[i] = UNSEEN;
    for (int32_t i = 0; i < f->cells; i++)
        if (f->outlet[i])
            settle(f, i);
    for (int32_t done = 0; f->stacked > 0 || f->length > 0; done++) {
        if (done % POLL == 0 && tw_task_cancelled(task))
            return TW_CANCELLED;
        if (done % POLL == 0)
            tw_task_progress(task, (double)done / f->cells);
        offer_neighbours(f, next_cell(f));
    }
    return TW_OK;
}

enum tw_status tw_rising_fill(struct tw_task *task, const struct tw_rising_fill *fill, float *out)
{
    struct flood f = {.fill = fill, .width = tw_task_width(task), .height = tw_task_height(task)};
    f.cells = f.width * f.height;
    f.level = tw_task_scratch(task, (size_t)f.cells, sizeof *f.level);
    f.queue = tw_task_scratch(task, (size_t)f.cells, sizeof *f.queue);
    f.place = tw_task_scratch(task, (size_t)f.cells, sizeof *f.place);
    f.outlet = tw_task_scratch(task, (size_t)f.cells, sizeof *f.outlet);
    if (!f.level || !f.queue || !f.place || !f.outlet)
        return tw_task_no_memory(task);
    enum tw_status status = tw_exits_mark(task, fill->exits, fill->heights, f.outlet);
    if (status == TW_OK)
        status = search(task, &f);
    for (int32_t i = 0; status == TW_OK && i < f.cells; i++)
        out[i] = (float)f.level[i];
    return status;
}

void tw_rising_fill_forecast(struct tw_forecast *f)
{
    tw_forecast_maps(f, 1, sizeof(double));  /* level */
    tw_forecast_maps(f, 2, sizeof(int32_t)); /* queue, place */
    tw_forecast_maps(f, 1, sizeof(uint8_t)); /* outlet */
    tw_exits_forecast(f);
}
