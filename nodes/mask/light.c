/* SPDX-License-Identifier: MIT */
/* Where direct light reaches a terrain: a ray march from every cell, as feature.shadow measures
 * its own shadows, for any direction of light. */
#include "common/rows.h"
#include "common/shadows.h"

struct params {
    float azimuth, altitude;
    float exaggeration;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, azimuth, 315, 0, 360, TW_UNIT_DEGREES,
                 "where the light comes from, clockwise from north"),
    TW_PARAM_F32(struct params, altitude, 30, 1, 89, TW_UNIT_DEGREES,
                 "the light above the horizon"),
    TW_PARAM_HEIGHT_IN_SIDES(struct params),
    TW_PARAM_END,
};

TW_TERRAIN_INPUT;

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_MASK, 0, "1 where light reaches, 0 in shadow"},
    TW_PORT_END,
};

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_shadow_light light = {.azimuth = (double)p->azimuth,
                                          .tilt = 90 - (double)p->altitude,
                                          .scale = (double)p->exaggeration *
                                                   (double)tw_task_width(task)};
    return tw_shadows_cast(task, &light, tw_floats(tw_task_input(task, IN)),
                           tw_floats(tw_task_output(task, OUT)));
}

extern const struct tw_node_type tw_node_mask_light;
const struct tw_node_type tw_node_mask_light = {
    .name = "mask.light",
    .version = 1,
    .summary = "where direct light reaches, and where shadows fall",
    .keywords = "sun, shadow, sunny, illumination, insolation, snow that melts in the sun",
    .elsewhere =
        "Lightmap Generator (World Machine), HeightField Mask by Feature (Houdini), r.sunmask "
        "(GRASS), r.sun (GRASS)",
    .detail =
        "Finds where direct light reaches and where shadows fall. Choose mask.aspect for slopes "
        "that face one way whatever lies around them, and mask.openness for light from the whole "
        "sky.\n"
        "A ray from each cell's centre towards the light crosses columns and rows of cell "
        "centres, between which heights are linear. The cell is dark where the terrain lies "
        "above the ray at one of these crossings.\n"
        "Nothing beyond the border casts a shadow, whatever the recipe's `borders` say.\n"
        "As the input `shade` of render.relief it gives a picture with cast shadows.",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "light: {type: mask.light, in: noise, altitude: 15}\n"
               "picture: {type: render.relief, in: noise, shade: light}",
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = tw_shadows_forecast,
};
