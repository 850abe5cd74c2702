/* SPDX-License-Identifier: MIT */
/* Sites near a side of the square are mirrored in it. A side is then the bisector of a site and its
 * image, so the diagram of all of them is, inside, the clipped diagram of the sites. Images of
 * sites that the sides do not see change nothing, so a margin is enough; it is widened until no
 * cell leaves the square, which the integers tell exactly. */
#include "island/kernels/voronoi_diagram.h"

#include <math.h>
#include <string.h>

enum { MARGIN_SPACINGS = 4, GRAIN = 512 };

/* Corners closer than 1e-9 of half the side are one: 1e-9 * 2^24, squared. */
static const double MERGE_SQUARE = 1e-18 * 0x1p48;

/* Sites and their images beyond the border. */
static int32_t points_of(int32_t cells)
{
    return cells + (cells < 1024 ? 4 * cells : cells / 4 + 4096);
}

bool tw_voronoi_lay_out(struct tw_scratch *s, struct tw_voronoi *v, int32_t cells)
{
    uint64_t n = (uint64_t)cells, points = (uint64_t)points_of(cells) + 4, triangles = 2 * points;
    *v = (struct tw_voronoi){.cells = cells};
    tw_delaunay_lay_out(s, &v->delaunay, points_of(cells), TW_VORONOI_SIDE);
    v->site = tw_scratch_take(s, points, sizeof *v->site);
    v->point = tw_scratch_take(s, n + 1, sizeof *v->point);
    v->centre = tw_scratch_take(s, triangles, sizeof *v->centre);
    v->marks = tw_scratch_take(s, triangles, sizeof *v->marks);
    v->group = tw_scratch_take(s, triangles, sizeof *v->group);
    v->owner = tw_scratch_take(s, triangles, sizeof *v->owner);
    v->number = tw_scratch_take(s, triangles, sizeof *v->number);
    v->first_side = tw_scratch_take(s, n + 1, sizeof *v->first_side);
    v->first_corner = tw_scratch_take(s, n + 1, sizeof *v->first_corner);
    v->first_edge = tw_scratch_take(s, n + 1, sizeof *v->first_edge);
    v->side_opposite = tw_scratch_take(s, 6 * n + 2, sizeof *v->side_opposite);
    return tw_scratch_is_laid(s);
}

static bool add_point(struct tw_voronoi *v, int32_t site, int32_t x, int32_t y)
{
    struct tw_delaunay *d = &v->delaunay;
    if (d->points == d->capacity)
        return false;
    v->site[d->points] = site;
    d->point[d->points][0] = x;
    d->point[d->points++][1] = y;
    return true;
}

/* The sites, each with its images beyond those sides that are within `margin` of it; false when
 * these are too many. */
static bool add_points(struct tw_voronoi *v, const int32_t (*sites)[2], int32_t margin)
{
    const int32_t side = TW_VORONOI_SIDE;
    bool ok = true;
    v->delaunay.points = 0;
    for (int32_t i = 0; ok && i < v->cells; i++) {
        int32_t x = sites[i][0], y = sites[i][1], image = -1 - i;
        v->point[i] = v->delaunay.points;
        ok = add_point(v, i, x, y) && (x > margin || add_point(v, image, -x, y)) &&
             (x < side - margin || add_point(v, image, 2 * side - x, y)) &&
             (y > margin || add_point(v, image, x, -y)) &&
             (y < side - margin || add_point(v, image, x, 2 * side - y));
    }
    for (int32_t k = 0; k < 4; k++) /* of the frame */
        v->site[v->delaunay.points + k] = -1;
    return ok;
}

/* The centre of a triangle's circle is `origin` plus (x, y) / scale. */
struct circle {
    const int32_t *origin;
    tw_wide x, y;
    int64_t scale;
};

/* From the first of the corners on, whichever way the triangle came about. */
static struct circle circle_of(const struct tw_delaunay *d, const int32_t *corner)
{
    int k = corner[1] < corner[0] ? 1 : 0;
    k = corner[2] < corner[k] ? 2 : k;
    const int32_t *o = d->point[corner[k]], *u = d->point[corner[(k + 1) % 3]],
                  *v = d->point[corner[(k + 2) % 3]];
    int64_t ux = u[0] - o[0], uy = u[1] - o[1], vx = v[0] - o[0], vy = v[1] - o[1];
    int64_t uu = ux * ux + uy * uy, vv = vx * vx + vy * vy;
    return (struct circle){o, (tw_wide)vy * uu - (tw_wide)uy * vv,
                           (tw_wide)ux * vv - (tw_wide)vx * uu, 2 * (ux * vy - uy * vx)};
}

static bool in_square(const struct circle *c)
{
    tw_wide side = (tw_wide)TW_VORONOI_SIDE * c->scale;
    tw_wide x = (tw_wide)c->origin[0] * c->scale + c->x;
    tw_wide y = (tw_wide)c->origin[1] * c->scale + c->y;
    return x >= 0 && x <= side && y >= 0 && y <= side;
}

enum { OUTSIDE = 8 }; /* mark of a triangle, besides bit k: its centre is also that over side k */

static void find_some_centres(void *context, int32_t begin, int32_t end)
{
    struct tw_voronoi *v = context;
    const struct tw_delaunay *d = &v->delaunay;
    for (int32_t t = begin; t < end; t++) {
        const int32_t *corner = d->triangle[t].corner;
        struct circle c = circle_of(d, corner);
        bool at_site =
            v->site[corner[0]] >= 0 || v->site[corner[1]] >= 0 || v->site[corner[2]] >= 0;
        v->marks[t] = at_site && !in_square(&c) ? OUTSIDE : 0;
        v->centre[t][0] = (double)c.origin[0] + (double)c.x / (double)c.scale;
        v->centre[t][1] = (double)c.origin[1] + (double)c.y / (double)c.scale;
    }
}

/* The centres of all circles; false when a corner of a site's cell is outside of the square. */
static bool find_centres(struct tw_task *task, struct tw_voronoi *v)
{
    tw_rows(task, v->delaunay.triangles, GRAIN, find_some_centres, v);
    return memchr(v->marks, OUTSIDE, (size_t)v->delaunay.triangles) == NULL;
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
        for (int k = 0; k < 3; k++) {
            int32_t u = v->delaunay.triangle[t].across[k];
            if (u > t && share_centre(v, t, u))
                v->marks[t] |= (uint8_t)(1 << k);
        }
    }
}

static void join(struct tw_voronoi *v, int32_t t, int32_t u)
{
    int32_t a = group_of(v, t), b = group_of(v, u);
    v->group[a > b ? a : b] = a > b ? b : a;
}

/* Triangles over a circle through four points and more have one centre: one corner. On the border
 * of the square that is the rule, as two sites and their images always lie on a circle. A group is
 * known by its first triangle. */
static void join_centres(struct tw_task *task, struct tw_voronoi *v)
{
    const struct tw_delaunay *d = &v->delaunay;
    tw_rows(task, d->triangles, GRAIN, compare_centres, v);
    for (int32_t t = 0; t < d->triangles; t++)
        for (int k = 0; v->marks[t] >> k; k++)
            if (v->marks[t] >> k & 1)
                join(v, t, d->triangle[t].across[k]);
    for (int32_t t = 0; t < d->triangles; t++)
        if (v->group[t] != t)
            v->group[t] = v->group[v->group[t]];
}

/* The triangle after this one around a point, and the point between them. */
static int32_t turn_around(const struct tw_delaunay *d, int32_t t, int32_t p, int32_t *between)
{
    const struct tw_triangle *at = &d->triangle[t];
    int k = tw_triangle_corner(at, p);
    *between = at->corner[(k + 2) % 3];
    return at->across[(k + 1) % 3];
}

/* Walks around a cell begin before the first of the points around it, whichever way its triangles
 * came about. */
static void find_some_beginnings(void *context, int32_t begin, int32_t end)
{
    struct tw_voronoi *v = context;
    struct tw_delaunay *d = &v->delaunay;
    for (int32_t cell = begin; cell < end; cell++) {
        int32_t p = v->point[cell], first = d->at[p], lowest = INT32_MAX, t = first, next, between;
        do {
            next = turn_around(d, t, p, &between);
            d->at[p] = between < lowest ? t : d->at[p];
            lowest = between < lowest ? between : lowest;
            t = next;
        } while (t != first);
    }
}

enum tw_status tw_voronoi_find(struct tw_task *task, struct tw_voronoi *v,
                               const int32_t (*sites)[2], int32_t *twin)
{
    double spacing = TW_VORONOI_SIDE / sqrt((double)v->cells), margin = MARGIN_SPACINGS * spacing;
    for (;; margin *= 2) {
        double most = margin < TW_VORONOI_SIDE ? margin : TW_VORONOI_SIDE;
        if (!add_points(v, sites, (int32_t)most))
            return tw_task_fail(task, "the points are too unevenly spread for a diagram");
        *twin = tw_delaunay_build(task, &v->delaunay);
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        if (*twin >= 0) {
            *twin = v->site[*twin] < 0 ? -1 - v->site[*twin] : v->site[*twin];
            return TW_OK;
        }
        if (find_centres(task, v))
            break;
    }
    join_centres(task, v);
    tw_rows(task, v->cells, GRAIN, find_some_beginnings, v);
    return TW_OK;
}

static double in_side(double x) { return x < 0 ? 0 : x > TW_VORONOI_SIDE ? TW_VORONOI_SIDE : x; }

void tw_voronoi_mean(const struct tw_voronoi *v, int32_t cell, double *mean)
{
    int32_t p = v->point[cell], t = v->delaunay.at[p], first = t, count = 0, between;
    double x = 0, y = 0;
    do {
        int32_t next = turn_around(&v->delaunay, t, p, &between);
        if (v->group[t] != v->group[next]) {
            x += in_side(v->centre[next][0]);
            y += in_side(v->centre[next][1]);
            count++;
        }
        t = next;
    } while (t != first);
    mean[0] = count > 0 ? x / count : in_side(v->centre[first][0]); /* all corners are one */
    mean[1] = count > 0 ? y / count : in_side(v->centre[first][1]);
}

/* What a cell has, and what is its own: of two cells and more the first has corners and edges. */
struct tally {
    int32_t sides, corners, edges;
};

/* The sides of a cell, one for each triangle side at the site whose two triangles differ in their
 * corner: the triangle where each begins, and the cell beyond. Only counts them without room. */
static struct tally walk_cell(const struct tw_voronoi *v, int32_t cell, int32_t *begins,
                              int32_t *opposite)
{
    int32_t p = v->point[cell], t = v->delaunay.at[p], first = t, from = t, between;
    struct tally tally = {0, 0, 0};
    do {
        int32_t next = turn_around(&v->delaunay, t, p, &between), beyond = v->site[between];
        if (v->group[t] != v->group[next]) {
            if (begins) {
                begins[tally.sides] = from;
                opposite[tally.sides] = beyond < 0 ? -1 : beyond;
            }
            tally.sides++;
            tally.corners += v->owner[v->group[from]] == cell;
            tally.edges += beyond < 0 || beyond > cell;
            from = next;
        }
        t = next;
    } while (t != first);
    return tally;
}

static void count_some(void *context, int32_t begin, int32_t end)
{
    struct tw_voronoi *v = context;
    for (int32_t cell = begin; cell < end; cell++) {
        struct tally tally = walk_cell(v, cell, NULL, NULL);
        v->first_side[cell + 1] = tally.sides;
        v->first_corner[cell + 1] = tally.corners;
        v->first_edge[cell + 1] = tally.edges;
    }
}

static void find_some_owners(void *context, int32_t begin, int32_t end)
{
    struct tw_voronoi *v = context;
    for (int32_t t = begin; t < end; t++) {
        int32_t first = INT32_MAX; /* between images */
        for (int k = 0; k < 3; k++) {
            int32_t site = v->site[v->delaunay.triangle[t].corner[k]];
            first = site >= 0 && site < first ? site : first;
        }
        v->owner[t] = first;
    }
}

static void find_owners(struct tw_task *task, struct tw_voronoi *v)
{
    tw_rows(task, v->delaunay.triangles, GRAIN, find_some_owners, v);
    for (int32_t t = 0; t < v->delaunay.triangles; t++)
        if (v->group[t] != t && v->owner[t] < v->owner[v->group[t]])
            v->owner[v->group[t]] = v->owner[t];
}

enum tw_status tw_voronoi_count(struct tw_task *task, struct tw_voronoi *v,
                                struct tw_polymap_header *head)
{
    int32_t n = v->cells;
    find_owners(task, v);
    tw_rows(task, n, GRAIN, count_some, v);
    v->first_side[0] = v->first_corner[0] = v->first_edge[0] = 0;
    for (int32_t cell = 0; cell < n; cell++) {
        if (v->first_side[cell + 1] < 3)
            return tw_task_fail(task, "cell %d is too small for a polygon", (int)cell);
        v->first_side[cell + 1] += v->first_side[cell];
        v->first_corner[cell + 1] += v->first_corner[cell];
        v->first_edge[cell + 1] += v->first_edge[cell];
    }
    *head = (struct tw_polymap_header){.cells = (uint32_t)n,
                                       .corners = (uint32_t)v->first_corner[n],
                                       .edges = (uint32_t)v->first_edge[n],
                                       .sides = (uint32_t)v->first_side[n]};
    return TW_OK;
}

struct connection {
    struct tw_voronoi *v;
    const struct tw_polymap *map;
};

/* Lists the sides of cells, each with the triangle where it begins, and numbers the corners that
 * they own. */
static void add_sides(void *context, int32_t begin, int32_t end)
{
    const struct connection *w = context;
    struct tw_voronoi *v = w->v;
    for (int32_t cell = begin; cell < end; cell++) {
        int32_t first = v->first_side[cell], corner = v->first_corner[cell];
        w->map->cell_start[cell + 1] = v->first_side[cell + 1];
        walk_cell(v, cell, w->map->side_corner + first, v->side_opposite + first);
        for (int32_t side = first; side < v->first_side[cell + 1]; side++) {
            int32_t t = w->map->side_corner[side];
            if (v->owner[v->group[t]] != cell)
                continue;
            v->number[v->group[t]] = corner;
            w->map->corner_at[corner++] =
                (struct tw_polymap_place){tw_voronoi_unit(in_side(v->centre[t][0])),
                                          tw_voronoi_unit(in_side(v->centre[t][1]))};
        }
    }
}

/* Corners instead of triangles, and the edges that the cells own. */
static void add_edges(void *context, int32_t first, int32_t last)
{
    const struct connection *w = context;
    const struct tw_voronoi *v = w->v;
    int32_t *corner = w->map->side_corner;
    for (int32_t cell = first; cell < last; cell++) {
        int32_t begin = v->first_side[cell], end = v->first_side[cell + 1];
        int32_t edge = v->first_edge[cell];
        for (int32_t side = begin; side < end; side++)
            corner[side] = v->number[v->group[corner[side]]];
        for (int32_t side = begin; side < end; side++) {
            int32_t other = v->side_opposite[side], next = side + 1 < end ? side + 1 : begin;
            if (other >= 0 && other < cell)
                continue;
            w->map->side_edge[side] = edge;
            w->map->edge[edge++] =
                (struct tw_polymap_edge){cell, other, corner[side], corner[next]};
        }
    }
}

/* The edge that an earlier cell gave to its side towards this one. */
static int32_t edge_between(const struct connection *w, int32_t earlier, int32_t cell)
{
    int32_t side = w->v->first_side[earlier];
    while (w->v->side_opposite[side] != cell)
        side++;
    return w->map->side_edge[side];
}

static void find_earlier_edges(void *context, int32_t begin, int32_t end)
{
    const struct connection *w = context;
    for (int32_t cell = begin; cell < end; cell++)
        for (int32_t side = w->v->first_side[cell]; side < w->v->first_side[cell + 1]; side++) {
            int32_t other = w->v->side_opposite[side];
            if (other >= 0 && other < cell)
                w->map->side_edge[side] = edge_between(w, other, cell);
        }
}

void tw_voronoi_connect(struct tw_task *task, struct tw_voronoi *v, const struct tw_polymap *map)
{
    struct connection connection = {v, map};
    tw_rows(task, v->cells, GRAIN, add_sides, &connection);
    tw_rows(task, v->cells, GRAIN, add_edges, &connection);
    tw_rows(task, v->cells, GRAIN, find_earlier_edges, &connection);
}
