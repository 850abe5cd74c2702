/* SPDX-License-Identifier: MIT */
/* The difference of two maps, with its sign. */
#include "common/pointwise.h"

static const struct tw_port inputs[] = {
    {"a", TW_HEIGHTMAP, 0, "one map"},
    {"b", TW_HEIGHTMAP, 0, "the other map"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the difference"},
    TW_PORT_END,
};

static TW_INLINE float subtract(float a, float b) { return a - b; }
TW_POINTWISE_2(subtract)

extern const struct tw_node_type tw_node_combine_subtract;
const struct tw_node_type tw_node_combine_subtract = {
    .name = "combine.subtract",
    .version = 1,
    .summary = "difference of two maps",
    .detail = "out = a - b, cell by cell; may be negative.",
    .inputs = inputs,
    .outputs = outputs,
    .example = "noise: {type: noise.midpoint}\n"
               "cells: {type: voronoi.cells}\n"
               "difference: {type: combine.subtract, a: noise, b: cells}",
    .in_place = true,
    .run = run,
};
