/* SPDX-License-Identifier: MIT */
/* Where a map's heights lie in a band. */
#include "common/rows.h"
#include "mask/kernels/band.h"

#include <thalweg/pointwise.h>

#define OWN_BAND 0.5, 1

struct params {
    TW_BAND_FIELDS;
};

static const struct tw_param params[] = {
    TW_BAND_PARAMS(struct params, -1e9, 1e9, TW_UNIT_HEIGHT, OWN_BAND, "", "", 0.05, 0, 1, 0.5),
    TW_PARAM_END,
};

TW_BAND(struct params, OWN_BAND)

TW_MAP_INPUT;

static const struct tw_port outputs[] = {
    {"out", TW_MASK, 0, "1 within the band, 0 outside"},
    TW_PORT_END,
};

static TW_INLINE float belong(const struct params *p, float v)
{
    return tw_mask_band(v, band_of(p));
}
TW_POINTWISE_1(belong)

extern const struct tw_node_type tw_node_mask_height;
const struct tw_node_type tw_node_mask_height = {
    .name = "mask.height",
    .version = 2,
    .summary = "select a band of heights",
    .keywords =
        "snow, snow line, tree line, altitude, elevation, hypsometry, select by height, beach, "
        "vegetation zones",
    .elsewhere = "Height (Gaea), Height Selector (World Machine), HeightField Mask by Feature "
                 "(Houdini), SelectInterval (Hesiod), r.reclass (GRASS)",
    .detail =
        "Selects a band of heights, such as snow above a line or the land near the sea. Choose "
        "mask.prominence for what is high compared with the land around it, and mask.from for a "
        "plain ramp.\n"
        "From low to high out is 1. At a distance d beyond, with t = 1 - d / softness, it falls "
        "to 0 at softness:\n"
        "    out = 3 t^2 - 2 t^3.",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "peaks: {type: mask.height, in: noise, low: 0.7, high: 1}",
    .in_place = true,
    .reach = TW_REACH_CELL,
    .check = check,
    .run = run,
};
