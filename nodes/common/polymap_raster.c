/* SPDX-License-Identifier: MIT */
#include "common/polymap_raster.h"

/* 2^14 steps a cell and 2^16 cells a side: edge functions stay below 2^62. */
enum { STEPS = 1 << 14, RANGES = 16 };

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

/* Narrows begin..end-1 to cells whose centres lie between the corners of a triangle, on one axis.
 */
static void cells_between(int32_t a, int32_t b, int32_t c, int32_t *begin, int32_t *end)
{
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    low = c < low ? c : low;
    high = c > high ? c : high;
    int32_t first = (low + STEPS / 2 - 1) / STEPS, last = (high + STEPS / 2) / STEPS;
    *begin = first > *begin ? first : *begin;
    *end = last < *end ? last : *end;
}

static void fill_triangle(const struct tw_polymap_raster *cover, int32_t t, int32_t row_begin,
                          int32_t row_end)
{
    int32_t polygon, from, to, begin = 0, end = cover->width;
    corners_of(cover, t, &polygon, &from, &to);
    const int32_t *a = cover->centre[polygon], *b = cover->corner[from], *c = cover->corner[to];
    cells_between(a[1], b[1], c[1], &row_begin, &row_end);
    cells_between(a[0], b[0], c[0], &begin, &end);
    if (row_begin >= row_end || begin >= end || turn(a, b, c[0], c[1]) <= 0)
        return;
    for (int32_t y = row_begin; y < row_end; y++) {
        int32_t *row = cover->triangle + (size_t)y * (size_t)cover->width;
        int64_t v = (int64_t)y * STEPS + STEPS / 2;
        for (int32_t x = begin; x < end; x++) {
            int64_t u = (int64_t)x * STEPS + STEPS / 2;
            if (row[x] < 0 && turn(a, b, u, v) >= 0 && turn(b, c, u, v) >= 0 &&
                turn(c, a, u, v) >= 0)
                row[x] = t;
        }
    }
}

static void fill_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_polymap_raster *cover = context;
    size_t width = (size_t)cover->width;
    for (size_t i = (size_t)begin * width; i < (size_t)end * width; i++)
        cover->triangle[i] = -1;
    for (int32_t e = 0; e < cover->map->edges; e++) {
        fill_triangle(cover, 2 * e, begin, end);
        if (cover->map->edge[e].d1 >= 0)
            fill_triangle(cover, 2 * e + 1, begin, end);
    }
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
    if (!cover->corner || !cover->centre || !cover->triangle)
        return tw_task_no_memory(task);
    for (int32_t c = 0; c < map->corners; c++)
        snap(map->corner_at[c], width, height, cover->corner[c]);
    for (int32_t i = 0; i < map->cells; i++)
        snap(map->cell_at[i], width, height, cover->centre[i]);
    tw_rows(task, height, height / RANGES + 1, fill_rows, cover);
    for (size_t i = 0; i < cells; i++)
        if (cover->triangle[i] < 0)
            return tw_task_fail(task, "no polygon covers the cell at x %d, y %d",
                                (int)(i % (size_t)width), (int)(i / (size_t)width));
    return TW_OK;
}

struct tw_polymap_spot tw_polymap_spot_at(const struct tw_polymap_raster *cover, int32_t x,
                                          int32_t y)
{
    struct tw_polymap_spot spot;
    int64_t u = (int64_t)x * STEPS + STEPS / 2, v = (int64_t)y * STEPS + STEPS / 2;
    corners_of(cover, cover->triangle[(size_t)y * (size_t)cover->width + (size_t)x], &spot.polygon,
               &spot.from, &spot.to);
    const int32_t *a = cover->centre[spot.polygon], *b = cover->corner[spot.from],
                  *c = cover->corner[spot.to];
    double area = (double)turn(a, b, c[0], c[1]);
    spot.share_from = (double)turn(c, a, u, v) / area;
    spot.share_to = (double)turn(a, b, u, v) / area;
    spot.share_centre = (double)turn(b, c, u, v) / area;
    return spot;
}

void tw_polymap_raster_forecast(struct tw_forecast *f)
{
    struct tw_polymap_raster cover;
    struct tw_polymap_counts counts = tw_polymap_forecast(f);
    tw_forecast_scratch(f, counts.corners, sizeof *cover.corner);
    tw_forecast_scratch(f, counts.cells, sizeof *cover.centre);
    tw_forecast_maps(f, 1, sizeof *cover.triangle);
}
