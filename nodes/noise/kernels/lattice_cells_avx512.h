/* SPDX-License-Identifier: MIT */
/* AVX-512 variant of lattice_cells.h, 16 cells per vector. */
#ifndef TW_NODES_NOISE_KERNELS_LATTICE_CELLS_AVX512_H
#define TW_NODES_NOISE_KERNELS_LATTICE_CELLS_AVX512_H

#include "noise/kernels/lattice_cells.h"

#if defined(__x86_64__)
enum { TW_CELLS_CHUNK = 256 };

/* Cells of a row: in which columns and rows of the lattice they lie, and their shares of the way to
 * the next ones. */
struct tw_cells {
    TW_LATTICE_ALIGNED float x[TW_CELLS_CHUNK];
    TW_LATTICE_ALIGNED float y[TW_CELLS_CHUNK];
    TW_LATTICE_ALIGNED int32_t column[TW_CELLS_CHUNK];
    TW_LATTICE_ALIGNED int32_t row[TW_CELLS_CHUNK];
};

/* Gradient or value noise. */
void tw_lattice_cells_avx512(const struct tw_lattice *lattice,
                             const struct tw_lattice_columns *columns,
                             const struct tw_lattice_span *span, float *out);

/* Returns how many cells, whole vectors and at most TW_CELLS_CHUNK, gain by sharing their lattice
 * points; 0 if none do. */
int32_t tw_cells_shared(const struct tw_lattice *lattice);
/* The octave at `count` cells, which share their points in stretches of `shared`. */
void tw_cells_fill_shared(const struct tw_lattice *lattice, const struct tw_cells *cells,
                          int32_t count, int32_t shared, float *out);
#endif

#endif
