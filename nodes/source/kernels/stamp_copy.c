/* SPDX-License-Identifier: MIT */
/* A cell of the map finds its place in the stamp, between whose cells heights are bilinear. */
#include "source/kernels/stamp_copy.h"

#include <thalweg/kernel.h>

#include <math.h>

static double absolute(double v) { return v < 0 ? -v : v; }
static double cut(double v, double low, double high) { return v < low ? low : v > high ? high : v; }

struct tw_stamp_copy tw_stamp_copy_at(const struct tw_stamp_map *map, double x, double y,
                                      double cells, double degrees)
{
    struct tw_stamp_copy c = {.x = x * map->width,
                              .y = y * map->height,
                              .half = 0.5 * cells,
                              .down = 0.5 * cells * map->height / map->width,
                              .cos = tw_cos_degrees(degrees),
                              .sin = tw_sin_degrees(degrees),
                              .cell = cells > 0 ? map->width / cells : 0};
    c.wide = c.half * absolute(c.cos) + c.down * absolute(c.sin);
    c.high = c.half * absolute(c.sin) + c.down * absolute(c.cos);
    return c;
}

/* Bilinear; beyond its outer cells' centres the stamp goes on level. */
static double sample(const struct tw_stamp_map *map, double x, double y)
{
    x = cut(x, 0.0, map->width - 1.0);
    y = cut(y, 0.0, map->height - 1.0);
    int32_t x0 = (int32_t)x, y0 = (int32_t)y;
    int32_t x1 = x0 + (x0 < map->width - 1), y1 = y0 + (y0 < map->height - 1);
    const float *upper = map->relief + (size_t)y0 * (size_t)map->width;
    const float *lower = map->relief + (size_t)y1 * (size_t)map->width;
    double fx = x - x0, fy = y - y0;
    double above = (double)upper[x0] * (1 - fx) + (double)upper[x1] * fx;
    double below = (double)lower[x0] * (1 - fx) + (double)lower[x1] * fx;
    return above * (1 - fy) + below * fy;
}

/* w: 1 inside, smoothly to 0 at the ellipse that touches the stamp's sides. */
static double weight_of(double square, double falloff)
{
    double left = 1 - sqrt(square);
    double t = left < falloff ? left / falloff : 1;
    return t * t * (3 - 2 * t);
}

static void stamp_cell(const struct tw_stamp_map *map, const struct tw_stamp_copy *c, double dx,
                       double dy, float *to)
{
    double along = c->cos * dx + c->sin * dy, across = c->cos * dy - c->sin * dx;
    double u = along / c->half, v = across / c->down, square = u * u + v * v;
    if (!(square < 1))
        return;
    double ground = (double)*to, w = weight_of(square, map->falloff);
    double relief = map->factor * sample(map, along * c->cell + 0.5 * map->width - 0.5,
                                         across * c->cell + 0.5 * map->height - 0.5);
    if (map->blend == TW_STAMP_ADD)
        *to = (float)(ground + w * relief);
    else if (map->blend == TW_STAMP_REPLACE || relief > ground)
        *to = (float)(w < 1 ? ground + w * (relief - ground) : relief);
}

struct range {
    int32_t begin, end;
};

/* The cells whose centres lie from `low` to `high`. */
static struct range range_of(double low, double high, int32_t begin, int32_t end)
{
    double first = cut(low - 0.5, begin, end);
    double last = cut(high - 0.5, begin - 1.0, end - 1.0);
    int32_t from = (int32_t)first + ((double)(int32_t)first < first);
    return (struct range){from, (int32_t)(last + 1)};
}

static void stamp_rows(const struct tw_stamp_map *map, const struct tw_stamp_copy *c, int32_t begin,
                       int32_t end)
{
    struct range rows = range_of(c->y - c->high, c->y + c->high, begin, end);
    struct range columns_of = range_of(c->x - c->wide, c->x + c->wide, 0, map->width);
    for (int32_t y = rows.begin; y < rows.end; y++)
        for (int32_t x = columns_of.begin; x < columns_of.end; x++)
            stamp_cell(map, c, x + 0.5 - c->x, y + 0.5 - c->y,
                       map->out + (size_t)y * (size_t)map->width + (size_t)x);
}

/* The first of the copies, one map apart, whose box ends beyond 0. */
static double first_copy(double at, double half, double side)
{
    double turns = (at + half) / side, whole = (double)(int64_t)turns;
    return at - side * (whole > turns ? whole - 1 : whole);
}

/* On a torus a copy shows on every map around that it reaches into, row by row: on a narrow map
 * these are many. */
void tw_stamp_put(const struct tw_stamp_map *map, const struct tw_stamp_copy *c, int32_t begin,
                  int32_t end)
{
    struct tw_stamp_copy at = *c;
    if (!map->wrap) {
        stamp_rows(map, c, begin, end);
        return;
    }
    const double west = first_copy(c->x, c->wide, map->width);
    at.y = first_copy(c->y, c->high, map->height);
    for (; at.y - at.high < map->height && !tw_task_cancelled(map->task); at.y += map->height) {
        at.x = west;
        for (; at.x - at.wide < map->width && !tw_task_cancelled(map->task); at.x += map->width)
            stamp_rows(map, &at, begin, end);
    }
}
