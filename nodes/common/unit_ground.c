/* SPDX-License-Identifier: MIT */
#include "common/unit_ground.h"

#include "common/opening.h"
#include "common/steepness.h"

#include <thalweg/kernel.h>

#include <string.h>

bool tw_unit_ground_lay_out(struct tw_scratch *s, struct tw_unit_ground *g)
{
    struct tw_bitmap *const maps[] = {&g->walkable, &g->flat, &g->places, &g->spare};
    g->width = tw_scratch_width(s);
    g->height = tw_scratch_height(s);
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        tw_bitmap_lay_out(s, false, maps[i]);
    tw_cell_runs_lay_out(s, &g->runs);
    g->rank = tw_scratch_maps(s, 1, sizeof *g->rank);
    g->members = tw_scratch_take(s, (uint64_t)g->width * (uint64_t)g->height + 1, sizeof(int32_t));
    return tw_cost_heap_lay_out(s, g->width * g->height, &g->heap);
}

/* ---- labels ---- */

/* Numbers the groups by falling size, on ties by their first run. */
static void rank_groups(struct tw_unit_ground *g)
{
    const struct tw_cell_run *run = g->runs.run;
    const int32_t runs = g->runs.row[g->height];
    tw_cost_heap_clear(&g->heap);
    for (int32_t i = 0; i < runs; i++)
        g->heap.cost[i] = 0;
    for (int32_t i = 0; i < runs; i++)
        g->heap.cost[run[i].group] -= run[i].end - run[i].begin;
    for (int32_t i = 0; i < runs; i++)
        if (run[i].group == i)
            tw_cost_heap_lower(&g->heap, i, g->heap.cost[i]);
    g->groups = g->count = 0;
    for (int32_t i; (i = tw_cost_heap_pop(&g->heap)) >= 0;) {
        g->rank[i] = ++g->groups;
        g->members[g->groups] = (int32_t)-g->heap.cost[i];
        g->count += g->members[g->groups];
    }
}

static void label_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_unit_ground *g = context;
    for (int32_t y = begin; y < end; y++) {
        int32_t *row = g->label + (size_t)y * (size_t)g->width;
        for (int32_t x = 0; x < g->width; x++)
            row[x] = 0;
        for (int32_t i = g->runs.row[y]; i < g->runs.row[y + 1]; i++)
            for (int32_t x = g->runs.run[i].begin; x < g->runs.run[i].end; x++)
                row[x] = g->rank[g->runs.run[i].group];
    }
}

static void block_cells(const float *block, const struct tw_bitmap *map)
{
    for (int32_t y = 0; block && y < map->height; y++) {
        uint64_t *row = tw_bitmap_row(map, y);
        for (int32_t x = 0; x < map->width; x++, block++)
            row[x / 64] &= ~((uint64_t)(*block >= 0.5f) << x % 64);
    }
}

enum tw_status tw_unit_ground_find(struct tw_task *task, const struct tw_unit_rules *rules,
                                   const float *heights, struct tw_unit_ground *g)
{
    const struct tw_gentle gentle[TW_STEEPNESS_LIMITS] = {
        {rules->unit_talus / (float)g->width, &g->walkable},
        {rules->building_talus / (float)g->width, &g->flat},
    };
    const struct tw_scratch_mark then = tw_task_scratch_mark(task);
    struct tw_steepness unused;
    enum tw_status status = tw_steepness_measure(task, heights, gentle, &unused);
    tw_task_scratch_return(task, then);
    if (status != TW_OK)
        return status;
    g->size = rules->unit_size;
    block_cells(rules->block, &g->walkable);
    tw_bitmap_copy(&g->walkable, &g->places);
    tw_opening_erode(task, g->size, &g->places, &g->spare);
    status = tw_cell_runs_find(task, &g->places, &g->runs);
    if (status != TW_OK)
        return status;
    rank_groups(g);
    tw_rows(task, g->height, 64, label_rows, g);
    return TW_OK;
}

void tw_unit_ground_forecast(struct tw_forecast *f) { tw_steepness_forecast(f); }

/* ---- places ---- */

/* Column or row of the unit's first cell. */
static int32_t first_cell(const struct tw_unit_ground *g, float at, int32_t cells)
{
    float in_cells = tw_cut_to_integer(at * (float)cells);
    if (g->size % 2 == 0)
        return tw_floor(in_cells + 0.5f) - g->size / 2;
    int32_t centre = tw_floor(in_cells);
    return (centre < cells ? centre : cells - 1) - g->size / 2;
}

int32_t tw_unit_ground_try(const struct tw_unit_ground *g, const struct tw_point *point)
{
    int32_t x = first_cell(g, point->x, g->width), y = first_cell(g, point->y, g->height);
    if (x < 0 || y < 0 || x >= g->width || y >= g->height)
        return -1;
    return g->label[y * g->width + x] ? y * g->width + x : -1;
}

/* On ties the first in reading order. */
static int32_t find_nearest(const struct tw_unit_ground *g, int32_t x, int32_t y)
{
    int32_t best = -1;
    int64_t least = INT64_MAX;
    for (int32_t i = 0; i < g->width * g->height; i++) {
        int64_t dx = i % g->width - x, dy = i / g->width - y;
        if (g->label[i] && dx * dx + dy * dy < least) {
            least = dx * dx + dy * dy;
            best = i;
        }
    }
    return best;
}

enum tw_status tw_unit_ground_place(struct tw_task *task, const struct tw_unit_ground *g,
                                    const char *port, int32_t number, const struct tw_point *point,
                                    int32_t *place)
{
    *place = tw_unit_ground_try(g, point);
    if (*place >= 0)
        return TW_OK;
    int32_t x = first_cell(g, point->x, g->width), y = first_cell(g, point->y, g->height);
    int32_t nearest = find_nearest(g, x, y);
    if (nearest < 0)
        return tw_task_fail(task,
                            "there is no place for a unit of %d x %d cells; expected gentler "
                            "ground, a greater unit_talus or a smaller unit_size",
                            g->size, g->size);
    return tw_task_fail(
        task,
        "point %d of '%s', {x: %.6g, y: %.6g}, is not on ground for a unit of %d x %d cells; "
        "the nearest is at {x: %.6g, y: %.6g}",
        number, port, (double)point->x, (double)point->y, g->size, g->size,
        (nearest % g->width + 0.5 * g->size) / g->width,
        (nearest / g->width + 0.5 * g->size) / g->height);
}

int32_t tw_unit_ground_step(const struct tw_unit_ground *g, int32_t place, int k)
{
    static const int8_t dx[8] = {0, -1, 1, 0, -1, 1, -1, 1}, dy[8] = {-1, 0, 0, 1, -1, -1, 1, 1};
    int32_t x = place % g->width + dx[k], y = place / g->width + dy[k];
    if (x < 0 || y < 0 || x >= g->width || y >= g->height)
        return -1;
    int32_t to = y * g->width + x;
    bool open = g->label[to] > 0;
    if (open && k >= 4)
        open = g->label[place + dx[k]] > 0 && g->label[to - dx[k]] > 0;
    return open ? to : -1;
}

static bool is_near(const struct tw_unit_ground *g, int32_t a, int32_t b, int32_t range)
{
    int32_t dx = a % g->width - b % g->width, dy = a / g->width - b / g->width;
    return dx <= range && -dx <= range && dy <= range && -dy <= range;
}

void tw_unit_flood(const struct tw_unit_ground *g, int32_t start, int32_t range,
                   struct tw_flood *flood)
{
    memset(flood->steps, 0xff, (size_t)g->width * (size_t)g->height * sizeof *flood->steps);
    flood->count = 1;
    flood->queue[0] = start;
    flood->steps[start] = 0;
    for (int32_t i = 0; i < flood->count; i++) {
        int32_t at = flood->queue[i];
        for (int k = 0; k < 4; k++) {
            int32_t to = tw_unit_ground_step(g, at, k);
            if (to < 0 || flood->steps[to] >= 0 || !is_near(g, start, to, range))
                continue;
            flood->steps[to] = flood->steps[at] + 1;
            flood->queue[flood->count++] = to;
        }
    }
}
