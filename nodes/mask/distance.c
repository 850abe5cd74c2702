/* SPDX-License-Identifier: MIT */
/* How far every cell is from a mask. */
#include "common/distance_transform.h"

struct params {
    float reach;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, reach, 1, 1e-6, 2, TW_UNIT_SIDE, "the distance that becomes 1"),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

enum { IN };
static const struct tw_port inputs[] = {
    {"in", TW_MASK, 0, "cells of at least 1/2 are set"},
    TW_PORT_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_MASK, 0, "distance to the nearest set cell over reach, at most 1"},
    TW_PORT_END,
};

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_distance distance = {.in = tw_floats(tw_task_input(task, IN)),
                                         .of_set = true,
                                         .wrap = tw_task_wraps(task, p->border),
                                         .scale = 1.0f / (p->reach * (float)tw_task_width(task)),
                                         .limit = 1};
    struct tw_distance_space space;
    if (!tw_distance_lay_out(&(struct tw_scratch){.task = task}, &space, distance.wrap))
        return tw_task_no_memory(task);
    return tw_distance_transform(task, &distance, &space, tw_floats(tw_task_output(task, OUT)));
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    struct tw_distance_space space;
    tw_distance_lay_out(&(struct tw_scratch){.forecast = f}, &space,
                        tw_forecast_wraps(f, p->border));
}

extern const struct tw_node_type tw_node_mask_distance;
const struct tw_node_type tw_node_mask_distance = {
    .name = "mask.distance",
    .version = 2,
    .summary = "distance to the cells of a mask",
    .keywords = "buffer, proximity, river width, road width, river banks, falloff, expand, grow, "
                "dilate, beach",
    .elsewhere = "Distance (Gaea), Expander (World Machine), HeightField Mask Expand (Houdini), "
                 "DistanceTransform (Hesiod), gdal_proximity (GDAL), r.grow.distance (GRASS)",
    .detail =
        "Measures how far each cell is from the cells of a mask: for shores, banks of rivers and "
        "soft margins. Choose shape.blur to soften a mask without a sharp reach.\n"
        "    out = min(1, d / reach).\n"
        "d is the exact Euclidean distance between cell centres, in map sides, to the nearest "
        "cell of at least 1/2; it is 0 on those cells. Where there is none, out is 1 everywhere.\n"
        "Where the world wraps the way may lead over the border; elsewhere nothing lies beyond "
        "it.",
    .cite = "meijster2000",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "sea: {type: mask.height, in: noise, low: 0, high: 0.4, softness: 0}\n"
               "inland: {type: mask.distance, in: sea, reach: 0.2}",
    .bordered = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
