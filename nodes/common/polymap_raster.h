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

enum { TW_POLYMAP_RUN = 64 };

/* Neighbouring cells of a row in one triangle: the polygon, its two corners, and their shares of
 * each cell. */
struct tw_polymap_run {
    int32_t count, polygon, from, to;
    double share_centre[TW_POLYMAP_RUN], share_from[TW_POLYMAP_RUN], share_to[TW_POLYMAP_RUN];
};

/* Fills the cover; its memory lasts as long as the task. */
enum tw_status tw_polymap_raster(struct tw_task *task, const struct tw_polymap *map,
                                 struct tw_polymap_raster *cover);
/* The run that begins at a cell; its shares if asked for. */
void tw_polymap_run_find(const struct tw_polymap_raster *cover, int32_t x, int32_t y, bool shares,
                         struct tw_polymap_run *run);

static inline void tw_polymap_blend(const struct tw_polymap_run *run, const float *corners,
                                    const float *polygons, float *values)
{
    double centre = (double)polygons[run->polygon], from = (double)corners[run->from];
    double to = (double)corners[run->to];
    for (int32_t i = 0; i < run->count; i++)
        values[i] = (float)(run->share_centre[i] * centre + run->share_from[i] * from +
                            run->share_to[i] * to);
}

/* The scratch that it takes for the map at input 0. */
void tw_polymap_raster_forecast(struct tw_forecast *f);

#endif
