/* SPDX-License-Identifier: MIT */
/* Secondary ridges by pathing, Rusnell, Mould and Eramian 2009, sections 3 and 4: from each target
 * the least-cost path back to its generator becomes generators, too, of the same feature and
 * profile; their cost goes from the generator's to the target's along the path. With `side` paths
 * are searched on a grid of that width, whatever the map's: random weights decide the ways, and
 * other edges would lead the ridges elsewhere. */
#include "feature/kernels/nearest_paths.h"
#include "feature/kernels/weighted_grid.h"

#include <thalweg/kernel.h>

enum { GENERATORS, TARGETS, WEIGHTS };
enum { OUT };
enum { SIDE_MAX = 1 << 14, CELLS_MAX = 1 << 28 };

struct params {
    float mean_weight, deviation, diagonal;
    struct tw_list weight_range;
    int32_t side;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, mean_weight, 1, 1e-6, 1e6, "cost per cell", "mu_w of the paths",
                 TW_USUAL(0.1, 5)),
    TW_PARAM_F32(struct params, deviation, 0.9, 0, 1e6, "cost per cell",
                 "r, below mean_weight: how much the ridges wind", TW_USUAL(0, 5)),
    TW_PARAM_F32(struct params, diagonal, 1.41421356, 1e-3, 1e3, TW_UNIT_NONE,
                 "factor of diagonal edges", TW_USUAL(1, 2)),
    TW_PARAM_LIST(struct params, weight_range, "0 1", 0, 1e6, "cost per cell",
                  "what an edge weighs where the weights input is [0, 1]", TW_USUAL(0, 5)),
    TW_PARAM_I32_OR(struct params, side, "auto", 0, 0, 1, SIDE_MAX, TW_UNIT_CELLS,
                    "width of the grid on which paths are searched; auto: this map's",
                    TW_USUAL(64, 1024)),
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
    struct tw_nearest_paths paths;
    int32_t width, height; /* of the map */
    uint8_t *taken;        /* cells of the grid that a path has reached */
    uint8_t *drawn;        /* cells of the map that are generators */
    struct tw_point *to;   /* NULL while counting */
    int32_t count;
};

struct place {
    double x, y; /* in cells of the map */
};

static struct tw_rule check(const void *at)
{
    const struct params *p = at;
    if (p->weight_range.count != 2)
        return TW_RULE("weight_range", "[low, high]");
    return TW_RULE_BELOW(p, deviation, mean_weight);
}

/* All generators start at cost 0, so that a path leads to the nearest one. */
static enum tw_status search_paths(struct tw_task *task, struct ridges *ridges)
{
    const struct tw_value *points = tw_task_input(task, GENERATORS);
    struct tw_path_source *sources = tw_task_scratch(task, (size_t)points->width, sizeof *sources);
    if (!sources)
        return tw_task_no_memory(task);
    for (int32_t i = 0; i < points->width; i++)
        sources[i] = (struct tw_path_source){
            .cell = tw_weighted_grid_cell_of(&ridges->grid, &tw_points(points)[i]),
            .feature = i,
            .profile = -1,
            .domain = -1};
    return tw_nearest_paths_find(task, &ridges->grid, sources, points->width, &ridges->paths);
}

static size_t map_cell(const struct ridges *r, struct place at)
{
    int32_t x = tw_clamp_index((int32_t)at.x, r->width);
    int32_t y = tw_clamp_index((int32_t)at.y, r->height);
    return (size_t)y * (size_t)r->width + (size_t)x;
}

static struct place centre_of(const struct ridges *r, int32_t cell)
{
    const struct tw_weighted_grid *grid = &r->grid;
    double x = cell % grid->stride - 0.5, y = cell / grid->stride - 0.5;
    return (struct place){x * r->width / grid->width, y * r->height / grid->height};
}

/* A cell of the map that is not yet a generator becomes one. */
static void add(struct ridges *r, struct place at, float cost, const struct tw_point *origin)
{
    size_t cell = map_cell(r, at), width = (size_t)r->width;
    if (r->drawn[cell])
        return;
    r->drawn[cell] = 1;
    if (r->to)
        r->to[r->count] = (struct tw_point){((float)(cell % width) + 0.5f) / (float)r->width,
                                            ((float)(cell / width) + 0.5f) / (float)r->height, cost,
                                            origin->feature, origin->profile};
    r->count++;
}

/* One step of a path, from its cell a towards the generator, by steps of at most a cell of the map;
 * costs are linear. */
static void draw_step(struct ridges *r, int32_t a, int32_t b, const float *costs,
                      const struct tw_point *origin)
{
    struct place from = centre_of(r, a), to = centre_of(r, b);
    double dx = to.x - from.x, dy = to.y - from.y;
    double length = fabs(dx) > fabs(dy) ? fabs(dx) : fabs(dy);
    int32_t steps = (int32_t)length + (length > (double)(int32_t)length);
    steps = steps > 0 ? steps : 1;
    for (int32_t i = 0; i <= steps; i++) {
        double t = (double)i / steps;
        add(r, (struct place){from.x + dx * t, from.y + dy * t},
            costs[0] + (costs[1] - costs[0]) * (float)t, origin);
    }
}

/* One ridge, as far as another ridge or its generator. */
static void draw_ridge(struct ridges *r, const struct tw_point *target,
                       const struct tw_value *points)
{
    const struct tw_weighted_grid *grid = &r->grid;
    int32_t start = tw_weighted_grid_cell_of(grid, target);
    const struct tw_point *origin = &tw_points(points)[tw_nearest_paths_source(&r->paths, start)];
    double length = r->paths.cost[start];
    for (int32_t cell = start, before; !r->taken[cell]; cell = before) {
        before = tw_nearest_paths_next(&r->paths, cell);
        r->taken[cell] = 1;
        const double far[2] = {r->paths.cost[cell], r->paths.cost[before]};
        float costs[2];
        for (int k = 0; k < 2; k++)
            costs[k] = origin->cost +
                       (target->cost - origin->cost) * (length > 0 ? (float)(far[k] / length) : 1);
        draw_step(r, cell, before, costs, origin);
    }
}

static int32_t draw_all(struct tw_task *task, struct ridges *r)
{
    const struct tw_value *points = tw_task_input(task, GENERATORS);
    const struct tw_value *targets = tw_task_input(task, TARGETS);
    memset(r->taken, 0, (size_t)r->grid.cells);
    memset(r->drawn, 0, (size_t)r->width * (size_t)r->height);
    for (int32_t i = 0; i < points->width; i++) {
        const struct tw_point *point = &tw_points(points)[i];
        const struct place at = {(double)(tw_clamp(point->x, 0, 1) * (float)r->width),
                                 (double)(tw_clamp(point->y, 0, 1) * (float)r->height)};
        r->taken[tw_weighted_grid_cell_of(&r->grid, point)] = 1;
        r->drawn[map_cell(r, at)] = 1;
    }
    r->count = points->width;
    for (int32_t i = 0; i < targets->width && !tw_task_cancelled(task); i++)
        draw_ridge(r, &tw_points(targets)[i], points);
    return r->count;
}

/* The weights as a grid of another width sees them: the nearest cell of the map. */
static enum tw_status resample_weights(struct tw_task *task, struct tw_edge_weights *weights,
                                       struct tw_value *image)
{
    const struct tw_value *from = weights->image;
    if (!from || (from->width == weights->width && from->height == weights->height))
        return TW_OK;
    size_t width = (size_t)weights->width, height = (size_t)weights->height;
    float *to = tw_task_scratch(task, width * height, sizeof *to);
    if (!to)
        return tw_task_no_memory(task);
    *image = (struct tw_value){TW_MASK, weights->width, weights->height, to};
    for (size_t y = 0; y < height; y++) {
        size_t row = (2 * y + 1) * (size_t)from->height / (2 * height);
        for (size_t x = 0; x < width; x++)
            *to++ = tw_floats(
                from)[row * (size_t)from->width + (2 * x + 1) * (size_t)from->width / (2 * width)];
    }
    weights->image = image;
    return TW_OK;
}

static int32_t grid_height(const struct params *p, int32_t width, int32_t height)
{
    int32_t rows = (int32_t)((double)(p->side ? p->side : width) * height / width + 0.5);
    return rows > 0 ? rows : 1;
}

static enum tw_status build_grid(struct tw_task *task, struct ridges *r)
{
    const struct params *p = tw_task_params(task);
    struct tw_value image;
    struct tw_edge_weights weights = {.width = p->side ? p->side : r->width,
                                      .height = grid_height(p, r->width, r->height),
                                      .mean = p->mean_weight,
                                      .deviation = p->deviation,
                                      .diagonal = p->diagonal,
                                      .step = 1,
                                      .image = tw_task_input(task, WEIGHTS),
                                      .low = p->weight_range.at[0],
                                      .high = p->weight_range.at[1]};
    if ((int64_t)weights.width * weights.height > CELLS_MAX)
        return tw_task_fail(task, "side %d makes %d rows on this map; expected %d cells at most",
                            (int)p->side, (int)weights.height, CELLS_MAX);
    enum tw_status status = resample_weights(task, &weights, &image);
    return status == TW_OK ? tw_weighted_grid_build(task, &weights, &r->grid) : status;
}

static enum tw_status run(struct tw_task *task)
{
    const struct tw_value *points = tw_task_input(task, GENERATORS);
    struct ridges ridges = {.width = tw_task_width(task), .height = tw_task_height(task)};
    enum tw_status status = build_grid(task, &ridges);
    if (status == TW_OK)
        status = search_paths(task, &ridges);
    if (status != TW_OK)
        return status;
    ridges.taken = tw_task_scratch(task, (size_t)ridges.grid.cells, 1);
    ridges.drawn = tw_task_scratch(task, (size_t)ridges.width * (size_t)ridges.height, 1);
    if (!ridges.taken || !ridges.drawn)
        return tw_task_no_memory(task);
    int32_t count = draw_all(task, &ridges);
    if (tw_task_cancelled(task))
        return TW_CANCELLED;
    status = tw_task_list(task, OUT, count);
    if (status != TW_OK)
        return status;
    ridges.to = tw_points(tw_task_output(task, OUT));
    memcpy(ridges.to, points->data, (size_t)points->width * sizeof *ridges.to);
    draw_all(task, &ridges);
    return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    int32_t w = p->side ? p->side : f->width, h = grid_height(p, f->width, f->height);
    int64_t cells = (int64_t)f->width * f->height;
    int64_t drawn = f->inputs[TARGETS] * ((int64_t)f->width + f->height);
    bool image = f->inputs[WEIGHTS] > 0;
    if (image && (w != f->width || h != f->height))
        tw_forecast_scratch(f, (uint64_t)w * (uint64_t)h, sizeof(float)); /* weights */
    tw_weighted_grid_forecast(f, w, h, image);
    tw_forecast_scratch(f, (uint64_t)f->inputs[GENERATORS], sizeof(struct tw_path_source));
    tw_nearest_paths_forecast(f, w, h);
    tw_forecast_scratch(f, ((uint64_t)w + 2) * ((uint64_t)h + 2), 1); /* taken */
    tw_forecast_maps(f, 1, 1);                                        /* drawn */
    f->lists[OUT] = f->inputs[GENERATORS] + (drawn < cells ? drawn : cells);
}

extern const struct tw_node_type tw_node_feature_ridges;
const struct tw_node_type tw_node_feature_ridges = {
    .name = "feature.ridges",
    .version = 1,
    .summary = "secondary ridges along least-cost paths to generators",
    .keywords = "mountain ridges, spurs, branches, ridge lines, dendrites",
    .elsewhere = "Ridge (Gaea), Dendry (Hesiod)",
    .detail =
        "Adds secondary ridges along least-cost paths to generators, so that mountains of "
        "feature.distance branch. Choose feature.strokes for ridges in places of your own.\n"
        "From every target the path of least total edge weight leads to the nearest generator. "
        "Its cells join that generator's feature, with costs between those of the two ends. "
        "Paths share cells where they meet and do not leave the map.\n"
        "With `side` they are the paths of a map of that width at any size.",
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
    .forecast = forecast,
};
