/* SPDX-License-Identifier: MIT */
/* Fine roughness of a surface on reference cells. */
#ifndef TW_NODES_MEASURE_KERNELS_SURFACE_FINE_H
#define TW_NODES_MEASURE_KERNELS_SURFACE_FINE_H

#include "measure/kernels/reference_cells.h"

/* The Hurst exponent by second differences over 1 and over 4 cells. `a` is memory for as many
 * doubles as there are cells. */
enum tw_status tw_surface_fine(struct tw_task *task, const struct tw_reference_cells *r, double *a,
                               double *fine);

#endif
