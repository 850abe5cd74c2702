/* SPDX-License-Identifier: MIT */
/* Upstream area: how much of the map drains through each cell. D8 gives a river one line of cells,
 * O'Callaghan and Mark 1984; MFD spreads over all lower neighbours, Freeman 1991 (Quinn et al.
 * 1991 with exponent 1, here without their contour lengths). */
#include "common/drainage/flow_accumulation.h"
#include "common/drainage/outlets.h"
#include "common/rows.h"

#include <thalweg/kernel.h>

enum { SCALE_SHARE, SCALE_CELLS, SCALE_LOG };

struct params {
    int32_t method, scale;
    float exponent; /* p */
    int32_t border;
    struct tw_labels closed;
};

static const struct tw_param params[] = {
    TW_PARAM_ENUM(struct params, method, TW_FLOW_D8, "d8|mfd",
                  "one receiver, or all lower neighbours"),
    TW_PARAM_ENUM(struct params, scale, SCALE_SHARE, "share|cells|log",
                  "share of the map; cells; or its logarithm, 0 for one cell and 1 for all"),
    TW_PARAM_F32(struct params, exponent, 1.1, 0.1, 20, TW_UNIT_NONE,
                 "of the slopes that mfd shares by; a large one approaches d8"),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_CLOSED(struct params),
    TW_PARAM_END,
};

enum { IN, OUTLETS };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    TW_OUTLETS_PORT,
    TW_PORT_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the area upstream of each cell, itself included"},
    TW_PORT_END,
};

struct scaling {
    float *cells;
    size_t width;
    float count; /* cells of the map */
    int32_t scale;
};

static void scale_rows(void *context, int32_t begin, int32_t end)
{
    const struct scaling *s = context;
    double all = s->count > 1 ? tw_log2((double)s->count) : 1;
    for (size_t i = (size_t)begin * s->width; i < (size_t)end * s->width; i++)
        s->cells[i] = s->scale == SCALE_LOG ? (float)(tw_log2((double)s->cells[i]) / all)
                                            : s->cells[i] / s->count;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct tw_value *out = tw_task_output(task, OUT);
    struct tw_exits exits;
    enum tw_status status = tw_exits_read(task, &p->closed, tw_task_input(task, OUTLETS),
                                          tw_task_wraps(task, p->border), &exits);
    if (status == TW_OK)
        status = tw_flow_accumulation(task, tw_floats(tw_task_input(task, IN)), &exits,
                                      (enum tw_flow_method)p->method, p->exponent, tw_floats(out));
    if (status != TW_OK || p->scale == SCALE_CELLS)
        return status;
    struct scaling scaling = {tw_floats(out), (size_t)out->width, (float)tw_value_count(out),
                              p->scale};
    tw_rows(task, out->height, 16, scale_rows, &scaling);
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    bool wrap = tw_forecast_wraps(f, p->border);
    tw_flow_accumulation_forecast(f, tw_exits_need_map(f, &p->closed, wrap, OUTLETS),
                                  (enum tw_flow_method)p->method);
}

extern const struct tw_node_type tw_node_measure_flow;
const struct tw_node_type tw_node_measure_flow = {
    .name = "measure.flow",
    .version = 4,
    .summary = "how much of the map drains through each cell",
    .keywords = "flow accumulation, upstream area, catchment, watershed, drainage, rivers, "
                "contributing area",
    .elsewhere =
        "FlowMap (Gaea), HeightField Flow Field (Houdini), r.watershed (GRASS), r.terraflow "
        "(GRASS), Flow Accumulation (ArcGIS)",
    .detail =
        "Measures how much of the map drains through each cell. Choose mask.flow for a mask of "
        "rivers.\n"
        "In cells, with the donors j of cell i:\n"
        "    a_i = 1 + sum of w_ji a_j.\n"
        "method d8 gives all to the steepest neighbour of the terrain, w = 1. mfd shares among "
        "all lower neighbours of the filled terrain, with S = drop / distance:\n"
        "    w_ij = S_ij^p / sum S_ik^p.\n"
        "Depressions drain over their lowest pass.\n"
        "scale: share is a / cells of the map, the same at any resolution for a given place on a "
        "river; cells is a; log is ln a / ln cells.\n"
        "A river is one cell wide at any size, so it thins "
        "out as the map grows." TW_CHOSEN_OUTLETS_DETAIL,
    .cite = "ocallaghan1984 freeman1991 quinn1991 barnes2014",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "rivers: {type: measure.flow, in: noise, method: mfd, scale: log}",
    .reach = TW_REACH_ALL,
    .bordered = true,
    .run = run,
    .forecast = forecast,
};
