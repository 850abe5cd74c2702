/* SPDX-License-Identifier: MIT */
/* The coarsest grid of multigrid.h, whose few equations are solved directly: LU in place without
 * pivots, since rows are diagonally dominant. */
#ifndef TW_NODES_FEATURE_KERNELS_MULTIGRID_COARSEST_H
#define TW_NODES_FEATURE_KERNELS_MULTIGRID_COARSEST_H

#include "feature/kernels/multigrid_grid.h"

enum { TW_MULTIGRID_COARSEST = 8 }; /* cells a side at most */
enum { TW_MULTIGRID_DENSE = TW_MULTIGRID_COARSEST * TW_MULTIGRID_COARSEST };

/* `matrix` holds TW_MULTIGRID_DENSE rows of as many numbers. */
void tw_multigrid_factor(const struct tw_multigrid_grid *l, double *matrix);
/* x from rhs. */
void tw_multigrid_solve_coarsest(const struct tw_multigrid_grid *l, const double *matrix);
/* Solves for the weights of the coarsest grid, with the transposed matrix. */
void tw_multigrid_weigh_coarsest(const struct tw_multigrid_grid *l, const double *matrix);

#endif
