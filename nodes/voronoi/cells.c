/* SPDX-License-Identifier: MIT */
/* Voronoi diagrams, Olsen 2004, after Worley 1996: h = c1 d1 + ... + cn dn with d_i the distance
 * to the i-th nearest feature point on a torus. */
#include <thalweg/kernel.h>
#include <thalweg/node.h>

enum { MAX_DISTANCES = 16 };

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
    TW_PARAM_ENUM(struct params, metric, 0, "squared|euclidean", "the distance"),
    TW_PARAM_ENUM(struct params, search, 0, "exact|short",
                  "as far as needed, or only the 3 x 3 regions around"),
    TW_PARAM_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the diagram, rescaled to 0..1"},
    {"domain", TW_LABELS, 0, "index of the nearest point"},
    {"points", TW_POINTS, 0, "the feature points"},
    TW_PORT_END,
};

struct diagram {
    const struct params *params;
    const struct tw_point *points;
    float *out;
    int32_t *domain;
    int32_t width, height;
};

/* The nearest distances so far, squared, in rising order. */
struct nearest {
    float at[MAX_DISTANCES];
    int32_t count, first;
};

static void insert(struct nearest *nearest, float distance, int32_t index)
{
    int32_t i = nearest->count - 1;
    if (distance >= nearest->at[i])
        return;
    for (; i > 0 && distance < nearest->at[i - 1]; i--)
        nearest->at[i] = nearest->at[i - 1];
    nearest->at[i] = distance;
    if (i == 0)
        nearest->first = index;
}

static void visit_region(const struct diagram *d, int32_t rx, int32_t ry, float x, float y,
                         struct nearest *nearest)
{
    int32_t regions = d->params->regions, points = d->params->points_per_region;
    int32_t wx = tw_wrap(rx, regions), wy = tw_wrap(ry, regions);
    float shift_x = (float)(rx - wx) / (float)regions, shift_y = (float)(ry - wy) / (float)regions;
    for (int32_t k = 0; k < points; k++) {
        int32_t index = (wy * regions + wx) * points + k;
        float dx = d->points[index].x + shift_x - x, dy = d->points[index].y + shift_y - y;
        insert(nearest, dx * dx + dy * dy, index);
    }
}

/* Regions in rings around the cell's own; what ring r holds is at least (r - 1/2..) away. */
static void search(const struct diagram *d, float x, float y, struct nearest *nearest)
{
    int32_t regions = d->params->regions;
    int32_t rx = tw_floor(x * (float)regions), ry = tw_floor(y * (float)regions);
    for (int32_t i = 0; i < nearest->count; i++)
        nearest->at[i] = 1e30f;
    for (int32_t ring = 0;; ring++) {
        for (int32_t j = -ring; j <= ring; j++) {
            bool edge = j == -ring || j == ring;
            for (int32_t i = -ring; i <= ring; i += edge || ring == 0 ? 1 : 2 * ring)
                visit_region(d, rx + i, ry + j, x, y, nearest);
        }
        float reach = (float)ring / (float)regions;
        bool complete = nearest->at[nearest->count - 1] <= reach * reach;
        if (ring >= 1 && (complete || d->params->search == 1))
            return;
    }
}

static void fill_rows(void *context, int32_t begin, int32_t end)
{
    const struct diagram *d = context;
    const struct tw_list *c = &d->params->coefficients;
    struct nearest nearest = {.count = c->count};
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < d->width; x++) {
            size_t cell = (size_t)y * (size_t)d->width + (size_t)x;
            search(d, ((float)x + 0.5f) / (float)d->width, ((float)y + 0.5f) / (float)d->height,
                   &nearest);
            float sum = 0;
            for (int32_t i = 0; i < c->count; i++) {
                float distance = nearest.at[i];
                sum += c->at[i] * (d->params->metric == 1 ? sqrtf(distance) : distance);
            }
            d->out[cell] = sum;
            d->domain[cell] = nearest.first;
        }
}

static void rescale(float *cells, size_t count)
{
    float low = cells[0], high = cells[0];
    for (size_t i = 1; i < count; i++) {
        low = tw_min(low, cells[i]);
        high = tw_max(high, cells[i]);
    }
    float span = high > low ? high - low : 1.0f;
    for (size_t i = 0; i < count; i++)
        cells[i] = (cells[i] - low) / span;
}

static const char *check(const void *at)
{
    const struct params *p = at;
    int64_t reachable = (int64_t)p->points_per_region * (p->search == 1 ? 9 : 1 << 20);
    if (p->coefficients.count < 1)
        return "coefficients needs at least one number";
    return p->coefficients.count > reachable ? "more coefficients than points in 3 x 3 regions"
                                             : NULL;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    int32_t side = p->regions, per = p->points_per_region;
    enum tw_status status = tw_task_list(task, 2, side * side * per);
    if (status != TW_OK)
        return status;
    struct tw_value *out = tw_task_output(task, 0);
    struct tw_point *points = tw_points(tw_task_output(task, 2));
    for (int32_t i = 0; i < side * side * per; i++) {
        struct tw_random4 words = tw_random(tw_task_seed(task), (uint32_t)(i / per % side),
                                            (uint32_t)(i / per / side), (uint32_t)(i % per), 0);
        points[i].x = ((float)(i / per % side) + tw_uniform(words.at[0])) / (float)side;
        points[i].y = ((float)(i / per / side) + tw_uniform(words.at[1])) / (float)side;
        points[i].feature = i;
    }
    struct diagram diagram = {
        p, points, tw_floats(out), tw_labels(tw_task_output(task, 1)), out->width, out->height};
    tw_rows(task, out->height, 4, fill_rows, &diagram);
    rescale(tw_floats(out), tw_value_count(out));
    return TW_OK;
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
};
