/* SPDX-License-Identifier: MIT */
/* Where direct light reaches a terrain: a ray march from every cell, as feature.shadow measures
 * its own shadows, for any direction of light; and how much of it falls on the ground, by Lambert's
 * cosine law with the normals of Horn 1981. */
#include "common/rows.h"
#include "common/shadows/shadows.h"

#include <thalweg/kernel.h>
#include <thalweg/scratch.h>
#include <thalweg/stencil.h>

#include <math.h>

enum { SHADOW, SUN };

struct params {
    int32_t kind;
    float azimuth, altitude;
    float exaggeration;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_ENUM(struct params, kind, SHADOW, "shadow|sun",
                  "where light reaches, or how much of it falls on the ground there"),
    TW_PARAM_F32(struct params, azimuth, 315, 0, 360, TW_UNIT_DEGREES,
                 "where the light comes from, clockwise from north"),
    TW_PARAM_F32(struct params, altitude, 30, 1, 89, TW_UNIT_DEGREES,
                 "the light above the horizon"),
    TW_PARAM_HEIGHT_IN_SIDES(struct params),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

TW_TERRAIN_INPUT;

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_MASK, 0, "1 where light reaches, 0 in shadow; of sun the cosine law's share"},
    TW_PORT_END,
};

/* The unit vector l towards the light, and what turns heights into cells. */
struct light {
    double east, south, up, scale;
};

/* max(0, n.l), with the slopes between columns and rows weighted 1 2 1; doubles, so that no height
 * overflows. */
static TW_INLINE float lambert(const struct light *l, const struct tw_around *a)
{
    double nw = (double)a->nw, ne = (double)a->ne, sw = (double)a->sw, se = (double)a->se;
    double weight = 0.125 * l->scale;
    double dx = ((ne + 2 * (double)a->e + se) - (nw + 2 * (double)a->w + sw)) * weight;
    double dy = ((sw + 2 * (double)a->s + se) - (nw + 2 * (double)a->n + ne)) * weight;
    double cosine = (l->up - l->east * dx - l->south * dy) / sqrt(1 + dx * dx + dy * dy);
    return tw_clamp((float)cosine, 0.0f, 1.0f);
}
TW_STENCIL(lambert, struct light)

struct shade {
    const float *lit;
    float *out;
    int32_t width;
};

static void shade_rows(void *context, int32_t begin, int32_t end)
{
    const struct shade *s = context;
    const size_t last = (size_t)end * (size_t)s->width;
    for (size_t i = (size_t)begin * (size_t)s->width; i < last; i++)
        s->out[i] = s->lit[i] > 0 ? s->out[i] : 0;
}

static void add_sun(struct tw_task *task, const struct light *light, const float *lit)
{
    const struct params *p = tw_task_params(task);
    struct shade shade = {lit, tw_floats(tw_task_output(task, OUT)), tw_task_width(task)};
    const struct tw_stencil stencil = {.constants = light,
                                       .in = tw_floats(tw_task_input(task, IN)),
                                       .out = shade.out,
                                       .wrap = tw_task_wraps(task, p->border)};
    tw_stencil_run(task, &stencil, lambert_row);
    tw_rows(task, tw_task_height(task), 64, shade_rows, &shade);
}

static bool lay_out(struct tw_scratch *s, float **lit)
{
    const struct params *p = tw_scratch_params(s);
    *lit = p->kind == SUN ? tw_scratch_maps(s, 1, sizeof **lit) : NULL;
    return tw_scratch_is_laid(s);
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const double azimuth = (double)p->azimuth, altitude = (double)p->altitude;
    const double flat = tw_cos_degrees(altitude);
    const double scale = (double)p->exaggeration * (double)tw_task_width(task);
    const struct light light = {flat * tw_sin_degrees(azimuth), -flat * tw_cos_degrees(azimuth),
                                tw_sin_degrees(altitude), scale};
    float *lit;
    if (!lay_out(&(struct tw_scratch){.task = task}, &lit))
        return tw_task_no_memory(task);
    enum tw_status status = tw_shadows_cast(
        task, &(struct tw_shadow_light){.azimuth = azimuth, .tilt = 90 - altitude, .scale = scale},
        tw_floats(tw_task_input(task, IN)), lit ? lit : tw_floats(tw_task_output(task, OUT)));
    if (status == TW_OK && lit)
        add_sun(task, &light, lit);
    return status;
}

static void forecast(struct tw_forecast *f)
{
    float *lit;
    lay_out(&(struct tw_scratch){.forecast = f}, &lit);
    tw_shadows_forecast(f);
}

extern const struct tw_node_type tw_node_mask_light;
const struct tw_node_type tw_node_mask_light = {
    .name = "mask.light",
    .version = 1,
    .summary = "where direct light reaches, and where shadows fall",
    .keywords = "sun, shadow, sunny, illumination, insolation, irradiance, snow that melts in the "
                "sun",
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
        "sun is how much of the light falls on the ground where it reaches: n.l, with l towards "
        "the light and n the normal of Horn's 3 x 3 gradient. Level ground has sin(altitude). The "
        "mean of several hours of a day is a map of warmth.\n"
        "    sun = max(0, n.l).\n"
        "Nothing beyond the border casts a shadow, whatever the recipe's `borders` say; `border` "
        "decides over the slopes of sun alone. Beyond a closed one the ground goes straight "
        "on.\n"
        "As the input `shade` of render.relief it gives a picture with cast shadows.",
    .cite = "horn1981",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "light: {type: mask.light, in: noise, altitude: 15}\n"
               "picture: {type: render.relief, in: noise, shade: light}",
    .bordered = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
