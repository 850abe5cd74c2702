/* SPDX-License-Identifier: MIT */
#include "measure/kernels/reach_ways.h"

#include <thalweg/kernel.h>

enum { POLL = 1 << 16 };

enum tw_status tw_reach_lengths(struct tw_task *task, struct tw_unit_ground *g, int32_t start)
{
    struct tw_cost_heap *heap = &g->heap;
    tw_cost_heap_clear(heap);
    tw_cost_heap_lower(heap, start, 0);
    for (int32_t at, taken = 0; (at = tw_cost_heap_pop(heap)) >= 0; taken++) {
        if (taken % POLL == 0 && tw_task_cancelled(task))
            return TW_CANCELLED;
        for (int k = 0; k < 8; k++) {
            int32_t to = tw_unit_ground_step(g, at, k);
            double cost = heap->cost[at] + (k < 4 ? TW_STEP : TW_STEP_DIAGONAL);
            if (to >= 0 && cost < heap->cost[to])
                tw_cost_heap_lower(heap, to, cost);
        }
    }
    return TW_OK;
}

/* ---- clearance ---- */

bool tw_clearance_lay_out(struct tw_scratch *s, struct tw_clearance *c)
{
    c->open = tw_scratch_maps(s, 1, sizeof *c->open);
    c->room = tw_scratch_maps(s, 1, sizeof *c->room);
    return tw_distance_lay_out(s, &c->space, false);
}

static int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }

/* Beyond the border there is no place either; the last places are a unit before it. */
static void limit_room(const struct tw_unit_ground *g, float *room)
{
    for (int32_t y = 0; y < g->height; y++)
        for (int32_t x = 0; x < g->width; x++, room++) {
            int32_t across = least(x + 1, g->width - g->size + 1 - x);
            int32_t along = least(y + 1, g->height - g->size + 1 - y);
            *room = tw_min(*room, (float)least(across, along));
        }
}

/* Enters the neighbours of a place; the cost of a way is minus its least room. */
static void widen(struct tw_unit_ground *g, const float *room, int32_t at)
{
    for (int k = 0; k < 4; k++) {
        int32_t to = tw_unit_ground_step(g, at, k);
        if (to < 0)
            continue;
        double narrow = -(double)room[to];
        double cost = g->heap.cost[at] > narrow ? g->heap.cost[at] : narrow;
        if (cost < g->heap.cost[to])
            tw_cost_heap_lower(&g->heap, to, cost);
    }
}

static double least_of_starts(const struct tw_unit_ground *g, const int32_t *starts, int32_t count)
{
    double widest = -g->heap.cost[starts[0]];
    for (int32_t i = 1; i < count; i++)
        widest = -g->heap.cost[starts[i]] < widest ? -g->heap.cost[starts[i]] : widest;
    return widest > 0 ? widest : 0;
}

enum tw_status tw_clearance_find(struct tw_task *task, struct tw_unit_ground *g,
                                 const struct tw_clearance *c, const int32_t *starts, int32_t count,
                                 double *widest)
{
    const struct tw_distance distance = {.in = c->open, .scale = 1, .limit = 1e9f};
    for (int32_t i = 0; i < g->width * g->height; i++)
        c->open[i] = g->label[i] ? 1.0f : 0.0f;
    enum tw_status status = tw_distance_transform(task, &distance, &c->space, c->room);
    if (status != TW_OK)
        return status;
    limit_room(g, c->room);
    tw_cost_heap_clear(&g->heap);
    tw_cost_heap_lower(&g->heap, starts[0], -(double)c->room[starts[0]]);
    for (int32_t at, taken = 0; (at = tw_cost_heap_pop(&g->heap)) >= 0; taken++) {
        if (taken % POLL == 0 && tw_task_cancelled(task))
            return TW_CANCELLED;
        widen(g, c->room, at);
    }
    *widest = least_of_starts(g, starts, count);
    return TW_OK;
}
