/* SPDX-License-Identifier: MIT */
/* Hills lowered and cut off at 0: Olsen 2004, "Base terrain modifications", Figure 35. */
#include "shape/kernels/ports.h"

#include <thalweg/kernel.h>
#include <thalweg/pointwise.h>

struct params {
    float offset;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, offset, 0.25, -1e9, 1e9, TW_UNIT_HEIGHT,
                 "how far the map is lowered", TW_USUAL(0, 1)),
    TW_PARAM_END,
};

TW_SHAPE_PORTS(0, "the lowered map, never below 0");

static TW_INLINE float lower(const struct params *p, float v) { return tw_max(v - p->offset, 0); }
TW_SHAPE_POINTWISE(lower)

extern const struct tw_node_type tw_node_shape_offset_clip;
const struct tw_node_type tw_node_shape_offset_clip = {
    .name = "shape.offset_clip",
    .version = 1,
    .summary = "lower a map and cut it off at 0",
    .keywords = "sea level, lower, flood, cut off, islands",
    .elsewhere = "Clamp (Gaea), Clamp (World Machine)",
    .detail =
        "Lowers a map and cuts it off at 0, as a published method does after its noise. Choose "
        "shape.clamp and combine.subtract elsewhere.\n"
        "    out = max(0, v - offset).",
    .cite = "olsen2004",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "cells: {type: voronoi.cells}\n"
               "hills: {type: shape.offset_clip, in: cells, offset: 0.3}",
    .in_place = true,
    .reach = TW_REACH_CELL,
    .run = run,
};
