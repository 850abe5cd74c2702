/* SPDX-License-Identifier: MIT */
/* Any map as a mask: a range of its values becomes 0 to 1. */
#include "common/rows.h"

#include <thalweg/kernel.h>
#include <thalweg/pointwise.h>

struct params {
    struct tw_list range;
};

static const struct tw_param params[] = {
    TW_PARAM_LIST(struct params, range, "0 1", -1e9, 1e9, TW_UNIT_HEIGHT,
                  "[what becomes 0, what becomes 1]", TW_USUAL(0, 1)),
    TW_PARAM_END,
};

TW_MAP_INPUT;

static const struct tw_port outputs[] = {
    {"out", TW_MASK, 0, "the share of the range, 0 to 1"},
    TW_PORT_END,
};

static TW_INLINE float share(const struct params *p, float v)
{
    return tw_clamp((v - p->range.at[0]) / (p->range.at[1] - p->range.at[0]), 0, 1);
}
TW_POINTWISE_1(share)

static struct tw_rule check(const void *at)
{
    const struct params *p = at;
    if (p->range.count != 2)
        return TW_RULE("range", "[low, high]");
    return p->range.at[0] == p->range.at[1] ? TW_RULE("range", "two different values")
                                            : TW_RULES_HOLD;
}

extern const struct tw_node_type tw_node_mask_from;
const struct tw_node_type tw_node_mask_from = {
    .name = "mask.from",
    .version = 1,
    .summary = "a map as a mask, by a range of its values",
    .keywords = "convert, levels, height to mask, grey, normalise",
    .elsewhere = "HeightField Remap (Houdini), ToMask (Hesiod)",
    .detail = "Turns a map into a mask by a range of its values. Choose mask.height for a band of "
              "values with soft sides, and mask.threshold for 0 and 1 alone.\n"
              "With range: [low, high], cut to 0..1:\n"
              "    out = (v - low) / (high - low).\n"
              "A range that falls, such as [1, 0], turns the mask over.",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "moist: {type: mask.from, in: noise, range: [0.7, 0.3]}",
    .in_place = true,
    .reach = TW_REACH_CELL,
    .check = check,
    .run = run,
};
