/* SPDX-License-Identifier: MIT */
/* One grid of the multigrid solver. Cells are coloured like a checkerboard, red where x + y is
 * even, and a plane holds a row's red cells, then its black ones. So the four neighbours of
 * consecutive cells of a colour are consecutive, too, and a colour can be updated in vector steps
 * and by threads. Cell (x, y) is at index x / 2 of its row and colour. */
#ifndef TW_NODES_COMMON_MULTIGRID_GRID_H
#define TW_NODES_COMMON_MULTIGRID_GRID_H

#include <thalweg/scratch.h>
#include <thalweg/simd.h>

/* Cells around the rows, all 0 in x, so that borders need no special case. */
enum { TW_MULTIGRID_PAD = 16 };

struct tw_multigrid_grid {
    int32_t width, height; /* cells */
    int32_t half;          /* cells of a row and colour, padded to whole vectors */
    size_t pitch;          /* floats from one colour's row to the next */
    size_t size;           /* floats of a plane */
    float *left, *right, *up, *down, *anchor; /* the equations; anchor is 1 in unused cells */
    float *rhs, *x;
    float *weight; /* what a cell counts for in the coarser grid; 0: sweeps alone settle it */
};

/* Index of the first cell of row y and colour; y from -1 to one past the last even row. */
static inline size_t tw_multigrid_row(const struct tw_multigrid_grid *level, int32_t y, int colour)
{
    return ((size_t)(y + 1) * 2 + (size_t)colour) * level->pitch + TW_MULTIGRID_PAD;
}

static inline size_t tw_multigrid_cell(const struct tw_multigrid_grid *level, int32_t x, int32_t y)
{
    return tw_multigrid_row(level, y, (x + y) & 1) + (size_t)(x >> 1);
}

/* 1 when a row's first cell of that colour is at x = 1. Its left neighbours then begin at the same
 * index of the other colour, else one before. */
static inline int tw_multigrid_shift(int32_t y, int colour) { return (y + colour) & 1; }

/* Rows that one thread should take at least. */
static inline int32_t tw_multigrid_grain(const struct tw_multigrid_grid *level)
{
    return 1 + 16384 / level->half;
}

/* multigrid_smooth.c solves on one grid, and between two. */

/* Sweeps that begin with a colour: 0 red, 1 black. Fewer when the task is cancelled. */
void tw_multigrid_sweep(struct tw_task *task, const struct tw_multigrid_grid *level, int sweeps,
                        int first);
/* Residuals of the fine grid, after a sweep that began with red, become the coarse right side; the
 * coarse x becomes 0. */
void tw_multigrid_restrict(struct tw_task *task, const struct tw_multigrid_grid *fine,
                           const struct tw_multigrid_grid *coarse);
/* Adds the coarse x to the fine one. Overwrites the coarse right side. */
void tw_multigrid_prolong(struct tw_task *task, const struct tw_multigrid_grid *fine,
                          const struct tw_multigrid_grid *coarse);

/* multigrid_adjoint.c finds the weight of each cell in the coarser grid. */

/* Sets rhs to the paths that begin in a cell: one in each of the finest grid that has a weight. */
void tw_multigrid_begin_paths(struct tw_task *task, const struct tw_multigrid_grid *level);
/* Sweeps of the transposed equations: from rhs, paths that begin in a cell, to weights. A weight of
 * 0 stays. The first colour is 0 red, 1 black. */
void tw_multigrid_weigh(struct tw_task *task, const struct tw_multigrid_grid *level, int sweeps,
                        int first);
/* Multiplies weights by those of the coarse grid, where it has one. */
void tw_multigrid_reweigh(struct tw_task *task, const struct tw_multigrid_grid *fine,
                          const struct tw_multigrid_grid *coarse);

/* multigrid_coarsest.c solves the few equations of the coarsest grid directly. */

enum { TW_MULTIGRID_COARSEST = 8 }; /* cells a side at most */
enum { TW_MULTIGRID_DENSE = TW_MULTIGRID_COARSEST * TW_MULTIGRID_COARSEST };

/* `matrix` holds TW_MULTIGRID_DENSE rows of as many numbers. */
void tw_multigrid_factor(const struct tw_multigrid_grid *l, double *matrix);
/* x from rhs. */
void tw_multigrid_solve_coarsest(const struct tw_multigrid_grid *l, const double *matrix);
/* Weights from rhs, with the transposed matrix. */
void tw_multigrid_weigh_coarsest(const struct tw_multigrid_grid *l, const double *matrix);

/* What is left of the equation of cell i of a row and colour. */
static TW_INLINE float tw_multigrid_residual(const struct tw_multigrid_grid *l, int32_t y,
                                             int colour, int32_t i)
{
    size_t cell = tw_multigrid_row(l, y, colour) + (size_t)i;
    size_t side = tw_multigrid_row(l, y, 1 - colour) + (size_t)(i + tw_multigrid_shift(y, colour));
    size_t above = tw_multigrid_row(l, y - 1, 1 - colour) + (size_t)i;
    size_t below = tw_multigrid_row(l, y + 1, 1 - colour) + (size_t)i;
    const float *x = l->x;
    float v = x[cell];
    return l->rhs[cell] - l->anchor[cell] * v -
           (l->left[cell] * (v - x[side - 1]) + l->right[cell] * (v - x[side])) -
           (l->up[cell] * (v - x[above]) + l->down[cell] * (v - x[below]));
}

/* A level without equations, and one more plane of zeros: both take or count their block. */
void tw_multigrid_lay_out(struct tw_scratch *s, struct tw_multigrid_grid *level, int32_t width,
                          int32_t height);
void *tw_multigrid_plane(struct tw_scratch *s, const struct tw_multigrid_grid *level,
                         size_t element);
/* Finds the cells that take part in the coarser grid and gives them weight 1. */
void tw_multigrid_share(struct tw_task *task, const struct tw_multigrid_grid *level);
/* Makes the equations of the grid of half the resolution: weight 1 for its cells, and rhs the sum
 * of the fine one's where weights are not 0. */
void tw_multigrid_coarsen(struct tw_task *task, const struct tw_multigrid_grid *fine,
                          const struct tw_multigrid_grid *coarse);

#endif
