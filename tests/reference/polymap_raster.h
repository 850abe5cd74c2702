/* SPDX-License-Identifier: MIT */
/* Rasters of a polygon map as they are defined: every triangle tests the centre of every cell; the
 * first in the order of edges holds it. */
#ifndef TW_TESTS_REFERENCE_POLYMAP_RASTER_H
#define TW_TESTS_REFERENCE_POLYMAP_RASTER_H

#include "common/polymap/polymap.h"

#include <stdlib.h>

enum { PLAIN_STEPS = 1 << 14 };

struct plain_triangle {
    int32_t polygon, corner[2];
    int64_t at[3][2]; /* centre, corner, corner, in 2^-14 cells */
};

static inline void plain_snap(struct tw_polymap_place place, int32_t width, int32_t height,
                              int64_t *at)
{
    at[0] = (int32_t)(((double)place.x + 1) * 0.5 * width * PLAIN_STEPS + 0.5);
    at[1] = (int32_t)(((double)place.y + 1) * 0.5 * height * PLAIN_STEPS + 0.5);
}

static inline int64_t plain_turn(const int64_t *a, const int64_t *b, const int64_t *p)
{
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

static inline struct plain_triangle plain_triangle(const struct tw_polymap *m, int32_t t,
                                                   int32_t width, int32_t height)
{
    const struct tw_polymap_edge *e = &m->edge[t / 2];
    struct plain_triangle p = {.polygon = t % 2 ? e->d1 : e->d0,
                               .corner = {t % 2 ? e->v1 : e->v0, t % 2 ? e->v0 : e->v1}};
    plain_snap(m->cell_at[p.polygon], width, height, p.at[0]);
    plain_snap(m->corner_at[p.corner[0]], width, height, p.at[1]);
    plain_snap(m->corner_at[p.corner[1]], width, height, p.at[2]);
    return p;
}

/* Values of corners and polygons at each cell, linear in the triangles. */
static inline void plain_polymap_values(const struct tw_polymap *m, const float *corners,
                                        const float *polygons, int32_t width, int32_t height,
                                        float *values)
{
    bool *held = calloc((size_t)width * (size_t)height, 1);
    for (int32_t t = 0; held && t < 2 * m->edges; t++) {
        if (t % 2 && m->edge[t / 2].d1 < 0)
            continue;
        const struct plain_triangle p = plain_triangle(m, t, width, height);
        int64_t area = plain_turn(p.at[0], p.at[1], p.at[2]);
        for (int32_t i = 0; area > 0 && i < width * height; i++) {
            const int64_t at[2] = {(int64_t)(i % width) * PLAIN_STEPS + PLAIN_STEPS / 2,
                                   (int64_t)(i / width) * PLAIN_STEPS + PLAIN_STEPS / 2};
            int64_t to = plain_turn(p.at[0], p.at[1], at), from = plain_turn(p.at[2], p.at[0], at);
            int64_t centre = plain_turn(p.at[1], p.at[2], at);
            if (held[i] || to < 0 || from < 0 || centre < 0)
                continue;
            held[i] = true;
            values[i] = (float)((double)centre / (double)area * (double)polygons[p.polygon] +
                                (double)from / (double)area * (double)corners[p.corner[0]] +
                                (double)to / (double)area * (double)corners[p.corner[1]]);
        }
    }
    free(held);
}

#endif
