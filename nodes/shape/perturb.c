/* SPDX-License-Identifier: MIT */
/* Perturbation filter, Olsen 2004, "Combination and perturbation": every cell looks up the map at
 * a place that one noise map n displaces, in x by n(x, y) and in y by n(y, x). */
#include "common/midpoint.h"
#include "shape/kernels/displacement.h"

#include <thalweg/masks.h>

struct params {
    float magnitude;
    int32_t frequency;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, magnitude, 0.25, 0, 4, TW_UNIT_SIDE, "width of the displacement"),
    TW_PARAM_I32(struct params, frequency, 4, 1, 4096, "values a side",
                 "of the node's own noise: starting values per side, a power of two",
                 TW_USUAL(1, 32)),
    TW_PARAM_ENUM(struct params, border, TW_BORDER_RECIPE, "recipe|wrap|mirror",
                  "what lies beyond the border: as the recipe's `borders` say, the other side, "
                  "or, where they are closed, the map mirrored"),
    TW_PARAM_END,
};

enum { IN, NOISE, MASK };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, TW_KEEPS_TYPE, "the map to bend"},
    {"noise", TW_HEIGHTMAP, TW_OPTIONAL, "n in 0..1; an own midpoint noise if not given"},
    TW_STRENGTH_PORT,
    TW_PORT_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, TW_KEEPS_TYPE, "the bent map"},
    TW_PORT_END,
};

static struct tw_rule check(const void *at)
{
    int32_t frequency = ((const struct params *)at)->frequency;
    return frequency & (frequency - 1) ? TW_RULE("frequency", "a power of two, such as 4 or 8")
                                       : TW_RULES_HOLD;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *given = tw_task_input(task, NOISE);
    struct tw_displacement warp = {.in = tw_floats(tw_task_input(task, IN)),
                                   .noise = given ? tw_floats(given) : NULL,
                                   .out = tw_floats(tw_task_output(task, OUT)),
                                   .width = tw_task_width(task),
                                   .height = tw_task_height(task),
                                   .stride = tw_task_width(task),
                                   .magnitude = p->magnitude,
                                   .wrap = tw_task_wraps(task, p->border)};
    if (!given) {
        const struct tw_midpoint noise = {0.5f, p->frequency, false, false};
        int32_t side = tw_midpoint_side(warp.width, warp.height, p->frequency);
        float *own = tw_task_scratch(task, (size_t)side * (size_t)side, sizeof *own);
        if (!own)
            return tw_task_no_memory(task);
        enum tw_status status = tw_midpoint_fill(task, &noise, side, own);
        if (status != TW_OK)
            return status;
        warp.noise = own;
        warp.stride = side;
    }
    tw_displace(task, &warp);
    tw_strength_apply(task, warp.in, warp.out, tw_task_input(task, MASK), warp.out);
    tw_keep_mask(task);
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    if (f->inputs[NOISE] == 0)
        tw_midpoint_forecast(f, tw_midpoint_side(f->width, f->height, p->frequency), true);
}

extern const struct tw_node_type tw_node_shape_perturb;
const struct tw_node_type tw_node_shape_perturb = {
    .name = "shape.perturb",
    .version = 3,
    .summary = "bend a map by noise",
    .keywords = "distort, displace, noise warp, jitter, bend",
    .elsewhere = "Warp (Gaea), Simple Displacement (World Machine), HeightField Distort by Noise "
                 "(Houdini), Warp (Hesiod)",
    .detail =
        "Bends a map by noise, so that straight lines and regular forms disappear. Choose "
        "shape.warp to bend it by vectors of your own.\n"
        "On a map of W x H cells, with a magnitude m, bilinear:\n"
        "    out(x, y) = in(x + m W (n(x,y) - 1/2), y + m H (n(y,x) - 1/2)).\n"
        "On a map that is not square n(y,x) lies at the same shares of its sides.\n"
        "border: wrap goes on at the other side, as in the paper. mirror turns back at the "
        "border, since a repeated last cell would end in streaks. recipe means wrap in a world "
        "that wraps and mirror in one that is closed.",
    .cite = "olsen2004",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "cells: {type: voronoi.cells}\nbent: {type: shape.perturb, in: cells}",
    .random = true,
    .bordered = true,
    .reach = TW_REACH_ALL,
    .check = check,
    .run = run,
    .forecast = forecast,
};
