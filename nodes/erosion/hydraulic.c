/* SPDX-License-Identifier: MIT */
/* Hydraulic erosion: rain dissolves ground, water spreads to all lower neighbours and takes its
 * load along, and leaves what it cannot carry when it evaporates. Olsen 2004, "Hydraulic erosion",
 * reference implementation, after Benes and Forsbach. The model is erosion/kernels/rain_flow.c. */
#include "common/ground_maps.h"
#include "common/kept_border.h"
#include "erosion/kernels/masked.h"
#include "erosion/kernels/mass_balance.h"
#include "erosion/kernels/olsen_params.h"
#include "erosion/kernels/ports.h"
#include "erosion/kernels/rain_flow.h"

#include <thalweg/kernel.h>
#include <thalweg/resolution.h>
#include <thalweg/simd.h>

struct params {
    float rain, solubility, evaporation, capacity; /* Kr, Ks, Ke, Kc */
    float height_scale;
    int32_t iterations;
    int32_t side;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_RAIN(struct params),
    TW_PARAM_F32(struct params, solubility, 0.01, 0, 1, "height of ground per height of water",
                 "ground that water dissolves in a pass", TW_USUAL(0, 0.1)),
    TW_PARAM_EVAPORATION(struct params),
    TW_PARAM_F32(struct params, capacity, 0.01, 0, 1, "height of ground per height of water",
                 "load that water can carry", TW_USUAL(0, 0.1)),
    TW_PARAM_HEIGHT_SCALE(struct params),
    TW_PARAM_PASSES(struct params, 100),
    TW_PARAM_SIDE(struct params, "iterations are"),
    TW_PARAM_KEPT_BORDER(struct params, border),
    TW_PARAM_END,
};

enum { IN, MASK, HARDNESS, RAIN_MAP };
static const struct tw_port inputs[] = {
    TW_EROSION_IN, TW_STRENGTH_PORT, TW_HARDNESS_PORT, TW_RAIN_MAP_PORT, TW_PORT_END,
};

static const struct tw_port outputs[] = {
    TW_EROSION_OUT,
    {"water", TW_HEIGHTMAP, TW_ON_DEMAND, "the water that is left, as height"},
    {"sediment", TW_HEIGHTMAP, TW_ON_DEMAND, "the load it carried last, which now lies in out"},
    TW_EROSION_CHANGES,
    TW_EROSION_LEDGER,
    TW_PORT_END,
};

enum { WATER = 1, SEDIMENT, ERODED };

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct tw_rain_flow f = {.rain = p->rain / p->height_scale,
                             .solubility = p->solubility * p->height_scale,
                             .left = 1 - p->evaporation,
                             .capacity = p->capacity * p->height_scale,
                             .hardness = tw_optional_cells(task, HARDNESS),
                             .rain_map = tw_optional_cells(task, RAIN_MAP),
                             .kept = p->border == TW_KEPT_BORDER};
    double scale = tw_resolution_scale(task, p->side);
    if (!tw_rain_flow_create(task, &f, tw_task_wraps(task, p->border)))
        return tw_task_no_memory(task);
    tw_framed_map_read(&f.h, tw_floats(tw_task_input(task, IN)));
    enum tw_status status =
        tw_rain_flow_run(task, &f, tw_resolution_count(p->iterations, scale * sqrt(scale)));
    if (tw_task_wants(task, WATER))
        tw_framed_map_write(&f.w, tw_floats(tw_task_output(task, WATER)));
    if (tw_task_wants(task, SEDIMENT))
        tw_framed_map_write(&f.m, tw_floats(tw_task_output(task, SEDIMENT)));
    for (int32_t y = 0; y < f.h.height; y++)
        for (int32_t x = 0; x < f.h.width; x++)
            tw_framed_map_row(&f.h, y)[x] += tw_framed_map_row(&f.m, y)[x];
    return status == TW_OK ? tw_mass_balance_finish(task, f.h.cells, f.h.stride,
                                                    tw_task_input(task, MASK), ERODED)
                           : status;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    struct tw_rain_flow flow;
    tw_rain_flow_lay_out(&(struct tw_scratch){.forecast = f}, &flow,
                         tw_forecast_wraps(f, p->border));
    tw_mass_balance_forecast(f);
}

extern const struct tw_node_type tw_node_erosion_hydraulic;
const struct tw_node_type tw_node_erosion_hydraulic = {
    .name = "erosion.hydraulic",
    .version = 3,
    .summary = "hydraulic erosion: rain dissolves ground, carries it and drops it",
    .keywords = "water, rain, sediment, runoff, dissolve",
    .elsewhere = "Erosion (Gaea), Erosion (World Machine), HeightField Erode Hydro (Houdini)",
    .detail =
        "Softens slopes and silts up hollows: rain dissolves ground, carries it downhill and "
        "drops it. Use it to reproduce the published method. Choose erosion.hydraulic_fast for a "
        "rougher result in about a fifth of the time, erosion.droplets for gullies, and "
        "erosion.pipes for lakes and rivers.\n"
        "A cell has ground h, water w and a dissolved load m. A pass begins with rain and "
        "dissolves ground:\n"
        "    w += rain;\n"
        "    q = solubility w;\n"
        "    h -= q, m += q.\n"
        "With a = h + w, let d be the positive drops of a to the eight neighbours. Water then "
        "moves to the lower ones, split by d / (sum of d), and takes the same share of the load "
        "with it. The amount is:\n"
        "    min(w, a - mean of a over the cell and its lower neighbours).\n"
        "Cells without water move nothing. All moves of a pass apply together. At last water "
        "evaporates, and load above capacity w returns to the ground:\n"
        "    w *= 1 - evaporation.\n"
        "After the last pass all load settles: h += m.\n"
        "Water moves by one cell in a pass. With `side` the iterations are multiplied by (width "
        "/ side)^(3/2), which lies between what free water takes, (width / side), and what "
        "settling ground takes, (width / side)^2.\n" TW_HEIGHT_SCALE_DETAIL "\n"
        "Border: wrap goes on at the other side. At a closed border, cells outside neither give "
        "nor take; since slopes would end in a level lip, what a pass changes at a border cell "
        "is laid over 3 cells from the border inland, 3/6, 2/6 and 1/6 of it. With border: kept, "
        "cells of the border take but never give, as in the game that came with the paper. No "
        "water leaves the map, since all of it evaporates: there are no sides to close.\n"
        "hardness H: (1 - H) q of ground dissolves.\n"
        "rain_map: that share of the rain falls." TW_MASKED_LEDGER_DETAIL,
    .cite = "olsen2004",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.ridged, frequency: 2, gain: 1.5}\n"
               "eroded: {type: erosion.hydraulic, in: noise, solubility: 0.1, capacity: 0.1, "
               "iterations: 20}",
    .bordered = true,
    .in_place = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
