/* SPDX-License-Identifier: MIT */
/* A map cut into 0 and 1. */
#include "common/rows.h"

#include <thalweg/pointwise.h>

struct params {
    float level;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, level, 0.5, -1e9, 1e9, TW_UNIT_HEIGHT,
                 "from this height on the mask is 1", TW_USUAL(0, 1)),
    TW_PARAM_END,
};

TW_MAP_INPUT;

static const struct tw_port outputs[] = {
    {"out", TW_MASK, 0, "0 or 1"},
    TW_PORT_END,
};

static TW_INLINE float cut(const struct params *p, float v) { return v >= p->level ? 1.0f : 0.0f; }
TW_POINTWISE_1(cut)

extern const struct tw_node_type tw_node_mask_threshold;
const struct tw_node_type tw_node_mask_threshold = {
    .name = "mask.threshold",
    .version = 1,
    .summary = "cut a map into 0 and 1",
    .keywords = "binary, cut off, binarize, step, black and white",
    .elsewhere =
        "Threshold (Gaea), HeightField Clip (Houdini), MakeBinary (Hesiod), Math (Blender)",
    .detail = "Cuts a map into 0 and 1. Choose mask.height or mask.from for soft sides.\n"
              "out is 1 where v >= level, elsewhere 0.",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "land: {type: mask.threshold, in: noise, level: 0.4}",
    .in_place = true,
    .reach = TW_REACH_CELL,
    .run = run,
};
