/* SPDX-License-Identifier: MIT */
/* The curve by which gradient noise goes from one lattice point to the next. */
#ifndef TW_NODES_COMMON_FADE_H
#define TW_NODES_COMMON_FADE_H

#include <thalweg/simd.h>

/* 6t^5 - 15t^4 + 10t^3, Perlin 2002: 0 at 0, 1 at 1, level and without curvature at both. */
static TW_INLINE float tw_fade(float t) { return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f); }

#endif
