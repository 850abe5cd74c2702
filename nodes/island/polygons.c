/* SPDX-License-Identifier: MIT */
/* Polygon map, Weiss 2015, IV-A and IV-B, after Patel 2010: the Voronoi diagram of random points in
 * a square; in each relaxation a point moves to the mean of its polygon's corners. */
#include "island/kernels/polymap_build.h"
#include "island/kernels/voronoi_diagram.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <string.h>

enum { GRAIN = 512 };

struct params {
    int32_t cells, relaxations;
};

static const struct tw_param params[] = {
    TW_PARAM_I32(struct params, cells, 2000, 16, 1000000, "polygons", "random points",
                 TW_USUAL(200, 20000)),
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

/* The place of a site in a grid that is gone through row by row, to and fro. */
static int32_t place_of(const int32_t *site, int32_t grid)
{
    int32_t column = (int32_t)((int64_t)site[0] * grid / TW_VORONOI_SIDE);
    int32_t row = (int32_t)((int64_t)site[1] * grid / TW_VORONOI_SIDE);
    return row * grid + (row % 2 ? grid - 1 - column : column);
}

struct draw {
    uint64_t key;
    int32_t (*sites)[2];
};

static void draw_some(void *context, int32_t begin, int32_t end)
{
    const struct draw *w = context;
    for (int32_t i = begin; i < end; i++)
        draw_site(w->key, i, 0, w->sites[i]);
}

struct work {
    struct tw_voronoi voronoi;
    int32_t (*sites)[2], (*drawn)[2]; /* in the order of their places, and as drawn */
    int32_t *start;                   /* of a place's sites */
};

static bool lay_out(struct tw_scratch *s, struct work *w)
{
    const struct params *p = tw_scratch_params(s);
    tw_voronoi_lay_out(s, &w->voronoi, p->cells);
    w->sites = tw_scratch_take(s, (uint64_t)p->cells, sizeof *w->sites);
    w->drawn = tw_scratch_take(s, (uint64_t)p->cells, sizeof *w->drawn);
    w->start = tw_scratch_take(s, (uint64_t)p->cells / 2 + 1, sizeof *w->start);
    return tw_scratch_is_laid(s);
}

/* Draws the sites, about two to a place, in the order of their places: neighbours in the graph are
 * near each other in memory. */
static void draw_sites(struct tw_task *task, const struct work *w)
{
    int32_t cells = w->voronoi.cells, *start = w->start, (*drawn)[2] = w->drawn;
    int32_t grid = (int32_t)sqrt(cells / 2.0), places = grid * grid;
    tw_rows(task, cells, GRAIN, draw_some, &(struct draw){tw_task_seed(task), drawn});
    memset(start, 0, ((size_t)places + 1) * sizeof *start);
    for (int32_t i = 0; i < cells; i++)
        start[place_of(drawn[i], grid) + 1]++;
    for (int32_t place = 0; place < places; place++)
        start[place + 1] += start[place];
    for (int32_t i = 0; i < cells; i++)
        memcpy(w->sites[start[place_of(drawn[i], grid)]++], drawn[i], sizeof *drawn);
}

/* Where the corners of the polygons are; of two sites that coincide one is drawn anew. */
static enum tw_status find(struct tw_task *task, struct tw_voronoi *v, int32_t (*sites)[2])
{
    for (uint32_t attempt = 1;; attempt++) {
        int32_t twin = -1;
        enum tw_status status = tw_voronoi_find(task, v, (const int32_t(*)[2])sites, &twin);
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
    for (int32_t i = begin; i < end; i++) {
        double mean[2];
        tw_voronoi_mean(r->v, i, mean);
        r->sites[i][0] = nearest_odd(mean[0]);
        r->sites[i][1] = nearest_odd(mean[1]);
    }
}

struct map_work {
    const struct tw_polymap *map;
    int32_t (*sites)[2];
};

static void fill_cells(void *context, int32_t begin, int32_t end)
{
    const struct map_work *w = context;
    const struct tw_polymap *map = w->map;
    for (int32_t i = begin; i < end; i++) {
        map->cell_at[i] = (struct tw_polymap_place){tw_voronoi_unit(w->sites[i][0]),
                                                    tw_voronoi_unit(w->sites[i][1])};
        for (int32_t side = map->cell_start[i]; side < map->cell_start[i + 1]; side++)
            map->cell_flags[i] |= map->edge[map->side_edge[side]].d1 < 0 ? TW_BORDER : 0u;
    }
}

static void fill_spokes(const struct tw_polymap *map)
{
    int32_t *start = map->corner_start;
    for (int32_t e = 0; e < map->edges; e++) {
        const struct tw_polymap_edge *edge = &map->edge[e];
        uint32_t border = edge->d1 < 0 ? TW_BORDER : 0u;
        start[edge->v0 + 1]++;
        start[edge->v1 + 1]++;
        map->corner_flags[edge->v0] |= border;
        map->corner_flags[edge->v1] |= border;
    }
    for (int32_t c = 0; c < map->corners; c++)
        start[c + 1] += start[c];
    for (int32_t e = 0; e < map->edges; e++) {
        map->spoke[start[map->edge[e].v0]++] = e;
        map->spoke[start[map->edge[e].v1]++] = e;
    }
    for (int32_t c = map->corners; c > 0; c--)
        start[c] = start[c - 1];
    start[0] = 0;
}

static enum tw_status create_map(struct tw_task *task, struct tw_voronoi *v, int32_t (*sites)[2])
{
    struct tw_polymap_header head;
    struct tw_polymap map;
    enum tw_status status = tw_voronoi_count(task, v, &head);
    if (status == TW_OK)
        status = tw_polymap_create(task, &head, &map);
    if (status != TW_OK)
        return status;
    tw_voronoi_connect(task, v, &map);
    tw_rows(task, map.cells, GRAIN, fill_cells, &(struct map_work){&map, sites});
    fill_spokes(&map);
    return TW_OK;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    enum tw_status status = TW_OK;
    struct work w;
    if (!lay_out(&(struct tw_scratch){.task = task}, &w))
        return tw_task_no_memory(task);
    draw_sites(task, &w);
    for (int32_t step = 0; status == TW_OK && step <= p->relaxations; step++) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        if (step > 0)
            tw_rows(task, p->cells, GRAIN, relax, &(struct relaxation){&w.voronoi, w.sites});
        status = find(task, &w.voronoi, w.sites);
        tw_task_progress(task, (step + 1.0) / (p->relaxations + 1.0));
    }
    return status == TW_OK ? create_map(task, &w.voronoi, w.sites) : status;
}

static void forecast(struct tw_forecast *f)
{
    struct work w;
    lay_out(&(struct tw_scratch){.forecast = f}, &w);
    f->lists[0] = tw_polymap_words_at_most(w.voronoi.cells);
}

extern const struct tw_node_type tw_node_island_polygons;
const struct tw_node_type tw_node_island_polygons = {
    .name = "island.polygons",
    .version = 2,
    .summary = "random polygons and their graph: the ground of an island",
    .keywords = "island, Voronoi, cells, mesh, graph, Lloyd relaxation, map generator",
    .elsewhere = "Voronoi (Gaea)",
    .detail =
        "Makes random polygons and their graph: the first node of an island, followed by "
        "island.shape. Choose voronoi.cells for Voronoi patterns as a height map.\n"
        "The polygons are the Voronoi diagram of uniform random points in the square -1..1, "
        "clipped to it. A relaxation replaces each point by the mean of its polygon's corners. "
        "Points lie on a grid of 2^24 places a side, so that the diagram is exact and V - E + F "
        "= 1 always holds. Corners closer than 1e-9 are one.\n"
        "Polygons are numbered in rows of a grid, to and fro, as their points were drawn, so "
        "that neighbours are near each other.",
    .cite = "weiss2015 patel2010",
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "land: {type: island.polygons, cells: 500}",
    .random = true,
    .run = run,
    .forecast = forecast,
};
