/* SPDX-License-Identifier: MIT */
/* Rasterisation of a polygon map: which fan triangle (centre, corner, corner) holds the centre of
 * each cell of a grid, and values interpolated in it. Corners are rounded to 2^-14 of a cell and
 * sides are exact, so there are no holes; where two triangles share a cell's centre, the one with
 * the lower edge wins. */
#ifndef TW_NODES_COMMON_POLYMAP_RASTER_H
#define TW_NODES_COMMON_POLYMAP_RASTER_H

#include "common/polymap/polymap.h"

/* Values of corners and polygons, and the map that takes them, linear in the triangles. */
struct tw_polymap_plane {
    const float *corners, *polygons;
    float *cells;
};

enum { TW_POLYMAP_PLANES = 3 }; /* at most */

struct tw_polymap_raster {
    const struct tw_polymap *map;
    struct tw_polymap_plane planes[TW_POLYMAP_PLANES];
    int32_t plane_count;
    /* Set by tw_polymap_raster(). */
    int32_t width, height;
    int32_t (*corner)[2], (*centre)[2]; /* in 2^-14 cells */
    int32_t *triangle; /* of each grid cell: 2 edge + (0 at d0, 1 at d1); or NULL */
};

static inline int32_t tw_polymap_polygon_of(const struct tw_polymap *map, int32_t triangle)
{
    const struct tw_polymap_edge *edge = &map->edge[triangle / 2];
    return triangle % 2 ? edge->d1 : edge->d0;
}

/* Fills the maps of the planes and, unless it is NULL, the map of triangles, which lasts as long as
 * the task. The caller sets the map and the planes; all else is 0. */
enum tw_status tw_polymap_raster(struct tw_task *task, bool triangles,
                                 struct tw_polymap_raster *cover);

/* The scratch that it takes for the map at input 0. */
void tw_polymap_raster_forecast(struct tw_forecast *f, bool triangles);

#endif
