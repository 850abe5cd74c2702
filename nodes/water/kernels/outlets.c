/* SPDX-License-Identifier: MIT */
#include "water/kernels/outlets.h"

enum tw_status tw_water_check_size(struct tw_task *task)
{
    size_t cells = (size_t)tw_task_width(task) * (size_t)tw_task_height(task);
    if (cells <= (size_t)1 << 28)
        return TW_OK;
    return tw_task_fail(task, "water is limited to maps of 2^28 cells; this one has %zu", cells);
}

static bool mark_sea(const float *sea, size_t cells, uint8_t *outlet)
{
    bool any = false;
    for (size_t i = 0; i < cells; i++) {
        outlet[i] = sea && sea[i] >= 0.5f;
        any |= outlet[i];
    }
    return any;
}

static void mark_border(size_t width, size_t height, uint8_t *outlet)
{
    for (size_t x = 0; x < width; x++)
        outlet[x] = outlet[(height - 1) * width + x] = 1;
    for (size_t y = 0; y < height; y++)
        outlet[y * width] = outlet[y * width + width - 1] = 1;
}

static void mark_lowest(const float *heights, size_t cells, uint8_t *outlet)
{
    float lowest = heights[0];
    for (size_t i = 1; i < cells; i++)
        lowest = heights[i] < lowest ? heights[i] : lowest;
    for (size_t i = 0; i < cells; i++)
        outlet[i] = heights[i] <= lowest;
}

void tw_water_outlets(struct tw_task *task, const float *heights, const struct tw_value *sea,
                      bool wrap, uint8_t *outlet)
{
    size_t width = (size_t)tw_task_width(task), height = (size_t)tw_task_height(task);
    bool any = mark_sea(sea ? tw_floats(sea) : NULL, width * height, outlet);
    if (!wrap)
        mark_border(width, height, outlet);
    else if (!any)
        mark_lowest(heights, width * height, outlet);
}
