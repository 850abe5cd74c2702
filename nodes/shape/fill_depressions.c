/* SPDX-License-Identifier: MIT */
/* Depression filling: the lowest surface above the terrain from which water runs off everywhere
 * (Barnes, Lehman, Mulla 2014), by the lowest passes between basins. With an epsilon it also rises
 * upstream, along the courses of the water. */
#include "common/drainage_outlets.h"

#include <thalweg/masks.h>

struct params {
    float epsilon; /* rise along the drainage, height per map side */
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, epsilon, 0, 0, 1000, TW_UNIT_RISE_PER_SIDE,
                 "least slope upstream; 0 leaves lakes level"),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

enum { IN, MASK };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    TW_STRENGTH_PORT,
    TW_PORT_END,
};

enum { OUT, DEPTH };
static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the terrain without depressions"},
    {"depth", TW_HEIGHTMAP, TW_ON_DEMAND, "how deep the fill is"},
    TW_PORT_END,
};

struct rise {
    const struct tw_drainage *d;
    float *cells;
    float straight, diagonal;
};

/* Every cell is at least epsilon times the distance above its receiver. */
static void rise_groves(void *context, int32_t begin, int32_t end)
{
    const struct rise *r = context;
    const struct tw_drainage *d = r->d;
    for (int32_t i = d->grove[begin]; i < d->grove[end]; i++) {
        int32_t cell = d->order[i], to = d->to[cell];
        if (to == TW_OUTLET)
            continue;
        bool straight = to == 1 || to == 3 || to == 4 || to == 6;
        float receiver = r->cells[tw_drainage_neighbour(d, cell, to)];
        float least = receiver + (straight ? r->straight : r->diagonal);
        r->cells[cell] = r->cells[cell] > least ? r->cells[cell] : least;
    }
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const float *in = tw_floats(tw_task_input(task, IN));
    float *out = tw_floats(tw_task_output(task, OUT));
    float *depth = tw_floats(tw_task_output(task, DEPTH));
    struct tw_drainage d;
    enum tw_status status = tw_drainage_init_world(task, &d, in, tw_task_wraps(task, p->border));
    if (status == TW_OK)
        status =
            p->epsilon > 0 ? tw_drainage_route(task, &d, in) : tw_drainage_levels(task, &d, in);
    if (status != TW_OK)
        return status;
    tw_drainage_fill(task, &d, in, out);
    if (p->epsilon > 0) {
        float step = p->epsilon / (float)d.width;
        struct rise rise = {&d, out, step, 1.41421356f * step};
        tw_rows(task, d.groves, 32, rise_groves, &rise);
    }
    tw_strength_apply(task, in, out, tw_task_input(task, MASK), out);
    for (int32_t i = 0; depth && i < d.cells; i++)
        depth[i] = out[i] - in[i];
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    tw_drainage_world_forecast(f, tw_forecast_wraps(f, p->border));
}

extern const struct tw_node_type tw_node_shape_fill_depressions;
const struct tw_node_type tw_node_shape_fill_depressions = {
    .name = "shape.fill_depressions",
    .version = 2,
    .summary = "fill every hollow up to its lowest outlet",
    .keywords = "fill sinks, fill pits, lakes, hydrologic correction, holes, drain",
    .elsewhere =
        "HydroFix (Gaea), DepressionFilling (Hesiod), r.fill.dir (GRASS), Fill Sinks (SAGA), "
        "Fill (ArcGIS)",
    .detail = "out is the lowest surface above in from which a path that never climbs leads to the "
              "outlet. With epsilon e every cell also stands at least e times the distance above "
              "the cell it drains to, so that lakes slope to their outlets; too small an e is lost "
              "to rounding. Outlets keep their heights." TW_WORLD_OUTLETS_DETAIL,
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
