/* SPDX-License-Identifier: MIT */
#include "common/drainage_outlets.h"

#include <thalweg/rescale.h>

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

struct lowest {
    const float *heights;
    uint8_t *outlet;
    int32_t width;
    float height;
};

static void mark_rows(void *context, int32_t begin, int32_t end)
{
    const struct lowest *lowest = context;
    for (int32_t i = begin * lowest->width; i < end * lowest->width; i++)
        lowest->outlet[i] = lowest->heights[i] <= lowest->height;
}

enum tw_status tw_drainage_open_lowest(struct tw_task *task, const float *heights,
                                       struct tw_drainage *d)
{
    struct lowest lowest = {.heights = heights, .width = d->width};
    lowest.outlet = tw_task_scratch(task, (size_t)d->cells, sizeof *lowest.outlet);
    if (!lowest.outlet)
        return tw_task_no_memory(task);
    struct tw_span span;
    enum tw_status status = tw_span_find(task, heights, d->width, d->height, &span);
    if (status != TW_OK)
        return status;
    lowest.height = span.low;
    tw_rows(task, d->height, 64, mark_rows, &lowest);
    d->outlet = lowest.outlet;
    return TW_OK;
}

enum tw_status tw_drainage_init_world(struct tw_task *task, struct tw_drainage *d,
                                      const float *heights, bool wrap)
{
    enum tw_status status = tw_drainage_init(task, d);
    if (status == TW_OK && wrap)
        status = tw_drainage_open_lowest(task, heights, d);
    return status == TW_OK && wrap ? tw_drainage_open(task, d->outlet, true, d) : status;
}

void tw_drainage_lowest_forecast(struct tw_forecast *f)
{
    tw_forecast_maps(f, 1, sizeof(uint8_t)); /* outlet */
    tw_rescale_forecast(f);
}

void tw_drainage_world_forecast(struct tw_forecast *f, bool wrap)
{
    tw_drainage_forecast(f);
    if (!wrap)
        return;
    tw_drainage_open_forecast(f);
    tw_drainage_lowest_forecast(f);
}
