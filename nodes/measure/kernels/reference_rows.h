/* SPDX-License-Identifier: MIT */
/* Rows of reference cells and those around them, in double. */
#ifndef TW_NODES_MEASURE_KERNELS_REFERENCE_ROWS_H
#define TW_NODES_MEASURE_KERNELS_REFERENCE_ROWS_H

#include "measure/kernels/reference_cells.h"

#include <thalweg/kernel.h>

#define TW_REFERENCE_LEVEL 1e-9 /* of the relief: differences below it are level ground */

/* Row or column i; beyond a closed border that of the border. */
static inline int32_t tw_reference_index(const struct tw_reference_cells *r, int32_t i,
                                         int32_t count)
{
    return r->wrap ? tw_wrap(i, count) : tw_clamp_index(i, count);
}

static inline const double *tw_reference_row(const struct tw_reference_cells *r, const double *map,
                                             int32_t y)
{
    return map + (size_t)tw_reference_index(r, y, r->height) * (size_t)r->width;
}

#endif
