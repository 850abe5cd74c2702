/* SPDX-License-Identifier: MIT */
#include "island/kernels/delaunay.h"

#include <math.h>

enum { FIRST_ROUND = 64, ROUND_GROWTH = 4 };

struct tw_rim_side {
    int32_t from, to; /* points */
    int32_t outside;  /* the triangle beyond, or -1 */
};

enum tw_status tw_delaunay_reserve(struct tw_task *task, struct tw_delaunay *d, int32_t capacity,
                                   int32_t side)
{
    size_t points = (size_t)capacity + 4, triangles = 2 * points;
    *d = (struct tw_delaunay){.capacity = capacity, .side = side};
    d->point = tw_task_scratch(task, points, sizeof *d->point);
    d->order = tw_task_scratch(task, points, sizeof *d->order);
    d->bucket = tw_task_scratch(task, points, sizeof *d->bucket);
    d->starting = tw_task_scratch(task, points, sizeof *d->starting);
    d->triangle = tw_task_scratch(task, triangles, sizeof *d->triangle);
    d->mark = tw_task_scratch(task, triangles, sizeof *d->mark);
    d->stack = tw_task_scratch(task, triangles, sizeof *d->stack);
    d->rim = tw_task_scratch(task, triangles, sizeof *d->rim);
    if (!d->point || !d->order || !d->bucket || !d->starting || !d->triangle || !d->mark ||
        !d->stack || !d->rim)
        return tw_task_no_memory(task);
    return TW_OK;
}

/* Twice the area of (a, b, c), positive when they turn as x to y. Below 2^59. */
static int64_t turn(const struct tw_delaunay *d, int32_t a, int32_t b, int32_t c)
{
    const int32_t *o = d->point[a], *u = d->point[b], *v = d->point[c];
    int64_t ux = u[0] - o[0], uy = u[1] - o[1], vx = v[0] - o[0], vy = v[1] - o[1];
    return ux * vy - uy * vx;
}

/* Positive when p is inside of the circle through a triangle, 0 when on it. The determinant of the
 * lifted points, with p as the origin: coordinates below 2^28, minors and squared lengths below
 * 2^58. */
static tw_wide in_circle(const struct tw_delaunay *d, const struct tw_triangle *t, int32_t p)
{
    int64_t x[3], y[3], lift[3];
    for (int k = 0; k < 3; k++) {
        x[k] = d->point[t->corner[k]][0] - d->point[p][0];
        y[k] = d->point[t->corner[k]][1] - d->point[p][1];
        lift[k] = x[k] * x[k] + y[k] * y[k];
    }
    return (tw_wide)lift[0] * (x[1] * y[2] - x[2] * y[1]) +
           (tw_wide)lift[1] * (x[2] * y[0] - x[0] * y[2]) +
           (tw_wide)lift[2] * (x[0] * y[1] - x[1] * y[0]);
}

/* Two triangles over a square so wide that its corners disturb no circle inside 0..side. */
static void start_with_frame(struct tw_delaunay *d)
{
    int32_t low = -3 * d->side, high = 4 * d->side, n = d->points;
    const int32_t corners[4][2] = {{low, low}, {high, low}, {high, high}, {low, high}};
    for (int k = 0; k < 4; k++) {
        d->point[n + k][0] = corners[k][0];
        d->point[n + k][1] = corners[k][1];
    }
    d->triangle[0] = (struct tw_triangle){{n, n + 1, n + 2}, {-1, 1, -1}};
    d->triangle[1] = (struct tw_triangle){{n, n + 2, n + 3}, {-1, -1, 0}};
    d->mark[0] = d->mark[1] = -1;
    d->triangles = 2;
}

static int32_t bucket_of(const struct tw_delaunay *d, int32_t p, int32_t buckets)
{
    int32_t place[2];
    for (int axis = 0; axis < 2; axis++) {
        int64_t at = d->point[p][axis];
        at = at < 0 ? 0 : at >= d->side ? d->side - 1 : at;
        place[axis] = (int32_t)(at * buckets / d->side);
    }
    int32_t column = place[1] % 2 ? buckets - 1 - place[0] : place[0];
    return place[1] * buckets + column;
}

/* Points begin..end-1 row by row of a grid, to and fro, so that the next one is near. */
static void order_round(struct tw_delaunay *d, int32_t begin, int32_t end)
{
    int32_t buckets = (int32_t)sqrt((end - begin) / 2.0) + 1;
    while (buckets > 1 && buckets * buckets >= d->capacity)
        buckets--;
    for (int32_t b = 0; b <= buckets * buckets; b++)
        d->bucket[b] = 0;
    for (int32_t p = begin; p < end; p++)
        d->bucket[bucket_of(d, p, buckets) + 1]++;
    for (int32_t b = 0; b < buckets * buckets; b++)
        d->bucket[b + 1] += d->bucket[b];
    for (int32_t p = begin; p < end; p++)
        d->order[begin + d->bucket[bucket_of(d, p, buckets)]++] = p;
}

/* Walks towards p; in a Delaunay triangulation this never runs in circles. */
static int32_t locate(const struct tw_delaunay *d, int32_t t, int32_t p)
{
    for (;;) {
        const struct tw_triangle *at = &d->triangle[t];
        int k = 0;
        while (k < 3 && turn(d, at->corner[(k + 1) % 3], at->corner[(k + 2) % 3], p) >= 0)
            k++;
        if (k == 3)
            return t;
        t = at->across[k];
    }
}

static bool coincides(const struct tw_delaunay *d, int32_t t, int32_t p)
{
    bool same = false;
    for (int k = 0; k < 3; k++) {
        const int32_t *q = d->point[d->triangle[t].corner[k]];
        same = same || (q[0] == d->point[p][0] && q[1] == d->point[p][1]);
    }
    return same;
}

/* Marks the triangles whose circles hold p, a connected patch around t, and lists the patch's rim.
 * Returns the number of triangles, which stay in `stack`. */
static int32_t dig(struct tw_delaunay *d, int32_t t, int32_t p, int32_t *rim_sides)
{
    int32_t count = 1;
    *rim_sides = 0;
    d->stack[0] = t;
    d->mark[t] = p;
    for (int32_t i = 0; i < count; i++) {
        const struct tw_triangle *at = &d->triangle[d->stack[i]];
        for (int k = 0; k < 3; k++) {
            int32_t next = at->across[k];
            if (next >= 0 && d->mark[next] == p)
                continue;
            if (next >= 0 && in_circle(d, &d->triangle[next], p) > 0) {
                d->mark[next] = p;
                d->stack[count++] = next;
                continue;
            }
            d->rim[(*rim_sides)++] =
                (struct tw_rim_side){at->corner[(k + 1) % 3], at->corner[(k + 2) % 3], next};
        }
    }
    return count;
}

static void tell_outside(struct tw_delaunay *d, const struct tw_rim_side *side, int32_t t)
{
    if (side->outside < 0)
        return;
    struct tw_triangle *beyond = &d->triangle[side->outside];
    for (int k = 0; k < 3; k++)
        if (beyond->corner[(k + 1) % 3] == side->to && beyond->corner[(k + 2) % 3] == side->from)
            beyond->across[k] = t;
}

/* Fills the hole with a fan around p. Returns one of its triangles. */
static int32_t fill(struct tw_delaunay *d, int32_t p, int32_t dug, int32_t rim_sides)
{
    int32_t t = 0;
    for (int32_t i = 0; i < rim_sides; i++) {
        const struct tw_rim_side *side = &d->rim[i];
        t = i < dug ? d->stack[i] : d->triangles++;
        d->triangle[t] = (struct tw_triangle){{p, side->from, side->to}, {side->outside, -1, -1}};
        d->mark[t] = -1;
        d->starting[side->from] = t;
        tell_outside(d, side, t);
    }
    for (int32_t i = 0; i < rim_sides; i++) {
        int32_t left = d->starting[d->rim[i].from], right = d->starting[d->rim[i].to];
        d->triangle[left].across[1] = right;
        d->triangle[right].across[2] = left;
    }
    return t;
}

/* Rounds that grow, each in grid order (Amenta, Choi, Rote 2003): short searches, small holes. */
int32_t tw_delaunay_build(struct tw_delaunay *d)
{
    int32_t last = 0;
    start_with_frame(d);
    for (int64_t begin = 0, end = FIRST_ROUND; begin < d->points;
         begin = end, end *= ROUND_GROWTH) {
        end = end < d->points ? end : d->points;
        order_round(d, (int32_t)begin, (int32_t)end);
        for (int32_t i = (int32_t)begin; i < end; i++) {
            int32_t p = d->order[i], rim_sides;
            last = locate(d, last, p);
            if (coincides(d, last, p))
                return p;
            int32_t dug = dig(d, last, p, &rim_sides);
            last = fill(d, p, dug, rim_sides);
        }
    }
    return -1;
}

void tw_delaunay_forecast(struct tw_forecast *f, int32_t capacity)
{
    struct tw_delaunay d;
    uint64_t points = (uint64_t)capacity + 4;
    tw_forecast_scratch(f, points,
                        sizeof *d.point + sizeof *d.order + sizeof *d.bucket + sizeof *d.starting);
    tw_forecast_scratch(f, 2 * points,
                        sizeof *d.triangle + sizeof *d.mark + sizeof *d.stack + sizeof *d.rim);
}
