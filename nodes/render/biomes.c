/* SPDX-License-Identifier: MIT */
/* A map of biomes in colour, with relief, rivers and plants where these are given. */
#include "common/biome.h"
#include "common/island_example.h"
#include "common/plants.h"
#include "common/stroke.h"
#include "render/kernels/colour.h"

#include <thalweg/gradient.h>
#include <thalweg/kernel.h>
#include <thalweg/node.h>

struct params {
    float exaggeration, plant_size;
};

static const struct tw_param params[] = {
    TW_PARAM_EXAGGERATION(struct params, exaggeration, 0.25, TW_UNIT_SIDE),
    TW_PARAM_F32(struct params, plant_size, 1, 0, 100, TW_UNIT_NONE,
                 "factor of the drawn size of plants", TW_USUAL(0, 4)),
    TW_PARAM_END,
};

enum { BIOME, HEIGHT, RIVER, PLANTS };
static const struct tw_port inputs[] = {
    {"biome", TW_LABELS, 0, "biomes, as of island.raster"},
    {"height", TW_HEIGHTMAP, TW_OPTIONAL, "shades land, lit from the north-west"},
    {"river", TW_MASK, TW_OPTIONAL, "rivers over the land"},
    {"plants", TW_PLACEMENTS, TW_OPTIONAL, "plants as dots, as of island.scatter"},
    TW_PORT_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_IMAGE, 0, "the picture"},
    TW_PORT_END,
};

struct drawing {
    const int32_t *biome;
    const float *cells, *river; /* may be NULL */
    const struct tw_value *plants;
    uint8_t *pixels;
    float *mask;
    int32_t width, height;
    float scale, plant_size;
};

/* Lambert's law, the light 45 degrees high; 1 on flat land. */
static float shade(const struct drawing *d, int32_t x, int32_t y)
{
    struct tw_gradient g = tw_gradient_central(d->cells, d->width, d->height, x, y, d->scale);
    float light = (1.0f + 0.70710678f * (g.dx + g.dy)) / sqrtf(1.0f + g.dx * g.dx + g.dy * g.dy);
    return 0.45f + 0.55f * tw_max(light, 0.0f); /* 0.45 is light from the sky */
}

static struct tw_colour colour_at(const struct drawing *d, int32_t x, int32_t y)
{
    static const struct tw_colour black = {{0, 0, 0}};
    size_t i = (size_t)y * (size_t)d->width + (size_t)x;
    int32_t biome = d->biome[i];
    struct tw_colour colour = tw_colour_of(tw_biomes[biome].colour);
    if (biome == TW_OCEAN_BIOME)
        return colour;
    if (d->cells && biome != TW_LAKE)
        colour = tw_colour_mix(black, colour, shade(d, x, y));
    return d->river ? tw_colour_mix(colour, tw_colour_of(tw_biomes[TW_LAKE].colour), d->river[i])
                    : colour;
}

/* All plants of a kind as one mask; larger kinds are drawn later, over smaller ones. */
static void draw_plants(const struct drawing *d, int32_t kind, int32_t begin, int32_t end)
{
    const struct tw_placement *plants = tw_placements(d->plants);
    size_t first = (size_t)begin * (size_t)d->width, last = (size_t)end * (size_t)d->width;
    memset(d->mask + first, 0, (last - first) * sizeof *d->mask);
    for (int32_t i = 0; i < d->plants->width; i++) {
        if (plants[i].kind != kind)
            continue;
        float x = plants[i].x * (float)d->width, y = plants[i].y * (float)d->height;
        float half = 0.5f * plants[i].size * d->plant_size * (float)d->width;
        const struct tw_stroke dot = {{x, y}, {x, y}, tw_min(half, (float)d->width)};
        tw_stroke_draw(&dot, d->width, begin, end, d->mask);
    }
    struct tw_colour colour = tw_colour_of(tw_plants[kind].colour);
    for (size_t i = first; i < last; i++)
        if (d->mask[i] > 0)
            tw_colour_store(tw_colour_mix(tw_colour_of(d->pixels + 3 * i), colour, d->mask[i]),
                            d->pixels + 3 * i);
}

static void draw_rows(void *context, int32_t begin, int32_t end)
{
    const struct drawing *d = context;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < d->width; x++)
            tw_colour_store(colour_at(d, x, y),
                            d->pixels + 3 * ((size_t)y * (size_t)d->width + (size_t)x));
    for (int32_t kind = 0; d->plants && kind < TW_PLANT_COUNT; kind++)
        draw_plants(d, kind, begin, end);
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *biome = tw_task_input(task, BIOME),
                          *height = tw_task_input(task, HEIGHT),
                          *river = tw_task_input(task, RIVER),
                          *plants = tw_task_input(task, PLANTS);
    struct drawing drawing = {.biome = tw_labels(biome),
                              .cells = height ? tw_floats(height) : NULL,
                              .river = river ? tw_floats(river) : NULL,
                              .plants = plants,
                              .pixels = tw_pixels(tw_task_output(task, OUT)),
                              .width = biome->width,
                              .height = biome->height,
                              .scale = tw_exaggeration(p->exaggeration) * (float)biome->width,
                              .plant_size = p->plant_size};
    enum tw_status status = tw_biome_check(task, biome);
    if (status != TW_OK)
        return status;
    if (plants) {
        drawing.mask = tw_task_scratch(task, tw_value_count(biome), sizeof(float));
        if (!drawing.mask)
            return tw_task_no_memory(task);
    }
    tw_rows(task, drawing.height, drawing.height / 16 + 1, draw_rows, &drawing);
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    if (f->inputs[PLANTS] > 0)
        tw_forecast_maps(f, 1, sizeof(float));
}

extern const struct tw_node_type tw_node_render_biomes;
const struct tw_node_type tw_node_render_biomes = {
    .name = "render.biomes",
    .version = 3,
    .summary = "a map of biomes in colours, with relief, rivers and plants",
    .keywords = "map, biome colours, climate map, forest, legend",
    .detail =
        "Shows a map of biomes in colours, with relief, rivers and plants. Choose render.polymap "
        "for the polygons behind it.\n"
        "Land is shaded by Lambert's law on central differences of the height, one-sided at the "
        "border; water is not. Plants are dots as wide as their size.",
    .cite = "weiss2015",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = TW_ISLAND_MAP
    "picture: {type: render.biomes, biome: map.biome, height: map, river: map.river}",
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
