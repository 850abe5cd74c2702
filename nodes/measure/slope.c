/* SPDX-License-Identifier: MIT */
/* The slope map s of Olsen 2004, "Defining erosion": the greatest height difference
 * between a cell and its four neighbours. */
#include "common/rows.h"

#include <thalweg/kernel.h>
#include <thalweg/stencil.h>

struct params {
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

TW_TERRAIN_INPUT;

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "s: rise between neighbouring cells; times the width, per map side"},
    TW_PORT_END,
};

enum { OUT };

/* s = max |h - h_i| */
static TW_INLINE float slope(const char *none, const struct tw_around *a)
{
    (void)none;
    float up = fabsf(a->c - a->n), down = fabsf(a->c - a->s);
    float left = fabsf(a->c - a->w), right = fabsf(a->c - a->e);
    return tw_max(tw_max(up, left), tw_max(right, down));
}
TW_STENCIL(slope, char)

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_stencil stencil = {.constants = "",
                                       .in = tw_floats(tw_task_input(task, IN)),
                                       .out = tw_floats(tw_task_output(task, OUT)),
                                       .wrap = tw_task_wraps(task, p->border),
                                       .repeat = true}; /* no neighbour: no difference */
    tw_stencil_run(task, &stencil, slope_row);
    return TW_OK;
}

extern const struct tw_node_type tw_node_measure_slope;
const struct tw_node_type tw_node_measure_slope = {
    .name = "measure.slope",
    .version = 2,
    .summary = "the greatest height difference to a cell's four neighbours",
    .keywords = "steepness, gradient, greatest difference",
    .elsewhere =
        "Slope (Gaea), GradientNorm (Hesiod), gdaldem slope (GDAL), r.slope.aspect (GRASS)",
    .detail =
        "Measures the greatest height difference to a cell's four neighbours, as the papers do. "
        "Choose mask.slope for slopes that do not depend on the resolution.\n"
        "    s = max |h - h_i| over up, left, right and down.\n"
        "Where the world wraps, neighbours lie beyond the border, too, as in the paper; "
        "elsewhere only those that exist count.\n"
        "It is the rise over one cell, half as great on a map twice as fine. Multiplied by the "
        "width it is rise per map side, which mask.slope takes.",
    .cite = "olsen2004",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.perlin}\nsteep: {type: measure.slope, in: noise}",
    .bordered = true,
    .reach = 1,
    .run = run,
};
