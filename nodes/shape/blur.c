/* SPDX-License-Identifier: MIT */
/* Gaussian blur. */
#include "shape/kernels/blur.h"
#include "shape/kernels/ports.h"

#include <thalweg/masks.h>

struct params {
    float radius; /* sigma */
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, radius, 0.01, 0, 1, TW_UNIT_SIDE,
                 "standard deviation of the Gaussian", TW_USUAL(0, 0.05)),
    TW_SHAPE_BORDER(struct params, border),
    TW_PARAM_END,
};

TW_SHAPE_PORTS(TW_KEEPS_TYPE, "the blurred map");

/* In cells. */
static double sigma_of(const struct params *p, int32_t width)
{
    return (double)p->radius * (double)width;
}

static int32_t reach_of(const void *at, int32_t width, int32_t height)
{
    const double sigma = sigma_of(at, width);
    (void)height;
    return sigma > 0 ? tw_blur_reach(sigma) : 1;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *mask = tw_task_input(task, TW_SHAPE_MASK);
    const float *in = tw_floats(tw_task_input(task, TW_SHAPE_IN));
    struct tw_value *out = tw_task_output(task, 0);
    const double sigma = sigma_of(p, out->width);
    float *blurred =
        mask ? tw_task_scratch(task, tw_value_count(out), sizeof *blurred) : tw_floats(out);
    if (!blurred)
        return tw_task_no_memory(task);
    enum tw_status status = sigma > 0 ? tw_blur(task, in, blurred, out->width, out->height, sigma,
                                                tw_task_wraps(task, p->border))
                                      : TW_OK;
    if (status != TW_OK)
        return status;
    tw_strength_apply(task, in, sigma > 0 ? blurred : in, mask, tw_floats(out));
    tw_keep_mask(task);
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    const double sigma = sigma_of(f->params, f->width);
    if (sigma > 0)
        tw_blur_forecast(f, sigma);
    tw_forecast_maps(f, f->inputs[TW_SHAPE_MASK] > 0, sizeof(float));
}

extern const struct tw_node_type tw_node_shape_blur;
const struct tw_node_type tw_node_shape_blur = {
    .name = "shape.blur",
    .version = 4,
    .summary = "blur a map by a Gaussian",
    .keywords = "smooth, Gaussian, soften, low pass, feather",
    .elsewhere = "Blur (Gaea), Blur (World Machine), HeightField Blur (Houdini), Blur (Blender), "
                 "r.neighbors (GRASS)",
    .detail =
        "Blurs a map by a Gaussian, alike in all directions. Choose shape.slope_blur to blur "
        "along slopes, shape.resample for the look of a coarser map, and erosion.creep to round "
        "land as soil does.\n"
        "Three extended box filters a direction have the Gaussian's variance exactly and, from a "
        "radius of a cell on, its shape to 16 % of its peak. Up to 4.4 cells they are one sum in "
        "floats, which takes less time; beyond, the time "
        "does not depend on the radius." TW_SHAPE_BORDER_DETAIL,
    .cite = "gwosdek2011",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "soft: {type: shape.blur, in: noise, radius: 0.02}",
    .bordered = true,
    .in_place = true,
    .reach_of = reach_of,
    .run = run,
    .forecast = forecast,
};
