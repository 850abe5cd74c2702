/* SPDX-License-Identifier: MIT */
#include "feature/kernels/feature_blend.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

enum { WHOLE_BIAS_MAX = 64 };

enum tw_status tw_feature_blend_create(struct tw_task *task, const struct tw_weighted_grid *grid,
                                       struct tw_feature_blend *blend)
{
    size_t blocks = tw_search_blocks(grid), cells = blocks * TW_BLOCK;
    blend->over = tw_task_scratch(task, cells * 3, sizeof(double));
    blend->used = tw_task_scratch(task, blocks, 1);
    if (!blend->over || !blend->used)
        return tw_task_no_memory(task);
    memset(blend->used, 0, blocks);
    blend->under = blend->over + cells;
    blend->highest = blend->under + cells;
    return TW_OK;
}

/* Sums start at 0 when the first feature reaches a block; other blocks are never touched. */
static void use_block(const struct tw_feature_blend *blend, int32_t block)
{
    size_t at = (size_t)block * TW_BLOCK, bytes = TW_BLOCK * sizeof(double);
    if (blend->used[block])
        return;
    blend->used[block] = 1;
    memset(blend->over + at, 0, bytes);
    memset(blend->under + at, 0, bytes);
    memset(blend->highest + at, 0, bytes);
}

/* x^b for a block of x in 0..1; whole b by squaring, lane by lane the same. */
static TW_INLINE void raise_block(const double *x, float bias, double *power)
{
    double square[TW_BLOCK];
    if (bias != (float)tw_floor(bias) || bias > WHOLE_BIAS_MAX) {
        for (int i = 0; i < TW_BLOCK; i++)
            power[i] = x[i] == 1 ? 1 : tw_pow(x[i], (double)bias);
        return;
    }
    for (int i = 0; i < TW_BLOCK; i++) {
        power[i] = 1;
        square[i] = x[i];
    }
    for (int32_t bits = tw_floor(bias); bits; bits /= 2) {
        if (bits % 2)
            for (int i = 0; i < TW_BLOCK; i++)
                power[i] *= square[i];
        for (int i = 0; i < TW_BLOCK; i++)
            square[i] *= square[i];
    }
}

/* Adds one search's costs of a block and cleans them. */
static TW_INLINE void add_block_body(const struct tw_feature_blend *blend, size_t at, double *cost)
{
    double *over = blend->over + at, *under = blend->under + at, *highest = blend->highest + at;
    double height[TW_BLOCK], ratio[TW_BLOCK], power[TW_BLOCK];
    for (int i = 0; i < TW_BLOCK; i++) {
        double c = cost[i];
        double h = c > TW_COST_DROPPED && c < blend->limit ? blend->sea - c : 0;
        height[i] = h = h > 0 ? h : 0;
        double low = h < highest[i] ? h : highest[i], high = h < highest[i] ? highest[i] : h;
        ratio[i] = low / (high > 0 ? high : 1);
        cost[i] = c == TW_COST_BORDER ? TW_COST_BORDER : TW_COST_NONE;
    }
    raise_block(ratio, blend->bias, power);
    for (int i = 0; i < TW_BLOCK; i++) {
        double h = height[i], p = power[i];
        double mine = h <= 0 ? 0 : h > highest[i] ? 1 : p, theirs = h > highest[i] ? p : 1;
        under[i] = under[i] * theirs + mine;
        over[i] = over[i] * theirs + mine * h;
        highest[i] = h > highest[i] ? h : highest[i];
    }
}
TW_SIMD_KERNEL(add_block, (const struct tw_feature_blend *blend, size_t at, double *cost),
               (blend, at, cost))

struct job {
    const struct tw_feature_blend *blend;
    struct tw_search *searches;
    int32_t count;
    void (*add)(const struct tw_feature_blend *, size_t, double *);
};

static void add_blocks(void *context, int32_t begin, int32_t end)
{
    const struct job *job = context;
    for (int32_t i = 0; i < job->count; i++)
        for (int32_t block = begin; block < end; block++)
            if (job->searches[i].touched[block]) {
                size_t at = (size_t)block * TW_BLOCK;
                use_block(job->blend, block);
                job->add(job->blend, at, job->searches[i].cost + at);
                job->searches[i].touched[block] = 0;
            }
}

void tw_feature_blend_add(struct tw_task *task, const struct tw_weighted_grid *grid,
                          struct tw_feature_blend *blend, struct tw_search *searches, int32_t count)
{
    struct job job = {blend, searches, count, add_block(tw_task_simd(task))};
    tw_rows(task, (int32_t)tw_search_blocks(grid), 256, add_blocks, &job);
}

struct writer {
    const struct tw_weighted_grid *grid;
    const struct tw_feature_blend *blend;
    double scale;
    float *out;
};

static void write_rows(void *context, int32_t begin, int32_t end)
{
    const struct writer *w = context;
    const struct tw_feature_blend *blend = w->blend;
    float *out = w->out + (size_t)begin * (size_t)w->grid->width;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < w->grid->width; x++) {
            size_t at = (size_t)tw_weighted_grid_cell(w->grid, x, y);
            double under = blend->used[at / TW_BLOCK] ? blend->under[at] : 0;
            *out++ = under > 0 ? (float)(blend->over[at] / under * w->scale) : 0.0f;
        }
}

void tw_feature_blend_write(struct tw_task *task, const struct tw_weighted_grid *grid,
                            const struct tw_feature_blend *blend, double scale, float *out)
{
    struct writer writer = {grid, blend, scale, out};
    tw_rows(task, grid->height, 32, write_rows, &writer);
}

void tw_feature_blend_forecast(struct tw_forecast *f, int32_t width, int32_t height)
{
    const struct tw_weighted_grid grid = {.cells = (width + 2) * (height + 2)};
    uint64_t blocks = tw_search_blocks(&grid);
    tw_forecast_scratch(f, blocks * TW_BLOCK, 3 * sizeof(double));
    tw_forecast_scratch(f, blocks, 1);
}
