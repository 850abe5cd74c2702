/* SPDX-License-Identifier: MIT */
/* Polygon map, Weiss 2015, IV-A and IV-B, after Patel 2010: the Voronoi diagram of random points in
 * a square; in each relaxation a point moves to the mean of its polygon's corners. */
#include "island/kernels/polymap_build.h"
#include "island/kernels/voronoi_diagram.h"

#include <thalweg/kernel.h>

enum { GRAIN = 512 };

struct params {
    int32_t cells, relaxations;
};

static const struct tw_param params[] = {
    TW_PARAM_I32(struct params, cells, 2000, 16, 1000000, "polygons", "random points"),
    TW_PARAM_I32(struct params, relaxations, 2, 0, 10, "steps",
                 "moves of the points; more make the polygons more alike"),
    TW_PARAM_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_POLYMAP, 0, "the graph of the polygons"},
    TW_PORT_END,
};

/* Site i, uniform over the odd places of the grid, so never on the border. */
static void draw_site(uint64_t key, int32_t i, uint32_t attempt, int32_t *site)
{
    struct tw_random4 words = tw_random(key, (uint32_t)i, attempt, 0, 0);
    site[0] = (int32_t)(words.at[0] >> 8) * 2 + 1;
    site[1] = (int32_t)(words.at[1] >> 8) * 2 + 1;
}

/* The diagram of the sites; of two that coincide the later one is drawn anew. */
static enum tw_status build(struct tw_task *task, struct tw_voronoi *v, int32_t (*sites)[2])
{
    for (uint32_t attempt = 1;; attempt++) {
        int32_t twin = -1;
        enum tw_status status = tw_voronoi_build(task, v, (const int32_t(*)[2])sites, &twin);
        if (status != TW_OK || twin < 0)
            return status;
        draw_site(tw_task_seed(task), twin, attempt, sites[twin]);
    }
}

static int32_t nearest_odd(double x) { return (int32_t)(x / 2) * 2 + 1; }

struct relaxation {
    const struct tw_voronoi *v;
    int32_t (*sites)[2];
};

/* Weiss IV-A: "the average of the polygon corners", not the centroid of its area. */
static void relax(void *context, int32_t begin, int32_t end)
{
    const struct relaxation *r = context;
    const struct tw_voronoi *v = r->v;
    for (int32_t i = begin; i < end; i++) {
        double x = 0, y = 0;
        int32_t count = v->start[i + 1] - v->start[i];
        for (int32_t side = v->start[i]; side < v->start[i + 1]; side++) {
            x += v->corner[v->side_corner[side]][0];
            y += v->corner[v->side_corner[side]][1];
        }
        r->sites[i][0] = nearest_odd(x / count);
        r->sites[i][1] = nearest_odd(y / count);
    }
}

static float unit(double x) { return (float)(x * (2.0 / TW_VORONOI_SIDE) - 1.0); }

static void fill_corners(const struct tw_voronoi *v, struct tw_polymap *map)
{
    int32_t *start = map->corner_start;
    for (int32_t c = 0; c < v->corners; c++)
        map->corner_at[c] = (struct tw_polymap_place){unit(v->corner[c][0]), unit(v->corner[c][1])};
    for (int32_t e = 0; e < v->edges; e++) {
        start[v->edge[e].v0 + 1]++;
        start[v->edge[e].v1 + 1]++;
    }
    for (int32_t c = 0; c < v->corners; c++)
        start[c + 1] += start[c];
    for (int32_t e = 0; e < v->edges; e++) {
        map->spoke[start[v->edge[e].v0]++] = e;
        map->spoke[start[v->edge[e].v1]++] = e;
    }
    for (int32_t c = v->corners; c > 0; c--)
        start[c] = start[c - 1];
    start[0] = 0;
}

static void fill_map(const struct tw_voronoi *v, int32_t (*sites)[2], struct tw_polymap *map)
{
    for (int32_t i = 0; i < v->cells; i++)
        map->cell_at[i] = (struct tw_polymap_place){unit(sites[i][0]), unit(sites[i][1])};
    memcpy(map->cell_start, v->start, ((size_t)v->cells + 1) * sizeof *v->start);
    memcpy(map->side_corner, v->side_corner, (size_t)v->sides * sizeof *v->side_corner);
    memcpy(map->side_edge, v->side_edge, (size_t)v->sides * sizeof *v->side_edge);
    fill_corners(v, map);
    for (int32_t e = 0; e < v->edges; e++) {
        const struct tw_voronoi_edge *edge = &v->edge[e];
        map->edge[e] = (struct tw_polymap_edge){edge->d0, edge->d1, edge->v0, edge->v1};
        if (edge->d1 < 0) {
            map->cell_flags[edge->d0] |= TW_BORDER;
            map->corner_flags[edge->v0] |= TW_BORDER;
            map->corner_flags[edge->v1] |= TW_BORDER;
        }
    }
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct tw_voronoi v;
    struct tw_polymap map;
    enum tw_status status = tw_voronoi_reserve(task, &v, p->cells);
    int32_t(*sites)[2] = tw_task_scratch(task, (size_t)p->cells, sizeof *sites);
    if (status != TW_OK || !sites)
        return tw_task_no_memory(task);
    for (int32_t i = 0; i < p->cells; i++)
        draw_site(tw_task_seed(task), i, 0, sites[i]);
    for (int32_t step = 0; status == TW_OK && step <= p->relaxations; step++) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        if (step > 0)
            tw_rows(task, v.cells, GRAIN, relax, &(struct relaxation){&v, sites});
        status = build(task, &v, sites);
        tw_task_progress(task, (step + 1.0) / (p->relaxations + 1.0));
    }
    if (status == TW_OK)
        status = tw_polymap_create(task,
                                   &(struct tw_polymap_header){.cells = (uint32_t)v.cells,
                                                               .corners = (uint32_t)v.corners,
                                                               .edges = (uint32_t)v.edges,
                                                               .sides = (uint32_t)v.sides},
                                   &map);
    if (status == TW_OK)
        fill_map(&v, sites, &map);
    return status;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    tw_voronoi_forecast(f, p->cells);
    tw_forecast_scratch(f, (uint64_t)p->cells, 2 * sizeof(int32_t)); /* sites */
    f->lists[0] = tw_polymap_words_at_most(p->cells);
}

extern const struct tw_node_type tw_node_island_polygons;
const struct tw_node_type tw_node_island_polygons = {
    .name = "island.polygons",
    .version = 1,
    .summary = "random polygons and their graph: the ground of an island",
    .detail =
        "The Voronoi diagram of uniform random points in the square -1..1, clipped to it. A "
        "relaxation replaces each point by the mean of its polygon's corners. Points lie on a "
        "grid of 2^24 places a side, so that the diagram is exact: V - E + F = 1 always holds. "
        "Corners closer than 1e-9 are one.",
    .cite = "weiss2015 patel2010",
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "land: {type: island.polygons, cells: 500}",
    .random = true,
    .run = run,
    .forecast = forecast,
};
