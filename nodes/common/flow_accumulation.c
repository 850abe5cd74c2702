/* SPDX-License-Identifier: MIT */
/* Flow accumulation; see the header. MFD takes the surface with its depressions filled. A cell
 * passes its water on once all its donors have. */
#include "common/flow_accumulation.h"
#include "common/drainage_outlets.h"
#include "common/flow_shares.h"

/* Cells in the order of their completion; `order` is the queue. */
static void give_on(const struct tw_drainage *d, const struct tw_flow_shares *s, double *area,
                    int32_t *order)
{
    int32_t length = 0;
    for (int32_t cell = 0; cell < d->cells; cell++) {
        area[cell] = 1;
        if (s->donors[cell] == 0)
            order[length++] = cell;
    }
    for (int32_t head = 0; head < length; head++) {
        int32_t cell = order[head];
        const float *weight = tw_flow_shares_of(s, cell);
        for (unsigned bits = s->receivers[cell]; bits; bits &= bits - 1) {
            int32_t to = tw_drainage_neighbour(d, cell, __builtin_ctz(bits));
            area[to] += area[cell] * (double)*weight++;
            order[length] = to; /* never beyond the end: `to` itself is still missing */
            length += --s->donors[to] == 0;
        }
    }
}

static enum tw_status spread_cells(struct tw_task *task, const struct tw_drainage *d,
                                   const float *heights, float exponent, float *cells)
{
    size_t count = (size_t)d->cells;
    struct tw_flow_shares shares;
    double *area = tw_task_scratch(task, count, sizeof *area);
    if (!area)
        return tw_task_no_memory(task);
    enum tw_status status = tw_flow_shares_init(task, &shares);
    if (status != TW_OK)
        return status;
    tw_drainage_fill(task, d, heights, cells);
    tw_flow_shares_fill(task, d, cells, exponent, &shares);
    give_on(d, &shares, area, d->order);
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
    tw_drainage_world_forecast(f, wrap);
    tw_forecast_maps(f, 1, method == TW_FLOW_MFD ? sizeof(double) : sizeof(uint32_t));
    if (method == TW_FLOW_MFD)
        tw_flow_shares_forecast(f);
}
