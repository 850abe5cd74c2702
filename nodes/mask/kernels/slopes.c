/* SPDX-License-Identifier: MIT */
/* Cells whose row reaches far enough both ways are measured first, in vectors; then the ends. */
#include "mask/kernels/slopes.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

#include <math.h>

/* Cell i of a line of n cells; -1 if it lies beyond a border that ends. */
static TW_INLINE int32_t beyond(const struct tw_slopes *s, int32_t i, int32_t n)
{
    if (s->wrap)
        return tw_wrap(i, n);
    return i >= 0 && i < n ? i : -1;
}

static TW_INLINE float steeper(float a, float b) { return tw_max(a < 0 ? -a : a, b < 0 ? -b : b); }

/* Rows at the near and the far distance; `row` itself where there is no far one. */
struct rows {
    const float *up[2], *row, *down[2];
};

/* Columns at the near and the far distance; the cell's own where there is no far one. */
struct columns {
    int32_t west[2], east[2];
};

static TW_INLINE float between(const struct tw_slopes *s, float near, float far, bool whole)
{
    return whole ? near : (1 - s->share) * near + s->share * far;
}

static TW_INLINE float gradient(const struct tw_slopes *s, const struct rows *r,
                                const struct columns *c, int32_t x, bool whole)
{
    float here = r->row[x], west = 0, east = 0;
    if (c->west[1] != x)
        west = here - between(s, r->row[c->west[0]], r->row[c->west[1]], whole);
    if (c->east[1] != x)
        east = between(s, r->row[c->east[0]], r->row[c->east[1]], whole) - here;
    float dx = steeper(west, east);
    float dy = steeper(here - between(s, r->up[0][x], r->up[1][x], whole),
                       between(s, r->down[0][x], r->down[1][x], whole) - here);
    return sqrtf(dx * dx + dy * dy) * s->per_side;
}

/* How far the ground falls to the height between two cells. */
static TW_INLINE float drop(const struct tw_slopes *s, float here, float near, float far,
                            bool whole)
{
    return whole ? here - near : (here - near) + s->share * (near - far);
}

/* The greatest fall to the west and east in a pair of rows. */
static TW_INLINE float drop_aside(const struct tw_slopes *s, float here, const float *const rows[2],
                                  const struct columns *c, bool whole)
{
    return tw_max(drop(s, here, rows[0][c->west[0]], rows[1][c->west[1]], whole),
                  drop(s, here, rows[0][c->east[0]], rows[1][c->east[1]], whole));
}

/* Where the map ends, the cell itself replaces a straight neighbour and a straight one a diagonal
 * one, at the longer distance: neither is ever the steepest. */
static TW_INLINE float downhill(const struct tw_slopes *s, const struct rows *r,
                                const struct columns *c, int32_t x, bool whole)
{
    const float *const own[2] = {r->row, r->row};
    float here = r->row[x];
    float up = drop(s, here, r->up[0][x], r->up[1][x], whole);
    float down = drop(s, here, r->down[0][x], r->down[1][x], whole);
    float straight = tw_max(tw_max(up, down), drop_aside(s, here, own, c, whole));
    float across =
        tw_max(drop_aside(s, here, r->up, c, whole), drop_aside(s, here, r->down, c, whole));
    return tw_max(tw_max(straight, across * 0.70710678f), 0.0f) * s->per_side;
}

static TW_INLINE float slope(const struct tw_slopes *s, const struct rows *r,
                             const struct columns *c, int32_t x, bool falls, bool whole)
{
    return falls ? downhill(s, r, c, x, whole) : gradient(s, r, c, x, whole);
}

/* Cells whose row ends within the distance. */
static TW_INLINE void measure_ends(const struct tw_slopes *s, const struct rows *r, bool falls,
                                   bool whole, float *to)
{
    int32_t n = s->width, near = s->near, far = s->far, last = n - far;
    for (int32_t x = 0; x < n; x = x == far - 1 && last > far ? last : x + 1) {
        int32_t west = beyond(s, x - far, n), east = beyond(s, x + far, n);
        struct columns c = {{x, x}, {x, x}};
        if (west >= 0) {
            c.west[0] = beyond(s, x - near, n);
            c.west[1] = west;
        }
        if (east >= 0) {
            c.east[0] = beyond(s, x + near, n);
            c.east[1] = east;
        }
        to[x] = slope(s, r, &c, x, falls, whole);
    }
}

/* `whole`: the distance is one of whole cells. */
static TW_INLINE void measure_cells(const struct tw_slopes *at, const struct rows *rows, bool falls,
                                    bool whole, float *to)
{
    const struct rows r = *rows;
    const struct tw_slopes map = *at;
    int32_t near = map.near, far = map.far, last = map.width - far;
    for (int32_t x = far; x < last; x++) {
        const struct columns c = {{x - near, x - far}, {x + near, x + far}};
        to[x] = slope(&map, &r, &c, x, falls, whole);
    }
    measure_ends(&map, &r, falls, whole, to);
}

static TW_INLINE void measure_row_body(const struct tw_slopes *s, const struct rows *rows,
                                       float *to)
{
    const bool whole = s->near == s->far;
    if (s->downhill && whole)
        measure_cells(s, rows, true, true, to);
    else if (s->downhill)
        measure_cells(s, rows, true, false, to);
    else if (whole)
        measure_cells(s, rows, false, true, to);
    else
        measure_cells(s, rows, false, false, to);
}
TW_SIMD_KERNEL(measure_row, (const struct tw_slopes *s, const struct rows *rows, float *to),
               (s, rows, to))

/* The rows at both distances above, or below, row y. */
static void set_rows(const struct tw_slopes *s, int32_t y, int32_t sign, const float *rows[2])
{
    int32_t near = beyond(s, y + sign * s->near, s->height);
    int32_t far = beyond(s, y + sign * s->far, s->height);
    rows[0] = s->in + (size_t)(far >= 0 ? near : y) * (size_t)s->width;
    rows[1] = s->in + (size_t)(far >= 0 ? far : y) * (size_t)s->width;
}

void tw_slopes_row(const struct tw_slopes *s, enum tw_simd simd, int32_t y, float *to)
{
    struct rows rows = {.row = s->in + (size_t)y * (size_t)s->width};
    set_rows(s, y, -1, rows.up);
    set_rows(s, y, 1, rows.down);
    measure_row(simd)(s, &rows, to);
}

/* In cells, to 1/256, so that what is meant to be whole is. */
static double distance_of(float radius, int32_t width)
{
    double distance = floor((double)radius * width * 256 + 0.5) / 256;
    return distance > 1 ? distance : 1;
}

int32_t tw_slopes_reach(float radius, int32_t width)
{
    return (int32_t)ceil(distance_of(radius, width));
}

struct tw_slopes tw_slopes_of(const struct tw_task *task, const float *in, float radius, bool wrap)
{
    int32_t width = tw_task_width(task);
    double distance = distance_of(radius, width);
    return (struct tw_slopes){.in = in,
                              .width = width,
                              .height = tw_task_height(task),
                              .near = (int32_t)distance,
                              .far = (int32_t)ceil(distance),
                              .share = (float)(distance - floor(distance)),
                              .per_side = (float)(width / distance),
                              .wrap = wrap};
}
