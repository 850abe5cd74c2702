/* SPDX-License-Identifier: MIT */
/* The sum of two maps. */
#include "combine/kernels/ports.h"

#include <thalweg/pointwise.h>

TW_COMBINE_PORTS("the sum");

static TW_INLINE float add(float a, float b) { return a + b; }
TW_POINTWISE_2(add)

extern const struct tw_node_type tw_node_combine_add;
const struct tw_node_type tw_node_combine_add = {
    .name = "combine.add",
    .version = 1,
    .summary = "sum of two maps",
    .keywords = "sum, plus, raise, stack layers",
    .elsewhere = "Combine (Gaea), Combiner (World Machine), HeightField Layer (Houdini), Math "
                 "(Blender), r.mapcalc (GRASS)",
    .detail =
        "Adds two maps, such as noise to a landscape. Choose combine.mix to keep the range of "
        "heights, and combine.formula for more than one operation.\n"
        "    out = a + b.\n"
        "The sum of two masks is at most 1.",
    .inputs = inputs,
    .outputs = outputs,
    .example = "noise: {type: noise.midpoint}\n"
               "cells: {type: voronoi.cells}\n"
               "sum: {type: combine.add, a: noise, b: cells}",
    .in_place = true,
    .reach = TW_REACH_CELL,
    .run = run,
};
