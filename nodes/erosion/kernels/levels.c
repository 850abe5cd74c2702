/* SPDX-License-Identifier: MIT */
#include "erosion/kernels/levels.h"

#include "common/area_mean.h"
#include "common/ground_maps.h"

#include <thalweg/part.h>

#include <string.h>

/* The share of the processor time that all coarser levels take, for the progress. */
#define COARSER_SHARE 0.25

struct tw_level_coarser {
    struct tw_regrid regrid;
    float *states[TW_LEVELS_STATES];
};

/* A level and all coarser ones. */
struct descent {
    const struct tw_levels *levels;
    int32_t index, count; /* 0 is the finest, `count` the coarsest */
    float *means;         /* the same, but at the finest: to be overwritten at last */
    const float *hardness;
    struct tw_level level;
    struct tw_level_coarser coarser;
};

static bool can_halve(int32_t width, int32_t height)
{
    enum { LEAST = 2 * TW_LEVELS_NARROWEST };
    return width >= LEAST && height >= LEAST;
}

static struct tw_regrid_size half_of(int32_t width, int32_t height)
{
    return (struct tw_regrid_size){(width + 1) / 2, (height + 1) / 2};
}

static int32_t levels_of(int32_t width, int32_t height, int32_t most)
{
    int32_t count = 0;
    for (; count < most && can_halve(width, height); count++) {
        struct tw_regrid_size half = half_of(width, height);
        width = half.width;
        height = half.height;
    }
    return count;
}

/* A level's time is 2^index of 2^(count + 1) - 1 parts, the coarsest first. */
static void set_time(struct descent *d)
{
    double all = (double)((2 << d->count) - 1);
    d->level.begin = ((2 << d->count) - (2 << d->index)) / all;
    d->level.end = ((2 << d->count) - (1 << d->index)) / all;
}

int32_t tw_level_steps(const struct tw_level *level, int32_t steps)
{
    return (int32_t)(steps * level->end + 0.5) - (int32_t)(steps * level->begin + 0.5);
}

/* ---- from the finer map to the coarser ---- */

/* Takes all maps of the next coarser level and fills those that are means of this one's. */
static enum tw_status halve(struct tw_task *task, const struct descent *fine,
                            struct descent *coarse, struct tw_regrid_size size)
{
    const struct tw_levels *l = fine->levels;
    size_t cells = (size_t)size.width * (size_t)size.height, maps = 2 + (size_t)l->states;
    for (int i = 0; i < TW_LEVELS_MAPS; i++)
        maps += l->maps[i] != NULL;
    float *at = tw_task_scratch(task, cells, maps * sizeof *at);
    if (!at)
        return tw_task_no_memory(task);
    *coarse = (struct descent){.levels = l, .index = fine->index + 1, .count = fine->count};
    tw_area_mean(task, fine->level.in, size.width, size.height, at);
    coarse->level.in = coarse->means = at;
    coarse->level.ground = at;
    coarse->level.after = at += cells;
    for (int i = 0; i < l->states; i++)
        coarse->level.states[i] = at += cells;
    for (int i = 0; i < TW_LEVELS_MAPS; i++)
        if (l->maps[i]) {
            tw_area_mean(task, fine->level.maps[i], size.width, size.height, at += cells);
            coarse->level.maps[i] = at;
            coarse->hardness = l->maps[i] == l->hardness ? at : coarse->hardness;
        }
    double width = tw_task_width(task), height = tw_task_height(task);
    coarse->level.cells = fine->level.cells * (width * height) / ((double)size.width * size.height);
    set_time(coarse);
    return TW_OK;
}

/* ---- from the coarser map to the finer ---- */

/* Maps of one level; rows of `width` cells. */
struct carrying {
    const float *in, *hardness; /* hardness may be NULL */
    float *change;              /* of the ground, and at last the ground itself */
    float *other;
    size_t width;
};

/* after - in; where the ground fell, what soft ground would have lost, so that within a cell of the
 * coarser map each cell loses as much as it is soft. */
static void find_change(void *context, int32_t begin, int32_t end)
{
    const struct carrying *c = context;
    for (size_t i = (size_t)begin * c->width; i < (size_t)end * c->width; i++) {
        float change = c->change[i] - c->in[i];
        if (c->hardness && change < 0) {
            float soft = tw_softness(c->hardness[i]);
            change = soft > 0 ? change / soft : 0;
        }
        c->change[i] = change;
    }
}

/* Buries detail: t is a cell's height above the smooth surface of the coarser maps, and d what a
 * level laid on it or carried off. Where d is larger, t is buried, or leaves with the ground: of t
 * is left t^3 / (t^2 + d^2). `other`: that surface, which becomes what t loses. */
static void bury_detail(void *context, int32_t begin, int32_t end)
{
    const struct carrying *c = context;
    for (size_t i = (size_t)begin * c->width; i < (size_t)end * c->width; i++) {
        float detail = c->in[i] - c->other[i], change = c->change[i];
        float gone = change * change, squares = detail * detail + gone;
        float lost = squares > 0 ? detail * (gone / squares) : 0;
        c->change[i] = change - lost;
        c->other[i] = lost;
    }
}

/* Adds the change to the ground, with `other`, the mean of the lost detail over the cells around,
 * so that no ground is lost. */
static void add_change(void *context, int32_t begin, int32_t end)
{
    const struct carrying *c = context;
    for (size_t i = (size_t)begin * c->width; i < (size_t)end * c->width; i++) {
        float change = c->change[i] + c->other[i];
        if (c->hardness && change < 0)
            change *= tw_softness(c->hardness[i]);
        c->change[i] = c->in[i] + change;
    }
}

struct climb {
    struct descent *fine, *coarse;
    float *ground; /* of fine */
};

/* The ground of the finer level: its own and the change of the coarser one's, whose maps are
 * overwritten. */
static enum tw_status climb(struct tw_task *task, void *context)
{
    const struct climb *k = context;
    struct descent *fine = k->fine, *coarse = k->coarse;
    struct tw_regrid *regrid = &fine->coarser.regrid;
    int32_t height = tw_task_height(task);
    size_t width = (size_t)tw_task_width(task);
    struct carrying below = {coarse->level.in, coarse->hardness, coarse->level.after, NULL,
                             (size_t)regrid->small.width};
    struct carrying here = {fine->level.in, fine->hardness, k->ground, NULL, width};
    float *surface = coarse->means;
    here.other = tw_task_scratch(task, width * (size_t)height, sizeof *here.other);
    if (!here.other)
        return tw_task_no_memory(task);
    tw_rows(task, regrid->small.height, 16, find_change, &below);
    tw_regrid_spread(task, regrid, below.change, here.change);
    tw_regrid_spread(task, regrid, surface, here.other);
    tw_rows(task, height, 16, bury_detail, &here);
    tw_area_mean(task, here.other, regrid->small.width, regrid->small.height, surface);
    tw_regrid_spread(task, regrid, surface, here.other);
    tw_rows(task, height, 16, add_change, &here);
    return TW_OK;
}

static enum tw_status erode_part(struct tw_task *task, void *context)
{
    struct descent *d = context;
    return d->levels->erode(task, &d->level, d->levels->context);
}

static enum tw_status take_over(struct tw_task *task, struct descent *d, struct descent *coarse)
{
    int32_t width = tw_task_width(task), height = tw_task_height(task);
    const struct tw_task_span here = {width, height, COARSER_SHARE, COARSER_SHARE};
    struct climb up = {d, coarse,
                       tw_task_scratch(task, (size_t)width * (size_t)height, sizeof(float))};
    if (!up.ground)
        return tw_task_no_memory(task);
    d->level.ground = up.ground;
    d->level.coarser = &d->coarser;
    memcpy(d->coarser.states, coarse->level.states, sizeof d->coarser.states);
    return tw_task_part(task, &here, climb, &up);
}

/* Runs the coarser levels, then this one. */
static enum tw_status descend(struct tw_task *task, void *context)
{
    struct descent *d = context, coarse;
    int32_t width = tw_task_width(task), height = tw_task_height(task);
    const struct tw_task_span own = {width, height, COARSER_SHARE, 1};
    if (d->index == d->count)
        return erode_part(task, d);
    struct tw_regrid_size size = half_of(width, height);
    const struct tw_task_span part = {size.width, size.height, 0, COARSER_SHARE};
    enum tw_status status = halve(task, d, &coarse, size);
    if (status == TW_OK)
        status = tw_task_part(task, &part, descend, &coarse);
    if (status == TW_OK)
        status = tw_regrid_init(task, &d->coarser.regrid, size, d->levels->wraps);
    if (status == TW_OK)
        status = take_over(task, d, &coarse);
    return status == TW_OK ? tw_task_part(task, &own, erode_part, d) : status;
}

void tw_level_state(struct tw_task *task, const struct tw_level *level, int i, float *state,
                    size_t stride)
{
    struct tw_level_coarser *c = level->coarser;
    tw_regrid_smooth(task, &c->regrid, c->states[i], state, stride);
}

/* ---- all of it ---- */

enum tw_status tw_levels_run(struct tw_task *task, const struct tw_levels *levels)
{
    int32_t count = levels_of(tw_task_width(task), tw_task_height(task), levels->levels);
    struct descent finest = {.levels = levels,
                             .count = count,
                             .hardness = levels->hardness,
                             .level = {.in = levels->in, .ground = levels->in, .cells = 1}};
    for (int i = 0; i < TW_LEVELS_MAPS; i++)
        finest.level.maps[i] = levels->maps[i];
    set_time(&finest);
    return descend(task, &finest);
}

/* Of a level by itself: climb(), then what erodes. */
static uint64_t most_of(const struct tw_forecast *f, bool climbs, const struct tw_levels_need *need)
{
    struct tw_forecast climbing = *f, work = *f;
    climbing.scratch = work.scratch = 0;
    if (climbs)
        tw_forecast_maps(&climbing, 1, sizeof(float));
    need->work(&work, need->finest);
    return work.scratch > climbing.scratch ? work.scratch : climbing.scratch;
}

/* What a level and the coarser ones hold at once. `maps`: those that halve() takes. */
static uint64_t held(const struct tw_forecast *f, int32_t count, uint64_t maps,
                     const struct tw_levels_need *need)
{
    if (count == 0)
        return most_of(f, false, need);
    struct tw_forecast own = *f;
    own.scratch = 0;
    struct tw_regrid_size size = half_of(f->width, f->height);
    struct tw_forecast coarser = *f;
    struct tw_levels_need below = *need;
    struct tw_regrid regrid;
    coarser.width = size.width;
    coarser.height = size.height;
    coarser.scratch = 0;
    below.finest = false;
    tw_forecast_maps(&coarser, maps, sizeof(float));
    uint64_t under = held(&coarser, count - 1, maps, &below);
    tw_regrid_lay_out(&(struct tw_scratch){.forecast = &own}, &regrid, size, need->wraps);
    tw_forecast_maps(&own, 1, sizeof(float));
    tw_forecast_scratch(&own, most_of(f, true, need), 1);
    return coarser.scratch + (own.scratch > under ? own.scratch : under);
}

void tw_levels_forecast(struct tw_forecast *f, const struct tw_levels_need *need)
{
    int32_t count = levels_of(f->width, f->height, need->levels);
    uint64_t maps = 2 + (uint64_t)need->states + (uint64_t)need->maps;
    struct tw_levels_need all = *need;
    all.finest = true;
    tw_forecast_scratch(f, held(f, count, maps, &all), 1);
}
