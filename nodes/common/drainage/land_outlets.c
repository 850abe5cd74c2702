/* SPDX-License-Identifier: MIT */
#include "common/drainage/land_outlets.h"

#include <thalweg/kernel.h>

#include <string.h>

struct border {
    const float *heights;
    int32_t width, height, cells;
    unsigned closed;
};

static struct border border_of(const float *heights, int32_t width, int32_t height, unsigned closed)
{
    int32_t cells = 2 * (width - 1) + 2 * (height - 1);
    return (struct border){heights, width, height, cells > 0 ? cells : 1, closed};
}

/* Cell i of the border, clockwise from the north-west corner; on maps one cell wide or high some
 * come twice. */
static size_t border_cell(const struct border *b, int32_t i)
{
    int32_t right = b->width - 1, down = b->height - 1, x = 0, y = 0;
    i = (i % b->cells + b->cells) % b->cells;
    if (i < right)
        x = i;
    else if (i < right + down)
        x = right, y = i - right;
    else if (i < 2 * right + down)
        x = 2 * right + down - i, y = down;
    else
        y = 2 * right + 2 * down - i;
    return (size_t)y * (size_t)b->width + (size_t)x;
}

static bool is_open(const struct border *b, int32_t i)
{
    int32_t cell = (int32_t)border_cell(b, i);
    return tw_exits_open(b->closed, cell % b->width, cell / b->width, b->width, b->height);
}

/* Returns true if no cell within reach is lower, nor as low and before it. */
static bool is_gate(const struct border *b, int32_t i, int32_t reach)
{
    float own = b->heights[border_cell(b, i)];
    for (int32_t k = 1; k <= reach; k++)
        if (b->heights[border_cell(b, i - k)] <= own || b->heights[border_cell(b, i + k)] < own)
            return false;
    return true;
}

/* The lowest cell of the open sides is always a gate, so that level borders have one. */
static void mark_gates(const struct border *b, uint8_t *outlet)
{
    int32_t reach = b->width / 8, lowest = -1;
    reach = reach < (b->cells - 1) / 2 ? reach : (b->cells - 1) / 2;
    for (int32_t i = 0; i < b->cells; i++) {
        size_t cell = border_cell(b, i);
        if (!is_open(b, i))
            continue;
        outlet[cell] |= is_gate(b, i, reach);
        if (lowest < 0 || b->heights[cell] < b->heights[border_cell(b, lowest)])
            lowest = i;
    }
    if (lowest >= 0)
        outlet[border_cell(b, lowest)] = 1;
}

void tw_outlets_mark(enum tw_outlets which, const float *heights, int32_t width, int32_t height,
                     unsigned closed, uint8_t *outlet)
{
    size_t count = (size_t)width * (size_t)height, lowest = 0;
    const struct border border = border_of(heights, width, height, closed);
    memset(outlet, 0, count);
    for (size_t i = 0; which == TW_OUTLETS_LOWEST && i < count; i++)
        lowest = heights[i] < heights[lowest] ? i : lowest;
    if (which == TW_OUTLETS_LOWEST)
        outlet[lowest] = 1;
    else if (which == TW_OUTLETS_GATES)
        mark_gates(&border, outlet);
    for (int32_t i = 0; which == TW_OUTLETS_BORDER && i < border.cells; i++)
        outlet[border_cell(&border, i)] = is_open(&border, i);
}

void tw_outlets_flood_border(float *heights, int32_t width, int32_t height, unsigned closed,
                             float level)
{
    const struct border border = border_of(heights, width, height, closed);
    for (int32_t i = 0; i < border.cells; i++)
        if (is_open(&border, i))
            heights[border_cell(&border, i)] = level;
}

void tw_outlets_cover(const struct tw_outlets_map *fine, int32_t width, int32_t height,
                      uint8_t *outlet)
{
    memset(outlet, 0, (size_t)width * (size_t)height);
    for (int32_t y = 0; y < fine->height; y++) {
        const uint8_t *from = fine->outlet + (size_t)y * (size_t)fine->width;
        uint8_t *row = outlet + (size_t)((int64_t)y * height / fine->height) * (size_t)width;
        for (int32_t x = 0; x < fine->width; x++)
            if (from[x])
                row[(int64_t)x * width / fine->width] = 1;
    }
}

/* ---- those of a node ---- */

bool tw_land_wraps(const struct tw_task *task, int32_t border)
{
    return tw_task_wraps(task, border < TW_LAND_FREE ? border : TW_BORDER_CLOSED);
}

bool tw_land_forecast_wraps(const struct tw_forecast *f, int32_t border)
{
    return border < TW_LAND_FREE && tw_forecast_wraps(f, border);
}

/* Adds the cells of the input `outlets`; false when it has none. */
static bool add_outlets(const struct tw_value *mask, uint8_t *outlet)
{
    bool found = false;
    for (size_t i = 0; i < tw_value_count(mask); i++) {
        bool here = tw_floats(mask)[i] >= 0.5f;
        outlet[i] |= here;
        found |= here;
    }
    return found;
}

static enum tw_outlets kind_of(const struct tw_task *task, int32_t border, unsigned closed)
{
    bool keeps_border = border == TW_LAND_FIXED || border == TW_LAND_LOW;
    if (tw_land_wraps(task, border) || closed == TW_SIDES_ALL)
        return TW_OUTLETS_LOWEST;
    return keeps_border ? TW_OUTLETS_BORDER : TW_OUTLETS_GATES;
}

enum tw_status tw_land_find_outlets(struct tw_task *task, int32_t border,
                                    const struct tw_labels *closed, const float *in,
                                    const struct tw_value *mask, uint8_t *outlet)
{
    int32_t width = tw_task_width(task), height = tw_task_height(task);
    const unsigned sides = tw_closed_sides(closed);
    const enum tw_outlets kind = kind_of(task, border, sides);
    enum tw_status status = tw_closed_check(task, closed, tw_land_wraps(task, border));
    if (status != TW_OK)
        return status;
    if (!mask || kind == TW_OUTLETS_BORDER)
        tw_outlets_mark(kind, in, width, height, sides, outlet);
    else
        memset(outlet, 0, (size_t)width * (size_t)height);
    if (mask && !add_outlets(mask, outlet))
        return tw_task_fail(task, "'outlets' is nowhere 0.5 or more; it must be somewhere");
    return TW_OK;
}

bool tw_land_is_held(int32_t border, const struct tw_labels *closed)
{
    return border >= TW_LAND_FIXED && closed->count == 0;
}

float tw_land_lowest(const float *in, size_t cells)
{
    float low = in[0];
    for (size_t i = 0; i < cells; i++)
        low = tw_min(low, in[i]);
    return low;
}
