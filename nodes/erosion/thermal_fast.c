/* SPDX-License-Identifier: MIT */
/* Thermal erosion that moves material at once and to the lowest neighbour only: Olsen 2004,
 * "Thermal erosion", optimised version, and its rotated neighbourhood (figure 13). */
#include "common/kept_border.h"
#include "erosion/kernels/masked.h"
#include "erosion/kernels/mass_balance.h"
#include "erosion/kernels/olsen_params.h"
#include "erosion/kernels/passes.h"
#include "erosion/kernels/ports.h"
#include "erosion/kernels/row_bands/talus_levelling.h"

struct params {
    float talus; /* T N: rise per map side */
    int32_t iterations;
    int32_t neighbourhood;
    int32_t order;
    int32_t visits;
    int32_t side;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_REST_TALUS(struct params),
    TW_PARAM_PASSES(struct params, 50),
    TW_PARAM_ENUM(struct params, neighbourhood, 0, "rotated|von-neumann",
                  "the four corners around a cell, or the four sides"),
    TW_PARAM_VISITING_ORDER(struct params, order),
    TW_PARAM_ENUM(struct params, visits, 0, TW_LEVELLING_VISITS_LABELS, TW_LEVELLING_VISITS_HELP),
    TW_PARAM_SIDE(struct params, "iterations are"),
    TW_PARAM_KEPT_BORDER(struct params, border),
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

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_levelling level = {.min_drop = p->talus / (float)tw_task_width(task),
                                       .max_drop = TW_ROW_BANDS_DROP_MAX};
    bool kept = p->border == TW_KEPT_BORDER;
    const struct tw_levelling_passes passes = {
        .count = tw_passes(task, p->side, p->iterations),
        .order = (enum tw_visiting_order)p->order,
        .around = p->neighbourhood == 1 ? TW_NEIGHBOURS_CROSS : TW_NEIGHBOURS_DIAGONAL,
        .alternating = p->visits == 1,
        .closed = !kept && !tw_task_wraps(task, p->border),
        .kept = kept};
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
    bool kept = p->border == TW_KEPT_BORDER;
    tw_mass_balance_in_place_forecast(f, f->inputs[MASK] > 0, ERODED);
    tw_row_bands_forecast(
        f, (enum tw_visiting_order)p->order,
        &(struct tw_row_bands_rule){
            .planes = 1, .closed = !kept && !tw_forecast_wraps(f, p->border), .kept = kept});
}

extern const struct tw_node_type tw_node_erosion_thermal_fast;
const struct tw_node_type tw_node_erosion_thermal_fast = {
    .name = "erosion.thermal_fast",
    .version = 6,
    .summary = "thermal erosion, to the lowest of four neighbours and at once",
    .keywords = "talus, scree, debris, weathering, angle of repose",
    .elsewhere = "Thermal (Gaea), Thermal Erosion (World Machine), Thermal (Hesiod)",
    .detail =
        "Slumps slopes to the talus angle in about a quarter of the time of erosion.thermal, "
        "with straighter lines. Choose erosion.thermal for terrain seen from near, and where "
        "ground needs `hardness` or `levels`.\n"
        "A cell moves half of its steepest drop d to that neighbour where:\n"
        "    d > T = talus / width.\n" TW_PASSES_DETAIL "\n"
        "With visits: alternating corners and sides are looked at in turn, with 2^(1/2) T for T "
        "at corners, and the map is mirrored every two passes.\n"
        "Border: wrap goes on at the other side. At a closed border, cells outside neither give "
        "nor take. With border: kept, cells of the border take but never give, as in the game "
        "that came with the paper. Maps of fewer than 24 "
        "rows are visited in raster order." TW_MASKED_LEDGER_DETAIL,
    .cite = "olsen2004",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "eroded: {type: erosion.thermal_fast, in: noise, talus: 4, iterations: 50}",
    .bordered = true,
    .in_place = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
