/* SPDX-License-Identifier: MIT */
/* Pictures of a polygon map: the diagram and its graph as in Weiss 2015, Fig. 1, and the layers as
 * in his Fig. 2. */
#include "common/biome.h"
#include "common/polymap/raster.h"
#include "common/stroke.h"
#include "render/kernels/colour.h"

#include <thalweg/kernel.h>
#include <thalweg/scratch.h>

enum layer { POLYGONS, SHAPE, ELEVATION, TEMPERATURE, MOISTURE, BIOMES };

struct params {
    int32_t layer;
    bool smooth, edges, graph, centres, rivers;
    float line_width;
};

static const struct tw_param params[] = {
    TW_PARAM_ENUM(struct params, layer, POLYGONS,
                  "polygons|shape|elevation|temperature|moisture|biomes", "what colours show"),
    TW_PARAM_BOOL(struct params, smooth, false,
                  "interpolate between centres and corners, not one value per polygon"),
    TW_PARAM_BOOL(struct params, edges, true, "draw the sides of the polygons"),
    TW_PARAM_BOOL(struct params, graph, false, "draw the lines between neighbouring centres"),
    TW_PARAM_BOOL(struct params, centres, false, "draw the centres"),
    TW_PARAM_BOOL(struct params, rivers, true, "draw rivers, where there are any"),
    TW_PARAM_F32(struct params, line_width, 1, 0.1, 100, TW_UNIT_CELLS, "of sides and lines",
                 TW_USUAL(0.5, 5)),
    TW_PARAM_END,
};

static const struct tw_port inputs[] = {
    {"in", TW_POLYMAP, 0, "polygons with the layer"},
    TW_PORT_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_IMAGE, 0, "the picture"},
    TW_PORT_END,
};

static const struct tw_colour_stop heights[] = {
    {-1, {{28, 48, 92}}},     {-0.001f, {{118, 164, 200}}}, {0, {{222, 212, 164}}},
    {0.1f, {{120, 164, 88}}}, {0.45f, {{176, 170, 100}}},   {0.75f, {{134, 108, 84}}},
    {1, {{250, 250, 250}}},
};
static const struct tw_colour_stop temperatures[] = {
    {0, {{60, 92, 176}}}, {0.5f, {{236, 228, 180}}}, {1, {{190, 56, 40}}}};
static const struct tw_colour_stop moistures[] = {
    {0, {{226, 206, 152}}}, {0.3f, {{146, 180, 116}}}, {1, {{32, 84, 140}}}};
static const struct tw_colour paper = {{246, 244, 238}}, ink = {{40, 40, 44}},
                              line = {{196, 60, 48}}, sea = {{70, 108, 150}},
                              lake = {{112, 164, 204}}, land = {{212, 200, 156}},
                              river = {{40, 84, 168}};

struct drawing {
    const struct params *params;
    const struct tw_polymap *map;
    struct tw_polymap_raster cover;
    float *value; /* of each cell; NULL where none is interpolated */
    float *mask;
    uint8_t *pixels;
    float largest; /* river volume */
};

/* What a layer is drawn by where it is interpolated: values of corners and of polygons. */
struct values {
    const float *corners, *cells;
    const struct tw_colour_stop *ramp;
    int32_t stops;
};

static struct values values_of(const struct drawing *d)
{
    const struct tw_polymap *m = d->map;
    switch ((enum layer)d->params->layer) {
    case TEMPERATURE:
        return (struct values){m->corner_temperature, m->cell_temperature, temperatures, 3};
    case MOISTURE:
        return (struct values){m->corner_moisture, m->cell_moisture, moistures, 3};
    case ELEVATION:
    case POLYGONS: /* this and the next have a colour for each polygon */
    case SHAPE:
    case BIOMES:
        break;
    }
    return (struct values){m->corner_elevation, m->cell_elevation, heights, 7};
}

/* True with the one colour of a polygon, which no interpolation changes. */
static bool has_one_colour(const struct drawing *d, int32_t polygon, struct tw_colour *colour)
{
    const struct tw_polymap *m = d->map;
    uint32_t flags = m->cell_flags[polygon];
    switch ((enum layer)d->params->layer) {
    case SHAPE:
        *colour = flags & TW_OCEAN ? sea : flags & TW_WATER ? lake : land;
        return true;
    case ELEVATION:
        *colour = lake;
        return (flags & (TW_WATER | TW_OCEAN)) == TW_WATER;
    case TEMPERATURE:
        return false;
    case MOISTURE:
        *colour = sea;
        return flags & TW_OCEAN;
    case BIOMES:
        *colour = tw_colour_of(tw_biomes[m->cell_biome[polygon]].colour);
        return true;
    case POLYGONS:
        break;
    }
    *colour = paper;
    return true;
}

static void fill(uint8_t *pixels, struct tw_colour colour, int32_t count)
{
    uint8_t bytes[3];
    tw_colour_store(colour, bytes);
    for (int32_t i = 0; i < count; i++)
        memcpy(pixels + (size_t)i * 3, bytes, 3);
}

/* Cells of a row that one polygon holds, from x on. */
static int32_t count_alike(const struct drawing *d, const int32_t *triangle, int32_t x,
                           int32_t polygon)
{
    int32_t end = x + 1;
    while (end < d->cover.width && (triangle[end] == triangle[end - 1] ||
                                    tw_polymap_polygon_of(d->map, triangle[end]) == polygon))
        end++;
    return end - x;
}

static void colour_row(const struct drawing *d, int32_t y)
{
    const struct values values = values_of(d);
    size_t row = (size_t)y * (size_t)d->cover.width;
    const int32_t *triangle = d->cover.triangle + row;
    struct tw_colour colour;
    for (int32_t x = 0, count; x < d->cover.width; x += count) {
        int32_t polygon = tw_polymap_polygon_of(d->map, triangle[x]);
        uint8_t *pixels = d->pixels + 3 * (row + (size_t)x);
        count = count_alike(d, triangle, x, polygon);
        if (has_one_colour(d, polygon, &colour)) {
            fill(pixels, colour, count);
        } else if (!d->value) {
            colour = tw_colour_ramp(values.ramp, values.stops, values.cells[polygon]);
            fill(pixels, colour, count);
        } else {
            const float *value = d->value + row + x;
            for (int32_t i = 0; i < count; i++)
                tw_colour_store(tw_colour_ramp(values.ramp, values.stops, value[i]),
                                pixels + (size_t)i * 3);
        }
    }
}

/* ---- lines over the colours ---- */

static void draw(const struct drawing *d, struct tw_polymap_place a, struct tw_polymap_place b,
                 float width, int32_t begin, int32_t end)
{
    float w = (float)d->cover.width * 0.5f, h = (float)d->cover.height * 0.5f;
    const struct tw_stroke stroke = {
        {(a.x + 1) * w, (a.y + 1) * h}, {(b.x + 1) * w, (b.y + 1) * h}, 0.5f * width};
    tw_stroke_draw(&stroke, d->cover.width, begin, end, d->mask);
}

static void draw_edges(const struct drawing *d, int32_t begin, int32_t end)
{
    for (int32_t e = 0; e < d->map->edges; e++)
        draw(d, d->map->corner_at[d->map->edge[e].v0], d->map->corner_at[d->map->edge[e].v1],
             d->params->line_width, begin, end);
}

static void draw_graph(const struct drawing *d, int32_t begin, int32_t end)
{
    for (int32_t e = 0; e < d->map->edges; e++)
        if (d->map->edge[e].d1 >= 0)
            draw(d, d->map->cell_at[d->map->edge[e].d0], d->map->cell_at[d->map->edge[e].d1],
                 d->params->line_width, begin, end);
}

static void draw_centres(const struct drawing *d, int32_t begin, int32_t end)
{
    for (int32_t i = 0; i < d->map->cells; i++)
        draw(d, d->map->cell_at[i], d->map->cell_at[i], 4 * d->params->line_width, begin, end);
}

/* Up to 4 lines wide, by the root of the volume. */
static void draw_rivers(const struct drawing *d, int32_t begin, int32_t end)
{
    for (int32_t e = 0; e < d->map->edges; e++)
        if (d->map->edge_river[e] > 0)
            draw(d, d->map->corner_at[d->map->edge[e].v0], d->map->corner_at[d->map->edge[e].v1],
                 d->params->line_width * (1 + 3 * sqrtf(d->map->edge_river[e] / d->largest)), begin,
                 end);
}

static void paint(const struct drawing *d, struct tw_colour colour, int32_t begin, int32_t end)
{
    size_t width = (size_t)d->cover.width;
    for (size_t i = (size_t)begin * width; i < (size_t)end * width; i++) {
        if (d->mask[i] <= 0)
            continue;
        struct tw_colour under = tw_colour_of(d->pixels + 3 * i);
        tw_colour_store(tw_colour_mix(under, colour, d->mask[i]), d->pixels + 3 * i);
        d->mask[i] = 0;
    }
}

static void draw_rows(void *context, int32_t begin, int32_t end)
{
    const struct drawing *d = context;
    size_t width = (size_t)d->cover.width;
    for (int32_t y = begin; y < end; y++)
        colour_row(d, y);
    memset(d->mask + (size_t)begin * width, 0, (size_t)(end - begin) * width * sizeof *d->mask);
    if (d->params->edges) {
        draw_edges(d, begin, end);
        paint(d, ink, begin, end);
    }
    if (d->params->graph) {
        draw_graph(d, begin, end);
        paint(d, line, begin, end);
    }
    if (d->params->rivers) {
        draw_rivers(d, begin, end);
        paint(d, river, begin, end);
    }
    if (d->params->centres) {
        draw_centres(d, begin, end);
        paint(d, line, begin, end);
    }
}

/* Indexed by enum layer. */
static const struct {
    uint32_t layer;
    const char *node;
} needs[] = {{0, "island.polygons"},
             {TW_LAYER_SHAPE, "island.shape"},
             {TW_LAYER_ELEVATION, "island.elevation"},
             {TW_LAYER_ELEVATION, "island.elevation"},
             {TW_LAYER_MOISTURE, "island.moisture"},
             {TW_LAYER_BIOMES, "island.biomes"}};

static bool interpolates(const struct params *p)
{
    return p->smooth && (p->layer == ELEVATION || p->layer == TEMPERATURE || p->layer == MOISTURE);
}

static bool lay_out(struct tw_scratch *s, struct drawing *d)
{
    d->mask = tw_scratch_maps(s, 1, sizeof *d->mask);
    d->value = interpolates(d->params) ? tw_scratch_maps(s, 1, sizeof *d->value) : NULL;
    return tw_scratch_is_laid(s);
}

static enum tw_status fill_cover(struct tw_task *task, struct drawing *d)
{
    const struct values values = values_of(d);
    d->cover = (struct tw_polymap_raster){.map = d->map,
                                          .planes = {{values.corners, values.cells, d->value}},
                                          .plane_count = d->value ? 1 : 0};
    return tw_polymap_raster(task, true, &d->cover);
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct tw_polymap map;
    struct drawing drawing = {
        .params = p, .map = &map, .pixels = tw_pixels(tw_task_output(task, OUT))};
    enum tw_status status =
        tw_polymap_open(task, 0, needs[p->layer].layer, needs[p->layer].node, &map);
    if (status == TW_OK && !lay_out(&(struct tw_scratch){.task = task}, &drawing))
        status = tw_task_no_memory(task);
    if (status == TW_OK)
        status = fill_cover(task, &drawing);
    if (status != TW_OK)
        return status;
    int32_t height = drawing.cover.height;
    for (int32_t e = 0; e < map.edges; e++)
        drawing.largest = tw_max(drawing.largest, map.edge_river[e]);
    tw_rows(task, height, height / 16 + 1, draw_rows, &drawing);
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    tw_polymap_raster_forecast(f, true);
    lay_out(&(struct tw_scratch){.forecast = f}, &(struct drawing){.params = f->params});
}

extern const struct tw_node_type tw_node_render_polymap;
const struct tw_node_type tw_node_render_polymap = {
    .name = "render.polymap",
    .version = 1,
    .summary = "a polygon map drawn: its graph, heights, climate or biomes",
    .keywords = "polygons, Voronoi diagram, graph, map drawing",
    .detail =
        "Draws a polygon map: its graph, heights, climate or biomes. Choose island.raster for "
        "maps to work on, and render.biomes for a finished picture.\n"
        "Each polygon has one colour or, with `smooth`, values interpolated in its triangles. "
        "Sides are black, neighbours and centres red, and rivers blue, with a width in "
        "proportion to the square root of their volume.",
    .cite = "weiss2015",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "land: {type: island.polygons, cells: 500}\n"
               "picture: {type: render.polymap, in: land, graph: true}",
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
