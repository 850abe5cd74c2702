/* SPDX-License-Identifier: MIT */
/* The nearest of points that lie in regions x regions squares of a torus, for some cells of a
 * region at once. Points are offered in rings of regions around the cells' own, in reading order,
 * and of two at the same distance the first stays. */
#ifndef TW_NODES_VORONOI_KERNELS_NEAREST_POINTS_H
#define TW_NODES_VORONOI_KERNELS_NEAREST_POINTS_H

#include <thalweg/node.h>

enum {
    TW_NEAREST_POINTS_LANES = 64,
    TW_NEAREST_POINTS_GROUP = 32, /* lanes that are handled together */
    TW_NEAREST_POINTS_MAX = 16,   /* distances, and points in a region */
    TW_NEAREST_POINTS_AROUND = 9 * TW_NEAREST_POINTS_MAX,
};

struct tw_nearest_points {
    const struct tw_point *points; /* in map sides, region by region */
    int32_t regions, per_region;
    int32_t distances; /* how many */
    bool labelled;     /* whether `first` is used */
    bool near_only;    /* none beyond the 3 x 3 regions */
    enum tw_simd simd;
};

/* The points of a region and of those around it. */
struct tw_points_around {
    int32_t rx, ry, count;
    float x[TW_NEAREST_POINTS_AROUND], y[TW_NEAREST_POINTS_AROUND];
    int32_t index[TW_NEAREST_POINTS_AROUND];
};

/* Cells of some columns and rows in one region, row by row. Lanes past `count`, up to a whole
 * group, repeat the last one. */
struct tw_point_lanes {
    _Alignas(64) float x[TW_NEAREST_POINTS_LANES];
    float y[TW_NEAREST_POINTS_LANES];
    /* Squared distances in rising order. */
    float nearest[TW_NEAREST_POINTS_MAX][TW_NEAREST_POINTS_LANES];
    int32_t first[TW_NEAREST_POINTS_LANES]; /* index of the nearest point */
    float farthest;                         /* the last distances' greatest */
    int32_t count;
};

/* Lanes of whole groups. */
static inline int32_t tw_point_lanes_padded(const struct tw_point_lanes *lanes)
{
    return (lanes->count + TW_NEAREST_POINTS_GROUP - 1) & ~(TW_NEAREST_POINTS_GROUP - 1);
}

void tw_points_around_find(const struct tw_nearest_points *n, int32_t rx, int32_t ry,
                           struct tw_points_around *around);
/* Fills lanes->nearest and, where labelled, lanes->first. */
void tw_nearest_points_find(const struct tw_nearest_points *n,
                            const struct tw_points_around *around, struct tw_point_lanes *lanes);

#endif
