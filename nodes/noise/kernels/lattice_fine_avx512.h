/* SPDX-License-Identifier: MIT */
/* AVX-512 variant of lattice_fine.h, 16 cells per vector. */
#ifndef TW_NODES_NOISE_KERNELS_LATTICE_FINE_AVX512_H
#define TW_NODES_NOISE_KERNELS_LATTICE_FINE_AVX512_H

#include "noise/kernels/lattice_fine.h"

#if defined(__x86_64__)
void tw_lattice_fine_avx512(const struct tw_lattice *lattice, const struct tw_lattice_strip *strip,
                            const struct tw_lattice_part *part, float *out);
#endif

#endif
