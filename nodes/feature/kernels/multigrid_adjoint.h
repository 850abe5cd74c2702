/* SPDX-License-Identifier: MIT */
/* What cells count for in the coarser grid. Imagine that a walk begins in every cell, goes on to
 * neighbours in proportion to their weights in its cell's equation, and ends at an anchor: a cell
 * counts as often as walks visit it. With such weights a coarse grid holds walks for as long as the
 * fine one. A plain sum lets go of them much too early where slopes lead walks together, and cycles
 * do not converge. The visits solve the transposed equations, which the same grids give by and by
 * (Horton and Leutenegger 1994, a multi-level algorithm for Markov chains). */
#ifndef TW_NODES_FEATURE_KERNELS_MULTIGRID_ADJOINT_H
#define TW_NODES_FEATURE_KERNELS_MULTIGRID_ADJOINT_H

#include "feature/kernels/multigrid_grid.h"

/* rhs becomes the walks that begin, one in each cell of the finest grid that has a weight. */
void tw_multigrid_begin_walks(struct tw_task *task, const struct tw_multigrid_grid *level);
/* Sweeps of the transposed equations: from rhs, walks that begin in a cell, to weights. A weight of
 * 0 stays. The first colour is 0 red, 1 black. */
void tw_multigrid_weigh(struct tw_task *task, const struct tw_multigrid_grid *level, int sweeps,
                        int first);
/* Multiplies weights by those of the coarse grid, where it has one. */
void tw_multigrid_reweigh(struct tw_task *task, const struct tw_multigrid_grid *fine,
                          const struct tw_multigrid_grid *coarse);

#endif
