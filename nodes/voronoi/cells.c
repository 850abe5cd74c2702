/* SPDX-License-Identifier: MIT */
/* Voronoi diagrams, Olsen 2004, after Worley 1996: h = c1 d1 + ... + cn dn with d_i the distance
 * to the i-th nearest feature point on a torus. */

#include <thalweg/kernel.h>
#include <thalweg/rescale.h>
#include <thalweg/simd.h>

#include <string.h>

enum { SQUARED, EUCLIDEAN };
enum { EXACT, SHORT };
enum { MAX_DISTANCES = 16, LANES = 32 };
#define FAR 1e30f

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

struct diagram {
    struct tw_task *task;
    const struct params *params;
    const struct tw_point *points;
    const struct column *columns;
    float *out;
    int32_t *domain; /* NULL: not used */
    int32_t width, height;
    enum tw_simd simd;
};

/* Cells of one row in one region; lanes past the region's end are computed and dropped. */
struct lanes {
    float x[LANES], y;
    float nearest[MAX_DISTANCES][LANES]; /* squared distances in rising order */
    int32_t first[LANES];                /* index of the nearest point */
    int32_t count, distances;
};

/* A point takes its place among the nearest of every lane; at equal distance the earlier stays. */
static TW_INLINE void offer_lanes(struct lanes *lanes, const int32_t width, float px, float py,
                                  int32_t index)
{
    float distance[LANES], dy = py - lanes->y;
    for (int32_t i = 0; i < width; i++) {
        float dx = px - lanes->x[i];
        distance[i] = dx * dx + dy * dy;
        lanes->first[i] = distance[i] < lanes->nearest[0][i] ? index : lanes->first[i];
    }
    for (int32_t n = 0; n < lanes->distances; n++)
        for (int32_t i = 0; i < width; i++) {
            float known = lanes->nearest[n][i], offered = distance[i];
            lanes->nearest[n][i] = offered < known ? offered : known;
            distance[i] = offered < known ? known : offered;
        }
}
static TW_INLINE void offer_body(struct lanes *lanes, float px, float py, int32_t index)
{
    if (lanes->count <= LANES / 8)
        offer_lanes(lanes, LANES / 8, px, py, index);
    else
        offer_lanes(lanes, LANES, px, py, index);
}
TW_SIMD_KERNEL(offer, (struct lanes * lanes, float px, float py, int32_t index),
               (lanes, px, py, index))

/* The greatest n-th distance of the cells. Floats that are not negative are compared as integers,
 * which vectorises without a fixed order. */
static float farthest(const struct lanes *lanes)
{
    int32_t most = 0, bits[LANES];
    float distance;
    memcpy(bits, lanes->nearest[lanes->distances - 1], sizeof bits);
    for (int32_t i = 0; i < lanes->count; i++)
        most = bits[i] > most ? bits[i] : most;
    memcpy(&distance, &most, sizeof distance);
    return distance;
}

/* Square of a distance that no lane has less of to the point; rounded down by a little. */
static float least_distance(const struct lanes *lanes, float px, float py)
{
    float left = lanes->x[0] - px, right = px - lanes->x[lanes->count - 1];
    float dx = tw_max(tw_max(left, right), 0), dy = py - lanes->y;
    return (dx * dx + dy * dy) * 0.99999f;
}

/* Brings a region's row or column onto the torus; returns how many sides away it was. */
static int32_t wrap_region(int32_t *at, int32_t regions)
{
    int32_t sides = 0;
    for (; *at < 0; *at += regions)
        sides--;
    for (; *at >= regions; *at -= regions)
        sides++;
    return sides;
}

static void visit_region(const struct diagram *d, int32_t rx, int32_t ry, float most,
                         struct lanes *lanes)
{
    int32_t regions = d->params->regions, points = d->params->points_per_region;
    float shift_x = (float)wrap_region(&rx, regions), shift_y = (float)wrap_region(&ry, regions);
    for (int32_t k = 0; k < points; k++) {
        int32_t index = (ry * regions + rx) * points + k;
        float px = d->points[index].x + shift_x, py = d->points[index].y + shift_y;
        if (least_distance(lanes, px, py) < most)
            offer(d->simd)(lanes, px, py, index);
    }
}

/* Regions in rings around the lanes' own; all that ring r + 1 holds is at least r regions away. */
static void search(const struct diagram *d, int32_t rx, int32_t ry, struct lanes *lanes)
{
    float most = FAR;
    for (int32_t n = 0; n < lanes->distances; n++)
        for (int32_t i = 0; i < LANES; i++)
            lanes->nearest[n][i] = FAR;
    for (int32_t i = 0; i < LANES; i++)
        lanes->first[i] = 0;
    for (int32_t ring = 0;; ring++) {
        for (int32_t j = -ring; j <= ring; j++) {
            bool edge = j == -ring || j == ring;
            for (int32_t i = -ring; i <= ring; i += edge || ring == 0 ? 1 : 2 * ring)
                visit_region(d, rx + i, ry + j, most, lanes);
        }
        float reach = (float)ring / (float)d->params->regions;
        most = farthest(lanes);
        if (ring >= 1 && (most <= reach * reach || d->params->search == SHORT))
            return;
    }
}

static TW_INLINE void sum_body(const struct lanes *lanes, const struct params *p,
                               float *restrict sum)
{
    for (int32_t i = 0; i < LANES; i++)
        sum[i] = 0;
    for (int32_t n = 0; n < lanes->distances; n++) {
        float factor = p->coefficients.at[n];
        bool euclidean = p->metric == EUCLIDEAN;
        for (int32_t i = 0; i < LANES; i++) {
            float distance = lanes->nearest[n][i];
            sum[i] += factor * (euclidean ? sqrtf(distance) : distance);
        }
    }
}
TW_SIMD_KERNEL(sum, (const struct lanes *lanes, const struct params *p, float *restrict out),
               (lanes, p, out))

static float centre(int32_t i, int32_t cells) { return ((float)i + 0.5f) / (float)cells; }

/* The cells from `x` on that lie in the region of the first, whose column is returned. Further
 * lanes repeat the last one. */
static int32_t load_lanes(const struct diagram *d, int32_t x, struct lanes *lanes)
{
    const struct column *from = d->columns + x;
    int32_t most = d->width - x < LANES ? d->width - x : LANES, count = 0;
    for (; count < most && from[count].region == from[0].region; count++)
        lanes->x[count] = from[count].centre;
    for (int32_t i = count; i < LANES; i++)
        lanes->x[i] = lanes->x[count - 1];
    lanes->count = count;
    return from[0].region;
}

static void find_columns(const struct diagram *d, struct column *columns)
{
    for (int32_t x = 0; x < d->width; x++) {
        columns[x].centre = centre(x, d->width);
        columns[x].region = tw_floor(columns[x].centre * (float)d->params->regions);
    }
}

static void fill_rows(void *context, int32_t begin, int32_t end)
{
    const struct diagram *d = context;
    struct lanes lanes = {.distances = d->params->coefficients.count};
    for (int32_t y = begin; y < end && !tw_task_cancelled(d->task); y++) {
        lanes.y = centre(y, d->height);
        int32_t ry = tw_floor(lanes.y * (float)d->params->regions);
        for (int32_t x = 0; x < d->width; x += lanes.count) {
            size_t cell = (size_t)y * (size_t)d->width + (size_t)x;
            float heights[LANES];
            search(d, load_lanes(d, x, &lanes), ry, &lanes);
            sum(d->simd)(&lanes, d->params, heights);
            memcpy(d->out + cell, heights, (size_t)lanes.count * sizeof *heights);
            if (d->domain)
                memcpy(d->domain + cell, lanes.first, (size_t)lanes.count * sizeof *lanes.first);
        }
    }
}

static const char *check(const void *at)
{
    const struct params *p = at;
    int64_t reachable = (int64_t)p->points_per_region * (p->search == SHORT ? 9 : 1 << 20);
    if (p->coefficients.count < 1)
        return "coefficients needs at least one number";
    return p->coefficients.count > reachable ? "more coefficients than points in 3 x 3 regions"
                                             : NULL;
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
    struct diagram diagram = {task,
                              p,
                              points,
                              columns,
                              tw_floats(out),
                              tw_labels(tw_task_output(task, DOMAIN)),
                              out->width,
                              out->height,
                              tw_task_simd(task)};
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
