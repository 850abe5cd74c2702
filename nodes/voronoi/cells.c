/* SPDX-License-Identifier: MIT */
/* Voronoi diagrams, Olsen 2004, after Worley 1996: h = c1 d1 + ... + cn dn with d_i the distance
 * to the i-th nearest feature point on a torus. */
#include "voronoi/kernels/nearest_points.h"

#include <thalweg/kernel.h>
#include <thalweg/rescale.h>
#include <thalweg/simd.h>

#include <string.h>

enum { SQUARED, EUCLIDEAN };
enum { EXACT, SHORT };
enum { LANES = TW_NEAREST_POINTS_LANES };

struct params {
    int32_t regions, points_per_region;
    struct tw_list coefficients;
    int32_t metric, search;
};

static const struct tw_param params[] = {
    TW_PARAM_I32(struct params, regions, 4, 1, 1024, "regions a side",
                 "the map is divided into regions x regions squares"),
    TW_PARAM_I32(struct params, points_per_region, 1, 1, 16, "points",
                 "feature points, uniform in each region"),
    TW_PARAM_LIST(struct params, coefficients, "-1 1", -1000, 1000, TW_UNIT_NONE,
                  "c1 to cn, factors of the distances"),
    TW_PARAM_ENUM(struct params, metric, SQUARED, "squared|euclidean", "the distance"),
    TW_PARAM_ENUM(struct params, search, EXACT, "exact|short",
                  "as far as needed, or only the 3 x 3 regions around"),
    TW_PARAM_END,
};

enum { OUT, DOMAIN, POINTS };
static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the diagram, rescaled to 0..1"},
    {"domain", TW_LABELS, TW_ON_DEMAND, "index of the nearest point"},
    {"points", TW_POINTS, 0, "the feature points"},
    TW_PORT_END,
};

struct column {
    float centre; /* x of the cells' centres, in map sides */
    int32_t region;
};

/* Cells that are looked at together. */
struct window {
    int32_t x, y, columns, rows;
};

struct diagram {
    struct tw_task *task;
    const struct params *params;
    struct tw_nearest_points nearest;
    const struct column *columns;
    float *out;
    int32_t *domain; /* NULL: not used */
    int32_t width, height;
    enum tw_simd simd;
};

static TW_INLINE void sum_body(const struct tw_point_lanes *lanes, const struct params *p,
                               float *restrict sum)
{
    const int32_t count = tw_point_lanes_padded(lanes);
    for (int32_t i = 0; i < count; i++)
        sum[i] = 0;
    for (int32_t n = 0; n < p->coefficients.count; n++) {
        float factor = p->coefficients.at[n];
        bool euclidean = p->metric == EUCLIDEAN;
        for (int32_t i = 0; i < count; i++) {
            float distance = lanes->nearest[n][i];
            sum[i] += factor * (euclidean ? sqrtf(distance) : distance);
        }
    }
}
TW_SIMD_KERNEL(sum,
               (const struct tw_point_lanes *lanes, const struct params *p, float *restrict out),
               (lanes, p, out))

static float centre(int32_t i, int32_t cells) { return ((float)i + 0.5f) / (float)cells; }

/* Columns from x on in the region of the first, and rows from y on of a row of regions that ends at
 * `end`: as many as there are lanes for. */
static struct window find_window(const struct diagram *d, int32_t x, int32_t y, int32_t end)
{
    const struct column *from = d->columns + x;
    int32_t most = d->width - x < LANES ? d->width - x : LANES;
    struct window w = {.x = x, .y = y, .columns = 1};
    while (w.columns < most && from[w.columns].region == from[0].region)
        w.columns++;
    w.rows = end - y < LANES / w.columns ? end - y : LANES / w.columns;
    return w;
}

static void load_lanes(const struct diagram *d, const struct window *w,
                       struct tw_point_lanes *lanes)
{
    int32_t count = 0;
    for (int32_t j = 0; j < w->rows; j++) {
        float y = centre(w->y + j, d->height);
        for (int32_t i = 0; i < w->columns; i++, count++) {
            lanes->x[count] = d->columns[w->x + i].centre;
            lanes->y[count] = y;
        }
    }
    const float last_x = d->columns[w->x + w->columns - 1].centre;
    const float last_y = centre(w->y + w->rows - 1, d->height);
    lanes->count = count;
    for (int32_t i = count; i < tw_point_lanes_padded(lanes); i++) {
        lanes->x[i] = last_x;
        lanes->y[i] = last_y;
    }
}

static void find_columns(const struct diagram *d, struct column *columns)
{
    for (int32_t x = 0; x < d->width; x++) {
        columns[x].centre = centre(x, d->width);
        columns[x].region = tw_floor(columns[x].centre * (float)d->params->regions);
    }
}

static void fill_window(const struct diagram *d, const struct tw_points_around *around,
                        const struct window *w, struct tw_point_lanes *lanes)
{
    float heights[LANES];
    size_t bytes = (size_t)w->columns * sizeof *heights;
    load_lanes(d, w, lanes);
    tw_nearest_points_find(&d->nearest, around, lanes);
    sum(d->simd)(lanes, d->params, heights);
    for (int32_t j = 0; j < w->rows; j++) {
        size_t cell = (size_t)(w->y + j) * (size_t)d->width + (size_t)w->x;
        memcpy(d->out + cell, heights + j * w->columns, bytes);
        if (d->domain)
            memcpy(d->domain + cell, lanes->first + j * w->columns, bytes);
    }
}

static int32_t region_row(const struct diagram *d, int32_t y)
{
    return tw_floor(centre(y, d->height) * (float)d->params->regions);
}

/* Rows of one row of regions: the points around some cells serve all of them. */
static void fill_region_rows(const struct diagram *d, int32_t begin, int32_t end)
{
    int32_t ry = region_row(d, begin);
    struct tw_point_lanes lanes;
    struct tw_points_around around;
    struct window w = {0};
    for (int32_t x = 0; x < d->width && !tw_task_cancelled(d->task); x += w.columns) {
        tw_points_around_find(&d->nearest, d->columns[x].region, ry, &around);
        for (w.y = begin; w.y < end; w.y += w.rows) {
            w = find_window(d, x, w.y, end);
            fill_window(d, &around, &w, &lanes);
        }
    }
}

static void fill_rows(void *context, int32_t begin, int32_t end)
{
    const struct diagram *d = context;
    for (int32_t y = begin, next; y < end; y = next) {
        for (next = y + 1; next < end && region_row(d, next) == region_row(d, y); next++)
            ;
        fill_region_rows(d, y, next);
    }
}

static struct tw_rule check(const void *at)
{
    const struct params *p = at;
    int64_t reachable = (int64_t)p->points_per_region * (p->search == SHORT ? 9 : 1 << 20);
    if (p->coefficients.count < 1)
        return TW_RULE("coefficients", "at least one number");
    return p->coefficients.count > reachable
               ? (struct tw_rule){.param = "coefficients",
                                  .expected = "at most 9 numbers for each of",
                                  .other = "points_per_region",
                                  .hint = "search: exact takes more"}
               : TW_RULES_HOLD;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    int32_t side = p->regions, per = p->points_per_region;
    enum tw_status status = tw_task_list(task, POINTS, side * side * per);
    if (status != TW_OK)
        return status;
    struct tw_value *out = tw_task_output(task, OUT);
    struct tw_point *points = tw_points(tw_task_output(task, POINTS));
    for (int32_t i = 0; i < side * side * per; i++) {
        struct tw_random4 words = tw_random(tw_task_seed(task), (uint32_t)(i / per % side),
                                            (uint32_t)(i / per / side), (uint32_t)(i % per), 0);
        points[i].x = ((float)(i / per % side) + tw_uniform(words.at[0])) / (float)side;
        points[i].y = ((float)(i / per / side) + tw_uniform(words.at[1])) / (float)side;
        points[i].feature = i;
    }
    struct column *columns = tw_task_scratch(task, (size_t)out->width, sizeof *columns);
    if (!columns)
        return tw_task_no_memory(task);
    struct diagram diagram = {.task = task,
                              .params = p,
                              .columns = columns,
                              .out = tw_floats(out),
                              .domain = tw_labels(tw_task_output(task, DOMAIN)),
                              .width = out->width,
                              .height = out->height,
                              .simd = tw_task_simd(task)};
    diagram.nearest = (struct tw_nearest_points){.points = points,
                                                 .regions = side,
                                                 .per_region = per,
                                                 .distances = p->coefficients.count,
                                                 .labelled = diagram.domain,
                                                 .near_only = p->search == SHORT,
                                                 .simd = diagram.simd};
    find_columns(&diagram, columns);
    tw_rows(task, out->height, 4, fill_rows, &diagram);
    if (tw_task_cancelled(task))
        return TW_CANCELLED;
    return tw_rescale(task, diagram.out, diagram.out, out->width, out->height,
                      (struct tw_span){0, 1});
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    tw_forecast_scratch(f, (uint64_t)f->width, sizeof(struct column));
    tw_rescale_forecast(f);
    f->lists[POINTS] = (int64_t)p->regions * p->regions * p->points_per_region;
}

extern const struct tw_node_type tw_node_voronoi_cells;
const struct tw_node_type tw_node_voronoi_cells = {
    .name = "voronoi.cells",
    .version = 1,
    .summary = "Voronoi diagram as height: sums of distances to feature points",
    .detail = "h = c1 d1 + ... + cn dn, rescaled to 0..1; borders wrap. Coefficients [-1, 1] give "
              "ridges and connected riverbeds.",
    .cite = "olsen2004 worley1996",
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "cells: {type: voronoi.cells, regions: 4, coefficients: [-1, 1]}",
    .random = true,
    .reach = TW_REACH_ALL,
    .check = check,
    .run = run,
    .forecast = forecast,
};
