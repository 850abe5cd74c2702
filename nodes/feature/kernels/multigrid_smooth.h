/* SPDX-License-Identifier: MIT */
/* The work on one grid of the multigrid solver, and between two. */
#ifndef TW_NODES_FEATURE_KERNELS_MULTIGRID_SMOOTH_H
#define TW_NODES_FEATURE_KERNELS_MULTIGRID_SMOOTH_H

#include "feature/kernels/multigrid_grid.h"

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

#endif
