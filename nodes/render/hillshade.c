/* SPDX-License-Identifier: MIT */
/* Hillshade: Lambert's cosine law on Horn's 1981 gradient, its corner rounded. */
#include "render/kernels/hillshade.h"
#include "common/rows.h"

struct params {
    float azimuth, altitude, softness;
    float exaggeration;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_LIGHT_PARAMS(struct params),
    TW_PARAM_EXAGGERATION(struct params, exaggeration, 0.1, TW_UNIT_SIDE),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

TW_TERRAIN_INPUT;

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_IMAGE, 0, "the picture, grey"},
    TW_PORT_END,
};

struct scene {
    struct tw_hillshade_slopes slopes;
    struct tw_hillshade_light light;
    uint8_t *pixels;
};

static void shade_cells(const struct scene *scene, int32_t y, int32_t x, int32_t count)
{
    float shade[TW_HILLSHADE_CELLS];
    uint8_t *pixel = scene->pixels + 3 * ((size_t)y * (size_t)scene->slopes.width + (size_t)x);
    tw_hillshade_light_find(&scene->slopes, &scene->light, y, x, count, shade);
    for (int32_t i = 0; i < count; i++, pixel += 3)
        pixel[0] = pixel[1] = pixel[2] = (uint8_t)(shade[i] * 255.0f + 0.5f);
}

static void shade_rows(void *context, int32_t begin, int32_t end)
{
    const struct scene *scene = context;
    int32_t width = scene->slopes.width;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < width; x += TW_HILLSHADE_CELLS)
            shade_cells(scene, y, x,
                        width - x < TW_HILLSHADE_CELLS ? width - x : TW_HILLSHADE_CELLS);
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct scene scene = {
        tw_hillshade_slopes_of(task, 0, tw_exaggeration(p->exaggeration), p->border),
        tw_hillshade_light_from(p->azimuth, p->altitude, p->softness),
        tw_pixels(tw_task_output(task, OUT))};
    tw_rows(task, scene.slopes.height, 16, shade_rows, &scene);
    return TW_OK;
}

extern const struct tw_node_type tw_node_render_hillshade;
const struct tw_node_type tw_node_render_hillshade = {
    .name = "render.hillshade",
    .version = 4,
    .summary = "shaded relief in grey",
    .keywords = "shaded relief, shading, sun, lighting, grey",
    .elsewhere = "Lightmap Generator (World Machine), gdaldem hillshade (GDAL), r.relief (GRASS)",
    .detail =
        "Shows the relief in grey, to judge forms without colour. Choose render.relief for a map "
        "in colour, and render.perspective for a view.\n"
        "With c Lambert's cosine between the light and the normal of Horn's 3 x 3 gradient, and "
        "k = softness, the picture is max(0, c) with a rounded corner:\n"
        "    (c + sqrt(c^2 + k^2)) / (1 + sqrt(1 + k^2)).\n" TW_HILLSHADE_BORDERS,
    .cite = "horn1981",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\npicture: {type: render.hillshade, in: noise}",
    .bordered = true,
    .reach = 1,
    .run = run,
};
