/* SPDX-License-Identifier: MIT */
/* A map turned upside down: mountains become basins. */
#include "shape/kernels/ports.h"

#include <thalweg/pointwise.h>

struct params {
    float low, high;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, low, 0, -1e9, 1e9, TW_UNIT_HEIGHT, "the height that becomes high",
                 TW_USUAL(-1, 1)),
    TW_PARAM_F32(struct params, high, 1, -1e9, 1e9, TW_UNIT_HEIGHT, "the height that becomes low",
                 TW_USUAL(0, 2)),
    TW_PARAM_END,
};

TW_SHAPE_PORTS(TW_KEEPS_TYPE, "the map upside down");

static TW_INLINE float turn(const struct params *p, float v) { return (p->low + p->high) - v; }
TW_SHAPE_POINTWISE(turn)

extern const struct tw_node_type tw_node_shape_invert;
const struct tw_node_type tw_node_shape_invert = {
    .name = "shape.invert",
    .version = 1,
    .summary = "turn a map upside down",
    .keywords = "negative, upside down, complement, flip heights, one minus",
    .elsewhere =
        "Inverter (World Machine), HeightField Mask Invert (Houdini), Inverse (Hesiod), Invert "
        "(Blender)",
    .detail = "Turns a map upside down, or a mask into its opposite. Choose shape.remap for other "
              "ranges.\n"
              "    out = low + high - v.\n"
              "By default that is 1 - v. A mask stays within 0..1.",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\nbasins: {type: shape.invert, in: noise}",
    .in_place = true,
    .reach = TW_REACH_CELL,
    .run = run,
};
