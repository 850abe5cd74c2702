/* SPDX-License-Identifier: MIT */
/* The uplift that keeps a terrain in balance with the rivers that cut it, U = K A^m S^n: Schott,
 * Paris, Fournier, Guerin and Galin 2023. Deviations: A and S are those of the flow lines and river
 * widths of erosion.stream_power, not of one receiver a cell, so that it grows the terrain again;
 * what creeps away rises as well, U = K A^m S^n - D lap z. */
#include "common/drainage/land_outlets.h"
#include "common/rising_land/rising_land.h"
#include "measure/kernels/balance.h"

#include <thalweg/kernel.h>

#include <string.h>

#define RATE_AUTO (-1)
enum { GRAIN = 16, WARNED = 20 /* of the cells, one in so many */ };

struct params {
    float uplift_rate;
    float K, m, n;
    float diffusion; /* D */
    float channel;   /* A_c */
    int32_t border;
    struct tw_labels closed;
};

static const struct tw_param params[] = {
    TW_PARAM_F32_OR(struct params, uplift_rate, "auto", RATE_AUTO, 1, 1e-30, 1e30,
                    "height per time",
                    "what 1 is in the mask: give erosion.stream_power the same; auto: the greatest",
                    TW_USUAL(0.1, 10)),
    TW_PARAM_F32(struct params, K, 8, 0, 1e6, "1 per time (m = 0.5)",
                 "erodibility: larger means that more rises", TW_USUAL(1, 20)),
    TW_PARAM_F32(struct params, m, 0.5, 0, 4, TW_UNIT_NONE, "exponent of the upstream area",
                 TW_USUAL(0.3, 0.7)),
    TW_PARAM_F32(struct params, n, 1, 0.1, 10, TW_UNIT_NONE, "exponent of the slope",
                 TW_USUAL(0.7, 2)),
    TW_PARAM_F32(struct params, diffusion, 0.0002, 0, 1e6, "sides^2 per time",
                 "hillslope creep, which uplift makes up for; 0: that of rivers alone",
                 TW_USUAL(0, 0.001)),
    TW_PARAM_F32(struct params, channel, 0.00003, 0, 1, TW_UNIT_SHARE,
                 "upstream share of the map from which rivers carry off what creeps into them"),
    TW_PARAM_LAND_BORDER(struct params),
    TW_PARAM_END,
};

enum { IN, OUTLETS };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain, taken to be in balance"},
    TW_LAND_OUTLETS_PORT,
    TW_PORT_END,
};

enum { OUT, RATE, WHERE, RECORD };
static const struct tw_port outputs[] = {
    {"out", TW_MASK, 0, "the uplift over uplift_rate, within 0..1"},
    {"rate", TW_HEIGHTMAP, TW_ON_DEMAND, "the uplift, in heights per time; below 0 where it sinks"},
    {"outlets", TW_MASK, TW_ON_DEMAND, "where water leaves; there the uplift is not known, and 0"},
    {"record", TW_RECORD, TW_ON_DEMAND,
     "uplift_rate: what 1 is in out; mean and greatest uplift, in heights per time; sinking, "
     "above: shares of cells below 0 and above uplift_rate"},
    TW_PORT_END,
};

struct balance {
    const struct params *p;
    struct tw_rising_land land;
    uint8_t *outlet;
    float *z, *rate;
    double dt;
    float one; /* the uplift that is 1 in the mask */
    float *mask;
};

static void mask_rows(void *context, int32_t begin, int32_t end)
{
    const struct balance *b = context;
    const size_t width = (size_t)b->land.d.width;
    for (size_t i = (size_t)begin * width; i < (size_t)end * width; i++)
        b->mask[i] = tw_clamp(b->rate[i] / b->one, 0, 1);
}

/* ---- all of it ---- */

static bool lay_out(struct tw_scratch *s, struct balance *b)
{
    b->outlet = tw_scratch_maps(s, 1, sizeof *b->outlet);
    b->z = tw_scratch_maps(s, 1, sizeof *b->z);
    b->rate = tw_scratch_output(s, RATE);
    return tw_scratch_is_laid(s);
}

/* Time in which creep spreads over one cell: amounts of it are then neither too large nor too small
 * for floats, whatever the units. */
static float time_of(const struct params *p, int32_t width)
{
    const double spread = (double)p->diffusion * (double)width * (double)width;
    const double dt = spread > 0 ? 1 / spread : 1;
    return (float)(dt < 1e-12 ? 1e-12 : dt > 1e12 ? 1e12 : dt);
}

static enum tw_status prepare(struct tw_task *task, struct balance *b)
{
    const struct params *p = b->p;
    const bool wrap = tw_land_wraps(task, p->border);
    const bool held = tw_land_is_held(p->border, &p->closed);
    const float dt = time_of(p, tw_task_width(task));
    const struct tw_rising_land_laws laws = {.K = p->K,
                                             .m = p->m,
                                             .n = p->n,
                                             .talus = 1e9f,
                                             .diffusion = p->diffusion,
                                             .channel = p->channel,
                                             .dt = dt,
                                             .wrap = wrap,
                                             .ends = wrap   ? TW_ADI_WRAP
                                                     : held ? TW_ADI_FIXED
                                                            : TW_ADI_CLOSED,
                                             .outlet = b->outlet};
    b->dt = (double)dt;
    return tw_rising_land_init(task, &b->land, &laws);
}

/* Finds where water runs, then fills depressions, which routing does not leave filled, and finds
 * the rates on what is filled. */
static enum tw_status find_rates(struct tw_task *task, struct balance *b, const float *in)
{
    struct tw_rising_land *s = &b->land;
    memcpy(b->z, in, (size_t)s->d.cells * sizeof *b->z);
    s->z = b->z;
    enum tw_status status = tw_rising_land_route(task, s);
    if (status != TW_OK)
        return status;
    tw_incision_widen(task, &s->incision, &s->lines, s->area);
    status = tw_drainage_receivers(task, &s->d, in);
    if (status != TW_OK)
        return status;
    tw_drainage_fill(task, &s->d, in, b->z);
    tw_balance_rates(task, s, b->dt, b->rate);
    return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
}

struct summary {
    double mean, greatest;
    int32_t sinking, above; /* cells below 0, and above what is 1 in the mask */
};

static struct summary summarise(struct balance *b)
{
    const int32_t cells = b->land.d.cells;
    struct summary all = {0};
    for (int32_t i = 0; i < cells; i++) {
        all.mean += (double)b->rate[i] / cells;
        all.greatest = (double)b->rate[i] > all.greatest ? (double)b->rate[i] : all.greatest;
        all.sinking += b->rate[i] < 0;
    }
    b->one = b->p->uplift_rate != RATE_AUTO ? b->p->uplift_rate
             : all.greatest > 0             ? (float)all.greatest
                                            : 1;
    for (int32_t i = 0; i < cells; i++)
        all.above += b->rate[i] > b->one;
    return all;
}

static enum tw_status store_record(struct tw_task *task, const struct balance *b,
                                   const struct summary *all)
{
    struct tw_value *record = tw_task_output(task, RECORD);
    if (!tw_task_wants(task, RECORD))
        return TW_OK;
    enum tw_status status = tw_task_list(task, RECORD, 5);
    if (status != TW_OK)
        return status;
    tw_record_set(record, 0, "uplift_rate", (double)b->one);
    tw_record_set(record, 1, "mean", all->mean);
    tw_record_set(record, 2, "greatest", all->greatest);
    tw_record_set(record, 3, "sinking", (double)all->sinking / b->land.d.cells);
    tw_record_set(record, 4, "above", (double)all->above / b->land.d.cells);
    return TW_OK;
}

static enum tw_status run(struct tw_task *task)
{
    const float *in = tw_floats(tw_task_input(task, IN));
    struct balance *b = tw_task_scratch(task, 1, sizeof *b);
    if (!b)
        return tw_task_no_memory(task);
    *b = (struct balance){.p = tw_task_params(task), .mask = tw_floats(tw_task_output(task, OUT))};
    if (!lay_out(&(struct tw_scratch){.task = task}, b))
        return tw_task_no_memory(task);
    enum tw_status status = tw_land_find_outlets(task, b->p->border, &b->p->closed, in,
                                                 tw_task_input(task, OUTLETS), b->outlet);
    if (status == TW_OK)
        status = prepare(task, b);
    if (status == TW_OK)
        status = find_rates(task, b, in);
    if (status != TW_OK)
        return status;
    const struct summary all = summarise(b);
    if (all.above > b->land.d.cells / WARNED)
        tw_task_warn(task,
                     "%.3g %% of the cells rise faster than uplift_rate, %.9g, and are cut to it: "
                     "expected up to %.9g, the greatest",
                     100.0 * all.above / b->land.d.cells, (double)b->one, all.greatest);
    tw_rows(task, b->land.d.height, GRAIN, mask_rows, b);
    float *where = tw_floats(tw_task_output(task, WHERE));
    for (int32_t i = 0; where && i < b->land.d.cells; i++)
        where[i] = b->outlet[i] != 0 ? 1 : 0;
    return store_record(task, b, &all);
}

static void forecast(struct tw_forecast *f)
{
    struct balance b;
    lay_out(&(struct tw_scratch){.forecast = f}, &b);
    tw_forecast_scratch(f, 1, sizeof b);
    tw_rising_land_forecast(f);
}

extern const struct tw_node_type tw_node_measure_uplift;
const struct tw_node_type tw_node_measure_uplift = {
    .name = "measure.uplift",
    .version = 1,
    .summary = "the uplift that would keep a terrain as it is while rivers cut it",
    .keywords = "uplift mask, tectonics, inverse, authoring, mountain range, copy mountains, "
                "stream power, erosion rate, steepness index, ksn",
    .detail =
        "Turns a mountain range into the uplift that would make it. Give the mask to "
        "erosion.stream_power, with the same K, m, n, diffusion and uplift_rate, and the range "
        "grows again; move, turn, blend or paint the mask before, and it grows elsewhere, with "
        "valleys that fit their new place.\n"
        "The terrain is taken to be in balance: each place rises as fast as rivers and creep lower "
        "it. So with A the upstream area, S the slope along the flow and D the creep, on the "
        "terrain whose depressions are filled:\n"
        "    U = K A^m S^n - D lap z.\n"
        "A and S are those of erosion.stream_power: water runs at any angle and rivers are a few "
        "cells wide. With diffusion: 0 it is K A^m S^n alone. K only scales it. Heights need no "
        "unit: K is the same for all ranges that are to be blended.\n"
        "out is U / uplift_rate, cut to 0..1. A warning says where more than one cell in twenty is "
        "above 1; uplift_rate: auto takes the greatest, which the record tells as uplift_rate. "
        "Real land has single cells far above the rest, at gorges and dams, and is better with an "
        "uplift_rate that cuts them.\n"
        "Round trip, on lands of 256 cells that stream_power grew at K 8 and uplift 0.5 in 50, "
        "100, 200 and 400 steps: 50 more steps with the measured uplift move them by 2.0, 1.6, 1.0 "
        "and 0.8 % of their relief in the mean (with the true, even uplift: by 4.5, 3.2, 2.1 and "
        "1.6 %, as divides still move), and the mean uplift comes out at 0.502, 0.496, 0.494 and "
        "0.494. Grown anew from a low noise, the range has its heights and forms, but valleys find "
        "ways of their own.\n"
        "Where it does not hold: lakes and filled hollows have no slope, so no uplift, and grow as "
        "plains; young land that still rises is taken for land that rises less; ground at its "
        "talus rises at least as fast as measured; cliffs, dunes, glaciers and sea floors are not "
        "the work of rivers. The Jacksboro DEM (344 cells, 8 for uplift_rate), which is not in "
        "balance, moves by 7 % of its relief in 50 steps. shape.blur on the mask takes the spikes "
        "away that the gorges of such land leave.\n" TW_LAND_OUTLETS_DETAIL
        "Give the output outlets to stream_power, so that water leaves at the same places.",
    .cite = "schott2023 braun2013 tarboton1997 barnes2014",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "mountains: {type: erosion.stream_power, in: noise}\n"
               "uplift: {type: measure.uplift, in: mountains}",
    .reach = TW_REACH_ALL,
    .bordered = true,
    .run = run,
    .forecast = forecast,
};
