/* SPDX-License-Identifier: MIT */
/* Octaves whose lattice rows do not cross the map from border to border: every cell hashes its own
 * corners. */
#ifndef TW_NODES_NOISE_KERNELS_LATTICE_CELLS_H
#define TW_NODES_NOISE_KERNELS_LATTICE_CELLS_H

#include "noise/kernels/lattice.h"

/* A rotated octave in a span of cells; `out` has room for whole vectors of 16 cells. */
void tw_lattice_cells(const struct tw_lattice *lattice, enum tw_simd simd,
                      const struct tw_lattice_span *span, float *out);

#endif
