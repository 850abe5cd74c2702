/* SPDX-License-Identifier: MIT */
/* The slope of a map as vectors: (dz/dx, dz/dy) by central differences, x to the east and y to the
 * south. */
#include "shape/kernels/vector_field.h"

struct params {
    int32_t direction;
    bool unit;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_ENUM(struct params, direction, TW_SLOPE_ASCENT, "ascent|descent|left",
                  "up the slope, down, or along the contour with the higher ground to the right"),
    TW_PARAM_BOOL(struct params, unit, false,
                  "vectors of length 1; 0 where the slope is below 1e-9"),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

enum { IN };
static const struct tw_port inputs[] = {{"in", TW_HEIGHTMAP, 0, "the map"}, TW_PORT_END};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_VECTORS, 0, "rise per map side, to the east and to the south"},
    TW_PORT_END,
};

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_slope_field field = {.direction = (enum tw_slope_direction)p->direction,
                                         .unit = p->unit,
                                         .wrap = tw_task_wraps(task, p->border)};
    tw_slope_field_run(task, &field, tw_floats(tw_task_input(task, IN)),
                       tw_vectors(tw_task_output(task, OUT)));
    return TW_OK;
}

extern const struct tw_node_type tw_node_shape_gradient;
const struct tw_node_type tw_node_shape_gradient = {
    .name = "shape.gradient",
    .version = 1,
    .summary = "the slope of a map as vectors",
    .keywords = "slope vectors, derivative, direction, normal",
    .elsewhere = "HeightField Mask by Feature (Houdini), Gradient (Hesiod), r.slope.aspect (GRASS)",
    .detail =
        "Gives the slope of a map as vectors, for shape.warp and noise.phasor. Choose mask.slope "
        "for how steep the ground is.\n"
        "Cells have the side c = 1 / width. To the east, and to the south likewise:\n"
        "    (z(x + 1) - z(x - 1)) / 2c.\n"
        "Where the map ends, the difference is that between the cell itself and its one "
        "neighbour.",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.perlin}\n"
               "slope: {type: shape.gradient, in: noise, direction: descent}",
    .bordered = true,
    .reach = 1,
    .run = run,
};
