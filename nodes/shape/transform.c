/* SPDX-License-Identifier: MIT */
/* A map mirrored, turned, scaled and moved, in that order. */
#include "shape/kernels/ports.h"

#include <thalweg/masks.h>
#include <thalweg/sample.h>

enum { MIRROR_NONE, MIRROR_X, MIRROR_Y, MIRROR_DIAGONAL };

struct params {
    int32_t mirror;
    float rotate;
    float scale;
    float shift_x, shift_y;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_ENUM(struct params, mirror, MIRROR_NONE, "none|x|y|diagonal",
                  "before the turn: x swaps west and east, y north and south, diagonal columns and "
                  "rows"),
    TW_PARAM_F32(struct params, rotate, 0, -360, 360, TW_UNIT_DEGREES,
                 "about the centre, clockwise"),
    TW_PARAM_F32(struct params, scale, 1, 0.01, 1000, TW_UNIT_NONE,
                 "about the centre; 2 shows the features twice as large", TW_USUAL(0.2, 5)),
    TW_PARAM_F32(struct params, shift_x, 0, -10, 10, TW_UNIT_SIDE, "to the east", TW_USUAL(-1, 1)),
    TW_PARAM_F32(struct params, shift_y, 0, -10, 10, TW_UNIT_SIDE_SOUTH, "to the south",
                 TW_USUAL(-1, 1)),
    TW_SHAPE_BORDER(struct params, border),
    TW_PARAM_END,
};

TW_SHAPE_PORTS(TW_KEEPS_TYPE, "the transformed map");

struct map {
    const float *in;
    float *out;
    int32_t width, height;
    float across, along;    /* cos and sin of the rotation, over the scale */
    float shift_x, shift_y; /* cells */
    float middle_x, middle_y;
    int32_t mirror;
    bool wrap;
};

/* Samples the map at a place that is relative to the centre of its mirror image. */
static float sample_mirrored(const struct map *map, float u, float v)
{
    bool diagonal = map->mirror == MIRROR_DIAGONAL;
    float x = diagonal ? v : map->mirror == MIRROR_X ? -u : u;
    float y = diagonal ? u : map->mirror == MIRROR_Y ? -v : v;
    return tw_sample(map->in, map->width, map->height, x + map->middle_x, y + map->middle_y,
                     map->wrap);
}

/* Finds where a cell of the output lies in the input: moved, scaled and turned back. */
static float look_up(const struct map *map, int32_t x, int32_t y)
{
    float dx = (float)x - map->middle_x - map->shift_x;
    float dy = (float)y - map->middle_y - map->shift_y;
    return sample_mirrored(map, map->across * dx + map->along * dy,
                           map->across * dy - map->along * dx);
}

static void transform_rows(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < map->width; x++)
            map->out[(size_t)y * (size_t)map->width + (size_t)x] = look_up(map, x, y);
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    int32_t width = tw_task_width(task), height = tw_task_height(task);
    if (p->mirror == MIRROR_DIAGONAL && width != height)
        return tw_task_fail(task,
                            "the map has %d x %d cells; expected a square one for mirror: diagonal",
                            (int)width, (int)height);
    double scale = (double)p->scale, angle = (double)p->rotate;
    struct map map = {.in = tw_floats(tw_task_input(task, TW_SHAPE_IN)),
                      .out = tw_floats(tw_task_output(task, 0)),
                      .width = width,
                      .height = height,
                      .across = (float)(tw_cos_degrees(angle) / scale),
                      .along = (float)(tw_sin_degrees(angle) / scale),
                      .shift_x = p->shift_x * (float)width,
                      .shift_y = p->shift_y * (float)height,
                      .middle_x = 0.5f * (float)(width - 1),
                      .middle_y = 0.5f * (float)(height - 1),
                      .mirror = p->mirror,
                      .wrap = tw_task_wraps(task, p->border)};
    tw_rows(task, height, 8, transform_rows, &map);
    tw_strength_apply(task, map.in, map.out, tw_task_input(task, TW_SHAPE_MASK), map.out);
    tw_keep_mask(task);
    return TW_OK;
}

extern const struct tw_node_type tw_node_shape_transform;
const struct tw_node_type tw_node_shape_transform = {
    .name = "shape.transform",
    .version = 2,
    .summary = "mirror, turn, scale and move a map",
    .keywords = "move, rotate, scale, flip, mirror, offset, tile",
    .elsewhere = "Transform (Gaea), Simple Transform (World Machine), Flipper (World Machine), "
                 "HeightField Transform (Houdini), Mapping (Blender)",
    .detail = "Mirrors, turns, scales and moves a map, as for a symmetric map of a game. Choose "
              "shape.warp or shape.perturb to bend it.\n"
              "Bilinear, with M the mirror and R a turn clockwise as seen on the map:\n"
              "    out(p) = in(M R^-1 (p - centre - shift) / scale + centre).\n"
              "Mirrors and quarter turns of a square map move whole cells and keep their heights "
              "exactly. mirror: diagonal swaps columns and rows, and needs a square "
              "map." TW_SHAPE_BORDER_DETAIL,
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "turned: {type: shape.transform, in: noise, rotate: 30, shift_x: 0.25}",
    .bordered = true,
    .reach = TW_REACH_ALL,
    .run = run,
};
