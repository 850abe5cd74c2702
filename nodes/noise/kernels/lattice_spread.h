/* SPDX-License-Identifier: MIT */
/* A lattice row at a strip's columns. */
#ifndef TW_NODES_NOISE_KERNELS_LATTICE_SPREAD_H
#define TW_NODES_NOISE_KERNELS_LATTICE_SPREAD_H

#include "noise/kernels/lattice_rows.h"

/* Interpolates lattice row j across the strip: heights of its ramps and their slopes, or its
 * values. */
void tw_lattice_spread(const struct tw_lattice *lattice, enum tw_simd simd, int32_t j,
                       struct tw_lattice_strip *strip);

#endif
