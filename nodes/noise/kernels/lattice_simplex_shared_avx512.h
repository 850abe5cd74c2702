/* SPDX-License-Identifier: MIT */
/* AVX-512 variant for simplex noise coarser than the map, 16 cells per vector: a stretch of a row
 * lies in at most 16 squares of the lattice, whose gradients stay in registers; permutations give
 * each cell its own. */
#ifndef TW_NODES_NOISE_KERNELS_LATTICE_SIMPLEX_SHARED_AVX512_H
#define TW_NODES_NOISE_KERNELS_LATTICE_SIMPLEX_SHARED_AVX512_H

#include "noise/kernels/lattice_simplex_avx512.h"

#if defined(__x86_64__)
enum { TW_SIMPLEX_SHARED_MAX = 512 };

/* Returns how many cells, whole vectors and at most TW_SIMPLEX_SHARED_MAX, nearly always lie in 16
 * squares. */
int32_t tw_simplex_shared_cells(const struct tw_simplex_line *line);
/* Writes the octave at such cells of a row; returns false where they lie in more squares. */
bool tw_simplex_fill_shared(const struct tw_lattice *lattice, const struct tw_simplex_line *line,
                            int32_t x, int32_t count, float *out);
#endif

#endif
