/* SPDX-License-Identifier: MIT */
/* The surface over cells without heights that bends least, held by the cells around them:
 *
 *     membrane: least sum of (z - z_k)^2 over neighbours k in rows and columns;
 *     plate:    least sum of z_xx^2 + 2 z_xy^2 + z_yy^2, differences that lie on the map.
 *
 * Conjugate gradients solve for it on grids of doubled resolution in turn, each from the result of
 * the one before: cascadic multigrid, Bornemann and Deuflhard 1996. In double; sums have a fixed
 * order. */
#ifndef TW_NODES_SHAPE_KERNELS_GAP_SURFACE_H
#define TW_NODES_SHAPE_KERNELS_GAP_SURFACE_H

#include <thalweg/scratch.h>

enum { TW_GAP_GRIDS_MAX = 32 };

struct tw_gap_grid {
    int32_t width, height;
    double *z;
    uint8_t *gap; /* nonzero: z is to be found */
};

struct tw_gap_surface {
    struct tw_gap_grid grid[TW_GAP_GRIDS_MAX]; /* the first of the task's size */
    int grids;
    bool wrap, plate;
    /* of the grid at hand */
    int32_t *list; /* its gap cells */
    int32_t count;
    double *residual, *image; /* by place in the list */
    double *way;              /* by cell, 0 outside gaps */
    double *sums;
};

/* Takes or counts memory; false when there is none. */
bool tw_gap_surface_lay_out(struct tw_scratch *s, struct tw_gap_surface *surface);
/* Finds z in the gaps of the first grid, whose cells, `wrap` and `plate` are set; at least one cell
 * is no gap. TW_CANCELLED when the task is. */
enum tw_status tw_gap_surface_find(struct tw_task *task, struct tw_gap_surface *f);

#endif
