/* SPDX-License-Identifier: MIT */
/* u(c) = max over cells d of z(d) - g n(c, d), where n counts steps within the corridor: each
 * cell's value is that of a path's end, less g once for each step, so that paths of equal length
 * agree to the last bit and images of the corridor get equal heights. */
#include "shape/kernels/ramp.h"

#include <string.h>

enum { POLL = 1 << 16 };

bool tw_ramp_lay_out(struct tw_scratch *s, struct tw_ramp *ramp)
{
    ramp->corridor = tw_scratch_maps(s, 1, sizeof *ramp->corridor);
    ramp->upper = tw_scratch_maps(s, 1, sizeof *ramp->upper);
    return tw_scratch_is_laid(s);
}

void tw_ramp_clear(const struct tw_unit_ground *g, const struct tw_ramp *ramp)
{
    memset(ramp->corridor, 0, (size_t)g->width * (size_t)g->height);
}

static void add_cell(const struct tw_unit_ground *g, const struct tw_ramp *ramp, int32_t x,
                     int32_t y)
{
    for (int32_t i = 0; i < ramp->turns; i++) {
        int32_t cell = y * g->width + x;
        ramp->corridor[cell] |= !ramp->mask || ramp->mask[cell] >= 0.5f;
        int32_t turned = ramp->turns == 2 ? g->width - 1 - x : g->height - 1 - y;
        y = ramp->turns == 2 ? g->height - 1 - y : x;
        x = turned;
    }
}

/* In half cells, so that a corner between cells has whole coordinates. */
void tw_ramp_add(const struct tw_unit_ground *g, const struct tw_ramp *ramp, int32_t place)
{
    const int32_t px = place % g->width, py = place / g->width, reach = 3 * (g->size + 2) / 4 + 1;
    const int64_t limit = 9 * (int64_t)(g->size + 2) * (g->size + 2);
    for (int32_t y = py + g->size / 2 - reach; y <= py + g->size / 2 + reach; y++)
        for (int32_t x = px + g->size / 2 - reach; x <= px + g->size / 2 + reach; x++) {
            int64_t dx = 2 * (x - px) - g->size + 1, dy = 2 * (y - py) - g->size + 1;
            bool inside = x >= 0 && y >= 0 && x < g->width && y < g->height;
            if (inside && 4 * (dx * dx + dy * dy) <= limit)
                add_cell(g, ramp, x, y);
        }
}

static void spread(const struct tw_unit_ground *g, const struct tw_ramp *ramp,
                   struct tw_cost_heap *heap, int32_t at)
{
    const int32_t x = at % g->width, y = at / g->width;
    const int32_t to[4] = {at - g->width, at - 1, at + 1, at + g->width};
    const bool inside[4] = {y > 0, x > 0, x + 1 < g->width, y + 1 < g->height};
    const double cost = heap->cost[at] + (double)ramp->rise;
    for (int k = 0; k < 4; k++)
        if (inside[k] && ramp->corridor[to[k]] && cost < heap->cost[to[k]])
            tw_cost_heap_lower(heap, to[k], cost);
}

/* Leaves in the heap's costs the greatest minorant of sign * heights. */
static enum tw_status bound(struct tw_task *task, struct tw_unit_ground *g,
                            const struct tw_ramp *ramp, const float *heights, double sign)
{
    tw_cost_heap_clear(&g->heap);
    for (int32_t i = 0; i < g->width * g->height; i++)
        if (ramp->corridor[i])
            tw_cost_heap_lower(&g->heap, i, sign * (double)heights[i]);
    for (int32_t at, taken = 0; (at = tw_cost_heap_pop(&g->heap)) >= 0; taken++) {
        if (taken % POLL == 0 && tw_task_cancelled(task))
            return TW_CANCELLED;
        spread(g, ramp, &g->heap, at);
    }
    return TW_OK;
}

enum tw_status tw_ramp_level(struct tw_task *task, struct tw_unit_ground *g,
                             const struct tw_ramp *ramp, float *heights)
{
    const int32_t cells = g->width * g->height;
    enum tw_status status = bound(task, g, ramp, heights, -1);
    for (int32_t i = 0; i < cells; i++)
        ramp->upper[i] = -g->heap.cost[i];
    if (status == TW_OK)
        status = bound(task, g, ramp, heights, 1);
    for (int32_t i = 0; status == TW_OK && i < cells; i++)
        if (ramp->corridor[i])
            heights[i] = (float)(0.5 * (ramp->upper[i] + g->heap.cost[i]));
    return status;
}
