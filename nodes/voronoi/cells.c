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
                 "the map is divided into regions x regions parts", TW_USUAL(1, 32)),
    TW_PARAM_I32(struct params, points_per_region, 1, 1, 16, "points",
                 "feature points, uniform in each region"),
    TW_PARAM_LIST(struct params, coefficients, "-1 1", -1000, 1000, TW_UNIT_NONE,
                  "c1 to cn, factors of the distances", TW_USUAL(-2, 2)),
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

/* Columns, or rows, of cells. */
struct lines {
    float *centre; /* in map sides */
    int32_t *region;
};

/* Cells that are looked at together. */
struct window {
    int32_t x, y, columns, rows;
};

struct diagram {
    struct tw_task *task;
    const struct params *params;
    struct tw_nearest_points nearest;
    struct lines columns, rows;
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

static bool find_lines(struct tw_task *task, int32_t cells, int32_t regions, struct lines *lines)
{
    lines->centre = tw_task_scratch(task, (size_t)cells, sizeof *lines->centre);
    lines->region = tw_task_scratch(task, (size_t)cells, sizeof *lines->region);
    for (int32_t i = 0; lines->centre && lines->region && i < cells; i++) {
        lines->centre[i] = ((float)i + 0.5f) / (float)cells;
        lines->region[i] = tw_floor(lines->centre[i] * (float)regions);
    }
    return lines->centre && lines->region;
}

/* Lines from i on that are in the region of the first, up to `end` and `most`. */
static int32_t lines_alike(const struct lines *lines, int32_t i, int32_t end, int32_t most)
{
    int32_t count = 1;
    end = end - i < most ? end : i + most;
    while (i + count < end && lines->region[i + count] == lines->region[i])
        count++;
    return count;
}

/* Words of a row: mostly 8 or 16, for which a call takes longer than the work. */
static TW_INLINE void copy_row(void *restrict to, const void *restrict from, int32_t count)
{
    char *into = to;
    const char *words = from;
    size_t at = 0, bytes = (size_t)count * sizeof(float);
    for (; at + 32 <= bytes; at += 32)
        memcpy(into + at, words + at, 32);
    for (; at < bytes; at += sizeof(float))
        memcpy(into + at, words + at, sizeof(float));
}

static void load_lanes(const struct diagram *d, const struct window *w,
                       struct tw_point_lanes *lanes)
{
    int32_t count = 0;
    for (int32_t j = 0; j < w->rows; j++, count += w->columns) {
        float y = d->rows.centre[w->y + j];
        copy_row(lanes->x + count, d->columns.centre + w->x, w->columns);
        for (int32_t i = 0; i < w->columns; i++)
            lanes->y[count + i] = y;
    }
    lanes->count = count;
    for (int32_t i = count; i < tw_point_lanes_padded(lanes); i++) {
        lanes->x[i] = lanes->x[count - 1];
        lanes->y[i] = lanes->y[count - 1];
    }
}

static void fill_window(const struct diagram *d, const struct tw_points_around *around,
                        const struct window *w, struct tw_point_lanes *lanes)
{
    float heights[LANES];
    load_lanes(d, w, lanes);
    tw_nearest_points_find(&d->nearest, around, lanes);
    sum(d->simd)(lanes, d->params, heights);
    for (int32_t j = 0; j < w->rows; j++) {
        size_t cell = (size_t)(w->y + j) * (size_t)d->width + (size_t)w->x;
        copy_row(d->out + cell, heights + j * w->columns, w->columns);
        if (d->domain)
            copy_row(d->domain + cell, lanes->first + j * w->columns, w->columns);
    }
}

/* Rows of one row of regions: the points around some cells serve all of them. */
static void fill_region_rows(const struct diagram *d, int32_t begin, int32_t end)
{
    struct tw_point_lanes lanes;
    struct tw_points_around around;
    struct window w = {0};
    for (int32_t x = 0; x < d->width && !tw_task_cancelled(d->task); x += w.columns) {
        w.x = x;
        w.columns = lines_alike(&d->columns, x, d->width, LANES);
        tw_points_around_find(&d->nearest, d->columns.region[x], d->rows.region[begin], &around);
        for (w.y = begin; w.y < end; w.y += w.rows) {
            w.rows = end - w.y < LANES / w.columns ? end - w.y : LANES / w.columns;
            fill_window(d, &around, &w, &lanes);
        }
    }
}

static void fill_rows(void *context, int32_t begin, int32_t end)
{
    const struct diagram *d = context;
    for (int32_t y = begin, count; y < end; y += count) {
        count = lines_alike(&d->rows, y, end, end - y);
        fill_region_rows(d, y, y + count);
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
    struct diagram diagram = {.task = task,
                              .params = p,
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
    if (!find_lines(task, out->width, side, &diagram.columns) ||
        !find_lines(task, out->height, side, &diagram.rows))
        return tw_task_no_memory(task);
    tw_rows(task, out->height, 4, fill_rows, &diagram);
    if (tw_task_cancelled(task))
        return TW_CANCELLED;
    return tw_rescale(task, diagram.out, diagram.out, out->width, out->height,
                      (struct tw_span){0, 1});
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    tw_forecast_scratch(f, (uint64_t)f->width + (uint64_t)f->height,
                        sizeof(float) + sizeof(int32_t));
    tw_rescale_forecast(f);
    f->lists[POINTS] = (int64_t)p->regions * p->regions * p->points_per_region;
}

extern const struct tw_node_type tw_node_voronoi_cells;
const struct tw_node_type tw_node_voronoi_cells = {
    .name = "voronoi.cells",
    .version = 1,
    .summary = "Voronoi diagram as height: sums of distances to feature points",
    .keywords = "Worley noise, cellular noise, cells, crystals, cracks, plates",
    .elsewhere =
        "Voronoi (Gaea), Cellular (Gaea), Voronoi Noise (World Machine), HeightField Noise "
        "(Houdini), Worley (Hesiod), Voronoi Texture (Blender)",
    .detail = "Makes ridges and connected riverbeds, or other cell patterns, from the distances to "
              "random feature points. Choose voronoi.domain for one value in each domain.\n"
              "h is rescaled to 0..1; borders wrap:\n"
              "    h = c1 d1 + ... + cn dn.\n"
              "Coefficients [-1, 1] give ridges and connected riverbeds. A map that is not square "
              "shows the diagram of a square one, stretched.",
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
