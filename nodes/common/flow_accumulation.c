/* SPDX-License-Identifier: MIT */
/* Flow accumulation; see the header. MFD takes the surface with its depressions filled; where that
 * is level, water follows the D8 receiver. A cell passes its water on once all its donors have. */
#include "common/flow_accumulation.h"
#include "common/drainage_outlets.h"

#include <thalweg/kernel.h>

#include <string.h>

struct spread {
    const struct tw_drainage *d;
    const float *filled;
    float *weights;  /* 8 a cell: the share that goes in direction k */
    uint8_t *donors; /* donors still to come */
    float exponent;
};

static void share_cell(const struct spread *s, int32_t cell, float *weights)
{
    const struct tw_drainage *d = s->d;
    float steepest = 0, sum = 0;
    for (int k = 0; k < 8; k++) {
        bool straight = k == 1 || k == 3 || k == 4 || k == 6;
        float drop = s->filled[cell] - s->filled[tw_drainage_neighbour(d, cell, k)];
        weights[k] = tw_max(drop, 0) * (straight ? 1.0f : 0.70710678f);
        steepest = tw_max(steepest, weights[k]);
    }
    if (steepest <= 0) {
        weights[d->to[cell]] = 1;
        return;
    }
    for (int k = 0; k < 8; k++) {
        float slope = weights[k] / steepest; /* so that powers cannot all vanish */
        if (s->exponent != 1.0f)
            slope = (float)tw_pow((double)slope, (double)s->exponent);
        weights[k] = slope;
        sum += slope;
    }
    for (int k = 0; k < 8; k++)
        weights[k] /= sum;
}

static void share_rows(void *context, int32_t begin, int32_t end)
{
    const struct spread *s = context;
    for (int32_t cell = begin * s->d->width; cell < end * s->d->width; cell++) {
        float *weights = s->weights + 8 * (size_t)cell;
        memset(weights, 0, 8 * sizeof *weights);
        if (s->d->to[cell] != TW_OUTLET)
            share_cell(s, cell, weights);
    }
}

static void count_rows(void *context, int32_t begin, int32_t end)
{
    const struct spread *s = context;
    int32_t w = s->d->width, h = s->d->height;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < w; x++) {
            bool rim = x == 0 || y == 0 || x == w - 1 || y == h - 1;
            int32_t cell = y * w + x, count = 0;
            for (int k = 0; k < 8; k++) {
                int32_t from =
                    rim ? tw_drainage_rim_neighbour(s->d, cell, k) : cell + s->d->step[k];
                count += from >= 0 && s->weights[8 * (size_t)from + (size_t)(7 - k)] > 0;
            }
            s->donors[cell] = (uint8_t)count;
        }
}

/* Cells in the order of their completion; `order` is the queue. */
static void give_on(const struct spread *s, double *area, int32_t *order)
{
    const struct tw_drainage *d = s->d;
    int32_t length = 0;
    for (int32_t cell = 0; cell < d->cells; cell++) {
        area[cell] = 1;
        if (s->donors[cell] == 0)
            order[length++] = cell;
    }
    for (int32_t head = 0; head < length; head++) {
        int32_t cell = order[head];
        const float *weights = s->weights + 8 * (size_t)cell;
        for (int k = 0; k < 8; k++)
            if (weights[k] > 0) {
                int32_t to = tw_drainage_neighbour(d, cell, k);
                area[to] += area[cell] * (double)weights[k];
                if (--s->donors[to] == 0)
                    order[length++] = to;
            }
    }
}

static enum tw_status spread_cells(struct tw_task *task, const struct tw_drainage *d,
                                   const float *heights, float exponent, float *cells)
{
    size_t count = (size_t)d->cells;
    struct spread s = {.d = d, .filled = cells, .exponent = exponent};
    double *area = tw_task_scratch(task, count, sizeof *area);
    s.weights = tw_task_scratch(task, count, 8 * sizeof *s.weights);
    s.donors = tw_task_scratch(task, count, sizeof *s.donors);
    if (!area || !s.weights || !s.donors)
        return tw_task_no_memory(task);
    tw_drainage_fill(task, d, heights, cells);
    tw_rows(task, d->height, 8, share_rows, &s);
    tw_rows(task, d->height, 8, count_rows, &s);
    give_on(&s, area, d->order);
    for (size_t i = 0; i < count; i++)
        cells[i] = (float)area[i];
    return TW_OK;
}

struct summing {
    const struct tw_drainage *d;
    uint32_t *area;
};

/* Donors give to their receivers, from the end of the order; trees do not share cells. */
static void area_trees(void *context, int32_t begin, int32_t end)
{
    const struct summing *s = context;
    const struct tw_drainage *d = s->d;
    for (int32_t i = d->tree[begin]; i < d->tree[end]; i++)
        s->area[d->order[i]] = 1;
    for (int32_t i = d->tree[end] - 1; i >= d->tree[begin]; i--) {
        int32_t cell = d->order[i];
        if (d->to[cell] != TW_OUTLET)
            s->area[tw_drainage_neighbour(d, cell, d->to[cell])] += s->area[cell];
    }
}

void tw_flow_area(struct tw_task *task, const struct tw_drainage *d, uint32_t *area)
{
    struct summing summing = {d, area};
    tw_rows(task, d->trees, 32, area_trees, &summing);
}

enum tw_status tw_flow_accumulation(struct tw_task *task, const float *heights, bool wrap,
                                    enum tw_flow_method method, float exponent, float *cells)
{
    return tw_flow_accumulation_filled(task, heights, wrap, method, exponent, cells, NULL);
}

enum tw_status tw_flow_accumulation_filled(struct tw_task *task, const float *heights, bool wrap,
                                           enum tw_flow_method method, float exponent, float *cells,
                                           float *filled)
{
    struct tw_drainage d;
    enum tw_status status = tw_drainage_init_world(task, &d, heights, wrap);
    if (status == TW_OK)
        status = tw_drainage_route(task, &d, heights);
    if (status != TW_OK)
        return status;
    if (filled)
        tw_drainage_fill(task, &d, heights, filled);
    if (method == TW_FLOW_MFD)
        return spread_cells(task, &d, heights, exponent, cells);
    uint32_t *area = tw_task_scratch(task, (size_t)d.cells, sizeof *area);
    if (!area)
        return tw_task_no_memory(task);
    tw_flow_area(task, &d, area);
    for (int32_t i = 0; i < d.cells; i++)
        cells[i] = (float)area[i];
    return TW_OK;
}

void tw_flow_accumulation_forecast(struct tw_forecast *f, bool wrap, enum tw_flow_method method)
{
    struct spread s;
    tw_drainage_world_forecast(f, wrap);
    if (method == TW_FLOW_MFD)
        tw_forecast_maps(f, 1, sizeof(double) + 8 * sizeof *s.weights + sizeof *s.donors);
    else
        tw_forecast_maps(f, 1, sizeof(uint32_t));
}
