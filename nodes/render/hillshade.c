/* SPDX-License-Identifier: MIT */
/* Hillshade: Lambert's cosine law on Horn's 1981 gradient. */
#include <thalweg/kernel.h>
#include <thalweg/node.h>

struct params {
    float azimuth, altitude;
    float exaggeration;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, azimuth, 315, 0, 360, TW_UNIT_DEGREES,
                 "where the light comes from, clockwise from north"),
    TW_PARAM_F32(struct params, altitude, 45, 0, 90, TW_UNIT_DEGREES,
                 "the light above the horizon"),
    TW_PARAM_F32(struct params, exaggeration, 0.25, 0, 1000, TW_UNIT_SIDE,
                 "what height 1 measures in map sides"),
    TW_PARAM_END,
};

static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_IMAGE, 0, "the picture, grey"},
    TW_PORT_END,
};

struct scene {
    const float *cells;
    uint8_t *pixels;
    int32_t width, height;
    float light_x, light_y, light_z; /* towards the light; x east, y south, z up */
    float scale;                     /* exaggeration x cells per side / 8 */
};

static float cell(const struct scene *scene, int32_t x, int32_t y)
{
    x = tw_clamp_index(x, scene->width);
    y = tw_clamp_index(y, scene->height);
    return scene->cells[(size_t)y * (size_t)scene->width + (size_t)x];
}

static float shade(const struct scene *s, int32_t x, int32_t y)
{
    float west = cell(s, x - 1, y - 1) + 2.0f * cell(s, x - 1, y) + cell(s, x - 1, y + 1);
    float east = cell(s, x + 1, y - 1) + 2.0f * cell(s, x + 1, y) + cell(s, x + 1, y + 1);
    float north = cell(s, x - 1, y - 1) + 2.0f * cell(s, x, y - 1) + cell(s, x + 1, y - 1);
    float south = cell(s, x - 1, y + 1) + 2.0f * cell(s, x, y + 1) + cell(s, x + 1, y + 1);
    float dx = (east - west) * s->scale, dy = (south - north) * s->scale;
    float along = s->light_z - s->light_x * dx - s->light_y * dy;
    return tw_clamp(along / sqrtf(1.0f + dx * dx + dy * dy), 0.0f, 1.0f);
}

static void shade_rows(void *context, int32_t begin, int32_t end)
{
    const struct scene *scene = context;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < scene->width; x++) {
            uint8_t grey = (uint8_t)(shade(scene, x, y) * 255.0f + 0.5f);
            uint8_t *pixel = scene->pixels + 3 * ((size_t)y * (size_t)scene->width + (size_t)x);
            pixel[0] = pixel[1] = pixel[2] = grey;
        }
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    double flat = tw_cos_degrees((double)p->altitude);
    struct scene scene = {
        .cells = tw_floats(tw_task_input(task, 0)),
        .pixels = tw_pixels(tw_task_output(task, 0)),
        .width = tw_task_width(task),
        .height = tw_task_height(task),
        .light_x = (float)(flat * tw_sin_degrees((double)p->azimuth)),
        .light_y = (float)(-flat * tw_cos_degrees((double)p->azimuth)),
        .light_z = (float)tw_sin_degrees((double)p->altitude),
    };
    scene.scale = p->exaggeration * (float)scene.width / 8.0f;
    tw_rows(task, scene.height, 16, shade_rows, &scene);
    return TW_OK;
}

extern const struct tw_node_type tw_node_render_hillshade;
const struct tw_node_type tw_node_render_hillshade = {
    .name = "render.hillshade",
    .version = 1,
    .summary = "shaded relief in grey",
    .detail = "Lambert shading of the gradient by Horn's 3 x 3 weights. Borders are clamped.",
    .cite = "horn1981",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\npicture: {type: render.hillshade, in: noise}",
    .reach = 1,
    .run = run,
};
