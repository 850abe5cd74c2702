/* SPDX-License-Identifier: MIT */
#include "shape/kernels/amplify_level.h"

#include "common/area_mean.h"
#include "common/drainage/land_outlets.h"
#include "common/rising_land/rising_land.h"
#include "common/rising_land/slump.h"
#include "shape/kernels/valley_floors.h"

#include <thalweg/draws.h>
#include <thalweg/kernel.h>
#include <thalweg/part.h>

#include <string.h>

/* DT: with K 8 a wave climbs two cells of the coarse map in a few of such steps. CHANNEL: share of
 * the map from which rivers carry off what creeps into them. */
#define DT 0.02f
#define CHANNEL 0.00003f
#define CUTTING 0.8 /* share of the time in which valleys are cut */
enum { GRAIN = 16, SLUMPS = 8, BASIN = 64 /* bytes, at most */ };

struct level {
    const struct tw_amplify_laws *laws;
    int32_t doubling, width, height;
    struct tw_regrid_size size; /* of the cells whose means stay */
    struct tw_regrid regrid;
    float *held;  /* what means are to be */
    float *means; /* what they are, and what they lack */
    float *owed;  /* what a step will take from them */
    float *z, *rise;
    float *raised; /* the ground had nothing been taken from it, at last what was */
    uint8_t *outlet;
};

static bool lay_out(struct tw_scratch *s, struct level *l, struct tw_regrid_size size)
{
    const uint64_t cells = (uint64_t)size.width * (uint64_t)size.height;
    l->held = tw_scratch_take(s, cells, sizeof *l->held);
    l->means = tw_scratch_take(s, cells, sizeof *l->means);
    l->owed = tw_scratch_take(s, cells, sizeof *l->owed);
    l->rise = tw_scratch_maps(s, 1, sizeof *l->rise);
    l->raised = tw_scratch_maps(s, 1, sizeof *l->raised);
    l->outlet = tw_scratch_maps(s, 1, sizeof *l->outlet);
    return tw_scratch_is_laid(s);
}

/* ---- the smooth surface, roughened ---- */

static double slope_along(const float *z, int32_t i, int32_t count, ptrdiff_t stride)
{
    const int32_t before = i > 0 ? -1 : 0, after = i + 1 < count ? 1 : 0;
    if (before == after)
        return 0;
    return (double)(z[after * stride] - z[before * stride]) / (after - before);
}

/* Noise as high as the ground rises from cell to cell, and somewhat on level ground, too: without
 * it, water would run off smooth slopes side by side. */
static void roughen_rows(void *context, int32_t begin, int32_t end)
{
    const struct level *l = context;
    const struct tw_amplify_laws *laws = l->laws;
    const double least = 0.25 * laws->steep / l->width;
    for (int32_t y = begin; y < end; y++) {
        const float *z = l->z + (size_t)y * (size_t)l->width;
        float *rough = l->rise + (size_t)y * (size_t)l->width;
        const struct tw_draws draws = {laws->seed, 0, 1, (uint32_t)y, (uint32_t)l->doubling};
        tw_draw_row(TW_SIMD_BASE, &draws, l->width, rough);
        for (int32_t x = 0; x < l->width; x++) {
            const double along = slope_along(z + x, x, l->width, 1);
            const double down = slope_along(z + x, y, l->height, l->width);
            const double high = least + sqrt(along * along + down * down);
            rough[x] = (float)((double)laws->roughness * high * (2 * (double)rough[x] - 1));
        }
    }
}

static void add_rows(void *context, int32_t begin, int32_t end)
{
    const struct level *l = context;
    const size_t width = (size_t)l->width;
    for (size_t i = (size_t)begin * width; i < (size_t)end * width; i++) {
        l->z[i] += l->rise[i];
        l->raised[i] = l->z[i];
    }
}

/* Fills z with a smooth surface that has the means of the coarse map. */
static enum tw_status spread(struct tw_task *task, const struct level *l, const float *coarse,
                             struct tw_regrid_size size)
{
    const size_t cells = (size_t)size.width * (size_t)size.height;
    struct tw_regrid regrid;
    float *copy = tw_task_scratch(task, cells, sizeof *copy);
    if (!copy)
        return tw_task_no_memory(task);
    memcpy(copy, coarse, cells * sizeof *copy);
    enum tw_status status = tw_regrid_init(task, &regrid, size, l->laws->wrap);
    if (status == TW_OK)
        tw_regrid_spread(task, &regrid, copy, l->z);
    return status;
}

/* ---- rivers ---- */

/* Whether no neighbour of a cell of the border is lower: where water that runs over the map leaves
 * it. */
static bool is_exit(const struct level *l, int32_t x, int32_t y)
{
    const float own = l->z[(size_t)y * (size_t)l->width + (size_t)x];
    for (int32_t v = y - 1; v <= y + 1; v++)
        for (int32_t u = x - 1; u <= x + 1; u++)
            if (u >= 0 && v >= 0 && u < l->width && v < l->height &&
                l->z[(size_t)v * (size_t)l->width + (size_t)u] < own)
                return false;
    return true;
}

static void mark_outlets(const struct level *l)
{
    const size_t cells = (size_t)l->width * (size_t)l->height;
    if (l->laws->wrap || l->laws->closed == TW_SIDES_ALL) {
        tw_outlets_mark(TW_OUTLETS_LOWEST, l->z, l->width, l->height, 0, l->outlet);
        return;
    }
    memset(l->outlet, 0, cells);
    ptrdiff_t lowest = -1;
    for (int32_t y = 0; y < l->height; y++)
        for (int32_t x = 0, step = y > 0 && y < l->height - 1 && l->width > 2 ? l->width - 1 : 1;
             x < l->width; x += step) {
            const size_t cell = (size_t)y * (size_t)l->width + (size_t)x;
            if (!tw_exits_open(l->laws->closed, x, y, l->width, l->height))
                continue;
            l->outlet[cell] = is_exit(l, x, y);
            lowest = lowest < 0 || l->z[cell] < l->z[lowest] ? (ptrdiff_t)cell : lowest;
        }
    l->outlet[lowest] = 1;
}

/* What the means lack, and what the next step will take as the last one did. */
static void find_lack(void *context, int32_t begin, int32_t end)
{
    const struct level *l = context;
    const size_t width = (size_t)l->size.width;
    for (size_t i = (size_t)begin * width; i < (size_t)end * width; i++) {
        const float lack = l->held[i] - l->means[i];
        l->owed[i] += lack;
        l->means[i] = lack + l->owed[i];
    }
}

static void raise_rows(void *context, int32_t begin, int32_t end)
{
    const struct level *l = context;
    const size_t width = (size_t)l->width;
    for (size_t i = (size_t)begin * width; i < (size_t)end * width; i++) {
        const float rise = l->outlet[i] ? 0 : l->rise[i];
        l->z[i] += rise;
        l->raised[i] += rise;
    }
}

/* What the part before took for basins went back at its end. */
static enum tw_status step(struct tw_task *task, void *context)
{
    struct tw_rising_land *land = context;
    land->d.capacity = 0;
    return tw_rising_land_run(task, land, 1);
}

/* Raises the ground smoothly by what erosion takes from it, so that it stays what it was as seen
 * from afar, while rivers cut what lies between. */
static enum tw_status cut_valleys(struct tw_task *task, struct level *l)
{
    const struct tw_amplify_laws *laws = l->laws;
    const struct tw_rising_land_laws rules = {.K = laws->K,
                                              .m = laws->m,
                                              .n = 1,
                                              .talus = laws->talus,
                                              .diffusion = laws->diffusion,
                                              .channel = CHANNEL,
                                              .dt = DT,
                                              .wrap = laws->wrap,
                                              .ends = laws->wrap ? TW_ADI_WRAP : TW_ADI_CLOSED,
                                              .outlet = l->outlet};
    struct tw_rising_land *land = tw_task_scratch(task, 1, sizeof *land);
    if (!land)
        return tw_task_no_memory(task);
    enum tw_status status = tw_rising_land_init(task, land, &rules);
    land->z = l->z;
    memset(l->owed, 0, (size_t)l->size.width * (size_t)l->size.height * sizeof *l->owed);
    for (int32_t i = 0; status == TW_OK && i < laws->steps; i++) {
        tw_area_mean(task, l->z, l->size.width, l->size.height, l->means);
        tw_rows(task, l->size.height, GRAIN, find_lack, l);
        tw_regrid_smooth(task, &l->regrid, l->means, l->rise, (size_t)l->width);
        tw_rows(task, l->height, GRAIN, raise_rows, l);
        const struct tw_task_span span = {l->width, l->height, CUTTING * i / laws->steps,
                                          CUTTING * (i + 1) / laws->steps};
        status = tw_task_part(task, &span, step, land);
    }
    return status;
}

/* ---- slopes and floors ---- */

static enum tw_status slump(struct tw_task *task, const struct level *l)
{
    struct tw_slump s = {.rate = 0.5f, .simd = tw_task_simd(task)};
    tw_slump_set_talus(&s, l->laws->talus / (float)l->width, TW_SLUMP_DISTANCE);
    if (!tw_slump_lay_out(&(struct tw_scratch){.task = task}, &s, l->laws->wrap))
        return tw_task_no_memory(task);
    tw_framed_map_read(&s.h, l->z);
    enum tw_status status = tw_slump_settle(task, &s, SLUMPS);
    if (status == TW_OK)
        tw_framed_map_write(&s.h, l->z);
    return status;
}

static void taken_rows(void *context, int32_t begin, int32_t end)
{
    const struct level *l = context;
    const size_t width = (size_t)l->width;
    for (size_t i = (size_t)begin * width; i < (size_t)end * width; i++)
        l->raised[i] = tw_max(l->raised[i] - l->z[i], 0);
}

static struct tw_exits exits_of(const struct tw_amplify_laws *laws)
{
    return (struct tw_exits){.closed = laws->closed, .wrap = laws->wrap};
}

static enum tw_status lay_floors(struct tw_task *task, struct level *l)
{
    const struct tw_valley_floors floors = {.exits = exits_of(l->laws),
                                            .eroded = l->raised,
                                            .deposited = (double)l->laws->deposition,
                                            .gentle = 0.5 * l->laws->steep / l->width};
    tw_rows(task, l->height, GRAIN, taken_rows, l);
    return tw_valley_floors(task, &floors, l->z);
}

/* Cells over which means stay: so many of the coarse map. */
static struct tw_regrid_size held_size(struct tw_regrid_size size, int32_t hold)
{
    const int32_t width = size.width / hold, height = size.height / hold;
    return (struct tw_regrid_size){width > 1 ? width : 1, height > 1 ? height : 1};
}

static enum tw_status shape_land(struct tw_task *task, struct level *l)
{
    const struct tw_scratch_mark mark = tw_task_scratch_mark(task);
    tw_area_mean(task, l->z, l->size.width, l->size.height, l->held);
    mark_outlets(l);
    tw_rows(task, l->height, GRAIN, roughen_rows, l);
    tw_rows(task, l->height, GRAIN, add_rows, l);
    enum tw_status status = cut_valleys(task, l);
    tw_task_scratch_return(task, mark);
    if (status == TW_OK)
        status = slump(task, l);
    tw_task_scratch_return(task, mark);
    if (status == TW_OK)
        status = lay_floors(task, l);
    tw_task_scratch_return(task, mark);
    return status;
}

enum tw_status tw_amplify_level(struct tw_task *task, const struct tw_amplify_laws *laws,
                                int32_t doubling, const float *coarse, struct tw_regrid_size size,
                                float *z)
{
    struct level l = {.laws = laws,
                      .doubling = doubling,
                      .width = tw_task_width(task),
                      .height = tw_task_height(task),
                      .size = held_size(size, laws->hold),
                      .z = z};
    const struct tw_scratch_mark mark = tw_task_scratch_mark(task);
    enum tw_status status = coarse ? spread(task, &l, coarse, size) : TW_OK;
    tw_task_scratch_return(task, mark);
    if (status == TW_OK && !lay_out(&(struct tw_scratch){.task = task}, &l, l.size))
        status = tw_task_no_memory(task);
    if (status == TW_OK)
        status = tw_regrid_init(task, &l.regrid, l.size, laws->wrap);
    return status == TW_OK ? shape_land(task, &l) : status;
}

void tw_amplify_level_forecast(struct tw_forecast *f, struct tw_regrid_size size, int32_t hold,
                               bool wrap, bool closed)
{
    struct level l;
    struct tw_slump s;
    struct tw_forecast spreading = tw_forecast_step(f), land = tw_forecast_step(f);
    tw_forecast_scratch(&spreading, (uint64_t)size.width * (uint64_t)size.height, sizeof(float));
    tw_regrid_lay_out(&(struct tw_scratch){.forecast = &spreading}, &l.regrid, size, wrap);
    lay_out(&(struct tw_scratch){.forecast = &land}, &l, held_size(size, hold));
    tw_regrid_lay_out(&(struct tw_scratch){.forecast = &land}, &l.regrid, held_size(size, hold),
                      wrap);
    struct tw_forecast rivers = tw_forecast_step(f), slopes = tw_forecast_step(f);
    struct tw_forecast floors = tw_forecast_step(f), later = tw_forecast_step(f);
    tw_rising_land_forecast(&rivers);
    tw_forecast_scratch(&rivers, 1, sizeof(struct tw_rising_land));
    tw_forecast_scratch(&rivers, 1, BASIN); /* a route takes room for one more than it forecasts */
    tw_slump_lay_out(&(struct tw_scratch){.forecast = &slopes}, &s, wrap);
    tw_valley_floors_forecast(&floors, wrap || closed);
    tw_forecast_steps(&later, &slopes, &floors);
    tw_forecast_steps(&land, &rivers, &later);
    tw_forecast_steps(f, &spreading, &land);
}
