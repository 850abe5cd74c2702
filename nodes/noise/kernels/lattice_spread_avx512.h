/* SPDX-License-Identifier: MIT */
/* AVX-512 variant of lattice_spread.h, 16 cells per vector. */
#ifndef TW_NODES_NOISE_KERNELS_LATTICE_SPREAD_AVX512_H
#define TW_NODES_NOISE_KERNELS_LATTICE_SPREAD_AVX512_H

#include "noise/kernels/lattice_rows.h"

#if defined(__x86_64__)
/* Points word, word + ACROSS, ... of a lattice row, whole vectors: gradients, or values in x. */
void tw_lattice_draw_avx512(const struct tw_lattice *lattice, uint32_t word, int32_t count,
                            float *x, float *y);
/* P and Q at a strip's columns, whole vectors, of the row with these points that begins `shift` of
 * a lattice cell further left. Points are read to two vectors behind the last. */
void tw_lattice_spread_points_avx512(bool gradients, const struct tw_lattice_strip *strip,
                                     float shift, const float *x, const float *y, float *height,
                                     float *slope);
#endif

#endif
