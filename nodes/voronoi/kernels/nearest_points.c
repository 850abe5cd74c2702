/* SPDX-License-Identifier: MIT */
/* Nearly always the nearest points are in the 3 x 3 regions around: those are gathered once for all
 * rows of a region, and offered by a loop over whole vectors. */
#include "voronoi/kernels/nearest_points.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

#include <string.h>

enum { LANES = TW_NEAREST_POINTS_LANES, VECTOR = 8 };
#define FAR 1e30f

struct point {
    float x, y;
    int32_t index;
};

/* Lanes are whole vectors; the number of distances, 0 for any, and whether the nearest has a label
 * are constants where kernels are compiled. */
struct shape {
    int32_t lanes, distances;
    bool labelled;
};

/* A point takes its place among the nearest of every lane; at equal distance the earlier stays. */
static TW_INLINE void offer_point(struct tw_point_lanes *restrict l, struct shape shape,
                                  int32_t distances, struct point point)
{
    float distance[LANES], dy = point.y - l->y;
    for (int32_t i = 0; i < shape.lanes; i++) {
        float dx = point.x - l->x[i];
        distance[i] = dx * dx + dy * dy;
        if (shape.labelled)
            l->first[i] = distance[i] < l->nearest[0][i] ? point.index : l->first[i];
    }
    for (int32_t n = 0; n < (shape.distances ? shape.distances : distances); n++)
        for (int32_t i = 0; i < shape.lanes; i++) {
            float known = l->nearest[n][i], offered = distance[i];
            l->nearest[n][i] = offered < known ? offered : known;
            distance[i] = offered < known ? known : offered;
        }
}

/* Floats that are not negative are compared as integers, which vectorises without a fixed order. */
static TW_INLINE void find_farthest(struct tw_point_lanes *l, int32_t lanes, int32_t distances)
{
    int32_t most = 0, bits[LANES];
    memcpy(bits, l->nearest[distances - 1], sizeof bits);
    for (int32_t i = 0; i < lanes; i++)
        most = bits[i] > most ? bits[i] : most;
    memcpy(&l->farthest, &most, sizeof most);
}

static TW_INLINE void offer_shaped(const struct tw_nearest_points *n,
                                   const struct tw_points_around *a,
                                   struct tw_point_lanes *restrict l, struct shape shape)
{
    for (int32_t k = 0; k < n->distances; k++)
        for (int32_t i = 0; i < shape.lanes; i++)
            l->nearest[k][i] = FAR;
    for (int32_t i = 0; i < shape.lanes; i++)
        l->first[i] = 0;
    for (int32_t k = 0; k < a->count; k++)
        offer_point(l, shape, n->distances, (struct point){a->x[k], a->y[k], a->index[k]});
    find_farthest(l, shape.lanes, n->distances);
}

static TW_INLINE void offer_lanes(const struct tw_nearest_points *n,
                                  const struct tw_points_around *a, struct tw_point_lanes *l,
                                  int32_t lanes)
{
    if (n->labelled)
        offer_shaped(n, a, l, (struct shape){lanes, 0, true});
    else if (n->distances == 1)
        offer_shaped(n, a, l, (struct shape){lanes, 1, false});
    else if (n->distances == 2)
        offer_shaped(n, a, l, (struct shape){lanes, 2, false});
    else
        offer_shaped(n, a, l, (struct shape){lanes, 0, false});
}

/* All lanes are a constant; a constant of one or two vectors would become branches lane by lane. */
static TW_INLINE void offer_body(const struct tw_nearest_points *n,
                                 const struct tw_points_around *a, struct tw_point_lanes *l)
{
    if (l->count > LANES - VECTOR)
        offer_lanes(n, a, l, LANES);
    else
        offer_lanes(n, a, l, (l->count + VECTOR - 1) / VECTOR * VECTOR);
}
TW_SIMD_KERNEL(offer,
               (const struct tw_nearest_points *n, const struct tw_points_around *a,
                struct tw_point_lanes *l),
               (n, a, l))

static TW_INLINE void add_body(const struct tw_nearest_points *n, struct point point,
                               struct tw_point_lanes *l)
{
    offer_point(l, (struct shape){LANES, 0, true}, n->distances, point);
}
TW_SIMD_KERNEL(add,
               (const struct tw_nearest_points *n, struct point point, struct tw_point_lanes *l),
               (n, point, l))

/* Square of a distance that no lane has less of to the point; rounded down by a little. */
static float least_distance(const struct tw_point_lanes *l, struct point point)
{
    float left = l->x[0] - point.x, right = point.x - l->x[l->count - 1];
    float dx = tw_max(tw_max(left, right), 0), dy = point.y - l->y;
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

/* The points of region (rx, ry), which may lie beyond the map. */
static void find_points(const struct tw_nearest_points *n, int32_t rx, int32_t ry,
                        struct point points[TW_NEAREST_POINTS_MAX])
{
    float shift_x = (float)wrap_region(&rx, n->regions);
    float shift_y = (float)wrap_region(&ry, n->regions);
    for (int32_t k = 0; k < n->per_region; k++) {
        int32_t index = (ry * n->regions + rx) * n->per_region + k;
        points[k] =
            (struct point){n->points[index].x + shift_x, n->points[index].y + shift_y, index};
    }
}

static void gather(const struct tw_nearest_points *n, int32_t rx, int32_t ry,
                   struct tw_points_around *around)
{
    struct point points[TW_NEAREST_POINTS_MAX];
    find_points(n, rx, ry, points);
    for (int32_t k = 0; k < n->per_region; k++) {
        around->x[around->count] = points[k].x;
        around->y[around->count] = points[k].y;
        around->index[around->count++] = points[k].index;
    }
}

void tw_points_around_find(const struct tw_nearest_points *n, int32_t rx, int32_t ry,
                           struct tw_points_around *around)
{
    around->rx = rx;
    around->ry = ry;
    around->count = 0;
    gather(n, rx, ry, around);
    for (int32_t j = -1; j <= 1; j++)
        for (int32_t i = -1; i <= 1; i++)
            if (i != 0 || j != 0)
                gather(n, rx + i, ry + j, around);
}

static void visit_region(const struct tw_nearest_points *n, int32_t rx, int32_t ry,
                         struct tw_point_lanes *l)
{
    struct point points[TW_NEAREST_POINTS_MAX];
    find_points(n, rx, ry, points);
    for (int32_t k = 0; k < n->per_region; k++)
        if (least_distance(l, points[k]) < l->farthest)
            add(n->simd)(n, points[k], l);
}

static void visit_ring(const struct tw_nearest_points *n, const struct tw_points_around *around,
                       int32_t ring, struct tw_point_lanes *l)
{
    for (int32_t j = -ring; j <= ring; j++) {
        bool edge = j == -ring || j == ring;
        for (int32_t i = -ring; i <= ring; i += edge ? 1 : 2 * ring)
            visit_region(n, around->rx + i, around->ry + j, l);
    }
    find_farthest(l, l->count, n->distances);
}

/* All that ring r + 1 holds is at least r regions away. */
void tw_nearest_points_find(const struct tw_nearest_points *n,
                            const struct tw_points_around *around, struct tw_point_lanes *lanes)
{
    offer(n->simd)(n, around, lanes);
    for (int32_t ring = 1; !n->near_only; ring++) {
        float reach = (float)ring / (float)n->regions;
        if (lanes->farthest <= reach * reach)
            return;
        visit_ring(n, around, ring + 1, lanes);
    }
}
