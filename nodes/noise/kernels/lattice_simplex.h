/* SPDX-License-Identifier: MIT */
/* Simplex noise (Perlin 2001): lattice cells are triangles, and a cell sums the shares of its three
 * corners. */
#ifndef TW_NODES_NOISE_KERNELS_LATTICE_SIMPLEX_H
#define TW_NODES_NOISE_KERNELS_LATTICE_SIMPLEX_H

#include "noise/kernels/lattice.h"

#define TW_SIMPLEX_SKEW 0.366025404f
#define TW_SIMPLEX_UNSKEW 0.211324865f
/* Three corners with the worst gradients of length 1 give 1 / 99.2043. */
#define TW_SIMPLEX_FACTOR (99.2f / TW_LATTICE_UNIT)

/* Where the cells of a row lie on a rotated lattice: cell x at (x + 1/2) (cosine, sine) + start. */
struct tw_simplex_line {
    float cosine, sine, start_u, start_v;
};

static inline struct tw_simplex_line tw_simplex_line_of(const struct tw_lattice *o, int32_t y)
{
    const float cosine = (float)o->cosine, sine = (float)o->sine, down = (float)y + 0.5f;
    return (struct tw_simplex_line){cosine, sine, (float)o->start_x - down * sine,
                                    (float)o->start_y + down * cosine};
}

/* The octave at the cells of a span; `out` has room for whole vectors of 16 cells. */
void tw_lattice_simplex(const struct tw_lattice *lattice, enum tw_simd simd,
                        const struct tw_lattice_span *span, float *out);

#endif
