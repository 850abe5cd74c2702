/* SPDX-License-Identifier: MIT */
/* Points are gathered, those of the 3 x 3 regions around once for all rows of a region, and offered
 * by a loop that keeps the nearest of two vectors of lanes in registers. */
#include "voronoi/kernels/nearest_points.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

#include <string.h>

enum { LANES = TW_NEAREST_POINTS_LANES, VECTOR = TW_NEAREST_POINTS_GROUP / 2 };
#define FAR 1e30f

struct point {
    float x, y;
    int32_t index;
};

static TW_INLINE float distance_of(const struct tw_points_around *a, int32_t k,
                                   const struct tw_point_lanes *l, int32_t i)
{
    float dx = a->x[k] - l->x[i], dy = a->y[k] - l->y[i];
    return dx * dx + dy * dy;
}

/* Points take the place of the nearest of two vectors of lanes: gcc turns a loop over one into
 * scalars. */
static TW_INLINE void offer_nearest(const struct tw_points_around *a,
                                    struct tw_point_lanes *restrict l, int32_t at)
{
    float near[2 * VECTOR];
    memcpy(near, l->nearest[0] + at, sizeof near);
    for (int32_t k = 0; k < a->count; k++)
        for (int32_t i = 0; i < 2 * VECTOR; i++) {
            float distance = distance_of(a, k, l, at + i);
            near[i] = distance < near[i] ? distance : near[i];
        }
    memcpy(l->nearest[0] + at, near, sizeof near);
}

/* Points take their places among the two nearest of a vector of lanes; at equal distance the
 * earlier stays. `labelled` is a constant. */
static TW_INLINE void offer_vector(const struct tw_points_around *a,
                                   struct tw_point_lanes *restrict l, int32_t at, bool labelled)
{
    float near[VECTOR], second[VECTOR];
    int32_t first[VECTOR];
    memcpy(near, l->nearest[0] + at, sizeof near);
    memcpy(second, l->nearest[1] + at, sizeof second);
    memcpy(first, l->first + at, sizeof first);
    for (int32_t k = 0; k < a->count; k++)
        for (int32_t i = 0; i < VECTOR; i++) {
            float distance = distance_of(a, k, l, at + i);
            float next = distance < near[i] ? near[i] : distance;
            if (labelled)
                first[i] = distance < near[i] ? a->index[k] : first[i];
            near[i] = distance < near[i] ? distance : near[i];
            second[i] = next < second[i] ? next : second[i];
        }
    memcpy(l->nearest[0] + at, near, sizeof near);
    memcpy(l->nearest[1] + at, second, sizeof second);
    if (labelled)
        memcpy(l->first + at, first, sizeof first);
}

/* Offers the points to the cells of a vector, keeping any number of distances. */
static TW_INLINE void offer_many(const struct tw_points_around *a, struct tw_point_lanes *l,
                                 int32_t at, int32_t distances)
{
    for (int32_t k = 0; k < a->count; k++) {
        float distance[VECTOR];
        for (int32_t i = 0; i < VECTOR; i++) {
            distance[i] = distance_of(a, k, l, at + i);
            l->first[at + i] = distance[i] < l->nearest[0][at + i] ? a->index[k] : l->first[at + i];
        }
        for (int32_t n = 0; n < distances; n++)
            for (int32_t i = 0; i < VECTOR; i++) {
                float known = l->nearest[n][at + i], offered = distance[i];
                l->nearest[n][at + i] = offered < known ? offered : known;
                distance[i] = offered < known ? known : offered;
            }
    }
}

/* Floats that are not negative are compared as integers, which vectorises without a fixed order. */
static TW_INLINE void find_farthest(struct tw_point_lanes *l, int32_t lanes, int32_t distances)
{
    int32_t most = 0, bits[LANES];
    memcpy(bits, l->nearest[distances - 1], (size_t)lanes * sizeof *bits);
    for (int32_t i = 0; i < lanes; i++)
        most = bits[i] > most ? bits[i] : most;
    memcpy(&l->farthest, &most, sizeof most);
}

static TW_INLINE void offer_body(const struct tw_nearest_points *n,
                                 const struct tw_points_around *a, struct tw_point_lanes *l)
{
    int32_t lanes = (l->count + VECTOR - 1) & ~(VECTOR - 1);
    bool only_nearest = n->distances == 1 && !n->labelled;
    for (int32_t at = 0; at < lanes && only_nearest; at += 2 * VECTOR)
        offer_nearest(a, l, at);
    for (int32_t at = 0; at < lanes && !only_nearest; at += VECTOR)
        if (n->distances > 2)
            offer_many(a, l, at, n->distances);
        else if (n->labelled)
            offer_vector(a, l, at, true);
        else
            offer_vector(a, l, at, false);
    find_farthest(l, lanes, n->distances);
}
TW_SIMD_KERNEL(offer,
               (const struct tw_nearest_points *n, const struct tw_points_around *a,
                struct tw_point_lanes *l),
               (n, a, l))

/* No point was offered yet. */
static void reset(const struct tw_nearest_points *n, struct tw_point_lanes *l)
{
    int32_t lanes = tw_point_lanes_padded(l);
    for (int32_t k = 0; k < (n->distances < 2 ? 2 : n->distances); k++)
        for (int32_t i = 0; i < lanes; i++)
            l->nearest[k][i] = FAR;
    memset(l->first, 0, (size_t)lanes * sizeof *l->first);
}

/* Square of a distance that no lane has less of to the point; rounded down by a little. */
static float least_distance(const struct tw_point_lanes *l, struct point point)
{
    float left = l->x[0] - point.x, right = point.x - l->x[l->count - 1];
    float above = l->y[0] - point.y, below = point.y - l->y[l->count - 1];
    float dx = tw_max(tw_max(left, right), 0), dy = tw_max(tw_max(above, below), 0);
    return (dx * dx + dy * dy) * 0.99999f;
}

/* A row or column of regions on the torus, and how many sides away from there it is. */
struct wrapped {
    int32_t at;
    float shift;
};

static struct wrapped wrap_region(int32_t at, int32_t regions)
{
    int32_t sides = 0;
    for (; at < 0; at += regions)
        sides--;
    for (; at >= regions; at -= regions)
        sides++;
    return (struct wrapped){at, (float)sides};
}

static struct point point_of(const struct tw_nearest_points *n, struct wrapped column,
                             struct wrapped row, int32_t k)
{
    int32_t index = (row.at * n->regions + column.at) * n->per_region + k;
    return (struct point){n->points[index].x + column.shift, n->points[index].y + row.shift, index};
}

static void append(struct tw_points_around *around, struct point point)
{
    around->x[around->count] = point.x;
    around->y[around->count] = point.y;
    around->index[around->count++] = point.index;
}

/* Puts the points of a region behind `count` others. */
static int32_t gather(const struct tw_nearest_points *n, struct wrapped column, struct wrapped row,
                      struct tw_points_around *around, int32_t count)
{
    for (int32_t k = 0; k < n->per_region; k++) {
        struct point point = point_of(n, column, row, k);
        around->x[count + k] = point.x;
        around->y[count + k] = point.y;
        around->index[count + k] = point.index;
    }
    return count + n->per_region;
}

void tw_points_around_find(const struct tw_nearest_points *n, int32_t rx, int32_t ry,
                           struct tw_points_around *around)
{
    struct wrapped columns[3], rows[3];
    for (int32_t i = 0; i < 3; i++) {
        columns[i] = wrap_region(rx + i - 1, n->regions);
        rows[i] = wrap_region(ry + i - 1, n->regions);
    }
    int32_t count = gather(n, columns[1], rows[1], around, 0);
    for (int32_t j = 0; j < 3; j++)
        for (int32_t i = 0; i < 3; i++)
            if (i != 1 || j != 1)
                count = gather(n, columns[i], rows[j], around, count);
    around->rx = rx;
    around->ry = ry;
    around->count = count;
}

/* Points of a region that may be nearer to some lane than what it has; offers those found so far
 * where no more fit. */
static void visit_region(const struct tw_nearest_points *n, struct wrapped column,
                         struct wrapped row, struct tw_points_around *found,
                         struct tw_point_lanes *l)
{
    if (found->count + n->per_region > TW_NEAREST_POINTS_AROUND) {
        offer(n->simd)(n, found, l);
        found->count = 0;
    }
    for (int32_t k = 0; k < n->per_region; k++) {
        struct point point = point_of(n, column, row, k);
        if (least_distance(l, point) < l->farthest)
            append(found, point);
    }
}

static void visit_ring(const struct tw_nearest_points *n, const struct tw_points_around *around,
                       int32_t ring, struct tw_point_lanes *l)
{
    struct tw_points_around found;
    found.count = 0;
    for (int32_t j = -ring; j <= ring; j++) {
        const struct wrapped row = wrap_region(around->ry + j, n->regions);
        const int32_t step = j == -ring || j == ring ? 1 : 2 * ring;
        for (int32_t i = -ring; i <= ring; i += step)
            visit_region(n, wrap_region(around->rx + i, n->regions), row, &found, l);
    }
    offer(n->simd)(n, &found, l);
}

/* All that ring r + 1 holds is at least r regions away. */
void tw_nearest_points_find(const struct tw_nearest_points *n,
                            const struct tw_points_around *around, struct tw_point_lanes *lanes)
{
    reset(n, lanes);
    offer(n->simd)(n, around, lanes);
    for (int32_t ring = 1; !n->near_only; ring++) {
        float reach = (float)ring / (float)n->regions;
        if (lanes->farthest <= reach * reach)
            return;
        visit_ring(n, around, ring + 1, lanes);
    }
}
