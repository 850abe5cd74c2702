/* SPDX-License-Identifier: MIT */
/* Voronoi diagram of points in a square, clipped to the square, as a graph. Why our own and not a
 * library's: docs/decisions/voronoi-diagram.md. */
#ifndef TW_NODES_ISLAND_KERNELS_VORONOI_DIAGRAM_H
#define TW_NODES_ISLAND_KERNELS_VORONOI_DIAGRAM_H

#include "common/polymap/polymap.h"
#include "island/kernels/delaunay.h"

/* The square is 0..TW_VORONOI_SIDE; no site lies on its border. */
enum { TW_VORONOI_SIDE = 1 << 25 };

struct tw_voronoi {
    int32_t cells;
    struct tw_delaunay delaunay;
    int32_t *site;       /* by point: its cell, -1 - the cell for an image */
    int32_t *point;      /* by cell */
    double (*centre)[2]; /* of the circle of each triangle */
    uint8_t *marks;      /* of triangles */
    int32_t *group;      /* union-find: triangles that share a centre, which are one corner */
    int32_t *owner;      /* by group: the first cell that has this corner */
    int32_t *number;     /* by group: of the corner */
    int32_t *first_side, *first_corner,
        *first_edge;        /* cells + 1: of those that the cell has, owns */
    int32_t *side_opposite; /* the cell beyond, or -1 */
};

/* Takes or counts the memory of `cells` sites; false when there is none. */
bool tw_voronoi_lay_out(struct tw_scratch *s, struct tw_voronoi *v, int32_t cells);
/* Where the corners of the cells are, for tw_voronoi_mean(); the graph is not made. Fast where
 * sites that follow each other are near (tw_delaunay). *twin becomes -1, or one of two sites that
 * coincide: then there is nothing. */
enum tw_status tw_voronoi_find(struct tw_task *task, struct tw_voronoi *v,
                               const int32_t (*sites)[2], int32_t *twin);
/* The mean of the corners of a cell. */
void tw_voronoi_mean(const struct tw_voronoi *v, int32_t cell, double *mean);
/* Cells, corners, edges and sides of what was found. */
enum tw_status tw_voronoi_count(struct tw_task *task, struct tw_voronoi *v,
                                struct tw_polymap_header *head);
/* After that: the sides and edges of a map with these counts, and the places of its corners.
 * Corners and edges are numbered as they come, around one cell after the other. */
void tw_voronoi_connect(struct tw_task *task, struct tw_voronoi *v, const struct tw_polymap *map);

/* -1..1 as places on a map are, from 0..TW_VORONOI_SIDE. */
static inline float tw_voronoi_unit(double x) { return (float)(x * (2.0 / TW_VORONOI_SIDE) - 1.0); }

#endif
