/* SPDX-License-Identifier: MIT */
/* The product of two maps: one of them scales the other. */
#include "combine/kernels/ports.h"

#include <thalweg/pointwise.h>

TW_COMBINE_PORTS("the product");

static TW_INLINE float multiply(float a, float b) { return a * b; }
TW_POINTWISE_2(multiply)

extern const struct tw_node_type tw_node_combine_multiply;
const struct tw_node_type tw_node_combine_multiply = {
    .name = "combine.multiply",
    .version = 1,
    .summary = "product of two maps",
    .keywords = "product, masking, scale, intersect masks",
    .elsewhere =
        "Combine (Gaea), Combiner (World Machine), HeightField Layer (Houdini), Math (Blender)",
    .detail = "Multiplies two maps, such as a noise with a mask that fades it out. Choose "
              "combine.blend to fade to something other than 0.\n"
              "    out = a b.",
    .inputs = inputs,
    .outputs = outputs,
    .example = "noise: {type: noise.midpoint}\n"
               "cells: {type: voronoi.cells}\n"
               "product: {type: combine.multiply, a: noise, b: cells}",
    .in_place = true,
    .reach = TW_REACH_CELL,
    .run = run,
};
