/* SPDX-License-Identifier: MIT */
/* Detects grid lines: evenly spaced rows or columns whose roughness differs from their
 * surroundings'. Terrain must not show the lattice, tiles or visiting order of its method. */
#ifndef TW_TESTS_SUPPORT_LINES_H
#define TW_TESTS_SUPPORT_LINES_H

#include <stdbool.h>
#include <stdint.h>

enum { LINES_SIZE = 512, LINES_SEEDS = 8 };

/* Two synthetic inputs that wrap and have no grid of their own, LINES_SIZE squared, in 0..1:
 * mountains with amplitudes f^-1.9 and random phases; and plains, smoothed from the mountains,
 * gentle and 40 % flat, with 2 % of fine detail. */
enum lines_input { LINES_MOUNTAINS, LINES_PLAINS, LINES_INPUTS };
void lines_terrain(enum lines_input input, uint64_t seed, float *cells);

/* Sums over several maps: for every line the logarithm of the mean absolute second difference,
 * minus its moving mean over 17 lines. */
struct lines_profile {
    int32_t maps;
    double residual[4][LINES_SIZE]; /* rows, columns; second differences across, along the line */
};
void lines_add(struct lines_profile *profile, const float *cells);

/* The most conspicuous family: lines phase, phase + period, ..., or a single line, whose period is
 * LINES_SIZE. */
struct lines_family {
    bool shows; /* |excess| > 0.05 and |z| > 7 */
    const char *profile;
    int32_t period, phase;
    double excess; /* mean over its lines, in logarithms */
    double z;      /* excess over the standard error of a mean of as many lines */
};
struct lines_family lines_find(const struct lines_profile *profile);

#endif
