/* SPDX-License-Identifier: MIT */
/* Normal map for renderers: the surface normal of Horn's 1981 gradient as a colour. */
#include "common/rows.h"
#include "render/kernels/hillshade.h"

#include <thalweg/kernel.h>

enum { NORTH, SOUTH };

struct params {
    float exaggeration;
    int32_t green;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_EXAGGERATION(struct params, exaggeration, 0.1, TW_UNIT_SIDE),
    TW_PARAM_ENUM(struct params, green, NORTH, "north|south",
                  "where green is light: to the north as OpenGL has it, or to the south"),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

TW_TERRAIN_INPUT;

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_IMAGE, 0, "the normals: red east, green north or south, blue up"},
    TW_PORT_END,
};

struct scene {
    struct tw_hillshade_slopes slopes;
    float north; /* 1, or -1 when green points south */
    uint8_t *pixels;
};

/* -1..1 to 0..255; 0 becomes 128. */
static uint8_t level_of(float v) { return (uint8_t)tw_clamp(v * 127.5f + 128.0f, 0, 255); }

static void paint_cells(const struct scene *s, int32_t y, int32_t x, int32_t count)
{
    float dx[TW_HILLSHADE_CELLS], dy[TW_HILLSHADE_CELLS];
    uint8_t *pixel = s->pixels + 3 * ((size_t)y * (size_t)s->slopes.width + (size_t)x);
    tw_hillshade_slopes_find(&s->slopes, y, x, count, dx, dy);
    for (int32_t i = 0; i < count; i++, pixel += 3) {
        float up = 1.0f / sqrtf(1.0f + dx[i] * dx[i] + dy[i] * dy[i]);
        pixel[0] = level_of(-dx[i] * up);
        pixel[1] = level_of(s->north * dy[i] * up);
        pixel[2] = level_of(up);
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

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct scene scene = {
        tw_hillshade_slopes_of(task, 0, tw_exaggeration(p->exaggeration), p->border),
        p->green == NORTH ? 1.0f : -1.0f, tw_pixels(tw_task_output(task, OUT))};
    tw_rows(task, scene.slopes.height, 16, paint_rows, &scene);
    return TW_OK;
}

extern const struct tw_node_type tw_node_render_normals;
const struct tw_node_type tw_node_render_normals = {
    .name = "render.normals",
    .version = 3,
    .summary = "normal map for renderers",
    .keywords = "normal map, tangent space, bump map, game engine",
    .elsewhere = "Normals (Gaea), Normalmap Generator (World Machine), Normal Map (Blender)",
    .detail = "Makes a normal map for renderers and game engines. Choose render.hillshade for a "
              "picture to look at.\n"
              "With y to the south and the slopes of Horn's 3 x 3 gradient:\n"
              "    n = (-dz/dx, dz/dy, 1) / |...|.\n"
              "It is stored as 127.5 n + 128, at most 255.\n" TW_HILLSHADE_BORDERS,
    .cite = "horn1981",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\nnormals: {type: render.normals, in: noise}",
    .bordered = true,
    .reach = 1,
    .run = run,
};
