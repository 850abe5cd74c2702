/* SPDX-License-Identifier: MIT */
/* Moisture, Weiss 2015, IV-E: rivers are as moist as they carry water, and every step away from
 * them takes a share. */
#include "common/island_example.h"
#include "island/kernels/corner_heap.h"
#include "island/kernels/polymap_build.h"

struct params {
    float decay;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, decay, 0.8, 0, 0.9999, "factor a step",
                 "of the moisture with each step from a river"),
    TW_PARAM_END,
};

static const struct tw_port inputs[] = {
    {"in", TW_POLYMAP, 0, "polygons with rivers"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_POLYMAP, 0, "with moisture"},
    TW_PORT_END,
};

static float largest_river(const struct tw_polymap *map)
{
    float largest = 0;
    for (int32_t c = 0; c < map->corners; c++)
        largest = map->corner_river[c] > largest ? map->corner_river[c] : largest;
    return largest;
}

/* From the moistest corner on: what is taken from the heap is final (Dijkstra). A corner enters
 * once as a river and once an edge at most. */
static void spread(const struct tw_polymap *map, float decay, struct tw_corner_heap *heap)
{
    while (heap->count > 0) {
        struct tw_heap_entry top = tw_corner_heap_pop(heap);
        int32_t c = top.corner;
        if (-top.key < map->corner_moisture[c])
            continue;
        float moisture = decay * map->corner_moisture[c];
        for (int32_t s = map->corner_start[c]; s < map->corner_start[c + 1]; s++) {
            int32_t other = tw_polymap_far_end(&map->edge[map->spoke[s]], c);
            if (map->corner_flags[other] & TW_OCEAN || moisture <= map->corner_moisture[other])
                continue;
            map->corner_moisture[other] = moisture;
            tw_corner_heap_push(heap, (struct tw_heap_entry){-moisture, other, other});
        }
    }
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct tw_polymap map;
    enum tw_status status = tw_polymap_copy(task, TW_LAYER_RIVERS, "island.rivers", &map);
    if (status != TW_OK)
        return status;
    size_t most = (size_t)map.corners + 2 * (size_t)map.edges;
    struct tw_corner_heap heap = {tw_task_scratch(task, most, sizeof(struct tw_heap_entry)), 0};
    if (!heap.at)
        return tw_task_no_memory(task);
    float largest = largest_river(&map);
    if (largest <= 0)
        tw_task_warn(task, "there is no river, so there is no moisture");
    for (int32_t c = 0; c < map.corners; c++) {
        float moisture = largest > 0 ? map.corner_river[c] / largest : 0;
        map.corner_moisture[c] = moisture;
        if (moisture > 0)
            tw_corner_heap_push(&heap, (struct tw_heap_entry){-moisture, c, c});
    }
    spread(&map, p->decay, &heap);
    tw_polymap_average(&map, map.corner_moisture, map.cell_moisture);
    map.head->layers |= TW_LAYER_MOISTURE;
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    struct tw_polymap_counts counts = tw_polymap_forecast(f);
    tw_forecast_scratch(f, counts.corners + 2 * counts.edges, sizeof(struct tw_heap_entry));
    f->lists[0] = f->inputs[0];
}

extern const struct tw_node_type tw_node_island_moisture;
const struct tw_node_type tw_node_island_moisture = {
    .name = "island.moisture",
    .version = 1,
    .summary = "moisture of polygons by their distance to rivers",
    .keywords = "rain, humidity, fresh water, wet",
    .detail =
        "Gives polygons their moisture by the distance to rivers. Use it after island.rivers and "
        "before island.biomes.\n"
        "A river's corner has the moisture volume / largest volume. On land the moisture is the "
        "greatest over all rivers of:\n"
        "    the river's moisture times decay^steps.\n"
        "The ocean has none. A polygon has the mean of its corners.",
    .cite = "weiss2015 patel2010",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = TW_ISLAND_RIVERS "moist: {type: island.moisture, in: rivers, decay: 0.8}",
    .run = run,
    .forecast = forecast,
};
