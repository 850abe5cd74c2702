/* SPDX-License-Identifier: MIT */
/* Points of a lattice that tiles: each has several names, one of which its random numbers are drawn
 * for. */
#ifndef TW_NODES_NOISE_KERNELS_LATTICE_WORD_H
#define TW_NODES_NOISE_KERNELS_LATTICE_WORD_H

#include "noise/kernels/lattice.h"

/* The word of lattice point (i, j), at most a few maps away, before it is mixed; `run` becomes how
 * many points to the right, with it, follow on, of those that are there. */
uint32_t tw_lattice_word(const struct tw_lattice *lattice, int64_t i, int64_t j, int32_t *run);

#endif
