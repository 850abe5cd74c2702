/* SPDX-License-Identifier: MIT */
/* Octaves whose lattice rows do not cross the map from border to border: every cell hashes its own
 * corners. */
#ifndef TW_NODES_NOISE_KERNELS_LATTICE_CELLS_H
#define TW_NODES_NOISE_KERNELS_LATTICE_CELLS_H

#include "noise/kernels/lattice_rows.h"

/* What columns of a map add to places across and down a rotated lattice; not of simplex noise. */
struct tw_lattice_columns {
    TW_LATTICE_ALIGNED double across[TW_LATTICE_ROW];
    TW_LATTICE_ALIGNED double down[TW_LATTICE_ROW];
};

/* Columns x to x + count, at most TW_LATTICE_STRIP. */
void tw_lattice_columns_place(const struct tw_lattice *lattice, int32_t x, int32_t count,
                              struct tw_lattice_columns *columns);
/* A rotated octave in a span of cells, whose columns are placed; `out` has room for whole vectors
 * of 16 cells. */
void tw_lattice_cells(const struct tw_lattice *lattice, enum tw_simd simd,
                      const struct tw_lattice_columns *columns, const struct tw_lattice_span *span,
                      float *out);

#if defined(__x86_64__)
/* Where there are vectors of 8 cells, and a lattice is coarser than the map: so many cells of a
 * row, whole vectors, gain by sharing their lattice points; 0 where none do. */
int32_t tw_cells_shared_avx2(const struct tw_lattice *lattice);
/* Gradient or value noise in stretches of `shared` cells. */
void tw_lattice_cells_avx2(const struct tw_lattice *lattice,
                           const struct tw_lattice_columns *columns,
                           const struct tw_lattice_span *span, int32_t shared, float *out);
#endif

#endif
