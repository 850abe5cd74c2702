/* SPDX-License-Identifier: MIT */
/* Thermal erosion: slopes steeper than the talus angle slump until they rest. Olsen 2004, "Thermal
 * erosion", reference implementation, after Musgrave 1989. His difference map is computed from the
 * receiving side: every cell first notes what it gives, then adds up what its neighbours give it.
 */
#include "common/ground_maps.h"
#include "common/kept_border.h"
#include "common/rising_land/slump.h"
#include "erosion/kernels/levels.h"
#include "erosion/kernels/masked.h"
#include "erosion/kernels/mass_balance.h"
#include "erosion/kernels/olsen_params.h"
#include "erosion/kernels/passes.h"
#include "erosion/kernels/ports.h"

#include <thalweg/kernel.h>

struct params {
    float talus; /* T N: rise per map side */
    float rate;  /* c: share of the excess that moves in a pass */
    int32_t iterations;
    int32_t slope;
    int32_t side;
    int32_t border;
    int32_t levels;
};

static const struct tw_param params[] = {
    TW_PARAM_REST_TALUS(struct params),
    TW_PARAM_F32(struct params, rate, 0.5, 0, 1, TW_UNIT_SHARE,
                 "share of the excess moved in a pass; above 0.5 it may oscillate"),
    TW_PARAM_PASSES(struct params, 50),
    TW_PARAM_ENUM(struct params, slope, TW_SLUMP_CELLS, "cells|distance",
                  "the rise to a neighbour, as in the paper, or over its true distance, which "
                  "leaves no hatch on resting slopes"),
    TW_PARAM_SIDE(struct params, "iterations are"),
    TW_PARAM_KEPT_BORDER(struct params, border),
    TW_PARAM_LEVELS(struct params),
    TW_PARAM_END,
};

enum { IN, MASK, HARDNESS };
static const struct tw_port inputs[] = {
    TW_EROSION_IN,
    TW_STRENGTH_PORT,
    TW_HARDNESS_PORT,
    TW_PORT_END,
};

TW_EROSION_OUTPUTS;

enum { ERODED = 1 };

struct erosion {
    const struct params *p;
    int32_t passes; /* of all levels, were they on the cells of the task's map */
};

/* A pass over cells twice as long moves ground as far as four passes. */
static int32_t passes_of(const struct tw_level *level, int32_t passes)
{
    struct tw_level coarse = *level;
    coarse.begin /= level->cells;
    coarse.end /= level->cells;
    return tw_level_steps(&coarse, passes);
}

static enum tw_status erode(struct tw_task *task, const struct tw_level *level, void *context)
{
    const struct erosion *e = context;
    const struct params *p = e->p;
    struct tw_slump s = {.rate = p->rate,
                         .kept = p->border == TW_KEPT_BORDER,
                         .hardness = level->maps[0],
                         .simd = tw_task_simd(task)};
    tw_slump_set_talus(&s, p->talus / (float)tw_task_width(task), (enum tw_slump_slope)p->slope);
    if (!tw_slump_lay_out(&(struct tw_scratch){.task = task}, &s, tw_task_wraps(task, p->border)))
        return tw_task_no_memory(task);
    tw_framed_map_read(&s.h, level->ground);
    enum tw_status status = tw_slump_settle(task, &s, passes_of(level, e->passes));
    if (status != TW_OK)
        return status;
    if (!level->after)
        return tw_mass_balance_finish(task, s.h.cells, s.h.stride, tw_task_input(task, MASK),
                                      ERODED);
    tw_framed_map_write(&s.h, level->after);
    return TW_OK;
}

static enum tw_status run(struct tw_task *task)
{
    const float *hardness = tw_optional_cells(task, HARDNESS);
    struct erosion e = {.p = tw_task_params(task)};
    e.passes = tw_passes(task, e.p->side, e.p->iterations);
    const struct tw_levels levels = {.levels = e.p->levels,
                                     .wraps = tw_task_wraps(task, e.p->border),
                                     .in = tw_floats(tw_task_input(task, IN)),
                                     .maps = {hardness},
                                     .hardness = hardness,
                                     .erode = erode,
                                     .context = &e};
    return tw_levels_run(task, &levels);
}

static void forecast_level(struct tw_forecast *f, bool finest)
{
    const struct params *p = f->params;
    struct tw_slump s;
    tw_slump_lay_out(&(struct tw_scratch){.forecast = f}, &s, tw_forecast_wraps(f, p->border));
    if (finest)
        tw_mass_balance_forecast(f);
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    const struct tw_levels_need need = {.levels = p->levels,
                                        .maps = f->inputs[HARDNESS] > 0,
                                        .wraps = tw_forecast_wraps(f, p->border),
                                        .work = forecast_level};
    tw_levels_forecast(f, &need);
}

extern const struct tw_node_type tw_node_erosion_thermal;
const struct tw_node_type tw_node_erosion_thermal = {
    .name = "erosion.thermal",
    .version = 3,
    .summary = "thermal erosion: slopes above the talus angle slump until they rest",
    .keywords = "talus, scree, debris, weathering, angle of repose, rubble, slump",
    .elsewhere =
        "Thermal (Gaea), Thermal Erosion (World Machine), HeightField Erode Thermal (Houdini), "
        "HeightField Slump (Houdini), Thermal (Hesiod)",
    .detail =
        "Makes scree and stable slopes: ground steeper than the talus angle slumps until it "
        "rests, and no cliffs remain. Choose erosion.thermal_fast for less time, erosion.creep "
        "to round crests, and erosion.olsen to keep cliffs and level the ground between them.\n"
        "Let d be the drops to the eight neighbours and T = talus / width. Where the greatest "
        "drop exceeds T, the cell loses:\n"
        "    a = rate (d_max - T).\n"
        "Each neighbour with d > T gains its share of that:\n"
        "    a d / (sum of such d).\n"
        "All changes of a pass apply after it.\n"
        "slope: with cells, as in the paper, slopes come to rest steeper along rows and columns "
        "than along diagonals, which shows as a grid like fish scales; use it to compare with "
        "the paper. Choose distance for terrain that people look at: there T is 2^(1/2) times as "
        "great for corners, a = rate max(d - T), and shares are those of d - T.\n" TW_PASSES_DETAIL
        "\n"
        "Border: wrap goes on at the other side. At a closed border, cells outside neither give "
        "nor take. With border: kept, cells of the border take but never give, as in the game "
        "that came with the paper.\n"
        "hardness H: a cell gives (1 - H) a." TW_MASKED_LEDGER_DETAIL TW_LEVELS_DETAIL,
    .cite = "olsen2004 musgrave1989",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "eroded: {type: erosion.thermal, in: noise, talus: 4, iterations: 20}",
    .bordered = true,
    .in_place = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
