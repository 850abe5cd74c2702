/* SPDX-License-Identifier: MIT */
/* Voronoi diagram of points in a square, clipped to the square, as a graph. Why our own and not a
 * library's: docs/decisions/voronoi-diagram.md. */
#ifndef TW_NODES_ISLAND_KERNELS_VORONOI_DIAGRAM_H
#define TW_NODES_ISLAND_KERNELS_VORONOI_DIAGRAM_H

#include "island/kernels/delaunay.h"

/* The square is 0..TW_VORONOI_SIDE; no site lies on its border. */
enum { TW_VORONOI_SIDE = 1 << 25 };

struct tw_voronoi_edge {
    int32_t d0, d1; /* the cells on both sides, d0 < d1; d1 is -1 on the border of the square */
    int32_t v0, v1; /* the corners at its ends */
};

struct tw_voronoi {
    int32_t cells, corners, edges, sides;
    int32_t *start;         /* cells + 1: the sides of cell i are start[i] .. start[i + 1] - 1 */
    int32_t *side_corner;   /* where the side begins; sides run around the cell */
    int32_t *side_edge;     /* its edge */
    int32_t *side_opposite; /* the cell beyond, or -1 */
    struct tw_voronoi_edge *edge;
    double (*corner)[2];
    /* of the construction */
    struct tw_delaunay delaunay;
    double (*centre)[2]; /* of the circle of each triangle */
    int32_t *group;      /* union-find: triangles that share a centre */
    int32_t *number;     /* of the corner, by group; first of the site, by point */
    uint8_t *marks;      /* of triangles */
    int32_t *first;      /* the last triangle at each site */
};

enum tw_status tw_voronoi_reserve(struct tw_task *task, struct tw_voronoi *v, int32_t cells);
/* *twin becomes -1, or the later of two sites that coincide: then there is no diagram. */
enum tw_status tw_voronoi_build(struct tw_task *task, struct tw_voronoi *v,
                                const int32_t (*sites)[2], int32_t *twin);

/* The scratch that tw_voronoi_reserve() takes. */
void tw_voronoi_forecast(struct tw_forecast *f, int32_t cells);

#endif
