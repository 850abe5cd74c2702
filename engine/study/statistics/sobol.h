/* SPDX-License-Identifier: MIT */
/* Points that fill a cube evenly: the Sobol sequence with the direction numbers of Joe and Kuo
 * 2008, "Constructing Sobol sequences with better two-dimensional projections", SIAM J. Sci.
 * Comput. 30, 2635 (their file new-joe-kuo-6.21201, the first dimensions). Not randomised: the
 * first point is the origin, and 2^k points hit every dyadic interval of 2^-k once. */
#ifndef TW_ENGINE_STUDY_STATISTICS_SOBOL_H
#define TW_ENGINE_STUDY_STATISTICS_SOBOL_H

#include <stdint.h>

#define TW_SOBOL_DIMENSIONS_MAX 64

/* Coordinate `dimension` (from 0) of point `index` (from 0), in [0, 1). */
double tw_sobol(uint32_t index, int32_t dimension);

#endif
