/* SPDX-License-Identifier: MIT */
#include "island/kernels/polymap_edit.h"

#include "island/kernels/corner_heap.h"
#include "island/kernels/polymap_build.h"
#include "island/kernels/polymap_water.h"

#include <thalweg/kernel.h>

enum { COLUMN_X, COLUMN_Y, COLUMN_RADIUS, COLUMN_BY, COLUMNS };

static const struct tw_column columns[] = {
    {"x", 0, 0, 1, true, TW_UNIT_SIDE, "centre, from the west"},
    {"y", 0, 0, 1, true, TW_UNIT_SIDE_SOUTH, "centre, from the north"},
    {"radius", 0.1, 1e-6, 2, false, TW_UNIT_SIDE, "where the brush ends"},
    {"by", 0.25, 0, 10, false, "share of the range", "the change at the centre"},
    TW_COLUMN_END,
};

const struct tw_param tw_edit_params[] = {
    TW_PARAM_TABLE(struct tw_edit_params, at, columns, "round brushes: {x, y, radius, by}"),
    TW_PARAM_END,
};

/* (1 - d^2 / r^2)^2: smooth at the centre and at the rim. */
static float brush(const float *row, struct tw_polymap_place at)
{
    float dx = (at.x + 1.0f) * 0.5f - row[COLUMN_X], dy = (at.y + 1.0f) * 0.5f - row[COLUMN_Y];
    float share = 1.0f - (dx * dx + dy * dy) / (row[COLUMN_RADIUS] * row[COLUMN_RADIUS]);
    return share > 0 ? row[COLUMN_BY] * share * share : 0;
}

/* ---- elevation: what follows from its change ---- */

/* Sea floor that rose above 0 becomes land; the flood then makes a lake of what that cuts off. */
static void raise_sea_floor(const struct tw_polymap *map)
{
    for (int32_t i = 0; i < map->cells; i++)
        if ((map->cell_flags[i] & TW_OCEAN) && !(map->cell_flags[i] & TW_BORDER) &&
            map->cell_elevation[i] > 0)
            map->cell_flags[i] &= ~(uint32_t)TW_WATER;
}

/* Land below 0 becomes ocean where the sea reaches it. Lakes stay, but for those that the sea
 * reaches. `sunk` and `stack` hold `cells` numbers. */
static void flood_anew(const struct tw_polymap *map, int32_t *sunk, int32_t *stack)
{
    for (int32_t i = 0; i < map->cells; i++) {
        sunk[i] = !(map->cell_flags[i] & TW_WATER) && map->cell_elevation[i] < 0;
        if (sunk[i])
            map->cell_flags[i] |= TW_WATER;
    }
    tw_polymap_flood(map, stack);
    for (int32_t i = 0; i < map->cells; i++)
        if (sunk[i] && !(map->cell_flags[i] & TW_OCEAN))
            map->cell_flags[i] &= ~(uint32_t)TW_WATER;
    tw_polymap_mark_shores(map);
}

/* Corners of one lake, listed from one of them on along edges of lake polygons. */
static int32_t list_lake(const struct tw_polymap *map, int32_t from, bool *seen, int32_t *lake)
{
    int32_t count = 1;
    lake[0] = from;
    seen[from] = true;
    for (int32_t i = 0; i < count; i++)
        for (int32_t s = map->corner_start[lake[i]]; s < map->corner_start[lake[i] + 1]; s++) {
            const struct tw_polymap_edge *edge = &map->edge[map->spoke[s]];
            int32_t other = tw_polymap_far_end(edge, lake[i]);
            if (seen[other] ||
                !(tw_polymap_is_lake(map, edge->d0) || tw_polymap_is_lake(map, edge->d1)))
                continue;
            seen[other] = true;
            lake[count++] = other;
        }
    return count;
}

/* Levels every lake at its lowest corner. `seen` and `lake` hold `corners` entries. */
static void level_lakes(const struct tw_polymap *map, bool *seen, int32_t *lake)
{
    memset(seen, 0, (size_t)map->corners);
    for (int32_t c = 0; c < map->corners; c++) {
        if (seen[c] || !(map->corner_flags[c] & TW_SHORE))
            continue;
        int32_t count = list_lake(map, c, seen, lake);
        float level = map->corner_elevation[c];
        for (int32_t i = 1; i < count; i++)
            level = tw_min(level, map->corner_elevation[lake[i]]);
        for (int32_t i = 0; i < count; i++)
            map->corner_elevation[lake[i]] = level;
    }
}

/* Ranks by flooding from the coast (Barnes, Lehman, Mulla 2014): a corner's key is the level at
 * which water from it can first leave, so ranks lead to the coast over the lowest sills. */
static void rank_anew(const struct tw_polymap *map, bool *seen, struct tw_corner_heap *heap)
{
    int32_t rank = 0, pushed = 0;
    for (int32_t c = 0; c < map->corners; c++) {
        map->corner_rank[c] = -1;
        seen[c] = map->corner_flags[c] & (TW_OCEAN | TW_COAST);
        if (map->corner_flags[c] & TW_COAST)
            tw_corner_heap_push(heap,
                                (struct tw_heap_entry){map->corner_elevation[c], pushed++, c});
    }
    while (heap->count > 0) {
        struct tw_heap_entry top = tw_corner_heap_pop(heap);
        map->corner_rank[top.corner] = rank++;
        for (int32_t s = map->corner_start[top.corner]; s < map->corner_start[top.corner + 1];
             s++) {
            int32_t other = tw_polymap_far_end(&map->edge[map->spoke[s]], top.corner);
            if (seen[other])
                continue;
            seen[other] = true;
            float key = tw_max(top.key, map->corner_elevation[other]);
            tw_corner_heap_push(heap, (struct tw_heap_entry){key, pushed++, other});
        }
    }
}

/* Lowers the temperature by as much as land rose. */
static void cool(const struct tw_polymap *map, const float *before)
{
    for (int32_t c = 0; c < map->corners; c++) {
        float rise = tw_max(map->corner_elevation[c], 0.0f) - tw_max(before[c], 0.0f);
        map->corner_temperature[c] = tw_clamp(map->corner_temperature[c] - rise, 0.0f, 1.0f);
    }
}

static enum tw_status settle_elevation(struct tw_task *task, const struct tw_polymap *map,
                                       const float *before)
{
    size_t corners = (size_t)map->corners, cells = (size_t)map->cells;
    bool *seen = tw_task_scratch(task, corners, sizeof *seen);
    int32_t *lake = tw_task_scratch(task, corners, sizeof *lake);
    int32_t *sunk = tw_task_scratch(task, cells, sizeof *sunk);
    int32_t *stack = tw_task_scratch(task, cells, sizeof *stack);
    struct tw_corner_heap heap = {tw_task_scratch(task, corners, sizeof *heap.at), 0};
    if (!seen || !lake || !sunk || !stack || !heap.at)
        return tw_task_no_memory(task);
    tw_polymap_average(map, map->corner_elevation, map->cell_elevation);
    raise_sea_floor(map);
    flood_anew(map, sunk, stack);
    level_lakes(map, seen, lake);
    /* A lake that sinks takes its shores with it, which the sea may then reach. The lakes that are
     * left afterwards are level already. */
    tw_polymap_average(map, map->corner_elevation, map->cell_elevation);
    flood_anew(map, sunk, stack);
    rank_anew(map, seen, &heap);
    cool(map, before);
    tw_polymap_average(map, map->corner_temperature, map->cell_temperature);
    return TW_OK;
}

/* ---- the nodes' run ---- */

static void apply(const struct tw_polymap *map, const float *row, float sign, float *values)
{
    for (int32_t c = 0; c < map->corners; c++)
        values[c] += sign * brush(row, map->corner_at[c]);
}

static void clamp_values(const struct tw_polymap *map, float *values)
{
    for (int32_t c = 0; c < map->corners; c++)
        values[c] = tw_clamp(values[c], 0.0f, 1.0f);
}

enum tw_status tw_polymap_edit(struct tw_task *task, enum tw_edit_target target, float sign)
{
    const struct tw_edit_params *p = tw_task_params(task);
    bool wet = target == TW_EDIT_MOISTURE;
    struct tw_polymap map;
    enum tw_status status = tw_polymap_copy(task, wet ? TW_LAYER_MOISTURE : TW_LAYER_ELEVATION,
                                            wet ? "island.moisture" : "island.elevation", &map);
    if (status != TW_OK)
        return status;
    /* later nodes compute their layers again */
    map.head->layers &= target == TW_EDIT_ELEVATION ? TW_LAYER_SHAPE | TW_LAYER_ELEVATION
                                                    : ~(uint32_t)TW_LAYER_BIOMES;
    float *values = wet                             ? map.corner_moisture
                    : target == TW_EDIT_TEMPERATURE ? map.corner_temperature
                                                    : map.corner_elevation;
    float *before = tw_task_scratch(task, (size_t)map.corners, sizeof *before);
    if (!before)
        return tw_task_no_memory(task);
    memcpy(before, values, (size_t)map.corners * sizeof *before);
    for (int32_t row = 0; row < p->at.rows; row++) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        apply(&map, p->at.at + (size_t)row * COLUMNS, sign, values);
    }
    if (target == TW_EDIT_ELEVATION)
        return p->at.rows ? settle_elevation(task, &map, before) : TW_OK;
    clamp_values(&map, values);
    tw_polymap_average(&map, values, wet ? map.cell_moisture : map.cell_temperature);
    return TW_OK;
}

void tw_polymap_edit_forecast(struct tw_forecast *f, enum tw_edit_target target)
{
    struct tw_polymap_counts counts = tw_polymap_forecast(f);
    tw_forecast_scratch(f, counts.corners, sizeof(float)); /* before */
    if (target == TW_EDIT_ELEVATION) {
        tw_forecast_scratch(f, counts.corners,
                            sizeof(bool) + sizeof(int32_t) + sizeof(struct tw_heap_entry));
        tw_forecast_scratch(f, counts.cells, 2 * sizeof(int32_t)); /* sunk, stack */
    }
    f->lists[0] = f->inputs[0];
}
