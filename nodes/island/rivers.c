/* SPDX-License-Identifier: MIT */
/* Rivers, Weiss 2015, IV-E: from random inland corners down to the coast, with more water at every
 * step. Lower means lower by (elevation, rank), where the rank is the order of the search from the
 * coast: it leads over flat lakes to their outlets. Ranks never fall with elevation, so the rank
 * alone decides. */
#include "common/island_example.h"
#include "island/kernels/polymap_build.h"

#include <thalweg/kernel.h>

struct params {
    int32_t count, spacing;
    float gain;
};

static const struct tw_param params[] = {
    TW_PARAM_I32(struct params, count, 30, 0, 100000, "rivers",
                 "springs, as far as there are corners for them", TW_USUAL(0, 150)),
    TW_PARAM_I32(struct params, spacing, 1, 0, 16, "steps",
                 "least distance of a spring to a river that is there already"),
    TW_PARAM_F32(struct params, gain, 1, 0, 1000, "volume a step",
                 "what a river takes up at each step; it starts with 1", TW_USUAL(0, 5)),
    TW_PARAM_END,
};

static const struct tw_port inputs[] = {
    {"in", TW_POLYMAP, 0, "polygons with elevation"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_POLYMAP, 0, "with river volumes"},
    TW_PORT_END,
};

struct search {
    const struct tw_polymap *map;
    int32_t *corner, *hops; /* a queue */
    int32_t *seen;          /* the search that last saw a corner */
};

/* Whether a river is less than `spacing` steps away. */
static bool near_river(struct search *s, int32_t from, int32_t spacing, int32_t id)
{
    const struct tw_polymap *map = s->map;
    int32_t count = 0;
    if (spacing > 0) {
        s->corner[0] = from;
        s->hops[0] = 0;
        s->seen[from] = id;
        count = 1;
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t c = s->corner[i];
        if (map->corner_river[c] > 0)
            return true;
        for (int32_t k = map->corner_start[c];
             k < map->corner_start[c + 1] && s->hops[i] + 1 < spacing; k++) {
            int32_t other = tw_polymap_far_end(&map->edge[map->spoke[k]], c);
            if (s->seen[other] == id)
                continue;
            s->seen[other] = id;
            s->hops[count] = s->hops[i] + 1;
            s->corner[count++] = other;
        }
    }
    return false;
}

/* The edge to the lowest neighbour, -1 when none is lower. */
static int32_t way_down(const struct tw_polymap *map, int32_t corner)
{
    int32_t best = -1, lowest = map->corner_rank[corner];
    for (int32_t k = map->corner_start[corner]; k < map->corner_start[corner + 1]; k++) {
        int32_t rank = map->corner_rank[tw_polymap_far_end(&map->edge[map->spoke[k]], corner)];
        if (rank >= 0 && rank < lowest) {
            lowest = rank;
            best = map->spoke[k];
        }
    }
    return best;
}

static void run_down(const struct tw_polymap *map, int32_t spring, float gain)
{
    float volume = 1;
    int32_t c = spring;
    map->corner_river[c] += volume;
    while (!(map->corner_flags[c] & TW_COAST)) {
        int32_t edge = way_down(map, c);
        if (edge < 0)
            return;
        map->edge_river[edge] += volume;
        c = tw_polymap_far_end(&map->edge[edge], c);
        volume += gain;
        map->corner_river[c] += volume;
    }
}

static int32_t list_springs(const struct tw_polymap *map, int32_t *springs)
{
    int32_t count = 0;
    for (int32_t c = 0; c < map->corners; c++)
        if (!(map->corner_flags[c] & (TW_OCEAN | TW_COAST | TW_SHORE)))
            springs[count++] = c;
    return count;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct tw_polymap map;
    enum tw_status status = tw_polymap_copy(task, TW_LAYER_ELEVATION, "island.elevation", &map);
    if (status != TW_OK)
        return status;
    size_t corners = (size_t)map.corners;
    struct search search = {&map, tw_task_scratch(task, corners, sizeof(int32_t)),
                            tw_task_scratch(task, corners, sizeof(int32_t)),
                            tw_task_scratch(task, corners, sizeof(int32_t))};
    int32_t *springs = tw_task_scratch(task, corners, sizeof *springs);
    if (!search.corner || !search.hops || !search.seen || !springs)
        return tw_task_no_memory(task);
    memset(search.seen, 0xFF, corners * sizeof *search.seen);
    memset(map.corner_river, 0, corners * sizeof *map.corner_river);
    memset(map.edge_river, 0, (size_t)map.edges * sizeof *map.edge_river);
    int32_t free_springs = list_springs(&map, springs), started = 0;
    for (int32_t i = 0; i < free_springs && started < p->count; i++) {
        /* a shuffle, as far as it is needed */
        uint32_t word = tw_random(tw_task_seed(task), (uint32_t)i, 0, 0, 0).at[0];
        int32_t j = i + (int32_t)(word % (uint32_t)(free_springs - i)), spring = springs[j];
        springs[j] = springs[i];
        if (i % 256 == 0 && tw_task_cancelled(task))
            return TW_CANCELLED;
        if (near_river(&search, spring, p->spacing, i))
            continue;
        run_down(&map, spring, p->gain);
        started++;
    }
    map.head->layers = (map.head->layers & (TW_LAYER_SHAPE | TW_LAYER_ELEVATION)) | TW_LAYER_RIVERS;
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    tw_forecast_scratch(f, tw_polymap_forecast(f).corners, 4 * sizeof(int32_t));
    f->lists[0] = f->inputs[0];
}

extern const struct tw_node_type tw_node_island_rivers;
const struct tw_node_type tw_node_island_rivers = {
    .name = "island.rivers",
    .version = 1,
    .summary = "rivers along polygon edges from random springs to the coast",
    .keywords = "streams, springs, creeks, drainage",
    .elsewhere = "Rivers (Gaea)",
    .detail =
        "Leads rivers along polygon edges from random springs to the coast. Choose "
        "erosion.stream_power or mask.flow for rivers that follow a height map.\n"
        "A spring is a random dry corner that is neither on the coast nor at a lake. From there "
        "the river goes to the neighbour of lowest rank until it is at the coast, and carries "
        "`gain` more at each step; volumes add where rivers meet.\n"
        "The rank is the order of the search that set the elevation: by elevation, and through "
        "lakes. After an edit it follows the level at which water leaves a corner, so rivers "
        "leave the hollows that the edit dug.",
    .cite = "weiss2015 patel2010",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = TW_ISLAND_HEIGHT "rivers: {type: island.rivers, in: height, count: 40}",
    .random = true,
    .run = run,
    .forecast = forecast,
};
