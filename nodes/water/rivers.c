/* SPDX-License-Identifier: MIT */
/* Rivers as lines. D8 (O'Callaghan & Mark 1984) on the filled terrain gives flow, Strahler 1957
 * orders, Leopold & Maddock 1953 width and depth: downstream w ~ Q^0.5, d ~ Q^0.4. Deviation: Q is
 * the share of the rain that falls upstream, not a discharge. */
#include "water/kernels/outlets.h"
#include "water/kernels/river_lines.h"

struct params {
    float threshold;
    float width, depth; /* w1, d1: for Q = 1 */
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, threshold, 0.002, 0, 1, TW_UNIT_SHARE,
                 "of the map's rain, with which a river begins", TW_USUAL(0.0001, 0.05)),
    TW_PARAM_F32(struct params, width, 0.02, 0, 1, TW_UNIT_SIDE,
                 "of a river that drains the whole map", TW_USUAL(0, 0.06)),
    TW_PARAM_F32(struct params, depth, 0.01, 0, 1e6, TW_UNIT_HEIGHT, "of such a river",
                 TW_USUAL(0, 0.05)),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

enum { IN, RAIN, SEA };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    TW_RAIN_PORT,
    TW_SEA_PORT,
    TW_PORT_END,
};

enum { LINES, FLOW, ORDER, RECORD };
static const struct tw_port outputs[] = {
    {"lines", TW_LINES, 0, "the rivers, each from its source to where it ends"},
    {"flow", TW_MASK, TW_ON_DEMAND, "share of the rain that runs through each cell"},
    {"order", TW_LABELS, TW_ON_DEMAND, "Strahler's order of rivers, 0 elsewhere"},
    {"record", TW_RECORD, 0,
     "lines, mouths: their numbers; order, flow: the greatest; length: of all, in map sides"},
    TW_PORT_END,
};

static enum tw_status write_record(struct tw_task *task, const struct tw_river_net *net,
                                   double length)
{
    int32_t order = 0;
    for (int32_t i = 0; i < net->d.cells; i++)
        order = net->order[i] > order ? net->order[i] : order;
    enum tw_status status = tw_task_list(task, RECORD, 5);
    if (status != TW_OK)
        return status;
    struct tw_value *record = tw_task_output(task, RECORD);
    tw_record_set(record, 0, "lines", net->count);
    tw_record_set(record, 1, "mouths", net->mouths);
    tw_record_set(record, 2, "order", order);
    tw_record_set(record, 3, "flow", net->count > 0 ? (double)net->flow[net->stems[0].cell] : 0);
    tw_record_set(record, 4, "length", length);
    return TW_OK;
}

static enum tw_status write_lines(struct tw_task *task, struct tw_river_net *net)
{
    const struct params *p = tw_task_params(task);
    int64_t points = tw_river_lines_points(net);
    if (points > INT32_MAX)
        return tw_task_fail(task,
                            "rivers have %lld points; expected at most 2^31 - 1: raise "
                            "threshold",
                            (long long)points);
    enum tw_status status = tw_task_list(task, LINES, (int32_t)points);
    if (status != TW_OK)
        return status;
    double length =
        tw_river_lines_write(net, (struct tw_river_size){(double)p->width, (double)p->depth},
                             tw_line_points(tw_task_output(task, LINES)));
    return write_record(task, net, length);
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *in = tw_task_input(task, IN);
    bool wrap = tw_task_wraps(task, p->border);
    struct tw_river_net net = {.threshold = p->threshold};
    enum tw_status status = tw_water_check_size(task);
    if (status != TW_OK)
        return status;
    if (!tw_river_net_lay_out(&(struct tw_scratch){.task = task}, &net, FLOW, ORDER))
        return tw_task_no_memory(task);
    net.rain = tw_rain_of(tw_task_input(task, RAIN), tw_value_count(in));
    tw_water_outlets(task, tw_floats(in), tw_task_input(task, SEA), wrap, net.outlet);
    status = tw_river_net_find(task, &net, tw_floats(in), wrap);
    return status == TW_OK ? write_lines(task, &net) : status;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    struct tw_river_net net;
    double cells = (double)f->width * f->height, start = (double)p->threshold * cells;
    tw_river_net_lay_out(&(struct tw_scratch){.forecast = f}, &net, FLOW, ORDER);
    tw_river_net_forecast(f);
    /* as on natural land, all of whose cells have 3.2 points for each at a threshold of 0 */
    f->lists[LINES] = (int64_t)(3.2 * cells / tw_pow(start > 1 ? start : 1, 0.48));
}

extern const struct tw_node_type tw_node_water_rivers;
const struct tw_node_type tw_node_water_rivers = {
    .name = "water.rivers",
    .version = 1,
    .summary = "trace rivers as lines with width, depth and flow",
    .keywords = "streams, drainage network, channels, watercourse, Strahler order, vector, "
                "hydrology, confluence",
    .elsewhere = "Rivers (Gaea), River (World Machine), r.stream.extract (GRASS), r.stream.order "
                 "(GRASS), Channel Network (SAGA), Stream to Feature (ArcGIS)",
    .detail =
        "Traces rivers as lines that know their width, depth and flow: to carve beds, to let them "
        "meander, or to draw them. It changes no terrain. Choose mask.flow for a mask of valleys, "
        "and measure.flow for the flow alone.\n"
        "Q is the share of the map's rain that falls upstream of a cell, where each cell gets 1 or "
        "what `rain` says. Rivers are the cells of Q >= threshold, joined by D8 on the filled "
        "terrain, so they cross lakes. Given the mask of water.lakes as `sea`, they end in them. "
        "With w and d for a river that drains the whole map:\n"
        "    width = w Q^0.5, depth = d Q^0.4.\n"
        "Lines are stems. From each outlet the river goes up, at each confluence with the greatest "
        "Q (on ties the cell first in reading order); the others end there as stems of their own. "
        "Stems are numbered from 0 by falling Q of their last cell, so a river comes before its "
        "tributaries; on ties the cell first in reading order.\n"
        "z is the level of the river's water, which never rises downstream:\n"
        "    z = height of the filled terrain - depth / 4.\n"
        "Corners are cut twice (Chaikin); sources, confluences and mouths stay at the centres of "
        "their cells. A tributary ends on a point of its river, at that level, as wide as it "
        "comes.\n"
        "Lines never jump: on a torus they go on beyond 0..1 where they cross the border, and "
        "tributaries follow their river there. Take the fraction of x and y for the place on the "
        "map. Where no Q reaches the threshold, there are no lines." TW_WATER_OUTLETS_DETAIL,
    .cite = "ocallaghan1984 strahler1957 leopold1953 chaikin1974 barnes2014 cordonnier2019",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "rivers: {type: water.rivers, in: noise}",
    .bordered = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
