/* SPDX-License-Identifier: MIT */
/* lattice_cells.h where there are vectors of 8 cells, and a lattice is coarser than the map. */
#ifndef TW_NODES_NOISE_KERNELS_LATTICE_CELLS_SHARED_AVX2_H
#define TW_NODES_NOISE_KERNELS_LATTICE_CELLS_SHARED_AVX2_H

#include "noise/kernels/lattice_cells.h"

#if defined(__x86_64__)
/* So many cells of a row, whole vectors, gain by sharing their lattice points; 0 where none do. */
int32_t tw_cells_shared_avx2(const struct tw_lattice *lattice);
/* Gradient or value noise in stretches of `shared` cells. */
void tw_lattice_cells_avx2(const struct tw_lattice *lattice,
                           const struct tw_lattice_columns *columns,
                           const struct tw_lattice_span *span, int32_t shared, float *out);
#endif

#endif
