/* SPDX-License-Identifier: MIT */
/* Weighted mean of two maps: out = (1 - weight) a + weight b. */
#include <thalweg/pointwise.h>

struct params {
    float weight;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, weight, 0.5, 0, 1, TW_UNIT_SHARE, "share of b"),
    TW_PARAM_END,
};

static const struct tw_port inputs[] = {
    {"a", TW_HEIGHTMAP, TW_KEEPS_TYPE, "what weight 0 gives"},
    {"b", TW_HEIGHTMAP, TW_KEEPS_TYPE, "what weight 1 gives"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, TW_KEEPS_TYPE, "the mean"},
    TW_PORT_END,
};

static TW_INLINE float mix(const struct params *p, float a, float b)
{
    return (1.0f - p->weight) * a + p->weight * b;
}
TW_POINTWISE_KERNEL(mix, maps->context, a[i], b[i])
TW_POINTWISE_RUN(mix)

extern const struct tw_node_type tw_node_combine_mix;
const struct tw_node_type tw_node_combine_mix = {
    .name = "combine.mix",
    .version = 1,
    .summary = "weighted mean of two maps",
    .keywords = "average, crossfade, interpolation, opacity, weighted mean",
    .elsewhere =
        "Combine (Gaea), Combiner (World Machine), HeightField Layer (Houdini), Mix (Blender)",
    .detail = "Mixes two maps by one weight. Choose combine.blend for a weight in each cell.\n"
              "    out = (1 - weight) a + weight b.",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.perlin}\n"
               "cells: {type: voronoi.cells}\n"
               "mixed: {type: combine.mix, a: noise, b: cells, weight: 0.33}",
    .in_place = true,
    .reach = TW_REACH_CELL,
    .run = run,
};
