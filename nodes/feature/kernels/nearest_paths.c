/* SPDX-License-Identifier: MIT */
#include "feature/kernels/nearest_paths.h"

#include "feature/kernels/least_cost_settle.h"
#include "feature/kernels/tile_relaxation.h"

#include <string.h>

/* Cells of the longest chain of questions, in sides of the grid, on large natural grids. */
enum { SIDES_A_PATH = 4 };
/* Questions between polls for cancellation, some 2 ms. */
enum { STEPS_A_POLL = 1 << 14 };

/* What an edge to a neighbour, E SE S SW W NW N NE, weighs: a cell keeps those to E SE S SW. */
static double edge_to(const struct tw_weighted_grid *grid, int32_t cell, int k)
{
    const int32_t keeper[TW_DIRECTIONS] = {
        0, 0, 0, 0, -1, -grid->stride - 1, -grid->stride, -grid->stride + 1};
    size_t at = (size_t)(cell + keeper[k]) * TW_WEIGHTED_GRID_EDGES;
    return (double)grid->edges[at + (size_t)(k % TW_WEIGHTED_GRID_EDGES)];
}

/* The neighbour in direction k where a least-cost path from the cell may go on, or -1. */
static int32_t way_to(const struct tw_nearest_paths *paths, int32_t cell, int k)
{
    int32_t stride = paths->grid->stride;
    const int32_t offset[TW_DIRECTIONS] = {1,  stride + 1,  stride,  stride - 1,
                                           -1, -stride - 1, -stride, -stride + 1};
    int32_t to = cell + offset[k];
    return paths->cost[to] + edge_to(paths->grid, cell, k) == paths->cost[cell] ? to : -1;
}

/* Returns the first source among those of the cells where paths may go on; -1 and the cell if its
 * source has yet to be found. */
static int32_t first_source(const struct tw_nearest_paths *paths, int32_t cell, int32_t *unknown)
{
    int32_t first = INT32_MAX;
    for (int k = 0; k < TW_DIRECTIONS; k++) {
        int32_t to = way_to(paths, cell, k);
        if (to < 0)
            continue;
        if (paths->source[to] < 0) {
            *unknown = to;
            return -1;
        }
        first = paths->source[to] < first ? paths->source[to] : first;
    }
    return first;
}

int32_t tw_nearest_paths_source(struct tw_nearest_paths *paths, int32_t cell)
{
    if (!paths->source)
        return tw_search_source(&paths->search, cell);
    paths->stack[0] = cell;
    for (int32_t waiting = paths->source[cell]<0; waiting> 0;) {
        int32_t at = paths->stack[waiting - 1], unknown = -1;
        if (++paths->steps % STEPS_A_POLL == 0 && tw_task_cancelled(paths->task))
            return 0;
        paths->source[at] = first_source(paths, at, &unknown);
        if (unknown >= 0)
            paths->stack[waiting++] = unknown;
        else
            waiting--;
    }
    return paths->source[cell];
}

int32_t tw_nearest_paths_next(struct tw_nearest_paths *paths, int32_t cell)
{
    if (!paths->source)
        return tw_search_predecessor(paths->grid, &paths->search, cell);
    int32_t source = tw_nearest_paths_source(paths, cell), next = cell;
    if (paths->source[cell] < 0) /* cancelled; else those of its ways are known, too */
        return cell;
    for (int k = 0; k < TW_DIRECTIONS; k++) {
        int32_t to = way_to(paths, cell, k);
        if (to < 0 || tw_nearest_paths_source(paths, to) != source)
            continue;
        double cost = paths->cost[to], least = paths->cost[next];
        if (next == cell || cost < least || (cost == least && to < next))
            next = to;
    }
    return next;
}

struct opening {
    const struct tw_weighted_grid *grid;
    double *cost;
    int32_t *source;
};

/* No way leads to the border, and the source is not known yet. */
static void open_rows(void *context, int32_t begin, int32_t end)
{
    const struct opening *o = context;
    int32_t stride = o->grid->stride, bottom = o->grid->height + 1;
    for (int32_t y = begin; y < end; y++) {
        int32_t first = y * stride, step = y == 0 || y == bottom ? 1 : stride - 1;
        for (int32_t x = 0; x < stride; x += step)
            o->cost[first + x] = TW_COST_NONE;
        memset(o->source + first, 0xff, (size_t)stride * sizeof *o->source);
    }
}

static enum tw_status relax(struct tw_task *task, const struct tw_paths *searched, int32_t count,
                            struct tw_nearest_paths *paths)
{
    const struct tw_weighted_grid *grid = paths->grid;
    size_t cells = (size_t)grid->cells;
    size_t sides = SIDES_A_PATH * ((size_t)grid->width + (size_t)grid->height);
    double *cost = tw_task_scratch(task, cells, sizeof *cost);
    paths->source = tw_task_scratch(task, cells, sizeof *paths->source);
    paths->stack = tw_task_reserve(task, cells, sizeof *paths->stack, sides);
    if (!cost || !paths->source || !paths->stack)
        return tw_task_no_memory(task);
    enum tw_status status = tw_tile_relaxation(task, searched, count, cost, NULL);
    if (status != TW_OK)
        return status;
    struct opening opening = {grid, cost, paths->source};
    tw_rows(task, grid->height + 2, 16, open_rows, &opening);
    for (int32_t i = count; i-- > 0;)
        paths->source[searched->sources[i].cell] = i;
    paths->cost = cost;
    return TW_OK;
}

enum tw_status tw_nearest_paths_find(struct tw_task *task, const struct tw_weighted_grid *grid,
                                     const struct tw_path_source *sources, int32_t count,
                                     struct tw_nearest_paths *paths)
{
    const struct tw_bounds all = {.limit = TW_COST_NONE};
    struct tw_paths searched = {
        .task = task, .grid = grid, .sources = sources, .sea = TW_COST_NONE};
    *paths = (struct tw_nearest_paths){.task = task, .grid = grid};
    tw_paths_bound(&searched, 0, true, 0);
    if (tw_task_simd(task) != TW_SIMD_BASE && tw_tile_relaxation_applies(&searched, count))
        return relax(task, &searched, count, paths);
    if (!tw_search_lay_out(&(struct tw_scratch){.task = task}, &searched, &paths->search, 1))
        return tw_task_no_memory(task);
    tw_search_run(&searched, &all, &paths->search, 0, count);
    paths->cost = paths->search.cost;
    return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
}

void tw_nearest_paths_forecast(struct tw_forecast *f, int32_t width, int32_t height)
{
    struct tw_nearest_paths paths;
    uint64_t cells = ((uint64_t)width + 2) * ((uint64_t)height + 2);
    tw_forecast_scratch(f, cells, sizeof *paths.cost + sizeof *paths.source);
    tw_forecast_scratch(f, SIDES_A_PATH * ((uint64_t)width + (uint64_t)height),
                        sizeof *paths.stack);
    tw_tile_relaxation_forecast(f, width, height, false);
}
