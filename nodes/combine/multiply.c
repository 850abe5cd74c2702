/* SPDX-License-Identifier: MIT */
/* The product of two maps: one of them scales the other. */
#include "common/pointwise.h"

static const struct tw_port inputs[] = {
    {"a", TW_HEIGHTMAP, 0, "one map"},
    {"b", TW_HEIGHTMAP, 0, "the other map"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the product"},
    TW_PORT_END,
};

static TW_INLINE float multiply(float a, float b) { return a * b; }
TW_POINTWISE_2(multiply)

extern const struct tw_node_type tw_node_combine_multiply;
const struct tw_node_type tw_node_combine_multiply = {
    .name = "combine.multiply",
    .version = 1,
    .summary = "product of two maps",
    .detail = "out = a b, cell by cell.",
    .inputs = inputs,
    .outputs = outputs,
    .example = "noise: {type: noise.midpoint}\n"
               "cells: {type: voronoi.cells}\n"
               "product: {type: combine.multiply, a: noise, b: cells}",
    .in_place = true,
    .run = run,
};
