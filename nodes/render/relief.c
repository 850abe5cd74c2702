/* SPDX-License-Identifier: MIT */
/* Hypsometric tints under a hillshade, as in an atlas. The colours are our own. */
#include "common/rescale.h"
#include "render/kernels/colour.h"
#include "render/kernels/hillshade.h"

#include <thalweg/kernel.h>

#define WATER_SHARE 0.4f /* of the shading */

struct params {
    float low, high, sea_level;
    float azimuth, altitude, softness;
    float exaggeration;
    float shading;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, low, 0, -1e9, 1e9, TW_UNIT_HEIGHT, "height of the lowest colour"),
    TW_PARAM_F32(struct params, high, 0, -1e9, 1e9, TW_UNIT_HEIGHT,
                 "height of the highest colour; low = high takes the map's own range"),
    TW_PARAM_F32(struct params, sea_level, 0, -1e9, 1e9, TW_UNIT_HEIGHT, "blue below it"),
    TW_LIGHT_PARAMS(struct params),
    TW_PARAM_F32(struct params, exaggeration, 0.1, 0, 1000, TW_UNIT_SIDE,
                 "of the shade: what height 1 measures in map sides"),
    TW_PARAM_F32(struct params, shading, 0.8, 0, 1, TW_UNIT_SHARE,
                 "strength of the shading; 0 gives flat colours"),
    TW_PARAM_END,
};

enum { IN, SHADE };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    {"shade", TW_MASK, TW_OPTIONAL, "light in 0..1, instead of the node's own"},
    TW_PORT_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_IMAGE, 0, "the picture"},
    TW_PORT_END,
};

/* From the shore, 0, to the highest point, 1. */
static const struct tw_colour_stop land[] = {
    {0.00f, {{112, 148, 98}}},  {0.15f, {{152, 176, 112}}}, {0.35f, {{204, 198, 142}}},
    {0.55f, {{184, 150, 106}}}, {0.75f, {{150, 122, 104}}}, {0.90f, {{196, 190, 186}}},
    {1.00f, {{248, 248, 246}}},
};
/* From the shore to the deepest point. */
static const struct tw_colour_stop sea[] = {
    {0.00f, {{150, 198, 206}}},
    {0.15f, {{104, 164, 190}}},
    {1.00f, {{30, 66, 112}}},
};

struct scene {
    struct tw_hillshade_slopes slopes;
    struct tw_hillshade_light light;
    const struct params *params;
    struct tw_span span; /* heights of the first and the last colour */
    const float *shade;  /* NULL: our own */
    uint8_t *pixels;
};

static struct tw_colour colour_of(const struct scene *s, float v)
{
    float level = s->params->sea_level;
    if (v < level) {
        float depth = level - tw_min(s->span.low, v);
        return tw_colour_ramp_weighted(sea, sizeof sea / sizeof sea[0], (level - v) / depth);
    }
    float foot = tw_max(level, s->span.low), rise = s->span.high - foot;
    return tw_colour_ramp_weighted(land, sizeof land / sizeof land[0],
                                   rise > 0 ? (v - foot) / rise : 0);
}

/* Level ground, or light 1 of a given shade, shows the colour itself. Water hides most of the
 * ground below it. */
static void paint_cells(const struct scene *s, int32_t y, int32_t x, int32_t count)
{
    float own[TW_HILLSHADE_CELLS];
    size_t first = (size_t)y * (size_t)s->slopes.width + (size_t)x;
    float level = s->shade ? 1.0f : tw_max(tw_hillshade_light_level(&s->light), 0.01f);
    if (!s->shade)
        tw_hillshade_light_find(&s->slopes, &s->light, y, x, count, own);
    const float *shade = s->shade ? s->shade + first : own;
    for (int32_t i = 0; i < count; i++) {
        float v = s->slopes.cells[first + (size_t)i];
        float share = s->params->shading * (v < s->params->sea_level ? WATER_SHARE : 1.0f);
        float light = (1.0f - share) + share * tw_clamp(shade[i], 0.0f, 1.0f) / level;
        tw_colour_store_lit(colour_of(s, v), light, s->pixels + 3 * (first + (size_t)i));
    }
}

static void paint_rows(void *context, int32_t begin, int32_t end)
{
    const struct scene *s = context;
    int32_t width = s->slopes.width;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < width; x += TW_HILLSHADE_CELLS)
            paint_cells(s, y, x, width - x < TW_HILLSHADE_CELLS ? width - x : TW_HILLSHADE_CELLS);
}

static const char *check(const void *at)
{
    const struct params *p = at;
    return p->low > p->high ? "low must not be above high" : NULL;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *shade = tw_task_input(task, SHADE);
    struct scene scene = {tw_hillshade_slopes_of(task, 0, p->exaggeration),
                          tw_hillshade_light_from(p->azimuth, p->altitude, p->softness),
                          p,
                          {p->low, p->high},
                          shade ? tw_floats(shade) : NULL,
                          tw_pixels(tw_task_output(task, OUT))};
    const struct tw_hillshade_slopes *map = &scene.slopes;
    enum tw_status status = TW_OK;
    if (p->low == p->high)
        status = tw_span_find(task, map->cells, map->width, map->height, &scene.span);
    if (status == TW_OK)
        tw_rows(task, map->height, 16, paint_rows, &scene);
    return status;
}

static void forecast(struct tw_forecast *f) { tw_rescale_forecast(f); }

extern const struct tw_node_type tw_node_render_relief;
const struct tw_node_type tw_node_render_relief = {
    .name = "render.relief",
    .version = 1,
    .summary = "height colours under a hillshade",
    .detail = "Land runs from green over ochre to white between sea_level (or low, when that is "
              "higher) and high, water from light to dark blue down to low. The colour is "
              "multiplied by 1 - shading + shading s / s_0, s being the light of "
              "render.hillshade and s_0 that on level ground; water takes 0.4 of the shading. "
              "Borders are clamped.",
    .cite = "horn1981",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "picture: {type: render.relief, in: noise, sea_level: 0.35}",
    .reach = TW_REACH_ALL,
    .check = check,
    .run = run,
    .forecast = forecast,
};
