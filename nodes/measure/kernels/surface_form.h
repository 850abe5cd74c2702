/* SPDX-License-Identifier: MIT */
/* Form of a surface on reference cells: crests against valleys, steepness. */
#ifndef TW_NODES_MEASURE_KERNELS_SURFACE_FORM_H
#define TW_NODES_MEASURE_KERNELS_SURFACE_FORM_H

#include "measure/kernels/reference_cells.h"

/* Skewness of curvature by quantiles, below 0 where crests are narrow. `a` and `b` are memory for
 * as many doubles as there are cells. */
double tw_surface_crests(struct tw_task *task, const struct tw_reference_cells *r, double *a,
                         double *b);
/* The 95 % quantile of slopes over their median. */
double tw_surface_steep(struct tw_task *task, const struct tw_reference_cells *r, double *a,
                        double *b);

#endif
