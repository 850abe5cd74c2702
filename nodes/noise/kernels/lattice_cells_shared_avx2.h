/* SPDX-License-Identifier: MIT */
/* AVX2 variant of lattice_cells.h for lattices coarser than the map, 8 cells per vector. */
#ifndef TW_NODES_NOISE_KERNELS_LATTICE_CELLS_SHARED_AVX2_H
#define TW_NODES_NOISE_KERNELS_LATTICE_CELLS_SHARED_AVX2_H

#include "noise/kernels/lattice_cells.h"

#if defined(__x86_64__)
/* Returns how many cells of a row, whole vectors, gain by sharing their lattice points; 0 if none
 * do. */
int32_t tw_cells_shared_avx2(const struct tw_lattice *lattice);
/* Gradient or value noise in stretches of `shared` cells. */
void tw_lattice_cells_avx2(const struct tw_lattice *lattice,
                           const struct tw_lattice_columns *columns,
                           const struct tw_lattice_span *span, int32_t shared, float *out);
#endif

#endif
