/* SPDX-License-Identifier: MIT */
#include "feature/kernels/tile_relaxation.h"

#include "feature/kernels/tile_relaxation_patch.h"

#include <string.h>

/* In typical edges: how far above the lowest key a tile works at a time, and a round. */
enum { NEAR = 4, FAR = 24 };

struct relax {
    const struct tw_paths *paths;
    int32_t count;
    struct tw_tile *tiles;
    double *labels; /* a plane a tile; NULL when all sources are of one feature */
    int32_t columns, rows;
    int32_t *active, active_count; /* tiles of this round */
    double near, far, limit;
    bool labelling;
    bool exchanges; /* what a round does: it drains active tiles, or exchanges their sides */
    bool cancelled;
    tw_visit_fn *visit;
    double *cost;
    int32_t *feature;
};

static double least(double a, double b) { return a < b ? a : b; }

/* ---- a tile ---- */

static double lowest_key(const struct tw_tile *tile)
{
    double lowest = TW_KEY_NONE;
    for (int y = 1; y <= TW_PATCHES; y++)
        for (int x = 1; x <= TW_PATCHES; x++)
            lowest = least(lowest, tile->keys[y * TW_KEYS + x]);
    return lowest;
}

static double *values_of(const struct relax *r, int32_t number)
{
    return r->labelling ? r->labels + (size_t)number * TW_PLANE : r->tiles[number].cost;
}

static void visit(const struct relax *r, int32_t number, int32_t patch)
{
    const struct tw_weighted_grid *grid = r->paths->grid;
    struct tw_tile *tile = &r->tiles[number];
    int32_t x = number % r->columns * TW_TILE + patch % TW_PATCHES * TW_CELLS;
    int32_t y = number / r->columns * TW_TILE + patch / TW_PATCHES * TW_CELLS;
    const struct tw_patch at = {.number = patch,
                                .edges = grid->edges + (size_t)tw_weighted_grid_cell(grid, x, y) *
                                                           TW_WEIGHTED_GRID_EDGES,
                                .stride = (size_t)grid->stride,
                                .rows = grid->height - y};
    if (tile->held[patch] == UINT64_MAX)
        *tw_tile_key(tile, patch) = TW_KEY_NONE; /* maybe outside the map */
    else
        r->visit(tile, values_of(r, number), &at);
}

/* Visits the patches that wait for a cost below the limit, those of about the lowest first. */
static void drain(const struct relax *r, int32_t number)
{
    struct tw_tile *tile = &r->tiles[number];
    while ((tile->lowest = lowest_key(tile)) <= r->limit) {
        double below = least(tile->lowest + r->near, r->limit);
        for (int32_t patch = 0; patch < TW_PATCHES * TW_PATCHES; patch++)
            if (*tw_tile_key(tile, patch) <= below)
                visit(r, number, patch);
    }
}

/* Cells from..to of a side that a patch at `key`, within or outside, sees of this tile. */
static void seen_from(int32_t key, int32_t *from, int32_t *to)
{
    int32_t first = (key - 1) * TW_CELLS - 1, last = key * TW_CELLS;
    *from = first < 0 ? 0 : first >= TW_TILE ? TW_TILE - 1 : first;
    *to = last >= TW_TILE ? TW_TILE - 1 : last;
}

static void copy_seen(const struct relax *r, int32_t from, int32_t to, int32_t key_x, int32_t key_y)
{
    int32_t dx = key_x == 0 ? -1 : key_x > TW_PATCHES, dy = key_y == 0 ? -1 : key_y > TW_PATCHES;
    int32_t x0, x1, y0, y1;
    seen_from(key_x, &x0, &x1);
    seen_from(key_y, &y0, &y1);
    for (int32_t y = y0; y <= y1; y++)
        for (int32_t x = x0; x <= x1; x++) {
            size_t mine = tw_tile_place(x, y),
                   theirs = tw_tile_place(x - dx * TW_TILE, y - dy * TW_TILE);
            values_of(r, to)[theirs] = values_of(r, from)[mine];
        }
}

/* tw_wake() for a key that other tiles may wake at the same time. */
static void wake_shared(double *key, double cost)
{
    double seen;
    __atomic_load(key, &seen, __ATOMIC_RELAXED);
    while (cost < seen &&
           !__atomic_compare_exchange(key, &seen, &cost, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
}

/* Hands what changed at the sides of a tile to its neighbours, of which each tile writes other
 * cells. */
static void exchange(const struct relax *r, int32_t number)
{
    struct tw_tile *tile = &r->tiles[number];
    for (int32_t y = 0; y < TW_KEYS; y++)
        for (int32_t x = 0; x < TW_KEYS; x += y == 0 || y == TW_KEYS - 1 ? 1 : TW_KEYS - 1) {
            double *key = &tile->keys[y * TW_KEYS + x], cost = *key;
            int32_t dx = x == 0 ? -1 : x > TW_PATCHES, dy = y == 0 ? -1 : y > TW_PATCHES;
            int32_t column = number % r->columns + dx, row = number / r->columns + dy;
            *key = TW_KEY_NONE;
            if (cost >= TW_KEY_NONE || column < 0 || row < 0 || column >= r->columns ||
                row >= r->rows)
                continue;
            int32_t other = row * r->columns + column;
            copy_seen(r, number, other, x, y);
            wake_shared(
                &r->tiles[other].keys[(y - dy * TW_PATCHES) * TW_KEYS + x - dx * TW_PATCHES], cost);
            wake_shared(&r->tiles[other].lowest, cost);
        }
}

/* ---- the grid ---- */

static int32_t patch_of(int32_t x, int32_t y) { return y / TW_CELLS * TW_PATCHES + x / TW_CELLS; }

static uint64_t bit_of(int32_t x, int32_t y)
{
    return (uint64_t)1 << (y % TW_CELLS * TW_CELLS + x % TW_CELLS);
}

static void fill_tile(const struct relax *r, int32_t number)
{
    const struct tw_weighted_grid *grid = r->paths->grid;
    struct tw_tile *tile = &r->tiles[number];
    int32_t left = number % r->columns * TW_TILE, top = number / r->columns * TW_TILE;
    for (int i = 0; i < TW_PLANE; i++)
        tile->cost[i] = TW_FAR;
    memset(tile->held, 0, sizeof tile->held);
    if (left + TW_TILE > grid->width || top + TW_TILE > grid->height)
        for (int32_t y = 0; y < TW_TILE; y++)
            for (int32_t x = 0; x < TW_TILE; x++)
                if (left + x >= grid->width || top + y >= grid->height)
                    tile->held[patch_of(x, y)] |= bit_of(x, y);
    for (int i = 0; i < TW_KEYS * TW_KEYS; i++)
        tile->keys[i] = TW_KEY_NONE;
    tile->lowest = TW_KEY_NONE;
    for (int i = 0; i < TW_PLANE && r->labels; i++)
        r->labels[(size_t)number * TW_PLANE + (size_t)i] = TW_FAR;
}

static void fill_tiles(void *context, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i++)
        fill_tile(context, i);
}

static int32_t tile_of(const struct relax *r, int32_t cell, int32_t *x, int32_t *y)
{
    *x = cell % r->paths->grid->stride - 1;
    *y = cell / r->paths->grid->stride - 1;
    int32_t number = *y / TW_TILE * r->columns + *x / TW_TILE;
    *x %= TW_TILE;
    *y %= TW_TILE;
    return number;
}

/* Gives a source's cell its cost or label; false when an earlier source has the cell. One too low
 * to lead anywhere holds its cell too. */
static bool place_source(const struct relax *r, const struct tw_path_source *source, int32_t number,
                         int32_t x, int32_t y)
{
    uint64_t *held = &r->tiles[number].held[patch_of(x, y)];
    double *value = values_of(r, number) + tw_tile_place(x, y);
    if (r->labelling ? *value < TW_FAR : (*held & bit_of(x, y)) != 0)
        return false;
    *held |= bit_of(x, y);
    if (r->labelling)
        *value = source->feature;
    else if (source->cost < r->paths->sea)
        *value = source->cost;
    return true;
}

/* Wakes the patches around the sources. */
static void place_sources(const struct relax *r)
{
    for (int32_t i = 0; i < r->count; i++) {
        const struct tw_path_source *source = &r->paths->sources[i];
        int32_t x, y, number = tile_of(r, source->cell, &x, &y);
        struct tw_tile *tile = &r->tiles[number];
        if (!place_source(r, source, number, x, y) || source->cost >= r->paths->sea)
            continue;
        for (int32_t k = 0; k < 9; k++)
            tw_wake(tw_tile_key(tile, patch_of(x, y)) + (k / 3 - 1) * TW_KEYS + k % 3 - 1,
                    source->cost);
        tw_wake(&tile->lowest, source->cost);
    }
    for (int32_t i = 0; i < r->columns * r->rows; i++)
        exchange(r, i);
}

static void work(void *context, int32_t part)
{
    const struct relax *r = context;
    if (r->exchanges)
        exchange(r, r->active[part]);
    else
        drain(r, r->active[part]);
}

/* The tiles with the lowest costs; none when nothing waits any more. */
static int32_t choose_active(struct relax *r)
{
    double lowest = TW_KEY_NONE;
    r->active_count = 0;
    for (int32_t i = 0; i < r->columns * r->rows; i++)
        lowest = least(lowest, r->tiles[i].lowest);
    r->limit = lowest + r->far;
    for (int32_t i = 0; i < r->columns * r->rows && lowest < TW_KEY_NONE; i++)
        if (r->tiles[i].lowest <= r->limit)
            r->active[r->active_count++] = i;
    return r->active_count;
}

/* A round drains tiles, the next exchanges what changed. */
static int32_t next_round(void *context)
{
    struct relax *r = context;
    r->exchanges = !r->exchanges;
    if (r->exchanges)
        return r->active_count;
    r->cancelled = tw_task_cancelled(r->paths->task);
    return r->cancelled ? 0 : choose_active(r);
}

static enum tw_status settle(struct tw_task *task, struct relax *r)
{
    place_sources(r);
    r->exchanges = true;
    tw_rounds_run(task, work, next_round, r);
    return r->cancelled ? TW_CANCELLED : TW_OK;
}

/* Costs and features of one row of the map within one tile. */
static void write_piece(const struct relax *r, int32_t number, int32_t x, int32_t y, int32_t count)
{
    const struct tw_weighted_grid *grid = r->paths->grid;
    const int32_t only = r->paths->sources[0].feature;
    size_t at = tw_tile_place(0, y % TW_TILE);
    const double *costs = r->tiles[number].cost + at;
    const double *labels = r->labels ? r->labels + (size_t)number * TW_PLANE + at : NULL;
    memcpy(r->cost + tw_weighted_grid_cell(grid, x, y), costs, (size_t)count * sizeof *costs);
    if (!r->feature)
        return;
    int32_t *feature = r->feature + (size_t)y * (size_t)grid->width + (size_t)x;
    for (int32_t i = 0; i < count; i++)
        feature[i] = costs[i] >= TW_FAR ? -1 : labels ? (int32_t)labels[i] : only;
}

static void write_rows(void *context, int32_t begin, int32_t end)
{
    const struct relax *r = context;
    int32_t width = r->paths->grid->width;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < width; x += TW_TILE)
            write_piece(r, y / TW_TILE * r->columns + x / TW_TILE, x, y,
                        width - x < TW_TILE ? width - x : TW_TILE);
}

/* Sources too low to lead anywhere still show their cost; the first of a cell has it. */
static void show_drowned(const struct relax *r)
{
    const struct tw_weighted_grid *grid = r->paths->grid;
    for (int32_t i = r->count - 1; i >= 0 && r->paths->sources[i].cost >= r->paths->sea; i--) {
        const struct tw_path_source *source = &r->paths->sources[i];
        int32_t x = source->cell % grid->stride - 1, y = source->cell / grid->stride - 1;
        if (r->cost[source->cell] < r->paths->sea)
            continue;
        r->cost[source->cell] = source->cost;
        if (r->feature)
            r->feature[(size_t)y * (size_t)grid->width + (size_t)x] = source->feature;
    }
}

bool tw_tile_relaxation_applies(const struct tw_paths *paths, int32_t count)
{
    const struct tw_weighted_grid *grid = paths->grid;
    double side = (double)(grid->width > grid->height ? grid->width : grid->height);
    if (paths->least * 1e12 < paths->sources[0].cost + paths->most * side)
        return false;
    for (int32_t i = 0; i < count; i++) {
        const struct tw_path_source *source = &paths->sources[i];
        if (source->profile >= 0 || source->domain >= 0 || source->yields)
            return false;
    }
    return true;
}

static enum tw_status create_tiles(struct tw_task *task, struct relax *r)
{
    bool several = false;
    for (int32_t i = 1; r->feature && i < r->count; i++)
        several = several || r->paths->sources[i].feature != r->paths->sources[0].feature;
    r->columns = (r->paths->grid->width + TW_TILE - 1) / TW_TILE;
    r->rows = (r->paths->grid->height + TW_TILE - 1) / TW_TILE;
    size_t tiles = (size_t)r->columns * (size_t)r->rows;
    r->tiles = tw_task_scratch(task, tiles, sizeof *r->tiles);
    r->active = tw_task_scratch(task, tiles, sizeof *r->active);
    r->labels = several ? tw_task_scratch(task, tiles * TW_PLANE, sizeof *r->labels) : NULL;
    if (!r->tiles || !r->active || (several && !r->labels))
        return tw_task_no_memory(task);
    tw_rows(task, (int32_t)tiles, 1, fill_tiles, r);
    return TW_OK;
}

enum tw_status tw_tile_relaxation(struct tw_task *task, const struct tw_paths *paths, int32_t count,
                                  double *cost, int32_t *feature)
{
    double typical = (paths->least + paths->most) / 2;
    struct relax r = {.paths = paths,
                      .count = count,
                      .near = NEAR * typical,
                      .far = FAR * typical,
                      .visit = tw_tile_relaxation_visit(tw_task_simd(task)),
                      .cost = cost,
                      .feature = feature};
    enum tw_status status = create_tiles(task, &r);
    if (status == TW_OK)
        status = settle(task, &r);
    if (status == TW_OK && r.labels) {
        r.labelling = true;
        status = settle(task, &r);
    }
    if (status != TW_OK)
        return status;
    tw_rows(task, paths->grid->height, 16, write_rows, &r);
    show_drowned(&r);
    return TW_OK;
}

void tw_tile_relaxation_forecast(struct tw_forecast *f, int32_t width, int32_t height, bool labels)
{
    struct relax r;
    uint64_t across = ((uint64_t)width + TW_TILE - 1) / TW_TILE;
    uint64_t down = ((uint64_t)height + TW_TILE - 1) / TW_TILE;
    tw_forecast_scratch(f, across * down, sizeof *r.tiles + sizeof *r.active);
    if (labels)
        tw_forecast_scratch(f, across * down * TW_PLANE, sizeof *r.labels);
}
