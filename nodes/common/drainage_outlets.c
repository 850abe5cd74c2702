/* SPDX-License-Identifier: MIT */
#include "common/drainage_outlets.h"
#include "common/drainage_basins.h"

#include <string.h>

enum tw_status tw_drainage_open(struct tw_task *task, const uint8_t *outlet, bool wrap,
                                struct tw_drainage *d)
{
    size_t cells = (size_t)d->cells, outlets = 0;
    for (size_t i = 0; i < cells; i++)
        outlets += outlet[i] != 0;
    d->outlet = outlet;
    d->wrap = wrap;
    d->rim = tw_task_scratch(task, cells, sizeof *d->rim);
    d->tree = tw_task_scratch(task, outlets + 1, sizeof *d->tree);
    if (!d->rim || !d->tree)
        return tw_task_no_memory(task);
    for (int32_t y = 0; y < d->height; y++) {
        bool edge = y == 0 || y == d->height - 1;
        uint8_t *row = d->rim + (size_t)y * (size_t)d->width;
        memset(row, edge, (size_t)d->width);
        row[0] = row[d->width - 1] = 1;
    }
    return TW_OK;
}

void tw_drainage_open_forecast(struct tw_forecast *f)
{
    tw_forecast_maps(f, 1, sizeof(uint8_t)); /* rim */
    tw_forecast_scratch(f, 2 * ((uint64_t)f->width + (uint64_t)f->height) + 1, sizeof(int32_t));
}

enum tw_status tw_drainage_init_world(struct tw_task *task, struct tw_drainage *d,
                                      const float *heights, bool wrap)
{
    enum tw_status status = tw_drainage_init(task, d);
    if (status != TW_OK || !wrap)
        return status;
    uint8_t *outlet = tw_task_scratch(task, (size_t)d->cells, sizeof *outlet);
    if (!outlet)
        return tw_task_no_memory(task);
    float lowest = heights[0];
    for (int32_t i = 0; i < d->cells; i++)
        lowest = heights[i] < lowest ? heights[i] : lowest;
    for (int32_t i = 0; i < d->cells; i++)
        outlet[i] = heights[i] <= lowest;
    return tw_drainage_open(task, outlet, true, d);
}

void tw_drainage_world_forecast(struct tw_forecast *f, bool wrap)
{
    tw_drainage_forecast(f);
    if (!wrap)
        return;
    tw_drainage_open_forecast(f);
    tw_forecast_maps(f, 1, sizeof(uint8_t)); /* outlet */
}
