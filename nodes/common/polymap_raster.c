/* SPDX-License-Identifier: MIT */
#include "common/polymap_raster.h"

/* 2^14 steps a cell and 2^16 cells a side: edge functions stay below 2^62. */
enum { STEPS = 1 << 14, RANGES = 16, NARROW = 4 };
enum { STRIPS = 64, NO_STRIP = STRIPS, UNSORTED = STRIPS + 1, EDGES_A_RANGE = 1024 };

/* The strips of rows in which an edge's triangles begin and end. */
struct reach {
    uint8_t first, last;
};

/* Edges by the strip of rows in which their triangles begin, so that a range of rows is not filled
 * by looking at all of them. */
struct strips {
    int32_t rows;              /* of a strip */
    int32_t first[STRIPS + 2]; /* of `edges`, those of a strip; then those without a row */
    int32_t last[STRIPS];      /* the last strip that triangles of a strip reach */
    int32_t *edges;
    struct reach *reach; /* of each edge; of the first UNSORTED when there was no need */
};

struct filling {
    const struct tw_polymap_raster *cover;
    struct strips *strips;
    bool sorted; /* else one thread fills all rows in one go */
};

static void snap(struct tw_polymap_place at, int32_t width, int32_t height, int32_t *place)
{
    place[0] = (int32_t)(((double)at.x + 1) * 0.5 * width * STEPS + 0.5);
    place[1] = (int32_t)(((double)at.y + 1) * 0.5 * height * STEPS + 0.5);
}

/* Corners of triangle t, turning from x to y as the sides of its polygon do. */
static void corners_of(const struct tw_polymap_raster *cover, int32_t t, int32_t *polygon,
                       int32_t *from, int32_t *to)
{
    const struct tw_polymap_edge *edge = &cover->map->edge[t / 2];
    bool second = t % 2;
    *polygon = second ? edge->d1 : edge->d0;
    *from = second ? edge->v1 : edge->v0;
    *to = second ? edge->v0 : edge->v1;
}

/* Twice the area of (a, b, (x, y)). */
static int64_t turn(const int32_t *a, const int32_t *b, int64_t x, int64_t y)
{
    return (int64_t)(b[0] - a[0]) * (y - a[1]) - (int64_t)(b[1] - a[1]) * (x - a[0]);
}

/* Of column x, or row x. */
static int64_t centre_of(int32_t x) { return (int64_t)x * STEPS + STEPS / 2; }

/* Narrows begin..end-1 to cells whose centres lie between two places, on one axis. */
static void cells_within(int32_t low, int32_t high, int32_t *begin, int32_t *end)
{
    int32_t first = (low + STEPS / 2 - 1) / STEPS, last = (high + STEPS / 2) / STEPS;
    *begin = first > *begin ? first : *begin;
    *end = last < *end ? last : *end;
}

/* The same with the corners of a triangle. */
static void cells_between(int32_t a, int32_t b, int32_t c, int32_t *begin, int32_t *end)
{
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    cells_within(c < low ? c : low, c > high ? c : high, begin, end);
}

/* The sides of a triangle, as turn() of its two corners: at a cell's centre, and what that changes
 * by from cell to cell. */
struct sides {
    int64_t at[3], across[3], down[3];
};

static void find_sides(const int32_t *const corner[3], int32_t x, int32_t y, struct sides *s)
{
    for (int i = 0; i < 3; i++) {
        const int32_t *a = corner[i], *b = corner[(i + 1) % 3];
        s->at[i] = turn(a, b, centre_of(x), centre_of(y));
        s->across[i] = (int64_t)(a[1] - b[1]) * STEPS;
        s->down[i] = (int64_t)(b[0] - a[0]) * STEPS;
    }
}

/* The cells of begin..end-1 whose centres all three sides have on their inner side, or on them.
 * They are consecutive. */
static void find_span(const struct sides *s, int32_t *begin, int32_t *end)
{
    int64_t a = s->at[0], b = s->at[1], c = s->at[2];
    const int64_t da = s->across[0], db = s->across[1], dc = s->across[2];
    int32_t x = *begin, last = *end;
    for (; x < last && (a | b | c) < 0; x++, a += da, b += db, c += dc)
        ;
    *begin = x;
    for (; x < last && (a | b | c) >= 0; x++, a += da, b += db, c += dc)
        ;
    *end = x;
}

/* The same of a few cells, without a branch that would be guessed wrong. */
static void fill_narrow(const struct sides *s, int32_t t, int32_t *cells, int32_t count)
{
    int64_t a = s->at[0], b = s->at[1], c = s->at[2];
    for (int32_t x = 0; x < count; x++) {
        bool takes = ((a | b | c) >= 0) & ((uint32_t)t < (uint32_t)cells[x]);
        int32_t mask = -(int32_t)takes;
        cells[x] = (t & mask) | (cells[x] & ~mask);
        a += s->across[0];
        b += s->across[1];
        c += s->across[2];
    }
}

/* Any order of triangles gives the same cells: the lowest wins, and -1, as a number without sign,
 * is above all. */
static void fill_triangle(const struct tw_polymap_raster *cover, int32_t t, int32_t row_begin,
                          int32_t row_end)
{
    int32_t polygon, from, to, left = 0, right = cover->width;
    corners_of(cover, t, &polygon, &from, &to);
    const int32_t *a = cover->centre[polygon], *b = cover->corner[from], *c = cover->corner[to];
    cells_between(a[1], b[1], c[1], &row_begin, &row_end);
    cells_between(a[0], b[0], c[0], &left, &right);
    if (row_begin >= row_end || left >= right || turn(a, b, c[0], c[1]) <= 0)
        return;
    struct sides sides;
    find_sides((const int32_t *const[3]){a, b, c}, left, row_begin, &sides);
    for (int32_t y = row_begin; y < row_end; y++) {
        int32_t *row = cover->triangle + (size_t)y * (size_t)cover->width;
        int32_t begin = left, end = right;
        if (end - begin <= NARROW) {
            fill_narrow(&sides, t, row + begin, end - begin);
        } else {
            find_span(&sides, &begin, &end);
            for (int32_t x = begin; x < end; x++)
                row[x] = (uint32_t)t < (uint32_t)row[x] ? t : row[x];
        }
        for (int i = 0; i < 3; i++)
            sides.at[i] += sides.down[i];
    }
}

static void fill_edge(const struct tw_polymap_raster *cover, int32_t e, int32_t begin, int32_t end)
{
    fill_triangle(cover, 2 * e, begin, end);
    if (cover->map->edge[e].d1 >= 0)
        fill_triangle(cover, 2 * e + 1, begin, end);
}

static void fill_rows(void *context, int32_t begin, int32_t end)
{
    const struct filling *f = context;
    const struct strips *strips = f->strips;
    size_t width = (size_t)f->cover->width;
    for (size_t i = (size_t)begin * width; i < (size_t)end * width; i++)
        f->cover->triangle[i] = -1;
    if (!f->sorted) {
        for (int32_t e = 0; e < f->cover->map->edges; e++)
            fill_edge(f->cover, e, begin, end);
        return;
    }
    for (int32_t s = 0; s < STRIPS && s * strips->rows < end; s++)
        for (int32_t i = strips->first[s];
             i < strips->first[s + 1] && (strips->last[s] + 1) * strips->rows > begin; i++)
            fill_edge(f->cover, strips->edges[i], begin, end);
}

static struct reach reach_of(const struct tw_polymap_raster *cover, int32_t e, int32_t rows)
{
    const struct tw_polymap_edge *edge = &cover->map->edge[e];
    int32_t low = INT32_MAX, high = INT32_MIN, begin = 0, end = cover->height;
    const int32_t at[] = {cover->corner[edge->v0][1], cover->corner[edge->v1][1],
                          cover->centre[edge->d0][1],
                          cover->centre[edge->d1 < 0 ? edge->d0 : edge->d1][1]};
    for (int i = 0; i < 4; i++) {
        low = at[i] < low ? at[i] : low;
        high = at[i] > high ? at[i] : high;
    }
    cells_within(low, high, &begin, &end);
    if (begin >= end)
        return (struct reach){NO_STRIP, NO_STRIP};
    return (struct reach){(uint8_t)(begin / rows), (uint8_t)((end - 1) / rows)};
}

/* All edges at once: there is one thread, which fills all rows at once too and needs no order. */
static void find_reach(void *context, int32_t begin, int32_t end)
{
    const struct filling *f = context;
    if (begin == 0 && end == f->cover->map->edges)
        f->strips->reach[0] = (struct reach){UNSORTED, UNSORTED};
    else
        for (int32_t e = begin; e < end; e++)
            f->strips->reach[e] = reach_of(f->cover, e, f->strips->rows);
}

static void sort_edges(struct tw_task *task, struct filling *f)
{
    const int32_t edges = f->cover->map->edges;
    struct strips *strips = f->strips;
    int32_t count[STRIPS + 1] = {0};
    strips->rows = f->cover->height / STRIPS + 1;
    tw_rows(task, edges, EDGES_A_RANGE, find_reach, f);
    f->sorted = edges > 0 && strips->reach[0].first != UNSORTED;
    if (!f->sorted)
        return;
    for (int32_t e = 0; e < edges; e++) {
        struct reach reach = strips->reach[e];
        count[reach.first]++;
        if (reach.first < NO_STRIP && reach.last > strips->last[reach.first])
            strips->last[reach.first] = reach.last;
    }
    for (int32_t s = 0; s <= STRIPS; s++) {
        strips->first[s + 1] = strips->first[s] + count[s];
        count[s] = strips->first[s];
    }
    for (int32_t e = 0; e < edges; e++)
        strips->edges[count[strips->reach[e].first]++] = e;
}

enum tw_status tw_polymap_raster(struct tw_task *task, const struct tw_polymap *map,
                                 struct tw_polymap_raster *cover)
{
    int32_t width = tw_task_width(task), height = tw_task_height(task);
    size_t cells = (size_t)width * (size_t)height;
    *cover = (struct tw_polymap_raster){.map = map, .width = width, .height = height};
    cover->corner = tw_task_scratch(task, (size_t)map->corners, sizeof *cover->corner);
    cover->centre = tw_task_scratch(task, (size_t)map->cells, sizeof *cover->centre);
    cover->triangle = tw_task_scratch(task, cells, sizeof *cover->triangle);
    struct strips strips = {
        .edges = tw_task_scratch(task, (size_t)map->edges, sizeof *strips.edges),
        .reach = tw_task_scratch(task, (size_t)map->edges, sizeof *strips.reach)};
    if (!cover->corner || !cover->centre || !cover->triangle || !strips.edges || !strips.reach)
        return tw_task_no_memory(task);
    for (int32_t c = 0; c < map->corners; c++)
        snap(map->corner_at[c], width, height, cover->corner[c]);
    for (int32_t i = 0; i < map->cells; i++)
        snap(map->cell_at[i], width, height, cover->centre[i]);
    struct filling filling = {cover, &strips, false};
    sort_edges(task, &filling);
    tw_rows(task, height, height / RANGES + 1, fill_rows, &filling);
    for (size_t i = 0; i < cells; i++)
        if (cover->triangle[i] < 0)
            return tw_task_fail(task, "no polygon covers the cell at x %d, y %d",
                                (int)(i % (size_t)width), (int)(i / (size_t)width));
    return TW_OK;
}

/* Shares side / area of `count` cells. All numbers are integers that a double holds. */
static void find_shares(int64_t side, int64_t across, double area, int32_t count, double *share)
{
    const double first = (double)side, step = (double)across;
    for (int32_t i = 0; i < count; i++)
        share[i] = (first + (double)i * step) / area;
}

static bool fits_double(int64_t first, int64_t step, int64_t count)
{
    const int64_t limit = (int64_t)1 << 53;
    return first > -limit && first < limit && first + step * count > -limit &&
           first + step * count < limit;
}

void tw_polymap_run_find(const struct tw_polymap_raster *cover, int32_t x, int32_t y, bool shares,
                         struct tw_polymap_run *run)
{
    const int32_t *row = cover->triangle + (size_t)y * (size_t)cover->width;
    int32_t last = x + TW_POLYMAP_RUN < cover->width ? x + TW_POLYMAP_RUN : cover->width;
    int32_t end = x + 1;
    struct sides s;
    while (end < last && row[end] == row[x])
        end++;
    corners_of(cover, row[x], &run->polygon, &run->from, &run->to);
    run->count = end - x;
    if (!shares)
        return;
    const int32_t *a = cover->centre[run->polygon], *b = cover->corner[run->from],
                  *c = cover->corner[run->to];
    double area = (double)turn(a, b, c[0], c[1]);
    if (run->count == 1) { /* the usual case where triangles are as small as cells */
        int64_t u = centre_of(x), v = centre_of(y);
        run->share_from[0] = (double)turn(c, a, u, v) / area;
        run->share_to[0] = (double)turn(a, b, u, v) / area;
        run->share_centre[0] = (double)turn(b, c, u, v) / area;
        return;
    }
    find_sides((const int32_t *const[3]){a, b, c}, x, y, &s);
    for (int i = 0; i < 3; i++)
        run->count = fits_double(s.at[i], s.across[i], run->count) ? run->count : 1;
    find_shares(s.at[0], s.across[0], area, run->count, run->share_to);
    find_shares(s.at[1], s.across[1], area, run->count, run->share_centre);
    find_shares(s.at[2], s.across[2], area, run->count, run->share_from);
}

void tw_polymap_raster_forecast(struct tw_forecast *f)
{
    struct tw_polymap_raster cover;
    struct tw_polymap_counts counts = tw_polymap_forecast(f);
    tw_forecast_scratch(f, counts.corners, sizeof *cover.corner);
    tw_forecast_scratch(f, counts.cells, sizeof *cover.centre);
    tw_forecast_scratch(f, counts.edges, sizeof(int32_t) + sizeof(struct reach)); /* strips */
    tw_forecast_maps(f, 1, sizeof *cover.triangle);
}
