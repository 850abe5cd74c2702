/* SPDX-License-Identifier: MIT */
/* Delaunay triangulation of points with integer coordinates: Bowyer 1981 and Watson 1981, with
 * predicates in 128-bit integers, in bands of points side by side. The predicates are exact, and of
 * four points on a circle they choose the diagonal by the points alone, so that there is one result
 * for every input, however degenerate, in whatever order its points are added. */
#ifndef TW_NODES_ISLAND_KERNELS_DELAUNAY_H
#define TW_NODES_ISLAND_KERNELS_DELAUNAY_H

#include <thalweg/scratch.h>

__extension__ typedef __int128 tw_wide;

/* Corners in the turning sense x to y; across[k] is the triangle over the side that lies opposite
 * corner k, -1 for none. */
struct tw_triangle {
    int32_t corner[3], across[3];
};

/* Returns which corner of a triangle a point is, without a branch, since none could be predicted.
 */
static inline int tw_triangle_corner(const struct tw_triangle *t, int32_t point)
{
    return (t->corner[1] == point) + 2 * (t->corner[2] == point);
}

struct tw_hole_side; /* of the hole that a new point makes */

struct tw_delaunay {
    /* The caller writes `points` of them, best in rows, y rising from row to row, so that those
     * that follow each other are near and few lie near the border of a band; four of the frame
     * follow. */
    int32_t (*point)[2];
    int32_t points, capacity;
    int32_t side; /* points of interest lie in 0..side squared, all in -side..2 side; <= 2^25 */
    struct tw_triangle *triangle; /* in an order that nothing may depend on */
    int32_t triangles;
    int32_t *at; /* one of the triangles at each point */
    /* of the construction */
    int32_t *order, *dug;
    struct tw_hole_side *rim, *inner;
};

/* Takes or counts memory for up to `capacity` points; false when there is none. */
bool tw_delaunay_lay_out(struct tw_scratch *s, struct tw_delaunay *d, int32_t capacity,
                         int32_t side);
/* Returns -1, or one of two points that coincide: then there is no result. Which one, if there are
 * several, does not depend on the workers either. Ends early when the task is cancelled. */
int32_t tw_delaunay_build(struct tw_task *task, struct tw_delaunay *d);

#endif
