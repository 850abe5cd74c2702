/* SPDX-License-Identifier: MIT */
/* lattice_cells.h where there are vectors of 16 cells. */
#ifndef TW_NODES_NOISE_KERNELS_LATTICE_CELLS_AVX512_H
#define TW_NODES_NOISE_KERNELS_LATTICE_CELLS_AVX512_H

#include "noise/kernels/lattice.h"

#if defined(__x86_64__)
/* Gradient or value noise. */
void tw_lattice_cells_avx512(const struct tw_lattice *lattice, const struct tw_lattice_span *span,
                             float *out);
#endif

#endif
