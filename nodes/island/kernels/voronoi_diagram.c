/* SPDX-License-Identifier: MIT */
/* Sites near a side of the square are mirrored in it. A side is then the bisector of a site and its
 * image, so the diagram of all of them is, inside, the clipped diagram of the sites. Images of
 * sites that the sides do not see change nothing, so a margin is enough; it is widened until no
 * cell leaves the square, which the integers tell exactly. */
#include "island/kernels/voronoi_diagram.h"

#include <math.h>

enum { MARGIN_SPACINGS = 4, GRAIN = 512 };

/* Corners closer than 1e-9 of half the side are one: 1e-9 * 2^24, squared. */
static const double MERGE_SQUARE = 1e-18 * 0x1p48;

/* Sites and their images beyond the border. */
static int32_t points_of(int32_t cells)
{
    return cells + (cells < 1024 ? 4 * cells : cells / 4 + 4096);
}

enum tw_status tw_voronoi_reserve(struct tw_task *task, struct tw_voronoi *v, int32_t cells)
{
    size_t n = (size_t)cells;
    *v = (struct tw_voronoi){.cells = cells};
    enum tw_status status =
        tw_delaunay_reserve(task, &v->delaunay, points_of(cells), TW_VORONOI_SIDE);
    size_t triangles = 2 * ((size_t)v->delaunay.capacity + 4);
    v->start = tw_task_scratch(task, n + 1, sizeof *v->start);
    v->side_corner = tw_task_scratch(task, 6 * n + 2, sizeof *v->side_corner);
    v->side_edge = tw_task_scratch(task, 6 * n + 2, sizeof *v->side_edge);
    v->side_opposite = tw_task_scratch(task, 6 * n + 2, sizeof *v->side_opposite);
    v->edge = tw_task_scratch(task, 3 * n + 1, sizeof *v->edge);
    v->corner = tw_task_scratch(task, 2 * n + 2, sizeof *v->corner);
    v->centre = tw_task_scratch(task, triangles, sizeof *v->centre);
    v->group = tw_task_scratch(task, triangles, sizeof *v->group);
    v->number = tw_task_scratch(task, triangles, sizeof *v->number);
    v->marks = tw_task_scratch(task, triangles, sizeof *v->marks);
    v->first = tw_task_scratch(task, n, sizeof *v->first);
    if (status != TW_OK)
        return status;
    bool all = v->start && v->side_corner && v->side_edge && v->side_opposite && v->edge &&
               v->corner && v->centre && v->group && v->number && v->marks && v->first;
    return all ? TW_OK : tw_task_no_memory(task);
}

static bool add_point(struct tw_voronoi *v, int32_t site, int32_t x, int32_t y)
{
    struct tw_delaunay *d = &v->delaunay;
    if (d->points == d->capacity)
        return false;
    v->number[d->points] = site;
    d->point[d->points][0] = x;
    d->point[d->points++][1] = y;
    return true;
}

/* The sites and the images of those within `margin` of a side; false when they are too many. */
static bool add_points(struct tw_voronoi *v, const int32_t (*sites)[2], int32_t margin)
{
    const int32_t side = TW_VORONOI_SIDE;
    bool ok = true;
    v->delaunay.points = 0;
    for (int32_t i = 0; i < v->cells; i++)
        ok = ok && add_point(v, i, sites[i][0], sites[i][1]);
    for (int32_t i = 0; i < v->cells; i++) {
        int32_t x = sites[i][0], y = sites[i][1];
        ok = ok && (x > margin || add_point(v, i, -x, y));
        ok = ok && (x < side - margin || add_point(v, i, 2 * side - x, y));
        ok = ok && (y > margin || add_point(v, i, x, -y));
        ok = ok && (y < side - margin || add_point(v, i, x, 2 * side - y));
    }
    return ok;
}

/* The centre of a triangle's circle is corner 0 plus (x, y) / scale. */
struct circle {
    tw_wide x, y;
    int64_t scale;
};

static struct circle circle_of(const struct tw_delaunay *d, const struct tw_triangle *t)
{
    const int32_t *o = d->point[t->corner[0]], *u = d->point[t->corner[1]],
                  *v = d->point[t->corner[2]];
    int64_t ux = u[0] - o[0], uy = u[1] - o[1], vx = v[0] - o[0], vy = v[1] - o[1];
    int64_t uu = ux * ux + uy * uy, vv = vx * vx + vy * vy;
    return (struct circle){(tw_wide)vy * uu - (tw_wide)uy * vv, (tw_wide)ux * vv - (tw_wide)vx * uu,
                           2 * (ux * vy - uy * vx)};
}

static bool in_square(const struct circle *c, const int32_t *origin)
{
    tw_wide side = (tw_wide)TW_VORONOI_SIDE * c->scale;
    tw_wide x = (tw_wide)origin[0] * c->scale + c->x, y = (tw_wide)origin[1] * c->scale + c->y;
    return x >= 0 && x <= side && y >= 0 && y <= side;
}

enum { OUTSIDE = 8 }; /* mark of a triangle, besides bit k: its centre is also that over side k */

static void find_some_centres(void *context, int32_t begin, int32_t end)
{
    struct tw_voronoi *v = context;
    const struct tw_delaunay *d = &v->delaunay;
    for (int32_t t = begin; t < end; t++) {
        const int32_t *corner = d->triangle[t].corner, *origin = d->point[corner[0]];
        struct circle c = circle_of(d, &d->triangle[t]);
        bool at_site = corner[0] < v->cells || corner[1] < v->cells || corner[2] < v->cells;
        v->marks[t] = at_site && !in_square(&c, origin) ? OUTSIDE : 0;
        v->centre[t][0] = (double)origin[0] + (double)c.x / (double)c.scale;
        v->centre[t][1] = (double)origin[1] + (double)c.y / (double)c.scale;
    }
}

/* The centres of all circles; false when a corner of a site's cell is outside of the square. */
static bool find_centres(struct tw_task *task, struct tw_voronoi *v)
{
    const struct tw_delaunay *d = &v->delaunay;
    tw_rows(task, d->triangles, GRAIN, find_some_centres, v);
    for (int32_t t = 0; t < d->triangles; t++) {
        if (v->marks[t])
            return false;
        for (int k = 0; k < 3; k++)
            if (d->triangle[t].corner[k] < v->cells)
                v->first[d->triangle[t].corner[k]] = t;
    }
    return true;
}

static int32_t group_of(struct tw_voronoi *v, int32_t t)
{
    while (v->group[t] != t)
        t = v->group[t] = v->group[v->group[t]];
    return t;
}

/* Centres of one circle differ by their rounding alone: by less than 2^-20 within the square, where
 * all centres are that a cell has. */
static bool share_centre(const struct tw_voronoi *v, int32_t t, int32_t u)
{
    double dx = v->centre[t][0] - v->centre[u][0], dy = v->centre[t][1] - v->centre[u][1];
    return dx * dx + dy * dy < MERGE_SQUARE;
}

static void compare_centres(void *context, int32_t begin, int32_t end)
{
    struct tw_voronoi *v = context;
    for (int32_t t = begin; t < end; t++) {
        v->group[t] = t;
        v->number[t] = -1;
        for (int k = 0; k < 3; k++) {
            int32_t u = v->delaunay.triangle[t].across[k];
            if (u > t && share_centre(v, t, u))
                v->marks[t] |= (uint8_t)(1 << k);
        }
    }
}

/* Triangles over a circle through four points and more have one centre: one corner. On the border
 * of the square that is the rule, as two sites and their images always lie on a circle. A group is
 * known by its first triangle. */
static void join_centres(struct tw_task *task, struct tw_voronoi *v)
{
    const struct tw_delaunay *d = &v->delaunay;
    tw_rows(task, d->triangles, GRAIN, compare_centres, v);
    for (int32_t t = 0; t < d->triangles; t++)
        for (int k = 0; v->marks[t] >> k; k++) {
            if (!(v->marks[t] >> k & 1))
                continue;
            int32_t a = group_of(v, t), b = group_of(v, d->triangle[t].across[k]);
            v->group[a > b ? a : b] = a > b ? b : a;
        }
    for (int32_t t = 0; t < d->triangles; t++)
        v->group[t] = v->group[v->group[t]];
}

/* The sides of a cell, one for each triangle side at the site whose two triangles differ in their
 * corner: the triangle where each begins, and the cell beyond. Returns how many; only counts them
 * without room. */
static int32_t walk_cell(const struct tw_voronoi *v, int32_t cell, int32_t *begins, int32_t *beyond)
{
    const struct tw_delaunay *d = &v->delaunay;
    int32_t t = v->first[cell], from = t, sides = 0;
    do {
        const struct tw_triangle *at = &d->triangle[t];
        int k = 0;
        while (at->corner[k] != cell)
            k++;
        int32_t next = at->across[(k + 1) % 3], other = at->corner[(k + 2) % 3];
        if (v->group[t] != v->group[next]) {
            if (begins) {
                begins[sides] = from;
                beyond[sides] = other < v->cells ? other : -1;
            }
            sides++;
            from = next;
        }
        t = next;
    } while (t != v->first[cell]);
    return sides;
}

/* Both go through cells as their points were added: neighbours soon after each other. */
static void count_sides(void *context, int32_t begin, int32_t end)
{
    struct tw_voronoi *v = context;
    for (int32_t i = begin; i < end; i++) {
        int32_t cell = v->delaunay.order[i];
        if (cell < v->cells)
            v->start[cell + 1] = walk_cell(v, cell, NULL, NULL);
    }
}

static void add_sides(void *context, int32_t begin, int32_t end)
{
    struct tw_voronoi *v = context;
    for (int32_t i = begin; i < end; i++) {
        int32_t cell = v->delaunay.order[i];
        if (cell < v->cells)
            walk_cell(v, cell, v->side_corner + v->start[cell], v->side_opposite + v->start[cell]);
    }
}

static double in_side(double x) { return x < 0 ? 0 : x > TW_VORONOI_SIDE ? TW_VORONOI_SIDE : x; }

/* Corners are numbered as sides begin at them. */
static void number_corners(struct tw_voronoi *v)
{
    v->corners = 0;
    for (int32_t side = 0; side < v->sides; side++) {
        int32_t t = v->side_corner[side], *number = &v->number[v->group[t]];
        if (*number < 0) {
            *number = v->corners;
            v->corner[v->corners][0] = in_side(v->centre[t][0]);
            v->corner[v->corners++][1] = in_side(v->centre[t][1]);
        }
        v->side_corner[side] = *number;
    }
}

/* The edge that an earlier cell gave to its side towards this one. */
static int32_t edge_between(const struct tw_voronoi *v, int32_t earlier, int32_t cell)
{
    int32_t side = v->start[earlier];
    while (v->side_opposite[side] != cell)
        side++;
    return v->side_edge[side];
}

/* The edges of sides whose other cell is not an earlier one. */
static void add_edges(struct tw_voronoi *v, int32_t cell)
{
    int32_t begin = v->start[cell], end = v->start[cell + 1];
    for (int32_t side = begin; side < end; side++) {
        int32_t other = v->side_opposite[side], next = side + 1 < end ? side + 1 : begin;
        if (other >= 0 && other < cell)
            continue;
        v->side_edge[side] = v->edges;
        v->edge[v->edges++] =
            (struct tw_voronoi_edge){cell, other, v->side_corner[side], v->side_corner[next]};
    }
}

static void find_earlier_edges(void *context, int32_t begin, int32_t end)
{
    struct tw_voronoi *v = context;
    for (int32_t cell = begin; cell < end; cell++)
        for (int32_t side = v->start[cell]; side < v->start[cell + 1]; side++) {
            int32_t other = v->side_opposite[side];
            if (other >= 0 && other < cell)
                v->side_edge[side] = edge_between(v, other, cell);
        }
}

/* From triangles and their centres to the graph. What has numbers is numbered in the order of
 * cells, and all else is found on all threads. */
static enum tw_status connect(struct tw_task *task, struct tw_voronoi *v)
{
    join_centres(task, v);
    v->start[0] = v->edges = 0;
    tw_rows(task, v->delaunay.points, GRAIN, count_sides, v);
    for (int32_t cell = 0; cell < v->cells; cell++) {
        if (v->start[cell + 1] < 3)
            return tw_task_fail(task, "cell %d is too small for a polygon", (int)cell);
        v->start[cell + 1] += v->start[cell];
    }
    v->sides = v->start[v->cells];
    tw_rows(task, v->delaunay.points, GRAIN, add_sides, v);
    number_corners(v);
    for (int32_t cell = 0; cell < v->cells; cell++)
        add_edges(v, cell);
    tw_rows(task, v->cells, GRAIN, find_earlier_edges, v);
    return TW_OK;
}

enum tw_status tw_voronoi_build(struct tw_task *task, struct tw_voronoi *v,
                                const int32_t (*sites)[2], int32_t *twin)
{
    double spacing = TW_VORONOI_SIDE / sqrt((double)v->cells), margin = MARGIN_SPACINGS * spacing;
    for (;; margin *= 2) {
        double most = margin < TW_VORONOI_SIDE ? margin : TW_VORONOI_SIDE;
        if (!add_points(v, sites, (int32_t)most))
            return tw_task_fail(task, "the points are too unevenly spread for a diagram");
        *twin = tw_delaunay_build(&v->delaunay);
        if (*twin >= 0) {
            *twin = v->number[*twin];
            return TW_OK;
        }
        if (find_centres(task, v))
            return connect(task, v);
    }
}

void tw_voronoi_forecast(struct tw_forecast *f, int32_t cells)
{
    struct tw_voronoi v;
    uint64_t n = (uint64_t)cells, triangles = 2 * ((uint64_t)points_of(cells) + 4);
    tw_delaunay_forecast(f, points_of(cells));
    tw_forecast_scratch(f, n + 1, sizeof *v.start + sizeof *v.first);
    tw_forecast_scratch(f, 6 * n + 2,
                        sizeof *v.side_corner + sizeof *v.side_edge + sizeof *v.side_opposite);
    tw_forecast_scratch(f, 3 * n + 1, sizeof *v.edge);
    tw_forecast_scratch(f, 2 * n + 2, sizeof *v.corner);
    tw_forecast_scratch(f, triangles,
                        sizeof *v.centre + sizeof *v.group + sizeof *v.number + sizeof *v.marks);
}
