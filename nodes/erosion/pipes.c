/* SPDX-License-Identifier: MIT */
/* Hydraulic erosion by shallow water in virtual pipes between neighbouring cells: Mei, Decaudin, Hu
 * 2007, equations 1 to 14. Deviations: sediment goes with the water of each pipe (first-order
 * upwind) where the paper advects it semi-Lagrangian, which loses or creates mass; it moves before
 * soil is dissolved, not after; the capacity fades in thin water (Stava et al. 2008) and is a mean
 * over 3 x 3 cells; the four pipes' flow is limited by its length, which no angle changes; heights
 * are turned into lengths by `relief`. */
#include "erosion/kernels/ground_maps.h"
#include "erosion/kernels/levels.h"
#include "erosion/kernels/masked.h"
#include "erosion/kernels/ports.h"
#include "erosion/kernels/stable_limit.h"
#include "erosion/kernels/virtual_pipes.h"

#include <thalweg/kernel.h>

#include <string.h>

enum { BORDER_CLOSED = 0, BORDER_OPEN };
#define CALM 0.5 /* share of the largest stable step that auto takes: no checkerboards */

struct params {
    float rain, evaporation;
    float capacity;          /* K_c */
    float dissolve, deposit; /* K_s, K_d */
    float pipe_area;         /* A over the pipe's width: map sides */
    float gravity;           /* g */
    float friction;          /* share of a pipe's flow lost in a time of 1, for small shares */
    float min_tilt;          /* least sin(alpha) */
    float full_depth;        /* depth from which the capacity is whole */
    float relief;            /* map sides that height 1 measures */
    float dt;
    int32_t steps, substeps, border;
    int32_t levels;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, rain, 0.02, 0, 1000, "height per time", "water that falls",
                 TW_USUAL(0, 0.1)),
    TW_PARAM_F32(struct params, evaporation, 4, 0, 1000, "1 per time", "share of water that goes",
                 TW_USUAL(0.5, 20)),
    TW_PARAM_F32(struct params, capacity, 0.005, 0, 1000, "height per (side per time)",
                 "sediment that water of speed 1 carries down a vertical slope",
                 TW_USUAL(0.001, 0.03)),
    TW_PARAM_F32(struct params, dissolve, 20, 0, 1e6, "1 per time",
                 "share of the free capacity that is filled from the ground", TW_USUAL(2, 100)),
    TW_PARAM_F32(struct params, deposit, 20, 0, 1e6, "1 per time",
                 "share of the sediment above the capacity that settles", TW_USUAL(2, 100)),
    TW_PARAM_F32(struct params, pipe_area, 0.05, 1e-6, 1000, TW_UNIT_SIDE,
                 "cross-section of a pipe for each side of its width", TW_USUAL(0.01, 0.3)),
    TW_PARAM_F32(struct params, gravity, 10, 1e-6, 1e6, "sides per time^2", "pull downhill",
                 TW_USUAL(1, 50)),
    TW_PARAM_F32(struct params, friction, 5, 0, 1e6, "1 per time",
                 "slows the water and stills its waves; 0 in the paper", TW_USUAL(0, 20)),
    TW_PARAM_F32(struct params, min_tilt, 0.05, 0, 1, TW_UNIT_NONE,
                 "least sine of the slope, so that water on flats carries something"),
    TW_PARAM_F32(struct params, full_depth, 0.005, 0, 1000, TW_UNIT_HEIGHT,
                 "depth below which water carries less; 0 for none", TW_USUAL(0, 0.03)),
    TW_PARAM_F32(struct params, relief, 0.25, 1e-6, 1000, TW_UNIT_SIDE,
                 "what height 1 measures in map sides", TW_USUAL(0.05, 1)),
    TW_PARAM_F32(struct params, dt, 0.0019, 1e-9, 1000, "time", "length of a step",
                 TW_USUAL(0.0002, 0.004)),
    TW_PARAM_I32(struct params, steps, 400, 0, 1000000, "steps", "steps in time",
                 TW_USUAL(50, 2000)),
    TW_PARAM_SUBSTEPS(struct params, substeps),
    TW_PARAM_ENUM(struct params, border, BORDER_CLOSED, "closed|open",
                  "whether water and sediment leave over the border"),
    TW_PARAM_LEVELS(struct params),
    TW_PARAM_END,
};

enum { IN, RAIN_MAP, MASK, HARDNESS };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    {"rain_map", TW_MASK, TW_OPTIONAL, "where it rains; everywhere if not given"},
    TW_STRENGTH_PORT,
    TW_HARDNESS_PORT,
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the eroded terrain, with all sediment settled"},
    {"water", TW_HEIGHTMAP, TW_ON_DEMAND, "depth of the water at the end"},
    {"sediment", TW_HEIGHTMAP, TW_ON_DEMAND, "what the water still carried; it is in out"},
    {"velocity", TW_VECTORS, TW_ON_DEMAND,
     "of the water at the end, east and south, sides per time"},
    TW_EROSION_CHANGES,
    {"ledger", TW_RECORD, TW_ON_DEMAND,
     "sums over cells, in heights: of the water that came and went, and of the maps"},
    TW_PORT_END,
};

enum { WATER = 1, SEDIMENT, VELOCITY, ERODED, DEPOSITED, LEDGER };
enum { SUM_ERODED, SUM_DEPOSITED, SUM_SEDIMENT, SUM_WATER, SUMS };

enum { LEVEL_HARDNESS, LEVEL_RAIN };

struct erosion {
    const struct params *p;
    double totals[TW_VIRTUAL_PIPES_TOTALS]; /* in cells of the task's map */
};

struct results {
    const struct tw_virtual_pipes *m;
    const float *in;
    const float *mask;                                  /* may be NULL */
    float *out, *water, *sediment, *eroded, *deposited; /* but for out NULL when not used */
    struct tw_vector *velocity;
    double (*sums)[SUMS]; /* by row; NULL without the ledger */
    float fastest;
};

static void store_maps(const struct results *r, int32_t y, double sums[SUMS])
{
    const struct tw_virtual_pipes *m = r->m;
    for (int32_t x = 0; x < m->width; x++) {
        size_t to = (size_t)y * (size_t)m->width + (size_t)x;
        size_t at = tw_virtual_pipes_row(m, y) + (size_t)x;
        float height = m->ground[at] + m->sediment[at];
        if (r->mask)
            height = tw_strength_blend(r->in[to], height, r->mask[to]);
        float change = height - r->in[to]; /* in may be out */
        float eroded = tw_max(-change, 0), deposited = tw_max(change, 0);
        float sediment = tw_max(m->sediment[at], 0), water = m->water[at];
        r->out[to] = height;
        if (r->eroded)
            r->eroded[to] = eroded;
        if (r->deposited)
            r->deposited[to] = deposited;
        if (r->water)
            r->water[to] = water;
        if (r->sediment)
            r->sediment[to] = sediment;
        sums[SUM_ERODED] += (double)eroded;
        sums[SUM_DEPOSITED] += (double)deposited;
        sums[SUM_SEDIMENT] += (double)sediment;
        sums[SUM_WATER] += (double)water;
    }
}

static void store_rows(void *context, int32_t begin, int32_t end)
{
    const struct results *r = context;
    for (int32_t y = begin; y < end; y++) {
        double sums[SUMS] = {0};
        if (r->velocity)
            tw_virtual_pipes_velocity(r->m, y, r->fastest,
                                      r->velocity + (size_t)y * (size_t)r->m->width);
        store_maps(r, y, sums);
        if (r->sums)
            memcpy(r->sums[y], sums, sizeof sums);
    }
}

static enum tw_status write_ledger(struct tw_task *task, const double *totals,
                                   const struct results *r)
{
    static const char *const names[] = {
        "rained",    "evaporated",    "exported_water",    "eroded",
        "deposited", "sediment_left", "exported_sediment", "water_left"};
    double sums[SUMS] = {0};
    for (int32_t y = 0; y < r->m->height; y++)
        for (int k = 0; k < SUMS; k++)
            sums[k] += r->sums[y][k];
    const double values[] = {totals[TW_VIRTUAL_PIPES_RAINED],
                             totals[TW_VIRTUAL_PIPES_EVAPORATED],
                             totals[TW_VIRTUAL_PIPES_WATER_OUT],
                             sums[SUM_ERODED],
                             sums[SUM_DEPOSITED],
                             sums[SUM_SEDIMENT],
                             totals[TW_VIRTUAL_PIPES_SEDIMENT_OUT],
                             sums[SUM_WATER]};
    enum { COUNT = sizeof values / sizeof *values };
    enum tw_status status = tw_task_list(task, LEDGER, COUNT);
    for (int k = 0; status == TW_OK && k < COUNT; k++)
        tw_record_set(tw_task_output(task, LEDGER), k, names[k], values[k]);
    return status;
}

/* Waves run at (A g)^(1/2); the scheme is stable up to dt = l / (2 A g)^(1/2). */
static enum tw_status divide(struct tw_task *task, const struct params *p, int32_t *substeps)
{
    double cell = 1 / (double)tw_task_width(task);
    double stable = cell / sqrt(2 * (double)p->pipe_area * (double)p->gravity);
    double needed = (double)p->dt / stable;
    if (needed > 1 + TW_STABLE_LIMIT_SLACK && p->substeps == TW_SUBSTEPS_ONE)
        return tw_task_fail(task,
                            "a step of dt %g is not stable; at this size, pipe_area and gravity "
                            "the largest stable one is %.4g (or set substeps: auto)",
                            (double)p->dt, tw_stable_limit_shown(stable));
    if (needed / CALM * (double)p->steps > 1e6)
        return tw_task_fail(task,
                            "%d steps of dt %g would take %.3g stable ones of %.3g; at most "
                            "1000000 are allowed",
                            p->steps, (double)p->dt, needed * (double)p->steps, stable);
    bool divided = needed > CALM && p->substeps == TW_SUBSTEPS_AUTO && p->steps > 0;
    *substeps = divided ? (int32_t)(needed / CALM) + 1 : 1;
    return TW_OK;
}

static void set_rates(struct tw_virtual_pipes *m, const struct params *p, int32_t substeps)
{
    double cell = 1 / (double)m->width, dt = (double)p->dt / substeps;
    m->drag = (float)tw_exp(-(double)p->friction * dt);
    m->open = p->border == BORDER_OPEN;
    m->dt = (float)dt;
    m->push = (float)(dt * (double)p->pipe_area * (double)p->gravity / (cell * cell));
    m->keep = (float)tw_exp(-tw_min(p->evaporation * m->dt, 50.0f));
    m->falls = (float)((double)p->rain * dt);
    m->capacity = (float)((double)p->capacity * cell);
    m->dissolve = (float)(1 - tw_exp(-(double)p->dissolve * dt));
    m->deposit = (float)(1 - tw_exp(-(double)p->deposit * dt));
    m->slope = (float)((double)p->relief / (2 * cell));
    m->min_tilt = p->min_tilt;
    m->inverse_depth = p->full_depth > 0 ? 1.0f / p->full_depth : 1e30f;
}

static enum tw_status store(struct tw_task *task, const struct tw_virtual_pipes *m,
                            const struct erosion *e)
{
    bool ledger = tw_task_wants(task, LEDGER);
    const struct tw_value *mask = tw_task_input(task, MASK);
    struct results r = {.m = m,
                        .in = tw_floats(tw_task_input(task, IN)),
                        .mask = mask ? tw_floats(mask) : NULL,
                        .out = tw_floats(tw_task_output(task, 0)),
                        .water = tw_floats(tw_task_output(task, WATER)),
                        .sediment = tw_floats(tw_task_output(task, SEDIMENT)),
                        .velocity = tw_vectors(tw_task_output(task, VELOCITY)),
                        .eroded = tw_floats(tw_task_output(task, ERODED)),
                        .deposited = tw_floats(tw_task_output(task, DEPOSITED)),
                        .fastest = 1.0f / ((float)m->width * m->dt)};
    if (ledger && !(r.sums = tw_task_scratch(task, (size_t)m->height, sizeof *r.sums)))
        return tw_task_no_memory(task);
    tw_rows(task, m->height, 16, store_rows, &r);
    return ledger ? write_ledger(task, e->totals, &r) : TW_OK;
}

static void add_totals(const struct tw_virtual_pipes *m, double cells, double *totals)
{
    for (int32_t y = 0; m->totals && y < m->height; y++)
        for (int k = 0; k < TW_VIRTUAL_PIPES_TOTALS; k++)
            totals[k] += cells * m->totals[(size_t)y * TW_VIRTUAL_PIPES_TOTALS + (size_t)k];
}

static enum tw_status erode(struct tw_task *task, const struct tw_level *level, void *context)
{
    struct erosion *e = context;
    struct tw_virtual_pipes m;
    int32_t substeps = 1;
    enum tw_status status = divide(task, e->p, &substeps);
    if (status == TW_OK)
        status = tw_virtual_pipes_init(task, &m, tw_task_wants(task, LEDGER));
    if (status != TW_OK)
        return status;
    m.in = level->ground;
    m.hardness = level->maps[LEVEL_HARDNESS];
    m.rain = level->maps[LEVEL_RAIN];
    set_rates(&m, e->p, substeps);
    if (level->coarser)
        tw_virtual_pipes_resume(task, level, &m);
    status = tw_virtual_pipes_run(task, &m, tw_level_steps(level, e->p->steps) * substeps);
    if (status != TW_OK)
        return status;
    add_totals(&m, level->cells, e->totals);
    if (!level->after)
        return store(task, &m, e);
    tw_virtual_pipes_leave(task, level, &m);
    return TW_OK;
}

static enum tw_status run(struct tw_task *task)
{
    const float *hardness = tw_optional_cells(task, HARDNESS);
    struct erosion e = {.p = tw_task_params(task)};
    const struct tw_levels levels = {
        .levels = e.p->levels,
        .in = tw_floats(tw_task_input(task, IN)),
        .maps = {[LEVEL_HARDNESS] = hardness, [LEVEL_RAIN] = tw_optional_cells(task, RAIN_MAP)},
        .hardness = hardness,
        .states = TW_VIRTUAL_PIPES_STATES,
        .erode = erode,
        .context = &e};
    int32_t substeps;
    enum tw_status status =
        divide(task, e.p, &substeps); /* of all levels, the finest fails first */
    return status == TW_OK ? tw_levels_run(task, &levels) : status;
}

static void forecast_level(struct tw_forecast *f, bool finest)
{
    const struct results *r;
    struct tw_virtual_pipes m;
    bool ledger = tw_forecast_wants(f, LEDGER);
    tw_virtual_pipes_lay_out(&(struct tw_scratch){.forecast = f}, &m, ledger);
    if (ledger && finest)
        tw_forecast_scratch(f, (uint64_t)f->height, sizeof *r->sums);
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    const struct tw_levels_need need = {.levels = p->levels,
                                        .maps =
                                            (f->inputs[HARDNESS] > 0) + (f->inputs[RAIN_MAP] > 0),
                                        .states = TW_VIRTUAL_PIPES_STATES,
                                        .work = forecast_level};
    tw_levels_forecast(f, &need);
}

extern const struct tw_node_type tw_node_erosion_pipes;
const struct tw_node_type tw_node_erosion_pipes = {
    .name = "erosion.pipes",
    .version = 3,
    .summary = "shallow water in virtual pipes that erodes and deposits",
    .keywords = "hydraulic erosion, shallow water, virtual pipes, lakes, flood, sediment, fluvial",
    .elsewhere = "Erosion (Gaea), HeightField Erode Hydro (Houdini), HydraulicVpipes (Hesiod)",
    .detail =
        "Lets shallow water flow over the map, erode and deposit: flat valley floors, channels, "
        "lakes, deltas, and maps of water and current. Choose erosion.droplets for detail in "
        "less time, and erosion.stream_power for mountains from nothing.\n"
        "A cell of length l has ground b, water d and sediment s. Each step begins with rain. "
        "Then the outflow f to each of 4 neighbours n changes, with A the pipe's area and g the "
        "gravity:\n"
        "    f = max(0, f e^(-friction dt) + dt A g (b + d - b_n - d_n) / l^2).\n"
        "It is scaled so that 2^(1/2) dt times the length of (f_west + f_east, f_north + "
        "f_south) is at most d: water is as fast at any angle, and no cell gives more than it "
        "has. d changes by in- and outflow, and dt f s / d of sediment goes with it.\n"
        "With the speed v = |flux| l / d and the tilt a, water can carry:\n"
        "    C = capacity max(sin a, min_tilt) v min(1, d / full_depth).\n"
        "The node compares s with C of the step before, as a mean over 3 x 3 cells with binomial "
        "weights. Below it the ground gives 1 - e^(-dissolve dt) of the difference; above it the "
        "ground takes 1 - e^(-deposit dt). Last, evaporation leaves e^(-evaporation dt) of d.\n"
        "A step is stable up to:\n"
        "    l / (2 pipe_area gravity)^(1/2).\n"
        "substeps: auto takes steps of at most half of that, which stills checkerboards; "
        "substeps: one fails above it and names it.\n"
        "Lengths are in map sides, a height of 1 measures `relief` of them, and rates are per "
        "time. So results do not depend on the resolution but for detail; a doubling of the "
        "cells a side takes twice the substeps. Water cannot pass more than 0.7 cells a step.\n"
        "Border: closed, whatever the recipe's `borders`, or open. At an open border water falls "
        "off the map as if none lay outside, and takes its sediment along. What is still carried "
        "at the end settles where it is:\n"
        "    sum(in) - sum(out) = eroded - deposited = exported_sediment;\n"
        "    rained = evaporated + exported_water + water_left.\n"
        "hardness H: the ground gives (1 - H) of what it "
        "would." TW_MASKED_LEDGER_DETAIL "\n"
        "The other entries count all water and all "
        "sediment." TW_LEVELS_DETAIL,
    .cite = "mei2007 stava2008",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.ridged, frequency: 2, gain: 1.5}\n"
               "eroded: {type: erosion.pipes, in: noise, capacity: 0.02, steps: 200}",
    .in_place = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
