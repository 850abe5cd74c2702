/* SPDX-License-Identifier: MIT */
/* The higher of two maps. */
#include "combine/kernels/ports.h"

#include <thalweg/kernel.h>
#include <thalweg/pointwise.h>

TW_COMBINE_PORTS("the greater height");

static TW_INLINE float maximum(float a, float b) { return tw_max(a, b); }
TW_POINTWISE_2(maximum)

extern const struct tw_node_type tw_node_combine_maximum;
const struct tw_node_type tw_node_combine_maximum = {
    .name = "combine.maximum",
    .version = 1,
    .summary = "the higher of two maps",
    .keywords = "union, upper envelope, place on top",
    .elsewhere =
        "Combine (Gaea), Combiner (World Machine), HeightField Layer (Houdini), Math (Blender)",
    .detail =
        "Takes the higher of two maps, such as an island and the sea floor. Choose combine.blend "
        "for a soft seam.\n"
        "    out = max(a, b).",
    .inputs = inputs,
    .outputs = outputs,
    .example = "noise: {type: noise.midpoint}\n"
               "cells: {type: voronoi.cells}\n"
               "higher: {type: combine.maximum, a: noise, b: cells}",
    .in_place = true,
    .reach = TW_REACH_CELL,
    .run = run,
};
