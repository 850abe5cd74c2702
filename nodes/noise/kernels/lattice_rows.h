/* SPDX-License-Identifier: MIT */
/* Octaves that tile: lattice rows cross the map from border to border. Between two of them, noise
 * at (x, y) is linear in four numbers that depend on x alone: for each lattice row the height P and
 * the slope Q down the map, interpolated across. They are kept for a strip of columns, so that a
 * cell costs a few operations. */
#ifndef TW_NODES_NOISE_KERNELS_LATTICE_ROWS_H
#define TW_NODES_NOISE_KERNELS_LATTICE_ROWS_H

#include "noise/kernels/lattice.h"

enum { TW_LATTICE_STRIP = 512, TW_LATTICE_VECTOR = 16 };
/* A strip's row, and what whole vectors that begin within it reach beyond. */
enum { TW_LATTICE_ROW = TW_LATTICE_STRIP + TW_LATTICE_VECTOR };

struct tw_lattice_strip {
    int32_t count;
    int32_t origin, next; /* lattice column of column[] 0; first lattice row not spread yet */
    /* Of the lattice, from origin on, where start and slip are 0; share of the way to the next. */
    TW_LATTICE_ALIGNED int32_t column[TW_LATTICE_ROW];
    TW_LATTICE_ALIGNED uint32_t
        word[TW_LATTICE_ROW]; /* of the column: TW_LATTICE_ACROSS times it */
    TW_LATTICE_ALIGNED float share[TW_LATTICE_ROW];
    TW_LATTICE_ALIGNED float rise[TW_LATTICE_ROW];        /* lattice rows, 0 to 1, due to climb */
    TW_LATTICE_ALIGNED float height[4][TW_LATTICE_STRIP]; /* P of lattice row j at [j & 3] */
    TW_LATTICE_ALIGNED float slope[4][TW_LATTICE_STRIP];  /* Q, of gradient noise */
};

/* Columns x to x + count, at most TW_LATTICE_STRIP, at the map's top. */
void tw_lattice_strip_place(const struct tw_lattice *lattice, int32_t x, int32_t count,
                            struct tw_lattice_strip *strip);
/* The octave in map row y of a strip; rows come in order. `out` has TW_LATTICE_ROW elements. */
void tw_lattice_strip_row(const struct tw_lattice *lattice, enum tw_simd simd, int32_t y,
                          struct tw_lattice_strip *strip, float *out);

#endif
