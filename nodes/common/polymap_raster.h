/* SPDX-License-Identifier: MIT */
/* Rasterisation of a polygon map: which fan triangle (centre, corner, corner) holds the centre of
 * each cell of a grid, and values interpolated in it. Corners are rounded to 2^-14 of a cell and
 * all further arithmetic is exact, so there are no holes; where two triangles share a cell's
 * centre, the one with the lower edge wins. */
#ifndef TW_NODES_COMMON_POLYMAP_RASTER_H
#define TW_NODES_COMMON_POLYMAP_RASTER_H

#include "common/polymap.h"

struct tw_polymap_raster {
    const struct tw_polymap *map;
    int32_t width, height;
    int32_t (*corner)[2], (*centre)[2]; /* in 2^-14 cells */
    int32_t *triangle;                  /* of each grid cell: 2 edge + (0 at d0, 1 at d1) */
};

/* A grid cell's place in its triangle: the polygon, its two corners, and their shares. */
struct tw_polymap_spot {
    int32_t polygon, from, to;
    double share_centre, share_from, share_to;
};

/* Fills the cover; its memory lasts as long as the task. */
enum tw_status tw_polymap_raster(struct tw_task *task, const struct tw_polymap *map,
                                 struct tw_polymap_raster *cover);
struct tw_polymap_spot tw_polymap_spot_at(const struct tw_polymap_raster *cover, int32_t x,
                                          int32_t y);

static inline float tw_polymap_blend(const struct tw_polymap_spot *spot, const float *corners,
                                     const float *polygons)
{
    return (float)(spot->share_centre * (double)polygons[spot->polygon] +
                   spot->share_from * (double)corners[spot->from] +
                   spot->share_to * (double)corners[spot->to]);
}

/* The scratch that it takes for the map at input 0. */
void tw_polymap_raster_forecast(struct tw_forecast *f);

#endif
