/* SPDX-License-Identifier: MIT */
#include "erosion/kernels/droplets/droplet_levels.h"

#include <thalweg/kernel.h>
#include <thalweg/resolution.h>

#include <string.h>

enum { LEVEL_HARDNESS, LEVEL_RAIN };

/* ---- one map ---- */

/* The share per step of length 1 / scale that equals `share` per step of length 1. */
static float share_of_step(float share, double scale)
{
    return (float)(1 - tw_pow(1 - (double)share, 1 / scale));
}

/* Lengths in cells shrink, but what happens along a path stays: a droplet on larger cells carries
 * less height, since its load covers a larger area. */
void tw_droplet_fit(struct tw_droplet_params *p, double scale)
{
    if (!(scale < 1))
        return;
    p->radius = tw_resolution_count(p->radius, scale);
    p->lifetime = tw_resolution_count(p->lifetime, scale);
    p->capacity = (float)((double)p->capacity * scale);
    p->erosion = share_of_step(p->erosion, scale);
    p->deposition = share_of_step(p->deposition, scale);
    p->evaporation = share_of_step(p->evaporation, scale);
}

enum tw_status tw_droplet_run(struct tw_task *task, const struct tw_droplet_params *p,
                              double density, struct tw_beyer *model)
{
    double drops = density * ((double)model->width * model->height);
    bool line = model->width < 2 || model->height < 2; /* no slope across */
    model->inertia = p->inertia;
    model->capacity = p->capacity;
    model->erosion = p->erosion;
    model->deposition = p->deposition;
    model->evaporation = p->evaporation;
    model->gravity = p->gravity;
    model->side = (float)model->width;
    model->min_slope = p->min_slope / (float)model->width;
    model->radius = p->radius;
    model->lifetime = p->lifetime;
    model->closed = tw_closed_sides(&p->closed);
    return line ? TW_OK : tw_beyer_run(task, model, (int32_t)drops, p->order == 1);
}

/* Nanoseconds per step on one core, measured at 2048 x 2048: a fixed part and one per cell of the
 * brush. */
static double cost_of_step(const struct tw_droplet_params *p)
{
    double across = 2 * p->radius - 1;
    return 25 + 0.27 * across * across;
}

void tw_droplet_warn(struct tw_task *task, const struct tw_droplet_params *p, double drops)
{
    double minutes = drops * p->lifetime * cost_of_step(p) / 60e9;
    if (minutes >= 1)
        tw_task_warn(task,
                     "%.0f droplets of up to %d steps take up to %.0f minutes on one core; lower "
                     "density, lifetime or radius, or a `side` below the width, shorten that",
                     drops, p->lifetime, minutes);
}

/* ---- from coarse to fine ---- */

/* Maps that are added to, of those that are used: the states of a level, in this order. */
enum { DEPOSITED, EXPORTED, FLOW, STATES };

static void states_of(struct tw_beyer *m, float **maps[STATES])
{
    maps[DEPOSITED] = &m->deposited;
    maps[EXPORTED] = &m->exported;
    maps[FLOW] = &m->flow;
}

struct falling {
    const struct tw_droplet_params *p;
    struct tw_beyer *model; /* of the finest level */
    uint32_t stream;        /* of the next level's random numbers */
};

static struct tw_beyer model_of(struct tw_task *task, const struct tw_level *level,
                                const struct falling *f)
{
    struct tw_beyer m = *f->model;
    float **maps[STATES];
    int used = 0;
    if (!level->after)
        return m;
    m.width = tw_task_width(task);
    m.height = tw_task_height(task);
    m.hardness = level->maps[LEVEL_HARDNESS];
    m.rain_map = level->maps[LEVEL_RAIN];
    m.cells = level->after;
    states_of(&m, maps);
    for (int i = 0; i < STATES; i++)
        if (*maps[i])
            *maps[i] = level->states[used++];
    return m;
}

static void start(struct tw_task *task, const struct tw_level *level, struct tw_beyer *m)
{
    size_t width = (size_t)m->width, bytes = width * (size_t)m->height * sizeof *m->cells;
    float **maps[STATES];
    int used = 0;
    memcpy(m->cells, level->ground, bytes);
    states_of(m, maps);
    for (int i = 0; i < STATES; i++)
        if (*maps[i] && level->coarser)
            tw_level_state(task, level, used++, *maps[i], width);
        else if (*maps[i])
            memset(*maps[i], 0, bytes);
}

static enum tw_status fall(struct tw_task *task, const struct tw_level *level, void *context)
{
    struct falling *f = context;
    struct tw_beyer m = model_of(task, level, f);
    struct tw_droplet_params p = *f->p;
    tw_droplet_fit(&p, (double)m.width / f->model->width);
    m.stream = f->stream++;
    start(task, level, &m);
    enum tw_status status =
        tw_droplet_run(task, &p, (double)f->p->density * (level->end - level->begin), &m);
    /* One droplet replaces four of the finer level, which pass twice as many of its cells. */
    for (size_t i = 0; level->after && m.flow && i < (size_t)m.width * (size_t)m.height; i++)
        m.flow[i] *= 2;
    return status;
}

enum tw_status tw_droplet_levels_run(struct tw_task *task, const struct tw_droplet_params *p,
                                     const float *in, struct tw_beyer *model)
{
    struct falling f = {p, model, model->stream};
    const struct tw_levels levels = {
        .levels = p->levels,
        .in = in,
        .maps = {[LEVEL_HARDNESS] = model->hardness, [LEVEL_RAIN] = model->rain_map},
        .hardness = model->hardness,
        .states = (model->deposited != NULL) + (model->exported != NULL) + (model->flow != NULL),
        .erode = fall,
        .context = &f};
    return tw_levels_run(task, &levels);
}

/* Each coarser level has twice the droplets a cell, on a quarter of the cells, and half the way. */
double tw_droplet_levels_work(int32_t levels)
{
    double work = 0, all = (double)((2 << levels) - 1);
    for (int32_t k = 0; k <= levels; k++)
        work += 1 / (all * (double)(1 << 2 * k));
    return work;
}

/* ---- forecasts ---- */

void tw_droplet_forecast(struct tw_forecast *f, double density)
{
    const struct tw_droplet_params *p = f->params;
    double drops = density * ((double)f->width * f->height);
    if (f->width > 1 && f->height > 1)
        tw_beyer_forecast(f, drops < INT32_MAX ? (int32_t)drops : INT32_MAX, p->order == 1);
}

/* No level has more droplets a cell than there are without levels. */
static void forecast_level(struct tw_forecast *f, bool finest)
{
    const struct tw_droplet_params *p = f->params;
    (void)finest;
    tw_droplet_forecast(f, (double)p->density);
}

void tw_droplet_levels_forecast(struct tw_forecast *f, const struct tw_droplet_need *need)
{
    const struct tw_droplet_params *p = f->params;
    const struct tw_levels_need levels = {
        .levels = p->levels, .maps = need->maps, .states = need->states, .work = forecast_level};
    tw_levels_forecast(f, &levels);
}
