/* SPDX-License-Identifier: MIT */
/* One copy of a relief on a map: turned, scaled, faded out towards the ellipse in it and cut off at
 * the border, or on a torus going on at the other side. */
#ifndef TW_NODES_SOURCE_KERNELS_STAMP_COPY_H
#define TW_NODES_SOURCE_KERNELS_STAMP_COPY_H

#include <thalweg/node.h>

enum tw_stamp_blend { TW_STAMP_ADD, TW_STAMP_MAX, TW_STAMP_REPLACE };

/* The relief and the map, of one size. */
struct tw_stamp_map {
    const float *relief;
    float *out;
    int32_t width, height;
    double factor, falloff; /* of the relief's heights; share of the radius */
    enum tw_stamp_blend blend;
    bool wrap;
    const struct tw_task *task;
};

/* A copy of the stamp. Lengths are in cells. */
struct tw_stamp_copy {
    double x, y;       /* centre; column 0 of row 0 is at 0.5, 0.5 */
    double half, down; /* half its width and height */
    double cos, sin;   /* of its turn */
    double wide, high; /* half the box around it */
    double cell;       /* cells of the stamp per cell */
};

/* A copy with its centre at x, y of the map's sides, `cells` wide, turned clockwise. */
struct tw_stamp_copy tw_stamp_copy_at(const struct tw_stamp_map *map, double x, double y,
                                      double cells, double degrees);
/* Puts the copy on rows begin to end - 1. */
void tw_stamp_put(const struct tw_stamp_map *map, const struct tw_stamp_copy *c, int32_t begin,
                  int32_t end);

#endif
