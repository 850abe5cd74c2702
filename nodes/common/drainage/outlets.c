/* SPDX-License-Identifier: MIT */
#include "common/drainage/outlets.h"

#include <string.h>

static void rim_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_drainage *d = context;
    for (int32_t y = begin; y < end; y++) {
        bool edge = y == 0 || y == d->height - 1;
        uint8_t *row = d->rim + (size_t)y * (size_t)d->width;
        memset(row, edge, (size_t)d->width);
        row[0] = row[d->width - 1] = 1;
    }
}

enum tw_status tw_drainage_open(struct tw_task *task, const uint8_t *outlet, bool wrap,
                                struct tw_drainage *d)
{
    d->outlet = outlet;
    d->wrap = wrap;
    d->rim = tw_task_scratch(task, (size_t)d->cells, sizeof *d->rim);
    if (!d->rim)
        return tw_task_no_memory(task);
    tw_rows(task, d->height, 64, rim_rows, d);
    return TW_OK;
}

void tw_drainage_open_forecast(struct tw_forecast *f)
{
    tw_forecast_maps(f, 1, sizeof(uint8_t)); /* rim */
}

/* Marks the outlets of these heights. */
static enum tw_status mark_exits(struct tw_task *task, const struct tw_exits *exits,
                                 const float *heights, struct tw_drainage *d)
{
    uint8_t *outlet = tw_task_scratch(task, (size_t)d->cells, sizeof *outlet);
    if (!outlet)
        return tw_task_no_memory(task);
    d->outlet = outlet;
    return tw_exits_mark(task, exits, heights, outlet);
}

enum tw_status tw_drainage_open_lowest(struct tw_task *task, const float *heights,
                                       struct tw_drainage *d)
{
    return mark_exits(task, &(struct tw_exits){.wrap = true}, heights, d);
}

enum tw_status tw_drainage_init_world(struct tw_task *task, struct tw_drainage *d,
                                      const float *heights, const struct tw_exits *exits)
{
    enum tw_status status = tw_drainage_init(task, d);
    if (status != TW_OK || tw_exits_are_border(exits))
        return status;
    status = mark_exits(task, exits, heights, d);
    return status == TW_OK ? tw_drainage_open(task, d->outlet, exits->wrap, d) : status;
}

void tw_drainage_lowest_forecast(struct tw_forecast *f)
{
    tw_forecast_maps(f, 1, sizeof(uint8_t)); /* outlet */
    tw_exits_forecast(f);
}

void tw_drainage_world_forecast(struct tw_forecast *f, bool map)
{
    tw_drainage_forecast(f);
    if (!map)
        return;
    tw_drainage_open_forecast(f);
    tw_drainage_lowest_forecast(f);
}
