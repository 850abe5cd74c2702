/* SPDX-License-Identifier: MIT */
/* The cheapest way of a road over a coarse map: Galin, Peytavie, Marechal and Guerin 2010,
 * "Procedural generation of roads". */
#ifndef TW_NODES_PATH_KERNELS_ROAD_SEARCH_H
#define TW_NODES_PATH_KERNELS_ROAD_SEARCH_H

#include "common/cost_heap.h"

#include <math.h>

/* Steps (i, j) without a common divisor, |i| and |j| at most 3. */
enum { TW_ROAD_STEPS = 32, TW_ROAD_VERTICES_MAX = 1 << 16 };

/* A place in cells of the map; whole numbers are corners of cells. */
struct tw_vertex {
    double x, y;
    bool keep; /* smoothing keeps it on the line */
};

static inline double tw_vertex_distance(const struct tw_vertex *a, const struct tw_vertex *b)
{
    return sqrt((a->x - b->x) * (a->x - b->x) + (a->y - b->y) * (a->y - b->y));
}

struct tw_road_map {
    const float *heights, *cost, *forbid; /* of the task's size; the masks may be NULL */
    int32_t width, height;
    double slope;     /* true slope of 1 height per cell */
    double curvature; /* w_c in cells^2 */
    double turn;      /* the greatest, in degrees */
};

struct tw_road_search {
    const struct tw_task *task; /* its cancellation ends all that follows */
    const struct tw_road_map *map;
    int32_t factor, width, height; /* cells of the map along a coarse cell; coarse cells */
    float *level, *extra;          /* mean height and mean cost of coarse cells */
    uint8_t *closed;
    double *step;    /* cost of each step from each coarse cell */
    uint8_t *before; /* of each state: the step that led to the one before it */
    int16_t *back;   /* vertices of a leg, from its end: steps */
    struct tw_cost_heap heap;
    double turns[TW_ROAD_STEPS][TW_ROAD_STEPS]; /* cost of the turn between two steps */
    double grade, excess; /* true slope of the road, and that of a step at most, relative to it */
};

bool tw_road_search_lay_out(struct tw_scratch *s, struct tw_road_search *r);
/* Averages the map down; `points` are not closed by the rim of the map. */
void tw_road_search_start(struct tw_task *task, const struct tw_road_map *map,
                          const struct tw_vertex *points, int32_t count, struct tw_road_search *r);
/* Finds the way through all points, leg by leg, for roads of that grade whose steps may be `excess`
 * times as steep. Returns through `vertices` how many vertices the way has; 0 if leg `*leg` has no
 * way. TW_CANCELLED when the task is. */
enum tw_status tw_road_search_run(struct tw_task *task, struct tw_road_search *r, double grade,
                                  double excess, const struct tw_vertex *points, int32_t count,
                                  struct tw_vertex *way, int32_t *vertices, int32_t *leg);

#endif
