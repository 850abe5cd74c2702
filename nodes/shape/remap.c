/* SPDX-License-Identifier: MIT */
/* A range of heights mapped to another, by a straight line. */
#include "shape/kernels/ports.h"

#include <thalweg/kernel.h>
#include <thalweg/pointwise.h>

struct params {
    struct tw_list from, to;
    bool clamp;
};

static const struct tw_param params[] = {
    TW_PARAM_LIST(struct params, from, "0 1", -1e9, 1e9, TW_UNIT_HEIGHT, "heights [low, high]",
                  TW_USUAL(0, 1)),
    TW_PARAM_LIST(struct params, to, "0 1", -1e9, 1e9, TW_UNIT_HEIGHT, "what they become",
                  TW_USUAL(-0.5, 1.5)),
    TW_PARAM_BOOL(struct params, clamp, 0, "heights outside `from` stay at the ends of `to`"),
    TW_PARAM_END,
};

TW_SHAPE_PORTS(0, "the mapped map");

static TW_INLINE float remap(const struct params *p, float v)
{
    float t = (v - p->from.at[0]) / (p->from.at[1] - p->from.at[0]);
    t = p->clamp ? tw_clamp(t, 0, 1) : t;
    return p->to.at[0] * (1.0f - t) + p->to.at[1] * t;
}
TW_SHAPE_POINTWISE(remap)

static struct tw_rule check(const void *at)
{
    const struct params *p = at;
    if (p->from.count != 2)
        return TW_RULE("from", "[low, high]");
    if (p->to.count != 2)
        return TW_RULE("to", "[low, high]");
    return p->from.at[0] == p->from.at[1] ? TW_RULE("from", "two different heights")
                                          : TW_RULES_HOLD;
}

extern const struct tw_node_type tw_node_shape_remap;
const struct tw_node_type tw_node_shape_remap = {
    .name = "shape.remap",
    .version = 1,
    .summary = "map a range of heights to another",
    .keywords = "levels, scale heights, range, map range, amplitude",
    .elsewhere = "Adjust (Gaea), HeightField Remap (Houdini), Remap (Hesiod), Map Range (Blender), "
                 "r.rescale (GRASS)",
    .detail = "Maps a range of heights to another: a sea level to 0, a mask to heights. Choose "
              "shape.normalize where the range should follow from the map.\n"
              "    t = (v - from_0) / (from_1 - from_0);\n"
              "    out = to_0 (1 - t) + to_1 t.\n"
              "With clamp t is cut to 0..1. The ends of `from` become those of `to` exactly.",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "deep: {type: shape.remap, in: noise, from: [0, 1], to: [-0.4, 0.6]}",
    .in_place = true,
    .reach = TW_REACH_CELL,
    .check = check,
    .run = run,
};
