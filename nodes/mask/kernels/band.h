/* SPDX-License-Identifier: MIT */
/* How much a value belongs to a band, and the parameters that say which.
 *
 *     struct params { TW_BAND_FIELDS; ... };
 *     ... TW_BAND_PARAMS(struct params, 0, 1e9, TW_UNIT_DEGREES, 2, "", 1e9, "", 0.5), ...
 *     TW_BAND_CHECK(struct params) */
#ifndef TW_NODES_MASK_KERNELS_BAND_H
#define TW_NODES_MASK_KERNELS_BAND_H

#include <thalweg/kernel.h>
#include <thalweg/node.h>
#include <thalweg/simd.h>

#define TW_BAND_FIELDS float low, high, softness

/* The ends are within least and most; `of_low` and `of_high` go on with what is said of them. */
#define TW_BAND_PARAMS(S, least, most, unit, initial_low, of_low, initial_high, of_high,           \
                       initial_softness)                                                           \
    TW_PARAM_F32(S, low, initial_low, least, most, unit, "lower end of the band" of_low),          \
        TW_PARAM_F32(S, high, initial_high, least, most, unit, "upper end of the band" of_high),   \
        TW_PARAM_F32(S, softness, initial_softness, 0, most, unit,                                 \
                     "how far beyond either end the mask falls to 0")

/* The descriptor's `check`. */
#define TW_BAND_CHECK(S)                                                                           \
    static struct tw_rule check(const void *at)                                                    \
    {                                                                                              \
        return TW_RULE_AT_MOST((const S *)at, low, high);                                          \
    }

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
