/* SPDX-License-Identifier: MIT */
/* Rivers and valleys as a mask: the logarithm of the upstream area between two thresholds. */
#include "common/drainage/flow_accumulation.h"
#include "common/drainage/outlets.h"
#include "common/rows.h"

#include <thalweg/kernel.h>

struct params {
    float low, high; /* shares of the map */
    int32_t method;
    float exponent;
    int32_t border;
    struct tw_labels closed;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, low, 0.0005, 0, 1, TW_UNIT_SHARE,
                 "upstream share of the map where the mask leaves 0; one cell at least",
                 TW_USUAL(1e-5, 0.1)),
    TW_PARAM_F32(struct params, high, 0.02, 1e-9, 1, TW_UNIT_SHARE,
                 "upstream share of the map where the mask reaches 1", TW_USUAL(1e-5, 0.3)),
    TW_PARAM_ENUM(struct params, method, TW_FLOW_D8, "d8|mfd",
                  "one receiver, or all lower neighbours; see measure.flow"),
    TW_PARAM_F32(struct params, exponent, 1.1, 0.1, 20, TW_UNIT_NONE,
                 "of the slopes that mfd shares by"),
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
    {"out", TW_MASK, 0, "0 on slopes, 1 on rivers"},
    TW_PORT_END,
};

struct scaling {
    float *cells;
    size_t width;
    double from, to; /* log2 of the thresholds in cells */
};

static void scale_rows(void *context, int32_t begin, int32_t end)
{
    const struct scaling *s = context;
    for (size_t i = (size_t)begin * s->width; i < (size_t)end * s->width; i++) {
        double v = tw_log2((double)s->cells[i]);
        if (s->to > s->from)
            s->cells[i] = tw_clamp((float)((v - s->from) / (s->to - s->from)), 0, 1);
        else
            s->cells[i] = v >= s->to ? 1.0f : 0.0f;
    }
}

static struct tw_rule check(const void *at)
{
    return TW_RULE_AT_MOST((const struct params *)at, low, high);
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct tw_value *out = tw_task_output(task, OUT);
    double count = (double)tw_value_count(out);
    double low = (double)p->low * count, high = (double)p->high * count;
    struct tw_exits exits;
    enum tw_status status = tw_exits_read(task, &p->closed, tw_task_input(task, OUTLETS),
                                          tw_task_wraps(task, p->border), &exits);
    if (status == TW_OK)
        status = tw_flow_accumulation(task, tw_floats(tw_task_input(task, IN)), &exits,
                                      (enum tw_flow_method)p->method, p->exponent, tw_floats(out));
    if (status != TW_OK)
        return status;
    struct scaling scaling = {tw_floats(out), (size_t)out->width, tw_log2(low > 1 ? low : 1),
                              tw_log2(high > 1 ? high : 1)};
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

extern const struct tw_node_type tw_node_mask_flow;
const struct tw_node_type tw_node_mask_flow = {
    .name = "mask.flow",
    .version = 4,
    .summary = "mask of rivers and valleys by their upstream area",
    .keywords = "rivers, streams, drainage, wear, channels, water, flow map",
    .elsewhere = "FlowMap (Gaea), Rivers (Gaea), HeightField Flow Field (Houdini), SelectRivers "
                 "(Hesiod), r.stream.extract (GRASS)",
    .detail =
        "Selects rivers and valleys by their upstream area. Choose mask.wetness for wet ground "
        "around them, and measure.flow for the area itself.\n"
        "With a the upstream area of measure.flow as a share of the map, cut to 0..1:\n"
        "    out = (ln a - ln low) / (ln high - ln low).\n"
        "Thresholds below one cell count as one cell; equal thresholds give a mask of 0 and 1.\n"
        "A river is one cell wide at any size. To widen it, mask.distance measures the way to "
        "it, with a reach of half the width in map sides, and shape.invert makes the river 1, "
        "with banks that fall to 0: `far: {type: mask.distance, in: rivers, reach: 0.01}` and "
        "`wide: {type: shape.invert, in: far}`. mask.threshold of that has sharp banks.\n"
        "mask.distance starts from cells of at least 1/2, so raise low and high for fewer "
        "rivers. A blur does not widen a line of cells: it thins it away, more so on larger "
        "maps." TW_CHOSEN_OUTLETS_DETAIL,
    .cite = "ocallaghan1984 freeman1991 barnes2014",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\nrivers: {type: mask.flow, in: noise}",
    .reach = TW_REACH_ALL,
    .bordered = true,
    .check = check,
    .run = run,
    .forecast = forecast,
};
