/* SPDX-License-Identifier: MIT */
/* Octaves that tile and are finer than the map: every cell hashes its own four lattice points, and
 * nothing is kept from row to row. */
#ifndef TW_NODES_NOISE_KERNELS_LATTICE_FINE_H
#define TW_NODES_NOISE_KERNELS_LATTICE_FINE_H

#include "noise/kernels/lattice_rows.h"

/* A lattice row. */
struct tw_lattice_row {
    int64_t origin; /* lattice column of the strip's column[] 0 */
    int32_t j;
    float shift; /* share of a lattice cell that it begins further left */
};

static inline struct tw_lattice_row
tw_lattice_row_place(const struct tw_lattice *o, const struct tw_lattice_strip *s, int32_t j)
{
    struct tw_lattice_row row = {.j = j};
    int64_t whole;
    row.shift = tw_lattice_row_start(o, j, &whole);
    row.origin = s->origin + whole;
    return row;
}

/* The point left of a column, counted from the row's origin. */
static inline int32_t tw_lattice_point_at(const struct tw_lattice_strip *s,
                                          const struct tw_lattice_row *row, int32_t column)
{
    return s->column[column] + (s->share[column] + row->shift >= 1.0f);
}

/* Columns of a strip in a map row, between lattice rows j and j + 1. Cells lie `down`, and what
 * the lattice rises, below the first. */
struct tw_lattice_section {
    int32_t j, first, end;
    float down;
};

/* Writes the octave there to out[first] to out[end - 1], and anything to TW_LATTICE_VECTOR - 1
 * elements after them. */
void tw_lattice_fine(const struct tw_lattice *lattice, enum tw_simd simd,
                     const struct tw_lattice_strip *strip, const struct tw_lattice_section *section,
                     float *out);
#if defined(__x86_64__)
/* For vectors of 16 cells. */
void tw_lattice_fine_avx512(const struct tw_lattice *lattice, const struct tw_lattice_strip *strip,
                            const struct tw_lattice_section *section, float *out);
#endif

#endif
