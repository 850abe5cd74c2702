/* SPDX-License-Identifier: MIT */
/* Simplex noise (Perlin 2001): lattice cells are triangles, and a cell sums the shares of its three
 * corners. */
#ifndef TW_NODES_NOISE_KERNELS_LATTICE_SIMPLEX_H
#define TW_NODES_NOISE_KERNELS_LATTICE_SIMPLEX_H

#include "noise/kernels/lattice.h"

/* The octave at the cells of a span. */
void tw_lattice_simplex(const struct tw_lattice *lattice, enum tw_simd simd,
                        const struct tw_lattice_span *span, float *out);

#endif
