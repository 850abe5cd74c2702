/* SPDX-License-Identifier: MIT */
/* Depressions drained by channels through what holds their water back: least-cost breaching,
 * Lindsay 2016, "Efficient hybrid breaching-filling sink removal methods for flow path enforcement
 * in digital elevation models". How it is deviated from is in kernels/least_breach.h. */
#include "common/drainage/exits.h"
#include "common/sides.h"
#include "shape/kernels/least_breach.h"
#include "shape/kernels/least_rise.h"

#include <thalweg/rescale.h>

#define NO_LIMIT (-1)

struct params {
    float most_length, most_depth; /* NO_LIMIT: any */
    int32_t border;
    struct tw_labels closed;
};

static const struct tw_param params[] = {
    TW_PARAM_F32_OR(struct params, most_length, "none", NO_LIMIT, NO_LIMIT, 0, 1000, TW_UNIT_SIDE,
                    "of a channel; hollows that need a longer one stay", TW_USUAL(0, 0.2)),
    TW_PARAM_F32_OR(struct params, most_depth, "none", NO_LIMIT, NO_LIMIT, 0, 1e9, TW_UNIT_HEIGHT,
                    "of a channel; hollows that need a deeper one stay", TW_USUAL(0, 0.2)),
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

enum { OUT, DEPTH, RECORD };
static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the terrain with channels out of its depressions"},
    {"depth", TW_HEIGHTMAP, TW_ON_DEMAND, "how deep the channels are cut"},
    {"record", TW_RECORD, TW_ON_DEMAND,
     "breached, left: numbers of pits; longest: channel, in map sides; deepest: cut; removed: "
     "heights in all, over the cells of the map"},
    TW_PORT_END,
};

static bool lay_out(struct tw_scratch *s, uint8_t **outlet, struct tw_breach *b)
{
    *outlet = tw_scratch_maps(s, 1, sizeof **outlet);
    return tw_breach_lay_out(s, b);
}

static void set_limits(const struct params *p, int32_t width, struct tw_breach *b)
{
    b->most_length =
        p->most_length == NO_LIMIT ? (double)INFINITY : tw_sides_in_cells(p->most_length, width);
    b->most_depth = p->most_depth == NO_LIMIT ? (double)INFINITY : (double)p->most_depth;
}

/* Writes the outputs on demand. */
static enum tw_status report(struct tw_task *task, const struct tw_breach *b)
{
    const float *in = tw_floats(tw_task_input(task, IN));
    float *depth = tw_floats(tw_task_output(task, DEPTH));
    double removed = 0, deepest = 0;
    int32_t cells = b->width * b->height;
    for (int32_t i = 0; i < cells; i++) {
        double cut = (double)in[i] - (double)b->z[i];
        removed += cut;
        deepest = cut > deepest ? cut : deepest;
        if (depth)
            depth[i] = (float)cut;
    }
    if (!tw_task_wants(task, RECORD))
        return TW_OK;
    enum tw_status status = tw_task_list(task, RECORD, 5);
    if (status != TW_OK)
        return status;
    struct tw_value *record = tw_task_output(task, RECORD);
    tw_record_set(record, 0, "breached", b->breached);
    tw_record_set(record, 1, "left", b->left);
    tw_record_set(record, 2, "longest", b->longest / b->width);
    tw_record_set(record, 3, "deepest", deepest);
    tw_record_set(record, 4, "removed", removed / cells);
    return TW_OK;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *in = tw_task_input(task, IN);
    size_t cells = tw_value_count(in);
    struct tw_breach b = {.z = tw_floats(tw_task_output(task, OUT))};
    struct tw_exits exits;
    struct tw_span span;
    uint8_t *outlet;
    enum tw_status status = tw_exits_read(task, &p->closed, tw_task_input(task, OUTLETS),
                                          tw_task_wraps(task, p->border), &exits);
    if (status != TW_OK)
        return status;
    if (cells > (size_t)1 << 28)
        return tw_task_fail(task, "breaching is limited to maps of 2^28 cells; this one has %zu",
                            cells);
    if (!lay_out(&(struct tw_scratch){.task = task}, &outlet, &b))
        return tw_task_no_memory(task);
    status = tw_exits_mark(task, &exits, tw_floats(in), outlet);
    if (status == TW_OK)
        status = tw_span_find(task, tw_floats(in), in->width, in->height, &span);
    if (status != TW_OK)
        return status;
    b.outlet = outlet;
    b.wrap = exits.wrap;
    b.rise = tw_least_rise(span);
    set_limits(p, in->width, &b);
    memcpy(b.z, tw_floats(in), cells * sizeof *b.z);
    status = tw_breach_pits(task, &b);
    return status == TW_OK ? report(task, &b) : status;
}

static void forecast(struct tw_forecast *f)
{
    struct tw_breach b;
    uint8_t *outlet;
    lay_out(&(struct tw_scratch){.forecast = f}, &outlet, &b);
    tw_exits_forecast(f);
    tw_rescale_forecast(f);
}

extern const struct tw_node_type tw_node_shape_breach;
const struct tw_node_type tw_node_shape_breach = {
    .name = "shape.breach",
    .version = 1,
    .summary = "cut channels out of hollows where least ground is in the way",
    .keywords = "breach depressions, carve, dams, culverts, bridges, hydrologic correction, flow "
                "enforcement, drain, sinks",
    .elsewhere = "BreachDepressionsLeastCost (WhiteboxTools), r.hydrodem (GRASS), Sink Removal "
                 "(SAGA)",
    .detail =
        "Drains hollows by narrow channels, where shape.fill_depressions raises all ground in "
        "them. Real data have many hollows behind bridges, embankments and trees, which a short "
        "cut opens while a fill would drown the valley.\n"
        "A pit is ground of one height without a lower neighbour. From the lowest pit on, each "
        "gets the channel that takes away least, to the nearest ground that is lower, or to an "
        "outlet. Its bed starts at the height z of the pit and falls by two units in the last "
        "place of the greatest |height| a cell, so water runs although the bed is as good as "
        "level. Over the cells c of a way, diagonal steps counted 1.41 times, least is:\n"
        "    sum of max(0, z_c - bed).\n"
        "most_length and most_depth are the longest channel and the deepest cut. Hollows that "
        "need more stay as they are: shape.fill_depressions behind this node fills them, which "
        "together is the paper's hybrid. Without limits no hollow is left.\n"
        "A cell is only lowered, never by more than most_depth, and an outlet on the way as well, "
        "unless it is lower. Time grows with the ground that is searched: few seconds for a "
        "million cells of natural land, much more where wide, deep hollows lie far from lower "
        "ground; most_length bounds it." TW_EXITS_DETAIL,
    .cite = "lindsay2016",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "land: {type: noise.midpoint}\n"
               "open: {type: shape.breach, in: land}",
    .reach = TW_REACH_ALL,
    .bordered = true,
    .run = run,
    .forecast = forecast,
};
