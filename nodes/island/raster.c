/* SPDX-License-Identifier: MIT */
/* Maps of an island, Weiss 2015, IV-F: the mesh of its polygons on the grid, and the perturbation
 * that hides their straight sides, the same for all maps. Heights are raised to the power 1.5 (eq
 * 3) by shape.power. */
#include "common/biome.h"
#include "common/island_example.h"
#include "common/polymap_raster.h"
#include "common/stroke.h"
#include "island/kernels/gradient_noise.h"

struct params {
    float magnitude, frequency;
    int32_t octaves;
    float river_width;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, magnitude, 0, 0, 1, TW_UNIT_SIDE,
                 "of the perturbation; 0.03 hides the polygons"),
    TW_PARAM_F32(struct params, frequency, 8, 0, 4096, "periods a side", "of the perturbation"),
    TW_PARAM_I32(struct params, octaves, 3, 1, 12, "octaves",
                 "of the perturbation, each twice as fine and half as wide"),
    TW_PARAM_F32(struct params, river_width, 0.006, 0, 1, TW_UNIT_SIDE,
                 "of the largest river; others by the root of their volume, a cell at least"),
    TW_PARAM_END,
};

static const struct tw_port inputs[] = {
    {"in", TW_POLYMAP, 0, "polygons with all layers"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "elevation, 0 at the coast"},
    {"moisture", TW_MASK, TW_ON_DEMAND, "0..1"},
    {"temperature", TW_MASK, TW_ON_DEMAND, "0..1"},
    {"biome", TW_LABELS, TW_ON_DEMAND, "the polygon's biome, in the order of Table I"},
    {"water", TW_MASK, TW_ON_DEMAND, "1 in ocean and lakes"},
    {"river", TW_MASK, TW_ON_DEMAND, "1 in rivers"},
    TW_PORT_END,
};

enum { IN };
enum { OUT, MOISTURE, TEMPERATURE, BIOME, WATER, RIVER, FLOATS_COUNT };

struct raster {
    const struct params *params;
    const struct tw_polymap *map;
    struct tw_polymap_raster cover;
    uint64_t key;
    float largest; /* river volume */
    int32_t width, height;
    float *plain[FLOATS_COUNT];   /* before the perturbation; none at BIOME and WATER */
    float *final[FLOATS_COUNT];   /* NULL where the run does not use them, as are those before */
    int32_t *plain_biome, *biome; /* the water's, too */
    float *offset_x, *offset_y;   /* in cells */
};

static void draw_rivers(const struct raster *r, int32_t begin, int32_t end)
{
    size_t width = (size_t)r->width;
    memset(r->plain[RIVER] + (size_t)begin * width, 0, (size_t)(end - begin) * width * 4);
    for (int32_t e = 0; e < r->map->edges; e++) {
        if (r->map->edge_river[e] <= 0)
            continue;
        struct tw_polymap_place a = r->map->corner_at[r->map->edge[e].v0];
        struct tw_polymap_place b = r->map->corner_at[r->map->edge[e].v1];
        float share = sqrtf(r->map->edge_river[e] / r->largest);
        float half = 0.5f * r->params->river_width * (float)r->width * share;
        float w = (float)r->width, h = (float)r->height;
        const struct tw_stroke stroke = {{(a.x + 1) * 0.5f * w, (a.y + 1) * 0.5f * h},
                                         {(b.x + 1) * 0.5f * w, (b.y + 1) * 0.5f * h},
                                         tw_max(half, 0.5f)};
        tw_stroke_draw(&stroke, r->width, begin, end, r->plain[RIVER]);
    }
}

/* Biomes and rivers; values are there. */
static void fill_rows(void *context, int32_t begin, int32_t end)
{
    const struct raster *r = context;
    size_t first = (size_t)begin * (size_t)r->width, after = (size_t)end * (size_t)r->width;
    for (size_t i = first; r->plain_biome && i < after; i++)
        r->plain_biome[i] = r->map->cell_biome[tw_polymap_polygon_of(r->map, r->cover.triangle[i])];
    if (r->plain[RIVER])
        draw_rivers(r, begin, end);
}

/* The triangles, and the values in them that the run uses. */
static enum tw_status fill_values(struct tw_task *task, struct raster *r)
{
    const struct tw_polymap *m = r->map;
    const struct tw_polymap_plane all[] = {
        {m->corner_elevation, m->cell_elevation, r->plain[OUT]},
        {m->corner_moisture, m->cell_moisture, r->plain[MOISTURE]},
        {m->corner_temperature, m->cell_temperature, r->plain[TEMPERATURE]}};
    r->cover = (struct tw_polymap_raster){.map = m};
    for (int k = 0; k < TW_POLYMAP_PLANES; k++)
        if (all[k].cells)
            r->cover.planes[r->cover.plane_count++] = all[k];
    return tw_polymap_raster(task, r->plain_biome != NULL, &r->cover);
}

/* Offset of every cell: a vector of noises, in cells. */
static void offset_rows(void *context, int32_t begin, int32_t end)
{
    const struct raster *r = context;
    const struct params *p = r->params;
    for (int32_t y = begin; y < end; y++)
        for (int32_t axis = 0; axis < 2; axis++) {
            float *row = (axis ? r->offset_y : r->offset_x) + (size_t)y * (size_t)r->width;
            double frequency = (double)p->frequency;
            double weight = (double)p->magnitude * (axis ? r->height : r->width);
            memset(row, 0, (size_t)r->width * sizeof *row);
            for (int32_t octave = 0; octave < p->octaves; octave++) {
                double step = frequency / r->width;
                tw_gradient_row(r->key, 2 * octave + axis, 0.5 * step, step,
                                (y + 0.5) * frequency / r->height, weight, r->width, row);
                frequency *= 2;
                weight *= 0.5;
            }
        }
}

struct look_up {
    size_t at[4];
    float across, along;
    size_t nearest;
};

/* Where the displaced cell looks; outside of the map its border goes on. */
static struct look_up look_up_at(const struct raster *r, float x, float y)
{
    x = tw_clamp(x, 0.0f, (float)(r->width - 1));
    y = tw_clamp(y, 0.0f, (float)(r->height - 1));
    int32_t x0 = tw_floor(x), y0 = tw_floor(y), x1 = tw_clamp_index(x0 + 1, r->width);
    size_t above = (size_t)y0 * (size_t)r->width;
    size_t below = (size_t)tw_clamp_index(y0 + 1, r->height) * (size_t)r->width;
    struct look_up look = {
        {above + (size_t)x0, above + (size_t)x1, below + (size_t)x0, below + (size_t)x1},
        x - (float)x0,
        y - (float)y0,
        0};
    look.nearest = look.at[(look.across < 0.5f ? 0 : 1) + (look.along < 0.5f ? 0 : 2)];
    return look;
}

static float bilinear(const struct look_up *look, const float *cells)
{
    float above = cells[look->at[0]] + (cells[look->at[1]] - cells[look->at[0]]) * look->across;
    float below = cells[look->at[2]] + (cells[look->at[3]] - cells[look->at[2]]) * look->across;
    return above + (below - above) * look->along;
}

static inline void perturb_row(const struct raster *r, int32_t y, int count,
                               const float *const from[4], float *const to[4])
{
    for (int32_t x = 0; x < r->width; x++) {
        size_t i = (size_t)y * (size_t)r->width + (size_t)x;
        struct look_up look = look_up_at(r, (float)x + r->offset_x[i], (float)y + r->offset_y[i]);
        for (int k = 0; k < count; k++)
            to[k][i] = bilinear(&look, from[k]);
        if (r->biome)
            r->biome[i] = r->plain_biome[look.nearest];
    }
}

static void perturb_rows(void *context, int32_t begin, int32_t end)
{
    static const int maps[] = {OUT, MOISTURE, TEMPERATURE, RIVER};
    const struct raster *r = context;
    const float *from[4];
    float *to[4];
    int count = 0;
    for (int k = 0; k < 4; k++)
        if (r->final[maps[k]]) {
            from[count] = r->plain[maps[k]];
            to[count++] = r->final[maps[k]];
        }
    for (int32_t y = begin; y < end; y++)
        if (count == 4)
            perturb_row(r, y, 4, from, to); /* unrolled */
        else
            perturb_row(r, y, count, from, to);
}

static void water_rows(void *context, int32_t begin, int32_t end)
{
    const struct raster *r = context;
    size_t w = (size_t)r->width;
    for (size_t i = (size_t)begin * w; i < (size_t)end * w; i++)
        r->final[WATER][i] = (float)(r->biome[i] == TW_LAKE || r->biome[i] == TW_OCEAN_BIOME);
}

static enum tw_status reserve(struct tw_task *task, struct raster *r)
{
    size_t cells = (size_t)r->width * (size_t)r->height;
    bool biomes = tw_task_wants(task, BIOME) || tw_task_wants(task, WATER);
    r->biome = tw_labels(tw_task_output(task, BIOME));
    if (biomes && !r->biome && !(r->biome = tw_task_scratch(task, cells, sizeof *r->biome)))
        return tw_task_no_memory(task);
    r->plain_biome = r->biome;
    for (int k = 0; k < FLOATS_COUNT; k++)
        r->final[k] = r->plain[k] = k == BIOME ? NULL : tw_floats(tw_task_output(task, k));
    if (r->params->magnitude <= 0)
        return TW_OK;
    static const int maps[] = {OUT, MOISTURE, TEMPERATURE, RIVER};
    for (int k = 0; k < 4; k++) {
        if (r->final[maps[k]])
            r->plain[maps[k]] = tw_task_scratch(task, cells, sizeof(float));
        if (r->final[maps[k]] && !r->plain[maps[k]])
            return tw_task_no_memory(task);
    }
    if (biomes && !(r->plain_biome = tw_task_scratch(task, cells, sizeof(int32_t))))
        return tw_task_no_memory(task);
    r->offset_x = tw_task_scratch(task, cells, sizeof(float));
    r->offset_y = tw_task_scratch(task, cells, sizeof(float));
    return r->offset_x && r->offset_y ? TW_OK : tw_task_no_memory(task);
}

static enum tw_status run(struct tw_task *task)
{
    struct tw_polymap map;
    struct raster r = {.params = tw_task_params(task),
                       .map = &map,
                       .key = tw_task_seed(task),
                       .width = tw_task_width(task),
                       .height = tw_task_height(task)};
    enum tw_status status = tw_polymap_open(task, IN, TW_LAYER_BIOMES, "island.biomes", &map);
    if (status == TW_OK)
        status = reserve(task, &r);
    if (status == TW_OK)
        status = fill_values(task, &r);
    if (status != TW_OK)
        return status;
    for (int32_t e = 0; e < map.edges; e++)
        r.largest = tw_max(r.largest, map.edge_river[e]);
    tw_rows(task, r.height, r.height / 16 + 1, fill_rows, &r);
    if (r.params->magnitude > 0) {
        tw_rows(task, r.height, 8, offset_rows, &r);
        tw_rows(task, r.height, 8, perturb_rows, &r);
    }
    if (r.final[WATER])
        tw_rows(task, r.height, 64, water_rows, &r);
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    static const int maps[] = {MOISTURE, TEMPERATURE, RIVER};
    bool biomes = tw_forecast_wants(f, BIOME) || tw_forecast_wants(f, WATER);
    tw_polymap_raster_forecast(f, biomes);
    if (biomes && !tw_forecast_wants(f, BIOME))
        tw_forecast_maps(f, 1, sizeof(int32_t));
    if (p->magnitude <= 0)
        return;
    tw_forecast_maps(f, 3, sizeof(float)); /* out before it is perturbed, and two offsets */
    if (biomes)
        tw_forecast_maps(f, 1, sizeof(int32_t));
    for (int k = 0; k < 3; k++)
        if (tw_forecast_wants(f, maps[k]))
            tw_forecast_maps(f, 1, sizeof(float));
}

extern const struct tw_node_type tw_node_island_raster;
const struct tw_node_type tw_node_island_raster = {
    .name = "island.raster",
    .version = 1,
    .summary = "maps of an island's polygons: heights, climate, biomes, water",
    .detail = "Each polygon is a fan of triangles (centre, corner, corner) with linear values, "
              "sampled at the centres of the\ncells, x = -1 + 2 (j + 1/2) / width. With a "
              "magnitude, out(p) = plain(p + magnitude (n1(p), n2(p))), bilinear, biomes\nfrom "
              "the nearest cell; n1 and n2 are fractal gradient noise. Beyond the border the map "
              "goes on as at the border.",
    .cite = "weiss2015 olsen2004",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = TW_ISLAND_BIOMES "map: {type: island.raster, in: biomes, magnitude: 0.03}",
    .random = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
    .wraps = tw_never_wraps,
};
