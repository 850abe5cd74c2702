/* SPDX-License-Identifier: MIT */
/* Continuous, gradient dependent erosion, Coats 2008, section 2.2, after Musgrave 1989: water falls
 * at intervals, runs to all lower neighbours, the lowest first, and carries sediment with it.
 * His text deposits for every neighbour that is not lower and once more at the end; we do it once
 * per cell and step, at the end. */
#include "erosion/kernels/coats.h"
#include "erosion/kernels/masked.h"
#include "erosion/kernels/mass_balance.h"
#include "erosion/kernels/stable_limit.h"

#include <thalweg/kernel.h>
#include <thalweg/resolution.h>

#include <string.h>

enum { SLOPE_CELLS, SLOPE_DISTANCE };

struct params {
    float rain;
    int32_t rain_period;
    float rain_by_altitude;
    float Kc, Kd, Ks;
    float evaporation;
    int32_t steps;
    int32_t update;
    int32_t slope;
    int32_t side;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, rain, 0.002, 0, 1000, TW_UNIT_HEIGHT,
                 "water that falls on every cell at once", TW_USUAL(0, 0.01)),
    TW_PARAM_I32(struct params, rain_period, 160, 1, 1000000, "steps", "steps between rains",
                 TW_USUAL(20, 640)),
    TW_PARAM_F32(struct params, rain_by_altitude, 0.002, 0, 1000, "height per height",
                 "further water in proportion to the altitude", TW_USUAL(0, 0.01)),
    TW_PARAM_F32(struct params, Kc, 1, 0, 1000, "height per height",
                 "sediment capacity: sediment that a unit of water takes along", TW_USUAL(0.1, 4)),
    TW_PARAM_F32(struct params, Kd, 0.1, 0, 1, TW_UNIT_SHARE,
                 "sediment deposition: share that settles in a step"),
    TW_PARAM_F32(struct params, Ks, 0.3, 0, 1, TW_UNIT_SHARE,
                 "soil softness: share of missing sediment that is dug from the ground"),
    TW_PARAM_F32(struct params, evaporation, 0, 0, 1, TW_UNIT_SHARE,
                 "share of the water that dries up after a step; none in the text"),
    TW_PARAM_I32(struct params, steps, 320, 0, 1000000, "steps", "steps of the simulation",
                 TW_USUAL(20, 2000)),
    TW_PARAM_ENUM(struct params, update, 0, "at_once|synchronous",
                  "cell after cell on the changing map, or all cells from the state before"),
    TW_PARAM_ENUM(
        struct params, slope, SLOPE_CELLS, "cells|distance",
        "water goes to the lowest neighbour first, as in the text, or is shared among "
        "all lower ones by the slope over their true distance, which prefers no direction"),
    TW_PARAM_SIDE(struct params, "steps, rain_period, Kd, Ks and evaporation are"),
    TW_PARAM_END,
};

enum { IN, WATER_IN, SEDIMENT_IN, MASK };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    {"water", TW_HEIGHTMAP, TW_OPTIONAL, "water at the start; none if not given"},
    {"sediment", TW_HEIGHTMAP, TW_OPTIONAL,
     "sediment in the water at the start; none if not given"},
    TW_STRENGTH_PORT,
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the eroded terrain"},
    {"water", TW_HEIGHTMAP, 0, "depth of the water that is left"},
    {"sediment", TW_HEIGHTMAP, 0, "sediment that the water still carries; it is not in out"},
    {"eroded", TW_HEIGHTMAP, TW_ON_DEMAND, "what cells lost in all"},
    {"deposited", TW_HEIGHTMAP, TW_ON_DEMAND, "what cells gained in all"},
    {"ledger", TW_RECORD, TW_ON_DEMAND,
     "sums over cells: what came, moved and is left, in heights"},
    TW_PORT_END,
};

enum { WATER = 1, SEDIMENT, ERODED, LEDGER = 5 };

/* Copies an input, if given, to its output; refuses negative depths. */
static enum tw_status take_depth(struct tw_task *task, int port, float *to)
{
    const struct tw_value *from = tw_task_input(task, port);
    size_t count = tw_value_count(tw_task_output(task, 0));
    if (!from) {
        memset(to, 0, count * sizeof *to);
        return TW_OK;
    }
    memcpy(to, tw_floats(from), count * sizeof *to);
    for (size_t i = 0; i < count; i++)
        if (to[i] < 0)
            return tw_task_fail(task, "'%s' is %.9g at x %d, y %d; expected at least 0",
                                inputs[port].name, (double)to[i],
                                (int)(i % (size_t)tw_task_width(task)),
                                (int)(i / (size_t)tw_task_width(task)));
    return TW_OK;
}

struct erosion {
    tw_coats_fn *erode;
    struct tw_coats k;
    struct tw_coats_maps maps;
    void *memory;
    float *before; /* the heights; NULL when nothing needs them */
};

static bool lay_out(struct tw_scratch *s, struct erosion *e)
{
    const struct params *p = tw_scratch_params(s);
    e->memory = p->update == 1 ? tw_coats_synchronous_lay_out(s) : tw_coats_at_once_lay_out(s);
    return tw_scratch_is_laid(s);
}

/* Whether heights stay bounded with a capacity of Kc. */
static enum tw_status try_capacity(struct tw_task *task, struct erosion *e, float Kc, bool *holds)
{
    struct tw_coats_end end;
    e->k.capacity = Kc;
    enum tw_status status = e->erode(task, &e->k, &e->maps, false, e->memory, &end);
    *holds = !end.unstable;
    return status;
}

/* Water moves by whole differences of surfaces, so no bound on Kc, Kd and Ks alone is safe on all
 * terrain: how deep a pond digs its bed depends on the water that gathers there. So the largest
 * stable capacity is found by trial: halved until it is stable, then two steps of bisection. */
static enum tw_status fail_unstable(struct tw_task *task, struct erosion *e,
                                    const struct tw_coats_end *end)
{
    float high = e->k.capacity, low = 0;
    for (int tries = 0, between = 0; tries < 40 && between < 2; tries++) {
        float Kc = (float)tw_stable_limit_shown(0.5 * ((double)low + (double)high));
        bool holds;
        enum tw_status status = try_capacity(task, e, Kc, &holds);
        if (status != TW_OK)
            return status;
        between += low > 0;
        *(holds ? &low : &high) = Kc;
    }
    return tw_task_fail(task,
                        "unstable: heights run from %.4g to %.4g after step %d, the terrain's own "
                        "from %.4g to %.4g; here the largest stable Kc is about %.4g (more with "
                        "less rain or steps, a higher Ks, or evaporation: 0.02)",
                        end->now.low, end->now.high, (int)end->steps, end->terrain.low,
                        end->terrain.high, (double)low);
}

/* Returns the evaporated water: all that came less what is left, since water leaves by evaporation
 * only. */
static enum tw_status write_ledger(struct tw_task *task, const struct erosion *e, double rained)
{
    struct tw_mass_balance moved;
    const struct tw_value *given = tw_task_input(task, WATER_IN);
    struct tw_value *ledger = tw_task_output(task, LEDGER);
    const struct tw_value *mask = tw_task_input(task, MASK);
    enum tw_status status = tw_mass_balance_store(
        task, e->before, e->maps.altitude, (size_t)tw_task_width(task), mask, ERODED, &moved);
    if (status != TW_OK || !tw_task_wants(task, LEDGER))
        return status;
    status = tw_task_list(task, LEDGER, 6);
    if (status != TW_OK)
        return status;
    double water = given ? tw_mass_balance_sum(task, tw_floats(given)) : 0;
    double left = tw_mass_balance_sum(task, e->maps.water);
    tw_record_set(ledger, 0, "rained", rained);
    tw_record_set(ledger, 1, "evaporated", water + rained - left);
    tw_record_set(ledger, 2, "water_left", left);
    tw_record_set(ledger, 3, "eroded", moved.eroded);
    tw_record_set(ledger, 4, "deposited", moved.deposited);
    tw_record_set(ledger, 5, "sediment_left", tw_mass_balance_sum(task, e->maps.sediment));
    return TW_OK;
}

/* Returns the share per step if there are `scale` times as many steps. */
static float share_of_step(float share, double scale)
{
    return scale == 1 ? share : (float)(1 - tw_pow(1 - (double)share, 1 / scale));
}

/* Water crosses one cell per step, so finer maps take more and shorter steps. */
static struct tw_coats constants_of(const struct tw_task *task, const struct params *p)
{
    double scale = tw_resolution_scale(task, p->side);
    return (struct tw_coats){.capacity = p->Kc,
                             .deposition = share_of_step(p->Kd, scale),
                             .softness = share_of_step(p->Ks, scale),
                             .rain = p->rain,
                             .rain_by_altitude = p->rain_by_altitude,
                             .evaporation = share_of_step(p->evaporation, scale),
                             .rain_period = tw_resolution_count(p->rain_period, scale),
                             .steps = tw_resolution_count(p->steps, scale),
                             .shares = p->slope == SLOPE_DISTANCE};
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *in = tw_task_input(task, IN);
    struct tw_coats_end end;
    struct erosion e = {.erode = p->update == 1 ? tw_coats_synchronous : tw_coats_at_once,
                        .k = constants_of(task, p),
                        .maps = {.altitude = tw_floats(tw_task_output(task, 0)),
                                 .water = tw_floats(tw_task_output(task, WATER)),
                                 .sediment = tw_floats(tw_task_output(task, SEDIMENT))}};
    if (!lay_out(&(struct tw_scratch){.task = task}, &e))
        return tw_task_no_memory(task);
    enum tw_status status =
        tw_mass_balance_begin(task, tw_task_input(task, MASK), ERODED, &e.before);
    if (status != TW_OK)
        return status;
    if (tw_floats(in) != e.maps.altitude)
        memcpy(e.maps.altitude, in->data, tw_value_count(in) * sizeof(float));
    status = take_depth(task, WATER_IN, e.maps.water);
    if (status == TW_OK)
        status = take_depth(task, SEDIMENT_IN, e.maps.sediment);
    if (status == TW_OK)
        status = e.erode(task, &e.k, &e.maps, true, e.memory, &end);
    if (status == TW_OK)
        status = end.unstable ? fail_unstable(task, &e, &end) : write_ledger(task, &e, end.rained);
    return status;
}

static void forecast(struct tw_forecast *f)
{
    struct erosion e;
    lay_out(&(struct tw_scratch){.forecast = f}, &e);
    tw_mass_balance_in_place_forecast(f, f->inputs[MASK] > 0, ERODED);
}

extern const struct tw_node_type tw_node_erosion_gradient;
const struct tw_node_type tw_node_erosion_gradient = {
    .name = "erosion.gradient",
    .version = 2,
    .summary = "water that runs down all slopes and carries sediment",
    .keywords = "hydraulic erosion, water, sediment, rain, runoff",
    .elsewhere = "Erosion (Gaea), HeightField Erode Hydro (Houdini)",
    .detail =
        "Cuts rills and silts up basins by water that runs down all slopes at once, as Coats "
        "published it. Use it to reproduce or compare his method. Choose erosion.droplets for "
        "detail on a landscape, and erosion.pipes for water that flows and comes to rest.\n"
        "A cell has an altitude a, water w and sediment s. Every `rain_period` steps, the first "
        "time before the first step, rain falls:\n"
        "    w += rain + rain_by_altitude a.\n"
        "In a step a cell v pours to its 8 neighbours u, from the lowest a up, ties in reading "
        "order. It pours nothing where dw <= 0:\n"
        "    dw = min(w_v, (w_v + a_v) - (w_u + a_u)).\n"
        "The water carries c = Kc dw of sediment. Where s_v < c, the ground gives Ks (c - s_v). "
        "Then Kd s_v settles. a + s keeps its sum; w does, too, between rains and without "
        "evaporation.\n"
        "Water moves by the whole difference of two surfaces, so ponds oscillate forever and "
        "leave ribs on their beds after many rains. A little `evaporation`, which his text "
        "lacks, dries them up. Where heights leave the terrain's range by ten times its width, "
        "the node fails and names the largest Kc that would have worked, found by trial.\n"
        "update: at_once goes through rows from north to south and cells from west to east on "
        "the changing map, on one thread. synchronous takes outflow from the state before the "
        "step and adds inflow after it: no order shows, all threads work, and it is the choice "
        "for large maps.\n"
        "slope: with the default, cells, the lowest neighbour is more often a diagonal one, so "
        "marks follow rows, columns and diagonals; it is what the text says and what outside "
        "checks of it compare. distance prefers no direction, its ponds come to rest and form no "
        "ribs: choose it for landscapes. There a drop d counts d, across a corner d / 2^(1/2), "
        "and G in all; v pours min(w_v, G / 8), shared in proportion, and c is Kc times that.\n"
        "Border: whatever the recipe's `borders`, neighbours outside the map do not exist. So "
        "nothing leaves the map, there are no sides to close, and eroded - deposited in the ledger is sediment_left less the "
        "sediment given as input.\n"
        "Water crosses one cell a step. With `side`, a map r = width / side times as fine takes "
        "r times the steps and the rain period, and the share e a step of Kd, Ks and evaporation "
        "becomes:\n"
        "    1 - (1 - e)^(1 / r).\n"
        "With slope: cells water moves by whole differences between cells, so its marks are as "
        "wide as cells and still differ with the "
        "size." TW_MASKED_LEDGER_DETAIL "\n"
        "The other entries count all water and all sediment.",
    .cite = "coats2008 musgrave1989",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example =
        "noise: {type: noise.ridged, frequency: 2, gain: 1.5}\n"
        "eroded: {type: erosion.gradient, in: noise, update: synchronous, evaporation: 0.02}",
    .in_place = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
