/* SPDX-License-Identifier: MIT */
/* Elevation and temperature, Weiss 2015, IV-D: steps from the coast, none along or over lakes. */
#include "common/island_example.h"
#include "island/kernels/polymap_build.h"
#include "island/kernels/polymap_water.h"

#include <thalweg/kernel.h>

static const struct tw_port inputs[] = {
    {"in", TW_POLYMAP, 0, "polygons with land, lakes and ocean"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_POLYMAP, 0, "with elevation and temperature"},
    TW_PORT_END,
};

/* Breadth-first with steps of 0 and 1. Level by level, corners that a step of 0 reaches join the
 * level being expanded, so everything is settled in the order of its distance. */
struct search {
    const struct tw_polymap *map;
    int32_t *steps; /* from the coast, INT32_MAX while unknown */
    bool *settled;
    int32_t *level, *next; /* twice the corners: each joins at most two levels */
    int32_t count, next_count;
    int32_t rank;
};

static void settle(struct search *w, int32_t corner)
{
    const struct tw_polymap *map = w->map;
    w->settled[corner] = true;
    map->corner_rank[corner] = map->corner_flags[corner] & TW_OCEAN ? -1 : w->rank++;
    for (int32_t s = map->corner_start[corner]; s < map->corner_start[corner + 1]; s++) {
        const struct tw_polymap_edge *edge = &map->edge[map->spoke[s]];
        int32_t other = tw_polymap_far_end(edge, corner);
        int32_t step =
            tw_polymap_is_lake(map, edge->d0) || tw_polymap_is_lake(map, edge->d1) ? 0 : 1;
        if (w->steps[corner] + step >= w->steps[other])
            continue;
        w->steps[other] = w->steps[corner] + step;
        if (step == 0)
            w->level[w->count++] = other;
        else
            w->next[w->next_count++] = other;
    }
}

static void search_from_coast(struct search *w)
{
    for (int32_t c = 0; c < w->map->corners; c++) {
        bool coast = w->map->corner_flags[c] & TW_COAST;
        w->settled[c] = false;
        w->steps[c] = coast ? 0 : INT32_MAX;
        if (coast)
            w->level[w->count++] = c;
    }
    while (w->count > 0) {
        for (int32_t i = 0; i < w->count; i++)
            if (!w->settled[w->level[i]])
                settle(w, w->level[i]);
        int32_t *done = w->level;
        w->level = w->next;
        w->count = w->next_count;
        w->next = done;
        w->next_count = 0;
    }
}

/* Land rises and the sea floor falls a unit a step; the highest corner is 1, the floor stops at
 * -1. */
static void set_elevation(const struct tw_polymap *map, const int32_t *steps)
{
    int32_t highest = 1;
    for (int32_t c = 0; c < map->corners; c++)
        if (!(map->corner_flags[c] & TW_OCEAN) && steps[c] > highest)
            highest = steps[c];
    for (int32_t c = 0; c < map->corners; c++) {
        float height = (float)steps[c] / (float)highest;
        if (map->corner_flags[c] & TW_OCEAN)
            height = tw_max(-height, -1.0f);
        map->corner_elevation[c] = height;
        map->corner_temperature[c] = 1.0f - tw_max(height, 0.0f);
    }
    tw_polymap_average(map, map->corner_elevation, map->cell_elevation);
    tw_polymap_average(map, map->corner_temperature, map->cell_temperature);
}

static enum tw_status run(struct tw_task *task)
{
    struct tw_polymap map;
    enum tw_status status = tw_polymap_copy(task, TW_LAYER_SHAPE, "island.shape", &map);
    if (status != TW_OK)
        return status;
    size_t corners = (size_t)map.corners;
    struct search search = {.map = &map,
                            .steps = tw_task_scratch(task, corners, sizeof(int32_t)),
                            .settled = tw_task_scratch(task, corners, sizeof(bool)),
                            .level = tw_task_scratch(task, 2 * corners, sizeof(int32_t)),
                            .next = tw_task_scratch(task, 2 * corners, sizeof(int32_t))};
    if (!search.steps || !search.settled || !search.level || !search.next)
        return tw_task_no_memory(task);
    search_from_coast(&search);
    set_elevation(&map, search.steps);
    map.head->layers = TW_LAYER_SHAPE | TW_LAYER_ELEVATION;
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    tw_forecast_scratch(f, tw_polymap_forecast(f).corners, 5 * sizeof(int32_t) + sizeof(bool));
    f->lists[0] = f->inputs[0];
}

extern const struct tw_node_type tw_node_island_elevation;
const struct tw_node_type tw_node_island_elevation = {
    .name = "island.elevation",
    .version = 1,
    .summary = "heights and temperatures of polygons by steps from the coast",
    .keywords = "island, heights from the coast, temperature",
    .elsewhere = "Island (Gaea)",
    .detail =
        "Gives polygons heights and temperatures by their steps from the coast. Use it after "
        "island.shape; island.edit_raise and island.edit_lower change the result.\n"
        "Corners on the coast are 0. Each step along an edge adds 1 over land and takes 1 over "
        "the ocean; edges that border or cross a lake are free, so that lakes are flat. Land is "
        "divided by the highest corner, and the ocean floor ends at -1. A polygon has the mean "
        "of its corners.\n"
        "    temperature = 1 - max(elevation, 0).",
    .cite = "weiss2015 patel2010",
    .inputs = inputs,
    .outputs = outputs,
    .example = TW_ISLAND_SHAPE "height: {type: island.elevation, in: shape}",
    .run = run,
    .forecast = forecast,
};
