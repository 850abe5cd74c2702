/* SPDX-License-Identifier: MIT */
/* Generalised conjugate residuals on one grid of the multigrid solver: of all steps along the last
 * two directions that cycles gave, the ones that leave the least residual. */
#ifndef TW_NODES_COMMON_MULTIGRID_GCR_H
#define TW_NODES_COMMON_MULTIGRID_GCR_H

#include "common/multigrid/grid.h"

/* A direction of GCR that was used, and its image under the equations. */
struct tw_direction {
    float *p, *ap;
    double ap_ap;
};

/* GCR on one grid: level.x is the newest direction z. */
struct tw_gcr {
    const struct tw_multigrid_grid *level;
    float *az;
    float *sum; /* of a coarse grid: the solution so far */
    struct tw_direction used;
    bool any;         /* whether a direction is used */
    float turn, step; /* z -= turn p, then the solution moves by step z */
    double *sums;     /* by row: what a pass adds up */
    double az_az;     /* of the newest direction */
    enum tw_simd simd;
};

/* Takes or counts its blocks. */
void tw_gcr_lay_out(struct tw_scratch *s, struct tw_gcr *d, const struct tw_multigrid_grid *level);
/* Makes the image of z orthogonal to that of the used direction and finds the step of least
 * residual. Returns the share of the squared residual that is left; *most is the largest of z as
 * it came. */
double tw_gcr_orthogonalise(struct tw_task *task, struct tw_gcr *d, double *most);
/* z is the used direction now; the planes of the one before are for the next. */
void tw_gcr_push_direction(struct tw_multigrid_grid *level, struct tw_gcr *d);
/* Makes the step in `sum`, which starts at 0 while no direction is used, and in the right side. */
void tw_gcr_update(struct tw_task *task, struct tw_gcr *d);
/* Sets level.x to 0. */
void tw_gcr_clear(struct tw_task *task, struct tw_gcr *d);

#endif
