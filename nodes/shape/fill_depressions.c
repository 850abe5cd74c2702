/* SPDX-License-Identifier: MIT */
/* Depression filling: the lowest surface above the terrain from which water runs off everywhere
 * (Barnes, Lehman, Mulla 2014), by the lowest passes between basins. With an epsilon it also rises
 * from its outlets by at least that slope. Deviation: the paper's variant for slopes takes the
 * cells of a lake in the order of a queue, which is not the lowest such surface; ours is. */
#include "common/drainage/outlets.h"
#include "shape/kernels/least_rise.h"
#include "shape/kernels/rising_fill.h"

#include <thalweg/kernel.h>
#include <thalweg/masks.h>
#include <thalweg/rescale.h>

#define EPSILON_AUTO (-1)

struct params {
    float epsilon; /* rise from the outlets, height per map side; or EPSILON_AUTO */
    int32_t border;
    struct tw_labels closed;
};

static const struct tw_param params[] = {
    TW_PARAM_F32_OR(struct params, epsilon, "auto", EPSILON_AUTO, 0, 0, 1000, TW_UNIT_RISE_PER_SIDE,
                    "least slope upstream; 0 leaves lakes level, auto just tilts them",
                    TW_USUAL(0, 0.1)),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_CLOSED(struct params),
    TW_PARAM_END,
};

enum { IN, MASK, OUTLETS };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    TW_STRENGTH_PORT,
    TW_OUTLETS_PORT,
    TW_PORT_END,
};

enum { OUT, DEPTH };
static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the terrain without depressions"},
    {"depth", TW_HEIGHTMAP, TW_ON_DEMAND, "how deep the fill is"},
    TW_PORT_END,
};

static enum tw_status fill_rising(struct tw_task *task, const struct tw_exits *exits,
                                  const float *in, float *out)
{
    const struct params *p = tw_task_params(task);
    int32_t width = tw_task_width(task), height = tw_task_height(task);
    struct tw_span span;
    enum tw_status status = tw_span_find(task, in, width, height, &span);
    if (status != TW_OK)
        return status;
    double least = tw_least_rise(span) * width, epsilon = (double)p->epsilon;
    if (p->epsilon == EPSILON_AUTO)
        epsilon = least;
    else if (epsilon < least)
        return tw_task_fail(task,
                            "epsilon is %.9g, which float heights cannot resolve here; expected "
                            "0, auto (%.9g) or more",
                            epsilon, least);
    struct tw_rising_fill fill = {in, epsilon / width, exits};
    return tw_rising_fill(task, &fill, out);
}

static enum tw_status fill_level(struct tw_task *task, const struct tw_exits *exits,
                                 const float *in, float *out)
{
    struct tw_drainage d;
    enum tw_status status = tw_drainage_init_world(task, &d, in, exits);
    if (status == TW_OK)
        status = tw_drainage_levels(task, &d, in);
    if (status == TW_OK)
        tw_drainage_fill(task, &d, in, out);
    return status;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const float *in = tw_floats(tw_task_input(task, IN));
    float *out = tw_floats(tw_task_output(task, OUT));
    float *depth = tw_floats(tw_task_output(task, DEPTH));
    struct tw_exits exits;
    enum tw_status status = tw_exits_read(task, &p->closed, tw_task_input(task, OUTLETS),
                                          tw_task_wraps(task, p->border), &exits);
    if (status == TW_OK)
        status = p->epsilon == 0 ? fill_level(task, &exits, in, out)
                                 : fill_rising(task, &exits, in, out);
    if (status != TW_OK)
        return status;
    tw_strength_apply(task, in, out, tw_task_input(task, MASK), out);
    size_t cells = tw_value_count(tw_task_output(task, OUT));
    for (size_t i = 0; depth && i < cells; i++)
        depth[i] = out[i] - in[i];
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    if (p->epsilon == 0) {
        bool wrap = tw_forecast_wraps(f, p->border);
        tw_drainage_world_forecast(f, tw_exits_need_map(f, &p->closed, wrap, OUTLETS));
        return;
    }
    tw_rescale_forecast(f);
    tw_rising_fill_forecast(f);
}

extern const struct tw_node_type tw_node_shape_fill_depressions;
const struct tw_node_type tw_node_shape_fill_depressions = {
    .name = "shape.fill_depressions",
    .version = 3,
    .summary = "fill every hollow up to its lowest outlet",
    .keywords = "fill sinks, fill pits, lakes, hydrologic correction, holes, drain",
    .elsewhere =
        "HydroFix (Gaea), DepressionFilling (Hesiod), r.fill.dir (GRASS), Fill Sinks (SAGA), "
        "Fill (ArcGIS)",
    .detail =
        "Fills every hollow up to its lowest outlet, so that all water drains: lakes, or a "
        "ground for rivers. Choose measure.pits to count hollows without filling them.\n"
        "out is the lowest surface above in from which a path that never climbs leads to the "
        "outlet, so lakes are level. With epsilon it is the lowest surface on which such a path "
        "falls by epsilon times its length, diagonals counted as 1.41 cells. n are the eight "
        "neighbours of a cell c:\n"
        "    out(c) = max(in(c), least of out(n) + epsilon |c - n|).\n"
        "Lakes then slope to their outlets, and the result turns with the map.\n"
        "epsilon: auto is the least slope that floats hold everywhere, 2 units in the last place "
        "of the greatest |height| a cell. A smaller one other than 0 is an error.\n"
        "Outlets keep their heights." TW_CHOSEN_OUTLETS_DETAIL,
    .cite = "barnes2014 cordonnier2019",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\nfilled: {type: shape.fill_depressions, in: noise}",
    .reach = TW_REACH_ALL,
    .bordered = true,
    .run = run,
    .forecast = forecast,
};
