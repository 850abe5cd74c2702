/* SPDX-License-Identifier: MIT */
/* The weight of each cell in the coarser grid. A random path begins in every cell, moves on to
 * neighbours in proportion to their weights in its cell's equation, and ends at an anchor: the
 * weight of a cell is the expected number of visits. With these weights a path is as long on the
 * coarse grid as on the fine one. With a plain sum it ends much too early where slopes lead paths
 * together, and cycles do not converge. The visits solve the transposed equations, iteratively on
 * the same grids (Horton and Leutenegger 1994, a multi-level algorithm for Markov chains). */
#ifndef TW_NODES_FEATURE_KERNELS_MULTIGRID_ADJOINT_H
#define TW_NODES_FEATURE_KERNELS_MULTIGRID_ADJOINT_H

#include "feature/kernels/multigrid_grid.h"

/* Sets rhs to the paths that begin in a cell: one in each of the finest grid that has a weight. */
void tw_multigrid_begin_paths(struct tw_task *task, const struct tw_multigrid_grid *level);
/* Sweeps of the transposed equations: from rhs, paths that begin in a cell, to weights. A weight of
 * 0 stays. The first colour is 0 red, 1 black. */
void tw_multigrid_weigh(struct tw_task *task, const struct tw_multigrid_grid *level, int sweeps,
                        int first);
/* Multiplies weights by those of the coarse grid, where it has one. */
void tw_multigrid_reweigh(struct tw_task *task, const struct tw_multigrid_grid *fine,
                          const struct tw_multigrid_grid *coarse);

#endif
