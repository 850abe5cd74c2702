/* SPDX-License-Identifier: MIT */
/* Maps of an island, Weiss 2015, IV-F: the mesh of its polygons on the grid, and the perturbation
 * that hides their straight sides, the same for all maps. Heights are raised to the power 1.5 (eq
 * 3) by shape.power. */
#include "common/polymap/raster.h"
#include "common/biome.h"
#include "common/island_example.h"
#include "common/stroke.h"
#include "island/kernels/perturbation.h"

#include <thalweg/kernel.h>
#include <thalweg/scratch.h>

struct params {
    float magnitude, frequency;
    int32_t octaves;
    float river_width;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, magnitude, 0, 0, 1, TW_UNIT_SIDE,
                 "of the perturbation; 0.03 hides the polygons"),
    TW_PARAM_F32(struct params, frequency, 8, 0, 4096, "periods a side", "of the perturbation",
                 TW_USUAL(0, 40)),
    TW_PARAM_I32(struct params, octaves, 3, 1, 12, "octaves",
                 "of the perturbation, each twice as fine and half as wide"),
    TW_PARAM_F32(struct params, river_width, 0.006, 0, 1, TW_UNIT_SIDE,
                 "of the largest river; others by the root of their volume, a cell at least",
                 TW_USUAL(0, 0.02)),
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
    struct tw_perturbation bend;
    float largest; /* river volume */
    int32_t width, height;
    float *plain[FLOATS_COUNT];   /* before the perturbation; none at BIOME and WATER */
    float *final[FLOATS_COUNT];   /* NULL where the run does not use them, as are those before */
    int32_t *plain_biome, *biome; /* the water's, too */
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

static void perturb_cells(const struct raster *r, const struct tw_perturbed *cells)
{
    static const int maps[] = {OUT, MOISTURE, TEMPERATURE, RIVER};
    size_t first = (size_t)cells->y * (size_t)r->width + (size_t)cells->x;
    for (int k = 0; k < 4; k++)
        if (r->final[maps[k]])
            tw_perturbed_floats(cells, r->bend.simd, r->plain[maps[k]], r->final[maps[k]] + first);
    if (r->biome)
        tw_perturbed_labels(cells, r->plain_biome, r->biome + first);
}

static void perturb_rows(void *context, int32_t begin, int32_t end)
{
    const struct raster *r = context;
    struct tw_perturbed cells;
    for (cells.y = begin; cells.y < end; cells.y++)
        for (cells.x = 0; cells.x < r->width; cells.x += TW_PERTURBED) {
            cells.count = r->width - cells.x < TW_PERTURBED ? r->width - cells.x : TW_PERTURBED;
            tw_perturbation_find(&r->bend, &cells);
            perturb_cells(r, &cells);
        }
}

static void water_rows(void *context, int32_t begin, int32_t end)
{
    const struct raster *r = context;
    size_t w = (size_t)r->width;
    for (size_t i = (size_t)begin * w; i < (size_t)end * w; i++)
        r->final[WATER][i] = (float)(r->biome[i] == TW_LAKE || r->biome[i] == TW_OCEAN_BIOME);
}

static bool lay_out(struct tw_scratch *s, struct raster *r)
{
    static const int maps[] = {OUT, MOISTURE, TEMPERATURE, RIVER};
    bool biomes = tw_scratch_wants(s, BIOME) || tw_scratch_wants(s, WATER);
    if (biomes && !tw_scratch_wants(s, BIOME))
        r->biome = tw_scratch_maps(s, 1, sizeof *r->biome);
    r->plain_biome = r->biome;
    if (r->params->magnitude <= 0)
        return tw_scratch_is_laid(s);
    if (biomes)
        r->plain_biome = tw_scratch_maps(s, 1, sizeof *r->plain_biome);
    for (int k = 0; k < 4; k++)
        if (maps[k] == OUT || tw_scratch_wants(s, maps[k])) /* OUT always has a block */
            r->plain[maps[k]] = tw_scratch_maps(s, 1, sizeof(float));
    return tw_scratch_is_laid(s);
}

static enum tw_status run(struct tw_task *task)
{
    struct tw_polymap map;
    struct raster r = {.params = tw_task_params(task),
                       .map = &map,
                       .width = tw_task_width(task),
                       .height = tw_task_height(task),
                       .biome = tw_labels(tw_task_output(task, BIOME))};
    for (int k = 0; k < FLOATS_COUNT; k++)
        r.final[k] = r.plain[k] = k == BIOME ? NULL : tw_floats(tw_task_output(task, k));
    enum tw_status status = tw_polymap_open(task, IN, TW_LAYER_BIOMES, "island.biomes", &map);
    if (status == TW_OK && !lay_out(&(struct tw_scratch){.task = task}, &r))
        status = tw_task_no_memory(task);
    if (status == TW_OK)
        status = fill_values(task, &r);
    if (status != TW_OK)
        return status;
    for (int32_t e = 0; e < map.edges; e++)
        r.largest = tw_max(r.largest, map.edge_river[e]);
    tw_rows(task, r.height, r.height / 16 + 1, fill_rows, &r);
    r.bend = (struct tw_perturbation){.key = tw_task_seed(task),
                                      .magnitude = r.params->magnitude,
                                      .frequency = r.params->frequency,
                                      .octaves = r.params->octaves,
                                      .width = r.width,
                                      .height = r.height,
                                      .simd = tw_task_simd(task)};
    if (r.params->magnitude > 0)
        tw_rows(task, r.height, 8, perturb_rows, &r);
    if (r.final[WATER])
        tw_rows(task, r.height, 64, water_rows, &r);
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    struct raster r = {.params = f->params};
    tw_polymap_raster_forecast(f, tw_forecast_wants(f, BIOME) || tw_forecast_wants(f, WATER));
    lay_out(&(struct tw_scratch){.forecast = f}, &r);
}

extern const struct tw_node_type tw_node_island_raster;
const struct tw_node_type tw_node_island_raster = {
    .name = "island.raster",
    .version = 1,
    .summary = "maps of an island's polygons: heights, climate, biomes, water",
    .keywords = "island, rasterize, polygons to pixels, height map, climate map",
    .detail =
        "Draws an island's polygons as maps: heights, climate, biomes, water. Choose "
        "render.polymap for a picture of the polygons themselves.\n"
        "Each polygon is a fan of triangles (centre, corner, corner) with linear values, sampled "
        "at the centres of the cells:\n"
        "    x = -1 + 2 (j + 1/2) / width.\n"
        "With a magnitude, borders between polygons are bent by fractal gradient noise n1 and "
        "n2, bilinear, biomes from the nearest cell:\n"
        "    out(p) = plain(p + magnitude (n1(p), n2(p))).\n"
        "Beyond the border the map goes on as at the border.",
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
