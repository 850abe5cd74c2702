/* SPDX-License-Identifier: MIT */
/* Thermal erosion: slopes steeper than the talus angle slump until they rest. Olsen 2004, "Thermal
 * erosion", reference implementation, after Musgrave 1989. His difference map is computed from the
 * receiving side: every cell first notes what it gives, then adds up what its neighbours give it.
 */
#include "common/ground_maps.h"
#include "erosion/kernels/framed_map.h"
#include "erosion/kernels/kept_border.h"
#include "erosion/kernels/levels.h"
#include "erosion/kernels/masked.h"
#include "erosion/kernels/mass_balance.h"
#include "erosion/kernels/olsen_params.h"
#include "erosion/kernels/passes.h"
#include "erosion/kernels/ports.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

enum { SLOPE_CELLS, SLOPE_DISTANCE };

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
    TW_PARAM_ENUM(struct params, slope, SLOPE_CELLS, "cells|distance",
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

struct slump {
    struct tw_framed_map h, next, loss, total; /* total: sum of the weights */
    float rate;                                /* c */
    float threshold[8];                        /* T, by neighbours in reading order */
    float less[8];                             /* a drop above T weighs that much less */
    bool kept;                                 /* cells of the border give nothing */
    const float *hardness;                     /* may be NULL */
    enum tw_simd simd;
};

/* loss = c max(d - T), where any drop d is above T */
static TW_INLINE void give_body(const struct slump *s, int32_t y)
{
    const float *around[8], *restrict h = tw_framed_map_row(&s->h, y);
    float *restrict loss = tw_framed_map_row(&s->loss, y), *restrict total =
                                                               tw_framed_map_row(&s->total, y);
    const struct slump k = *s; /* no store can change it */
    tw_framed_map_around(&s->h, y, around);
    TW_INDEPENDENT
    for (int32_t x = 0; x < k.h.width; x++) {
        float steepest = 0, sum = 0;
        for (int i = 0; i < 8; i++) {
            float drop = h[x] - around[i][x];
            sum += drop > k.threshold[i] ? drop - k.less[i] : 0;
            steepest = tw_max(steepest, drop - k.threshold[i]);
        }
        loss[x] = k.rate * steepest;
        total[x] = sum;
    }
}
TW_SIMD_KERNEL(give, (const struct slump *s, int32_t y), (s, y))

/* Hard ground gives less of what it would. */
static TW_INLINE void hold_body(const struct slump *s, int32_t y)
{
    const float *restrict hardness = s->hardness + (size_t)y * (size_t)s->h.width;
    float *restrict loss = tw_framed_map_row(&s->loss, y);
    int32_t width = s->h.width;
    for (int32_t x = 0; x < width; x++)
        loss[x] *= tw_softness(hardness[x]);
}
TW_SIMD_KERNEL(hold, (const struct slump *s, int32_t y), (s, y))

/* h + (-loss + gains); a neighbour that is d > T higher gives its loss * weight / total. */
static TW_INLINE void take_body(const struct slump *s, int32_t y)
{
    const float *around[8], *losses[8], *totals[8], *restrict h = tw_framed_map_row(&s->h, y);
    const float *restrict loss = tw_framed_map_row(&s->loss, y);
    float *restrict next = tw_framed_map_row(&s->next, y);
    const struct slump k = *s;
    tw_framed_map_around(&s->h, y, around);
    tw_framed_map_around(&s->loss, y, losses);
    tw_framed_map_around(&s->total, y, totals);
    TW_INDEPENDENT
    for (int32_t x = 0; x < k.h.width; x++) {
        float difference = -loss[x];
        for (int i = 0; i < 8; i++) {
            float drop = around[i][x] - h[x];
            float gain = losses[i][x] * (drop - k.less[i]) / totals[i][x];
            difference += drop > k.threshold[i] ? gain : -0.0f; /* -0 keeps any sum's bits */
        }
        next[x] = h[x] + difference;
    }
}
TW_SIMD_KERNEL(take, (const struct slump *s, int32_t y), (s, y))

static void give_rows(void *context, int32_t begin, int32_t end)
{
    const struct slump *s = context;
    for (int32_t y = begin; y < end; y++) {
        give(s->simd)(s, y);
        if (s->hardness)
            hold(s->simd)(s, y);
        if (s->kept)
            tw_kept_border_clear(&s->loss, y);
        tw_framed_map_close(&s->loss, y);
        tw_framed_map_close(&s->total, y);
    }
}

static void take_rows(void *context, int32_t begin, int32_t end)
{
    const struct slump *s = context;
    for (int32_t y = begin; y < end; y++) {
        take(s->simd)(s, y);
        tw_framed_map_close(&s->next, y);
    }
}

/* Cells of a wall are too high to receive, and give 0 d / 1. */
static bool lay_out(struct tw_scratch *scratch, struct slump *s, bool wraps)
{
    return tw_framed_map_lay_out(scratch, &s->h, wraps, TW_FRAMED_MAP_WALL) &&
           tw_framed_map_lay_out(scratch, &s->next, wraps, TW_FRAMED_MAP_WALL) &&
           tw_framed_map_lay_out(scratch, &s->loss, wraps, 0) &&
           tw_framed_map_lay_out(scratch, &s->total, wraps, 1);
}

/* Neighbours are alike from cell to cell; over true distances, corners are farther away, and what
 * slides is shared by the excess, so that it fades out where slopes come to rest. */
static void set_talus(struct slump *s, float threshold, int32_t slope)
{
    for (int i = 0; i < 8; i++) {
        bool corner = i == 0 || i == 2 || i == 5 || i == 7;
        bool farther = slope == SLOPE_DISTANCE && corner;
        s->threshold[i] = farther ? 1.41421356f * threshold : threshold;
        s->less[i] = slope == SLOPE_DISTANCE ? s->threshold[i] : 0;
    }
}

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

static enum tw_status settle(struct tw_task *task, struct slump *s, int32_t passes)
{
    int32_t height = tw_task_height(task);
    for (int32_t i = 0; i < passes; i++) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        tw_rows(task, height, 8, give_rows, s);
        tw_rows(task, height, 8, take_rows, s);
        tw_framed_map_swap(&s->h, &s->next);
        tw_task_progress(task, (double)(i + 1) / passes);
    }
    return TW_OK;
}

static enum tw_status erode(struct tw_task *task, const struct tw_level *level, void *context)
{
    const struct erosion *e = context;
    const struct params *p = e->p;
    struct slump s = {.rate = p->rate,
                      .kept = p->border == TW_KEPT_BORDER,
                      .hardness = level->maps[0],
                      .simd = tw_task_simd(task)};
    set_talus(&s, p->talus / (float)tw_task_width(task), p->slope);
    if (!lay_out(&(struct tw_scratch){.task = task}, &s, tw_task_wraps(task, p->border)))
        return tw_task_no_memory(task);
    tw_framed_map_read(&s.h, level->ground);
    enum tw_status status = settle(task, &s, passes_of(level, e->passes));
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
    struct slump s;
    lay_out(&(struct tw_scratch){.forecast = f}, &s, tw_forecast_wraps(f, p->border));
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
