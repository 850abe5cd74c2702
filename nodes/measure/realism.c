/* SPDX-License-Identifier: MIT */
/* Whether a map is like real mountains: nine numbers, each with the band in which it lies on 13
 * real ranges. Hollows, theta (Flint 1974) and prominence (Helman 2005) are known; upside, scatter,
 * branching, crests, fine and steep as defined here, and the bands, are ours. */
#include "common/drainage/outlets.h"
#include "measure/kernels/distinct.h"
#include "measure/kernels/stream_slopes.h"
#include "measure/kernels/summits.h"
#include "measure/kernels/surface_fine.h"
#include "measure/kernels/surface_form.h"

#include <thalweg/kernel.h>
#include <thalweg/part.h>
#include <thalweg/realism.h>
#include <thalweg/world_side.h>

#define FLOOR 0.001 /* a share of hollows that is next to none */

enum { PEAKS = TW_REALISM_COUNT, NUMBERS };

struct params {
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

enum { IN, MASK };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    {"mask", TW_MASK, TW_OPTIONAL,
     "which cells count, from 0.5 on, as where there is no sea; all of them if not given"},
    TW_PORT_END,
};

enum { RECORD };
static const struct tw_port outputs[] = {
    {"record", TW_RECORD, 0,
     "inside: how many of nine numbers are as on real mountains; distance: how far they are from "
     "their medians; the numbers, and the verdict on each: -1 below, 0 inside, 1 above"},
    TW_PORT_END,
};

static const char *const verdicts[TW_REALISM_COUNT] = {
    [TW_REALISM_HOLLOWS] = "hollows_verdict",
    [TW_REALISM_UPSIDE] = "upside_verdict",
    [TW_REALISM_THETA] = "theta_verdict",
    [TW_REALISM_SCATTER] = "scatter_verdict",
    [TW_REALISM_BRANCHING] = "branching_verdict",
    [TW_REALISM_CRESTS] = "crests_verdict",
    [TW_REALISM_FINE] = "fine_verdict",
    [TW_REALISM_STEEP] = "steep_verdict",
    [TW_REALISM_PROMINENCE] = "prominence_verdict",
};

struct realism {
    struct tw_reference_input input;
    double cells, cell_m, numbers[NUMBERS];
};

/* ---- the numbers ---- */

static enum tw_status measure_water(struct tw_task *task, const struct tw_reference_cells *r,
                                    double *a, double *b, double numbers[NUMBERS])
{
    struct tw_stream_slopes slopes;
    enum tw_status status = tw_stream_slopes_find(task, r, a, b, &slopes);
    if (status != TW_OK)
        return status;
    numbers[TW_REALISM_HOLLOWS] = slopes.hollows;
    numbers[TW_REALISM_UPSIDE] =
        (tw_log2(slopes.turned_hollows + FLOOR) - tw_log2(slopes.hollows + FLOOR)) *
        0.6931471805599453;
    numbers[TW_REALISM_THETA] = slopes.theta;
    numbers[TW_REALISM_SCATTER] = slopes.scatter;
    numbers[TW_REALISM_BRANCHING] = slopes.branching;
    return TW_OK;
}

static enum tw_status measure_summits(struct tw_task *task, const struct tw_reference_cells *r,
                                      double *memory, double numbers[NUMBERS])
{
    static const int32_t percent[TW_SUMMIT_SHARES] = {1, 4};
    int32_t counts[TW_SUMMIT_SHARES];
    enum tw_status status = tw_summits_count(task, r, memory, percent, counts);
    if (status != TW_OK)
        return status;
    numbers[TW_REALISM_PROMINENCE] = 0.5 * (tw_log2(counts[0] + 1.0) - tw_log2(counts[1] + 1.0));
    numbers[PEAKS] = 1e4 * counts[0] / r->count;
    return TW_OK;
}

/* On the reference cells. All numbers stay 0 where the cells that count are level. */
static enum tw_status measure(struct tw_task *task, void *context)
{
    struct realism *w = context;
    struct tw_reference_cells r;
    enum tw_status status = tw_reference_cells_init(task, &w->input, &r);
    if (status != TW_OK)
        return status;
    double *a = tw_task_scratch(task, (size_t)r.cells, sizeof *a);
    double *b = tw_task_scratch(task, (size_t)r.cells, sizeof *b);
    if (!a || !b)
        return tw_task_no_memory(task);
    w->cells = r.count;
    if (r.relief <= 0)
        return TW_OK;
    status = measure_water(task, &r, a, b, w->numbers);
    tw_task_progress(task, 0.7);
    if (status == TW_OK)
        status = measure_summits(task, &r, a, w->numbers);
    if (status == TW_OK)
        status = tw_surface_fine(task, &r, a, &w->numbers[TW_REALISM_FINE]);
    if (status != TW_OK || tw_task_cancelled(task))
        return status == TW_OK ? TW_CANCELLED : status;
    w->numbers[TW_REALISM_CRESTS] = tw_surface_crests(task, &r, a, b);
    w->numbers[TW_REALISM_STEEP] = tw_surface_steep(task, &r, a, b);
    return TW_OK;
}

/* ---- the record ---- */

struct rows {
    struct tw_value *record;
    int32_t count;
};

static void add(struct rows *rows, const char *name, double number)
{
    tw_record_set(rows->record, rows->count++, name, number);
}

static enum tw_status give(struct tw_task *task, const struct realism *w)
{
    enum { OTHERS = 5 };
    const struct tw_realism_band *bands = tw_realism_bands(w->cell_m);
    const bool comparable = w->cell_m == 0 || (w->cell_m >= 60 && w->cell_m <= 270);
    struct rows rows = {.record = tw_task_output(task, RECORD)};
    double inside = 0, distance = 0;
    enum tw_status status = tw_task_list(task, RECORD, OTHERS + NUMBERS + TW_REALISM_COUNT);
    if (status != TW_OK)
        return status;
    add(&rows, "cells", w->cells);
    add(&rows, "cell_m", w->cell_m);
    add(&rows, "comparable", comparable);
    for (int i = 0; i < NUMBERS; i++)
        add(&rows, i == PEAKS ? "peaks" : bands[i].name, w->numbers[i]);
    for (int i = 0; i < TW_REALISM_COUNT; i++) {
        const int verdict = tw_realism_verdict(&bands[i], w->numbers[i]);
        add(&rows, verdicts[i], verdict);
        inside += verdict == 0;
        distance += fabs(tw_realism_place(&bands[i], w->numbers[i])) / TW_REALISM_COUNT;
    }
    add(&rows, "inside", inside);
    add(&rows, "distance", distance);
    return TW_OK;
}

/* Few heights, as of 8 bits, make level ground that no land has. */
static void warn_of_steps(struct tw_task *task, const struct tw_value *in)
{
    const int32_t heights = tw_distinct_count(tw_floats(in), tw_value_count(in));
    if (heights < TW_DISTINCT_MOST)
        tw_task_warn(task,
                     "the terrain has only %d different heights: scatter, upside and hollows are "
                     "those of its steps; expected at least %d",
                     (int)heights, TW_DISTINCT_MOST);
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *in = tw_task_input(task, IN), *mask = tw_task_input(task, MASK);
    const double cell_m = tw_task_side_m(task) / in->width;
    const int32_t factor = tw_realism_factor(in->width, in->height, cell_m);
    struct realism w = {.input = {.in = tw_floats(in),
                                  .mask = mask ? tw_floats(mask) : NULL,
                                  .in_width = in->width,
                                  .factor = factor,
                                  .wrap = tw_task_wraps(task, p->border)},
                        .cell_m = cell_m * factor};
    if (in->width < TW_REALISM_SIDE_MIN || in->height < TW_REALISM_SIDE_MIN)
        return tw_task_fail(task, "the map has %d x %d cells; expected at least %d x %d",
                            (int)in->width, (int)in->height, TW_REALISM_SIDE_MIN,
                            TW_REALISM_SIDE_MIN);
    warn_of_steps(task, in);
    enum tw_status status = tw_task_part(
        task,
        &(struct tw_task_span){
            .width = in->width / factor, .height = in->height / factor, .begin = 0, .end = 1},
        measure, &w);
    return status == TW_OK ? give(task, &w) : status;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    struct tw_forecast water = tw_forecast_step(f), summits = water;
    tw_reference_cells_forecast(f, f->inputs[MASK] > 0);
    tw_forecast_maps(f, 2, sizeof(double)); /* a, b */
    tw_stream_slopes_forecast(&water, tw_forecast_wraps(f, p->border));
    tw_summits_forecast(&summits);
    tw_forecast_steps(f, &water, &summits);
}

extern const struct tw_node_type tw_node_measure_realism;
const struct tw_node_type tw_node_measure_realism = {
    .name = "measure.realism",
    .version = 1,
    .summary = "how many of nine numbers are as on real mountains",
    .keywords = "realistic, natural, like the Earth, geomorphometry, terrain quality, drainage",
    .detail =
        "Whether a map is like mountains of the Earth, as a number that an experiment can hold: "
        "real ranges have 6 or more of the nine inside their bands (96 % of 155 windows of 13 "
        "ranges, each judged by the others), noise has none of 45, stream power alone none of 24. "
        "Any one number can be met by chance or by tuning: read inside, and look at the map. "
        "measure.likeness compares with one map of your choice instead.\n"
        "No unit of height enters. Cells are 90 m: with a side_m in the recipe's world the map is "
        "first taken down by means of whole cells to the size nearest to that, but no further "
        "than 128 cells a side, and cell_m says what was reached; above 127 m the bands are those "
        "of 180 m. comparable is 0 outside 60 to 270 m. Without side_m cells count as 90 m and "
        "cell_m is 0.\n"
        "hollows: the share of cells below the fill F, the least surface above the map without "
        "depressions.\n"
        "upside: ln((h' + 0.001) / (hollows + 0.001)), where h' is hollows of the map turned "
        "upside down. Rivers cut hollows open, not summits.\n"
        "theta: slopes S of cells that no lake covers fall as upstream area A to -theta, by the "
        "medians of log2 S in octaves of A from 4 to 1023 cells.\n"
        "scatter: the mean distance of the quartiles of log2 S in those octaves. Stream power "
        "alone has too little.\n"
        "branching: log16 of the dry cells with 16 cells upstream over those with 256.\n"
        "crests: skewness by quantiles, (q95 + q5 - 2 q50) / (q95 - q5), of the Laplacian after a "
        "Gaussian of one cell. Below 0, crests are narrow and valleys wide.\n"
        "fine: 1/2 log4 of the mean squares of second differences over 4 cells and over 1 cell. "
        "White noise has 0, a smooth surface 2.\n"
        "steep: the 95 % quantile of slopes over their median.\n"
        "prominence: log4((n1 + 1) / (n4 + 1)), where n1 and n4 are summits that rise above the "
        "highest saddle to higher ground by 1 and 4 % of the relief. peaks, 10000 n1 / cells, is "
        "not judged.\n"
        "Bands are the 5 and 95 % quantiles of the real windows. distance is the mean over the "
        "nine of |v - p50| over the band's half on that side: smooth, for tuning.\n"
        "Bands are of mountains: deserts and karst have 4 of 9. A sea needs the mask; water and "
        "summits still see the whole map. Maps of 8 bits lose about one of nine to their steps. "
        "The map needs 128 x 128 cells at least, and 256 are better. A level map has 0 "
        "everywhere. Windows of real ranges drain over all their sides, so none can be closed." TW_WORLD_OUTLETS_DETAIL,
    .cite = "argudo2019 barnes2014 flint1974 helman2005 ocallaghan1984",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "land: {type: erosion.stream_power, in: noise, steps: 30}\n"
               "realism: {type: measure.realism, in: land}",
    .reach = TW_REACH_ALL,
    .physical = true,
    .bordered = true,
    .run = run,
    .forecast = forecast,
};
