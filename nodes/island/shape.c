/* SPDX-License-Identifier: MIT */
/* Island shape, Weiss 2015, IV-C: which polygons are land, lake and ocean. */
#include "island/kernels/gradient_noise.h"
#include "island/kernels/polymap_build.h"
#include "island/kernels/polymap_water.h"

struct params {
    int32_t octaves;                  /* n; n + 1 terms, as printed */
    float base_octave, octave_scale;  /* o_b, o_s */
    float amplitude, amplitude_scale; /* a_b, a_s */
    float scale, offset;
    float water_share;
};

static const struct tw_param params[] = {
    TW_PARAM_I32(struct params, octaves, 4, 0, 12, "octaves", "n of eq 1, which has n + 1 terms"),
    TW_PARAM_F32(struct params, base_octave, 6, 0, 1000, "periods in half a side",
                 "o_b: frequency of the first octave", TW_USUAL(1, 20)),
    TW_PARAM_F32(struct params, octave_scale, 2, 1, 16, "", "o_s: from octave to octave"),
    TW_PARAM_F32(struct params, amplitude, 0.5, 0, 100, "", "a_b: of the first octave",
                 TW_USUAL(0, 2)),
    TW_PARAM_F32(struct params, amplitude_scale, 2.5, 0.1, 100, "",
                 "a_s: each octave is that much weaker", TW_USUAL(1, 5)),
    TW_PARAM_F32(struct params, scale, 2.2, 0, 100, "",
                 "how fast land gives way to water with the distance from the centre",
                 TW_USUAL(0.5, 5)),
    TW_PARAM_F32(struct params, offset, -0.2, -100, 100, "",
                 "lower gives a larger island; -0.6 with scale 1.2 fills the map", TW_USUAL(-1, 1)),
    TW_PARAM_F32(struct params, water_share, 0.3, 0, 1, TW_UNIT_SHARE,
                 "of a polygon's corners under water that make it water"),
    TW_PARAM_END,
};

static const struct tw_port inputs[] = {
    {"in", TW_POLYMAP, 0, "polygons"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_POLYMAP, 0, "with land, lakes and ocean"},
    TW_PORT_END,
};

/* Eq 1; the sum runs to n inclusive. */
static double noise(const struct params *p, uint64_t key, double x, double y)
{
    double frequency = (double)p->base_octave, weight = (double)p->amplitude, sum = 0;
    for (int32_t i = 0; i <= p->octaves; i++) {
        sum += weight * tw_gradient_noise(key, i, x * frequency, y * frequency);
        frequency *= (double)p->octave_scale;
        weight /= (double)p->amplitude_scale;
    }
    return sum;
}

/* The noise knows places below 2^30. */
static struct tw_rule check(const void *at)
{
    const struct params *p = at;
    double frequency = (double)p->base_octave;
    for (int32_t i = 0; i < p->octaves; i++)
        frequency *= (double)p->octave_scale;
    return frequency > 1e9
               ? (struct tw_rule){.param = "octaves",
                                  .expected = "a lower number for",
                                  .other = "octave_scale",
                                  .hint = "base_octave * octave_scale^octaves may be at most 1e9"}
               : TW_RULES_HOLD;
}

/* Eq 2; the printed pair (x^2, y^2) means the squared distance. */
static bool is_water(const struct params *p, uint64_t key, struct tw_polymap_place at)
{
    double x = (double)at.x, y = (double)at.y;
    return noise(p, key, x, y) < (double)p->offset + (double)p->scale * (x * x + y * y);
}

struct work {
    const struct params *params;
    const struct tw_polymap *map;
    uint64_t key;
};

static void find_wet_corners(void *context, int32_t begin, int32_t end)
{
    const struct work *w = context;
    for (int32_t c = begin; c < end; c++) {
        uint32_t border = w->map->corner_flags[c] & TW_BORDER;
        bool wet = is_water(w->params, w->key, w->map->corner_at[c]);
        w->map->corner_flags[c] = border | (wet ? TW_WATER : 0u);
    }
}

static void find_wet_cells(const struct params *p, const struct tw_polymap *map)
{
    for (int32_t i = 0; i < map->cells; i++) {
        int32_t begin = map->cell_start[i], end = map->cell_start[i + 1], wet = 0;
        for (int32_t side = begin; side < end; side++)
            wet += (map->corner_flags[map->side_corner[side]] & TW_WATER) != 0;
        /* 1e-6: 0.3 is a little more than 3 / 10 as a float */
        bool water = wet >= (double)p->water_share * (end - begin) - 1e-6;
        map->cell_flags[i] = (map->cell_flags[i] & TW_BORDER) | (water ? TW_WATER : 0u);
    }
}

static int32_t land_cells(const struct tw_polymap *map)
{
    int32_t land = 0;
    for (int32_t i = 0; i < map->cells; i++)
        land += !(map->cell_flags[i] & TW_WATER);
    return land;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct tw_polymap map;
    enum tw_status status = tw_polymap_copy(task, 0, "island.polygons", &map);
    if (status != TW_OK)
        return status;
    int32_t *stack = tw_task_scratch(task, (size_t)map.cells, sizeof *stack);
    if (!stack)
        return tw_task_no_memory(task);
    struct work work = {p, &map, tw_task_seed(task)};
    tw_rows(task, map.corners, 512, find_wet_corners, &work);
    find_wet_cells(p, &map);
    tw_polymap_flood(&map, stack);
    if (land_cells(&map) == 0)
        return tw_task_fail(task, "no polygon is land; lower offset or scale, take another seed "
                                  "or more cells");
    tw_polymap_mark_shores(&map);
    map.head->layers = TW_LAYER_SHAPE;
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    tw_forecast_scratch(f, tw_polymap_forecast(f).cells, sizeof(int32_t));
    f->lists[0] = f->inputs[0];
}

extern const struct tw_node_type tw_node_island_shape;
const struct tw_node_type tw_node_island_shape = {
    .name = "island.shape",
    .version = 1,
    .summary = "divide polygons into land, lakes and ocean",
    .keywords = "island, coast, continent, lakes, ocean, landmass",
    .elsewhere = "Island (Gaea)",
    .detail =
        "Divides polygons into land, lakes and ocean. Use it after island.polygons and before "
        "island.elevation. The values of the paper are the defaults and make a small island.\n"
        "With x and y in -1..1 and i = 0 to n:\n"
        "    noise = sum of perlin(x o_b o_s^i, y o_b o_s^i) a_b a_s^-i  (1)\n"
        "A corner is under water where:\n"
        "    noise < offset + scale (x^2 + y^2)  (2)\n"
        "A polygon is water when `water_share` of its corners are; polygons at the border of the "
        "map always are. Water that the border's reaches from corner to corner is ocean, other "
        "water a lake.",
    .cite = "weiss2015 patel2010 perlin2002",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "land: {type: island.polygons, cells: 500}\n"
               "shape: {type: island.shape, in: land, offset: -0.5, scale: 1.2}",
    .random = true,
    .check = check,
    .run = run,
    .forecast = forecast,
};
