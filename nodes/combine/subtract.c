/* SPDX-License-Identifier: MIT */
/* The difference of two maps, with its sign. */
#include "combine/kernels/ports.h"

#include <thalweg/pointwise.h>

TW_COMBINE_PORTS("the difference");

static TW_INLINE float subtract(float a, float b) { return a - b; }
TW_POINTWISE_2(subtract)

extern const struct tw_node_type tw_node_combine_subtract;
const struct tw_node_type tw_node_combine_subtract = {
    .name = "combine.subtract",
    .version = 1,
    .summary = "difference of two maps",
    .keywords = "minus, difference, dig, carve",
    .elsewhere =
        "Combine (Gaea), Combiner (World Machine), HeightField Layer (Houdini), Math (Blender)",
    .detail = "Subtracts one map from another, such as a terrain before and after erosion. Choose "
              "measure.difference for the size of the difference alone.\n"
              "    out = a - b.\n"
              "The result may be negative; of two masks it is at least 0.",
    .inputs = inputs,
    .outputs = outputs,
    .example = "noise: {type: noise.midpoint}\n"
               "cells: {type: voronoi.cells}\n"
               "difference: {type: combine.subtract, a: noise, b: cells}",
    .in_place = true,
    .reach = TW_REACH_CELL,
    .run = run,
};
