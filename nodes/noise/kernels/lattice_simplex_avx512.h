/* SPDX-License-Identifier: MIT */
/* lattice_simplex.h where there are vectors of 16 cells. */
#ifndef TW_NODES_NOISE_KERNELS_LATTICE_SIMPLEX_AVX512_H
#define TW_NODES_NOISE_KERNELS_LATTICE_SIMPLEX_AVX512_H

#include "noise/kernels/lattice_simplex.h"

#if defined(__x86_64__)
void tw_lattice_simplex_avx512(const struct tw_lattice *lattice, const struct tw_lattice_span *span,
                               float *out);
#endif

#endif
