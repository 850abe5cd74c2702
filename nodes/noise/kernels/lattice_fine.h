/* SPDX-License-Identifier: MIT */
/* Octaves that tile and are finer than the map: every cell hashes its own four lattice points, and
 * nothing is kept from row to row. */
#ifndef TW_NODES_NOISE_KERNELS_LATTICE_FINE_H
#define TW_NODES_NOISE_KERNELS_LATTICE_FINE_H

#include "noise/kernels/lattice_rows.h"

/* Columns of a strip in a map row, between lattice rows j and j + 1. Cells lie `down`, and what
 * the lattice rises, below the first. */
struct tw_lattice_part {
    int32_t j, first, end;
    float down;
};

/* Writes the octave there to out[first] to out[end - 1], and anything to TW_LATTICE_VECTOR - 1
 * elements after them. */
void tw_lattice_fine(const struct tw_lattice *lattice, enum tw_simd simd,
                     const struct tw_lattice_strip *strip, const struct tw_lattice_part *part,
                     float *out);

#endif
