/* SPDX-License-Identifier: MIT */
/* Two maps, blended cell by cell as a mask says. */
#include <thalweg/pointwise.h>

static const struct tw_port inputs[] = {
    {"a", TW_HEIGHTMAP, TW_KEEPS_TYPE, "where the mask is 0"},
    {"b", TW_HEIGHTMAP, TW_KEEPS_TYPE, "where the mask is 1"},
    {"mask", TW_MASK, 0, "share of b"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, TW_KEEPS_TYPE, "the blended map"},
    TW_PORT_END,
};

static TW_INLINE float blend(float a, float b, float m) { return (1.0f - m) * a + m * b; }
TW_POINTWISE_3(blend)

extern const struct tw_node_type tw_node_combine_blend;
const struct tw_node_type tw_node_combine_blend = {
    .name = "combine.blend",
    .version = 1,
    .summary = "two maps, blended as a mask says",
    .keywords = "mask, mixing by a mask, layers, lerp, compositing, transition",
    .elsewhere =
        "Combine (Gaea), Chooser (World Machine), HeightField Layer (Houdini), Lerp (Hesiod), "
        "Mix (Blender)",
    .detail = "Blends two maps as a mask says: one where it is 0, the other where it is 1. Choose "
              "combine.mix for one weight over the whole map.\n"
              "    out = (1 - mask) a + mask b.\n"
              "A mask beyond 0..1 goes beyond a and b.",
    .inputs = inputs,
    .outputs = outputs,
    .example = "noise: {type: noise.midpoint}\n"
               "cells: {type: voronoi.cells}\n"
               "where: {type: mask.shape, radius: 0.15, falloff: 0.25}\n"
               "blended: {type: combine.blend, a: noise, b: cells, mask: where}",
    .in_place = true,
    .reach = TW_REACH_CELL,
    .run = run,
};
