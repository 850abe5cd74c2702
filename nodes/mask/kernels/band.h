/* SPDX-License-Identifier: MIT */
/* How much a value belongs to a band. */
#ifndef TW_NODES_MASK_KERNELS_BAND_H
#define TW_NODES_MASK_KERNELS_BAND_H

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

/* 3 t^2 - 2 t^3 on 0..1: level at both ends. */
static TW_INLINE float tw_smoothstep(float t) { return t * t * (3.0f - 2.0f * t); }

/* 1 from low to high, falling smoothly to 0 over `softness` on either side; 0 makes it sharp. */
static TW_INLINE float tw_mask_band(float v, float low, float high, float softness)
{
    float outside = tw_max(tw_max(low - v, v - high), 0.0f);
    float t = outside / (softness > 0 ? softness : 1.0f);
    float soft = tw_smoothstep(1.0f - tw_min(t, 1.0f));
    return softness > 0 ? soft : outside > 0 ? 0.0f : 1.0f;
}

#endif
