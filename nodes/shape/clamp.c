/* SPDX-License-Identifier: MIT */
/* Heights cut off below and above. */
#include "shape/kernels/ports.h"

#include <thalweg/kernel.h>
#include <thalweg/pointwise.h>

struct params {
    float low, high;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, low, 0, -1e9, 1e9, TW_UNIT_HEIGHT, "lower heights become this",
                 TW_USUAL(-1, 1)),
    TW_PARAM_F32(struct params, high, 1, -1e9, 1e9, TW_UNIT_HEIGHT, "greater heights become this",
                 TW_USUAL(0, 2)),
    TW_PARAM_END,
};

TW_SHAPE_PORTS(TW_KEEPS_TYPE, "the cut map");

static TW_INLINE float cut(const struct params *p, float v) { return tw_clamp(v, p->low, p->high); }
TW_SHAPE_POINTWISE(cut)

static struct tw_rule check(const void *at)
{
    return TW_RULE_AT_MOST((const struct params *)at, low, high);
}

extern const struct tw_node_type tw_node_shape_clamp;
const struct tw_node_type tw_node_shape_clamp = {
    .name = "shape.clamp",
    .version = 1,
    .summary = "cut off heights below and above",
    .keywords = "limit, cut off, flatten, plateau, clip",
    .elsewhere =
        "Clamp (Gaea), Clip (Gaea), Clamp (World Machine), HeightField Clip (Houdini), Clamp "
        "(Blender)",
    .detail =
        "Cuts off heights below and above. Choose shape.remap to bring a range to another, and "
        "shape.curve for a soft end.\n"
        "    out = min(max(v, low), high).\n"
        "A mask stays within 0..1.",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "plateaus: {type: shape.clamp, in: noise, low: 0.3, high: 0.7}",
    .in_place = true,
    .reach = TW_REACH_CELL,
    .check = check,
    .run = run,
};
