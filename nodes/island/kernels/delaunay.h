/* SPDX-License-Identifier: MIT */
/* Delaunay triangulation of points with integer coordinates: Bowyer 1981 and Watson 1981, with
 * predicates in 128-bit integers. They are exact, so the result is a Delaunay triangulation for
 * every input, however degenerate, and the same one on every machine. */
#ifndef TW_NODES_ISLAND_KERNELS_DELAUNAY_H
#define TW_NODES_ISLAND_KERNELS_DELAUNAY_H

#include <thalweg/node.h>

__extension__ typedef __int128 tw_wide;

/* Corners in the turning sense x to y; across[k] is the triangle over the side that lies opposite
 * corner k, -1 for none. */
struct tw_triangle {
    int32_t corner[3], across[3];
};

struct tw_rim_side; /* a side of the hole that a new point makes */

struct tw_delaunay {
    int32_t (*point)[2]; /* the caller writes `points` of them; four of the frame follow */
    int32_t points, capacity;
    int32_t side; /* points of interest lie in 0..side squared, all in -side..2 side; <= 2^25 */
    struct tw_triangle *triangle;
    int32_t triangles;
    /* of the construction */
    int32_t *order, *bucket, *mark, *stack, *starting;
    struct tw_rim_side *rim;
};

/* Memory for up to `capacity` points. */
enum tw_status tw_delaunay_reserve(struct tw_task *task, struct tw_delaunay *d, int32_t capacity,
                                   int32_t side);
/* Returns -1, or the later of two points that coincide: then there is no result. */
int32_t tw_delaunay_build(struct tw_delaunay *d);

/* The scratch that tw_delaunay_reserve() takes. */
void tw_delaunay_forecast(struct tw_forecast *f, int32_t capacity);

#endif
