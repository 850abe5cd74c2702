/* SPDX-License-Identifier: MIT */
/* The lower of two maps. */
#include "combine/kernels/ports.h"

#include <thalweg/kernel.h>
#include <thalweg/pointwise.h>

TW_COMBINE_PORTS("the lower height");

static TW_INLINE float minimum(float a, float b) { return tw_min(a, b); }
TW_POINTWISE_2(minimum)

extern const struct tw_node_type tw_node_combine_minimum;
const struct tw_node_type tw_node_combine_minimum = {
    .name = "combine.minimum",
    .version = 1,
    .summary = "the lower of two maps",
    .keywords = "intersection, lower envelope, cut, carve",
    .elsewhere =
        "Combine (Gaea), Combiner (World Machine), HeightField Layer (Houdini), Math (Blender)",
    .detail = "Takes the lower of two maps, such as a landscape and the canyon cut into it. Choose "
              "combine.blend for a soft seam.\n"
              "    out = min(a, b).",
    .inputs = inputs,
    .outputs = outputs,
    .example = "noise: {type: noise.midpoint}\n"
               "cells: {type: voronoi.cells}\n"
               "lower: {type: combine.minimum, a: noise, b: cells}",
    .in_place = true,
    .reach = TW_REACH_CELL,
    .run = run,
};
