/* SPDX-License-Identifier: MIT */
/* Secondary ridges by pathing, Rusnell, Mould and Eramian 2009, sections 3 and 4: from each target
 * the least-cost path back to its generator becomes generators, too, of the same feature and
 * profile; their cost goes from the generator's to the target's along the path. */
#include "feature/kernels/least_cost.h"
#include "feature/kernels/weighted_grid.h"

#include <thalweg/kernel.h>

enum { GENERATORS, TARGETS, WEIGHTS };
enum { OUT };

struct params {
    float mean_weight, deviation, diagonal;
    struct tw_list weight_range;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, mean_weight, 1, 1e-6, 1e6, "cost per cell", "mu_w of the paths"),
    TW_PARAM_F32(struct params, deviation, 0.9, 0, 1e6, "cost per cell",
                 "r, below mean_weight: how much the ridges wind"),
    TW_PARAM_F32(struct params, diagonal, 1.41421356, 1e-3, 1e3, TW_UNIT_NONE,
                 "factor of diagonal edges"),
    TW_PARAM_LIST(struct params, weight_range, "0 1", 0, 1e6, "cost per cell",
                  "what an edge weighs where the weights input is [0, 1]"),
    TW_PARAM_END,
};

static const struct tw_port inputs[] = {
    {"generators", TW_POINTS, 0, "where ridges start"},
    {"targets", TW_POINTS, 0, "where ridges end, and their cost there"},
    {"weights", TW_MASK, TW_OPTIONAL, "edge weights instead of mean_weight and deviation"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_POINTS, 0, "the generators, then the ridges' cells"},
    TW_PORT_END,
};

struct ridges {
    struct tw_weighted_grid grid;
    struct tw_search search;
    uint8_t *taken;      /* cells that are generators */
    struct tw_point *to; /* NULL while counting */
    int32_t count;
};

static const char *check(const void *at)
{
    const struct params *p = at;
    if (p->deviation >= p->mean_weight)
        return "deviation must be below mean_weight";
    return p->weight_range.count == 2 ? NULL : "weight_range must be [low, high]";
}

/* All generators start at cost 0, so that a path leads to the nearest one. */
static enum tw_status search_paths(struct tw_task *task, struct ridges *ridges)
{
    const struct tw_value *points = tw_task_input(task, GENERATORS);
    const struct tw_bounds all = {.limit = TW_COST_NONE};
    struct tw_paths paths = {.task = task, .grid = &ridges->grid, .sea = TW_COST_NONE};
    struct tw_path_source *sources = tw_task_scratch(task, (size_t)points->width, sizeof *sources);
    if (!sources)
        return tw_task_no_memory(task);
    for (int32_t i = 0; i < points->width; i++)
        sources[i] = (struct tw_path_source){
            .cell = tw_weighted_grid_cell_of(&ridges->grid, &tw_points(points)[i]),
            .feature = i,
            .profile = -1,
            .domain = -1};
    paths.sources = sources;
    tw_paths_bound(&paths, 0, 0);
    if (tw_search_create(task, &paths, &ridges->search, 1) != TW_OK)
        return TW_MEMORY;
    tw_search_run(&paths, &all, &ridges->search, 0, points->width);
    return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
}

/* One ridge: every cell of its path that is no generator yet becomes one. */
static void draw_ridge(struct ridges *r, const struct tw_point *target,
                       const struct tw_value *points)
{
    const struct tw_weighted_grid *grid = &r->grid;
    int32_t start = tw_weighted_grid_cell_of(grid, target);
    const struct tw_point *origin = &tw_points(points)[tw_search_source(&r->search, start)];
    double length = r->search.cost[start];
    for (int32_t cell = start, before; !r->taken[cell]; cell = before) {
        float share = length > 0 ? (float)(r->search.cost[cell] / length) : 1.0f;
        before = tw_search_predecessor(grid, &r->search, cell);
        r->taken[cell] = 1;
        if (r->to)
            r->to[r->count] =
                (struct tw_point){((float)(cell % grid->stride) - 0.5f) / (float)grid->width,
                                  ((float)(cell / grid->stride) - 0.5f) / (float)grid->height,
                                  origin->cost + (target->cost - origin->cost) * share,
                                  origin->feature, origin->profile};
        r->count++;
    }
}

static int32_t draw_all(struct tw_task *task, struct ridges *r)
{
    const struct tw_value *points = tw_task_input(task, GENERATORS);
    const struct tw_value *targets = tw_task_input(task, TARGETS);
    memset(r->taken, 0, (size_t)r->grid.cells);
    for (int32_t i = 0; i < points->width; i++)
        r->taken[tw_weighted_grid_cell_of(&r->grid, &tw_points(points)[i])] = 1;
    r->count = points->width;
    for (int32_t i = 0; i < targets->width; i++)
        draw_ridge(r, &tw_points(targets)[i], points);
    return r->count;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_edge_weights weights = {.mean = p->mean_weight,
                                            .deviation = p->deviation,
                                            .diagonal = p->diagonal,
                                            .step = 1,
                                            .image = tw_task_input(task, WEIGHTS),
                                            .low = p->weight_range.at[0],
                                            .high = p->weight_range.at[1]};
    const struct tw_value *points = tw_task_input(task, GENERATORS);
    struct ridges ridges = {.count = 0};
    enum tw_status status = tw_weighted_grid_build(task, &weights, &ridges.grid);
    if (status == TW_OK)
        status = search_paths(task, &ridges);
    if (status != TW_OK)
        return status;
    ridges.taken = tw_task_scratch(task, (size_t)ridges.grid.cells, 1);
    if (!ridges.taken)
        return tw_task_no_memory(task);
    status = tw_task_list(task, OUT, draw_all(task, &ridges));
    if (status != TW_OK)
        return status;
    ridges.to = tw_points(tw_task_output(task, OUT));
    memcpy(ridges.to, points->data, (size_t)points->width * sizeof *ridges.to);
    draw_all(task, &ridges);
    return TW_OK;
}

extern const struct tw_node_type tw_node_feature_ridges;
const struct tw_node_type tw_node_feature_ridges = {
    .name = "feature.ridges",
    .version = 1,
    .summary = "secondary ridges along least-cost paths to generators",
    .detail = "From every target the path of least total edge weight to the nearest generator; its "
              "cells join that generator's feature with costs between the two ends'. Paths share "
              "cells where they meet and do not leave the map.",
    .cite = "rusnell2009",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "peaks: {type: feature.points, count: 4, cost: [0, 5]}\nends: {type: "
               "feature.points, count: 40, cost: [20, 40]}\nrange: {type: feature.ridges, "
               "generators: peaks, targets: ends}",
    .random = true,
    .reach = TW_REACH_ALL,
    .check = check,
    .run = run,
};
