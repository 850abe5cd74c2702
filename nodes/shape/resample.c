/* SPDX-License-Identifier: MIT */
/* What a map would show if it had fewer cells: the mean of each coarse cell, and a surface through
 * them at the map's own size. */
#include "common/area_mean.h"
#include "shape/kernels/ports.h"
#include "shape/kernels/upsample.h"

#include <thalweg/masks.h>

#include <string.h>

struct params {
    float cell;
    int32_t method;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, cell, 0.015625, 1e-6, 1, TW_UNIT_SIDE,
                 "side of a coarse cell, of which a whole number covers the map",
                 TW_USUAL(0.002, 0.1)),
    TW_PARAM_ENUM(struct params, method, TW_UPSAMPLE_BILINEAR, "nearest|bilinear|cubic|lanczos",
                  "how cells of the map lie between coarse ones: steps, facets, or smooth"),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

TW_SHAPE_PORTS(TW_KEEPS_TYPE, "the map as one of coarse cells shows it");

/* The whole number of coarse cells nearest to `length` / cell; no more than there are cells. */
static int32_t count_of(const struct params *p, double length, int32_t cells)
{
    const double count = length / (double)p->cell + 0.5;
    return count < 1 ? 1 : count > cells ? cells : (int32_t)count;
}

struct grid {
    int32_t width, height;
};

/* A map side is the map's width. */
static struct grid grid_of(const struct params *p, int32_t width, int32_t height)
{
    return (struct grid){count_of(p, 1, width),
                         count_of(p, (double)height / (double)width, height)};
}

static bool is_the_map(struct grid grid, int32_t width, int32_t height)
{
    return grid.width == width && grid.height == height;
}

static enum tw_status show_coarse(struct tw_task *task, const struct params *p, struct grid grid,
                                  const float *in, float *out)
{
    float *coarse = tw_task_scratch(task, (size_t)grid.width * (size_t)grid.height, sizeof *coarse);
    if (!coarse)
        return tw_task_no_memory(task);
    tw_area_mean(task, in, grid.width, grid.height, coarse);
    if (tw_task_cancelled(task))
        return TW_CANCELLED;
    const struct tw_upsample up = {.by = (enum tw_upsample_by)p->method,
                                   .coarse = coarse,
                                   .width = grid.width,
                                   .height = grid.height,
                                   .wrap = tw_task_wraps(task, p->border),
                                   .out = out};
    return tw_upsample(task, &up);
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *in = tw_task_input(task, TW_SHAPE_IN);
    const struct grid grid = grid_of(p, in->width, in->height);
    float *out = tw_floats(tw_task_output(task, 0));
    enum tw_status status = TW_OK;
    if (is_the_map(grid, in->width, in->height))
        memcpy(out, tw_floats(in), tw_value_count(in) * sizeof *out);
    else
        status = show_coarse(task, p, grid, tw_floats(in), out);
    if (status != TW_OK)
        return status;
    tw_strength_apply(task, tw_floats(in), out, tw_task_input(task, TW_SHAPE_MASK), out);
    tw_keep_mask(task);
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    const struct grid grid = grid_of(p, f->width, f->height);
    if (is_the_map(grid, f->width, f->height))
        return;
    tw_forecast_scratch(f, (uint64_t)grid.width * (uint64_t)grid.height, sizeof(float));
    tw_upsample_forecast(f, (enum tw_upsample_by)p->method, grid.height);
}

extern const struct tw_node_type tw_node_shape_resample;
const struct tw_node_type tw_node_shape_resample = {
    .name = "shape.resample",
    .version = 1,
    .summary = "show a map as one of fewer cells would",
    .keywords = "pixelate, low resolution, mosaic, coarse, downsample, voxel",
    .elsewhere = "Pixelate (Gaea), HeightField Resample (Houdini), r.resamp.stats (GRASS)",
    .detail =
        "Shows a map as one of fewer cells would. Use it for large forms without details, for "
        "terrain of blocks or facets, and to see what a coarser map keeps: with world:, cell: 30 "
        "m shows what one of 30 m a cell would. Choose shape.blur to take details away without a "
        "grid.\n"
        "The map is brought to a grid of round(1 / cell) coarse cells from west to east, each "
        "the mean of what it covers, and back. The map's mean stays nearly the same. A map whose "
        "cells are larger than the coarse ones does not change.\n"
        "nearest gives steps, as of blocks; bilinear gives facets with folds between them; cubic "
        "and lanczos (three lobes, corrected so that a plane stays one) give smooth ground, "
        "which next to a cliff may pass the heights around it by a tenth of the cliff.\n"
        "Beyond a border that ends the ground goes on as it falls there, so within half a coarse "
        "cell of it heights may pass those of the map.",
    .cite = "keys1981 turkowski1990 duchon1979",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "blocks: {type: shape.resample, in: noise, cell: 0.03125, method: nearest}",
    .bordered = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
