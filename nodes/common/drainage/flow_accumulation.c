/* SPDX-License-Identifier: MIT */
/* Flow accumulation; see the header. MFD takes the surface with its depressions filled. */
#include "common/drainage/flow_accumulation.h"
#include "common/drainage/flow_shares.h"
#include "common/drainage/flow_spread.h"

/* Of MFD. */
static bool lay_out(struct tw_scratch *s, struct tw_flow_shares *shares,
                    struct tw_flow_place **places)
{
    *places = tw_scratch_maps(s, 1, sizeof **places);
    return tw_flow_shares_lay_out(s, shares);
}

static enum tw_status spread_cells(struct tw_task *task, const struct tw_drainage *d,
                                   const float *heights, float exponent, float *cells)
{
    struct tw_flow_shares shares;
    struct tw_flow_place *places;
    if (!lay_out(&(struct tw_scratch){.task = task}, &shares, &places))
        return tw_task_no_memory(task);
    tw_drainage_fill(task, d, heights, cells);
    tw_flow_shares_fill(task, d, cells, exponent, &shares);
    tw_flow_spread(task, d, &shares, places, cells);
    return TW_OK;
}

/* ---- D8 ---- */

/* Strips of rows are walked side by side: from every cell without donors the water is followed for
 * as long as it completes cells of the strip. What then is left lies downstream of cells that give
 * to another strip; those are followed within a few strips together, again side by side, and so on
 * up to the whole map. Sums of integers are the same in any order. */
enum { ROWS_A_STRIP = 32, STRIPS_TOGETHER = 4, GIVEN = 255 /* donors of a cell that has given */ };

struct summing {
    const struct tw_drainage *d;
    uint8_t *donors; /* that have not given; the drainage's `edge` */
    uint32_t *area;
    float *cells;         /* the same as floats */
    int32_t strip, wider; /* rows of the strips that were walked, and of those together */
};

/* Follows the water from a complete cell, as long as it completes cells and the next lies within
 * begin and end - 1. */
static void follow(const struct summing *s, int32_t cell, int32_t begin, int32_t end)
{
    while (s->d->to[cell] != TW_OUTLET) {
        int32_t next = tw_drainage_neighbour(s->d, cell, s->d->to[cell]);
        if (next < begin || next >= end)
            return;
        s->area[next] += s->area[cell];
        s->donors[cell] = GIVEN;
        if (--s->donors[next] > 0)
            return;
        cell = next;
    }
}

static uint8_t count_donors(uint8_t bits)
{
    bits = (uint8_t)(bits - (bits >> 1 & 0x55));
    bits = (uint8_t)((bits & 0x33) + (bits >> 2 & 0x33));
    return (uint8_t)((bits + (bits >> 4)) & 0x0F);
}

static void follow_strips(void *context, int32_t begin_strip, int32_t end_strip)
{
    const struct summing *s = context;
    const struct tw_drainage *d = s->d;
    for (int32_t strip = begin_strip; strip < end_strip; strip++) {
        int32_t below = (strip + 1) * ROWS_A_STRIP;
        int32_t first = strip * ROWS_A_STRIP * d->width;
        int32_t last = below < d->height ? below * d->width : d->cells;
        for (int32_t cell = first; cell < last; cell++) {
            s->donors[cell] = count_donors(d->from[cell]);
            s->area[cell] = 1;
        }
        for (int32_t cell = first; cell < last; cell++)
            if (d->from[cell] == 0)
                follow(s, cell, first, last);
    }
}

/* Goes on from a strip's first and last row, which hold the complete cells whose receiver lies in
 * another strip. */
static void follow_wider(void *context, int32_t begin, int32_t end)
{
    const struct summing *s = context;
    const struct tw_drainage *d = s->d;
    for (int32_t y = begin * s->wider; y < end * s->wider && y < d->height; y++) {
        bool first = y % s->strip == 0, last = y % s->strip == s->strip - 1;
        if (!first && !last && y != d->height - 1)
            continue;
        int32_t top = y / s->wider * s->wider, below = top + s->wider;
        int32_t until = below < d->height ? below * d->width : d->cells;
        for (int32_t cell = y * d->width; cell < (y + 1) * d->width; cell++)
            if (s->donors[cell] == 0)
                follow(s, cell, top * d->width, until);
    }
}

static void convert_rows(void *context, int32_t begin, int32_t end)
{
    const struct summing *s = context;
    size_t w = (size_t)s->d->width;
    for (size_t i = (size_t)begin * w; i < (size_t)end * w; i++)
        s->cells[i] = (float)s->area[i];
}

void tw_flow_area(struct tw_task *task, const struct tw_drainage *d, uint32_t *area)
{
    struct summing summing = {.d = d, .donors = d->edge, .area = area};
    tw_rows(task, (d->height - 1) / ROWS_A_STRIP + 1, 1, follow_strips, &summing);
    for (int32_t rows = ROWS_A_STRIP; rows < d->height; rows = summing.wider) {
        summing.strip = rows;
        summing.wider = rows * STRIPS_TOGETHER;
        tw_rows(task, (d->height - 1) / summing.wider + 1, 1, follow_wider, &summing);
    }
}

enum tw_status tw_flow_accumulation(struct tw_task *task, const float *heights,
                                    const struct tw_exits *exits, enum tw_flow_method method,
                                    float exponent, float *cells)
{
    return tw_flow_accumulation_filled(task, heights, exits, method, exponent, cells, NULL);
}

enum tw_status tw_flow_accumulation_filled(struct tw_task *task, const float *heights,
                                           const struct tw_exits *exits, enum tw_flow_method method,
                                           float exponent, float *cells, float *filled)
{
    struct tw_drainage d;
    enum tw_status status = tw_drainage_init_world(task, &d, heights, exits);
    if (status == TW_OK)
        status = tw_drainage_receivers(task, &d, heights);
    if (status != TW_OK)
        return status;
    if (filled)
        tw_drainage_fill(task, &d, heights, filled);
    if (method == TW_FLOW_MFD)
        return spread_cells(task, &d, heights, exponent, cells);
    /* Uses the memory of the order, which receivers alone leave free. More would cost a tenth of
     * the time where a large map's pages are new. */
    uint32_t *area = (uint32_t *)d.order;
    tw_flow_area(task, &d, area);
    struct summing summing = {.d = &d, .area = area, .cells = cells};
    tw_rows(task, d.height, 16, convert_rows, &summing);
    return TW_OK;
}

void tw_flow_accumulation_forecast(struct tw_forecast *f, bool map, enum tw_flow_method method)
{
    struct tw_flow_shares shares;
    struct tw_flow_place *places;
    tw_drainage_world_forecast(f, map);
    if (method == TW_FLOW_MFD)
        lay_out(&(struct tw_scratch){.forecast = f}, &shares, &places);
}
