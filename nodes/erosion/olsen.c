/* SPDX-License-Identifier: MIT */
/* Olsen 2004, "A new proposed algorithm": slopes up to the talus threshold are levelled, steeper
 * ones stay. Cells change the map at once, in the order that erosion/kernels/row_bands/row_bands.h
 * defines.
 */
#include "erosion/kernels/masked.h"
#include "erosion/kernels/mass_balance.h"
#include "erosion/kernels/olsen_params.h"
#include "erosion/kernels/passes.h"
#include "erosion/kernels/ports.h"
#include "erosion/kernels/row_bands/talus_levelling.h"

struct params {
    float talus; /* T N: rise per map side */
    int32_t iterations;
    int32_t order;
    int32_t visits;
    int32_t side;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, talus, 16, 1e-6, 1e6, TW_UNIT_RISE_PER_SIDE,
                 "steepest slope that is levelled", TW_USUAL(2, 60)),
    TW_PARAM_PASSES(struct params, 50),
    TW_PARAM_VISITING_ORDER(struct params, order),
    TW_PARAM_ENUM(struct params, visits, 0, TW_LEVELLING_VISITS_LABELS, TW_LEVELLING_VISITS_HELP),
    TW_PARAM_SIDE(struct params, "iterations are"),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

enum { IN, MASK };
static const struct tw_port inputs[] = {
    TW_EROSION_IN,
    TW_STRENGTH_PORT,
    TW_PORT_END,
};

TW_EROSION_OUTPUTS;

enum { ERODED = 1 };
enum { APRON = 10 }; /* cells; with fewer, ground ends in a level lip at closed borders */

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_levelling level = {.min_drop = 0,
                                       .max_drop = p->talus / (float)tw_task_width(task)};
    const struct tw_levelling_passes passes = {.count = tw_passes(task, p->side, p->iterations),
                                               .order = (enum tw_visiting_order)p->order,
                                               .around = TW_NEIGHBOURS_CROSS,
                                               .alternating = p->visits == 1,
                                               .closed = !tw_task_wraps(task, p->border),
                                               .apron = APRON};
    const struct tw_value *mask = tw_task_input(task, MASK);
    float *before = NULL;
    enum tw_status status = tw_mass_balance_begin(task, mask, ERODED, &before);
    if (status == TW_OK)
        status = tw_levelling_run(task, &level, &passes);
    return status == TW_OK ? tw_mass_balance_end(task, before, mask, ERODED) : status;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    tw_mass_balance_in_place_forecast(f, f->inputs[MASK] > 0, ERODED);
    tw_row_bands_forecast(f, (enum tw_visiting_order)p->order,
                          &(struct tw_row_bands_rule){.planes = 1,
                                                      .closed = !tw_forecast_wraps(f, p->border),
                                                      .apron = APRON});
}

extern const struct tw_node_type tw_node_erosion_olsen;
const struct tw_node_type tw_node_erosion_olsen = {
    .name = "erosion.olsen",
    .version = 7,
    .summary = "level gentle slopes and keep steep ones, for playable terrain",
    .keywords = "plateaus, building ground, game map, flatten, playable, strategy game",
    .elsewhere = "ThermalFlatten (Hesiod)",
    .detail =
        "Levels gentle slopes and keeps steep ones: plains and terraces between cliffs, for "
        "units and buildings of a game. Choose erosion.thermal for the reverse, where steep "
        "slopes slump, and measure.score to see how playable the result is.\n"
        "A cell moves half of its steepest drop d to that neighbour where:\n"
        "    0 < d <= T = talus / width.\n" TW_PASSES_DETAIL
        " Where talus cuts in, each cell's slope decides, and shapes differ more than with "
        "erosion.thermal.\n"
        "With visits: alternating every other pass looks at the four corners, with 2^(1/2) T for "
        "T, and the map is mirrored every two passes.\n"
        "Border: wrap goes on at the other side. At a closed border, cells outside neither give "
        "nor take, and what cells of the border gain is laid over 10 cells inland. Maps of fewer "
        "than 24 rows are visited in raster "
        "order." TW_MASKED_LEDGER_DETAIL,
    .cite = "olsen2004",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "eroded: {type: erosion.olsen, in: noise, talus: 16, iterations: 50}",
    .bordered = true,
    .in_place = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
