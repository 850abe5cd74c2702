/* SPDX-License-Identifier: MIT */
/* How much a value belongs to a band, and the parameters that say which. An end that is not given
 * is open where the other one is; where neither is, the band is the node's own.
 *
 *     #define OWN_BAND 2, 1e9
 *     struct params { TW_BAND_FIELDS; ... };
 *     ... TW_BAND_PARAMS(struct params, 0, 1e9, TW_UNIT_DEGREES, OWN_BAND, "", "", 0.5, 0, 60, 20),
 * ... TW_BAND(struct params, OWN_BAND)
 *     ... tw_mask_band(v, band_of(params)) ... */
#ifndef TW_NODES_MASK_KERNELS_BAND_H
#define TW_NODES_MASK_KERNELS_BAND_H

#include <thalweg/kernel.h>
#include <thalweg/node.h>
#include <thalweg/simd.h>

#define TW_BAND_FIELDS float low, high, softness

/* What an open end holds. No finite value lies beyond it, so low <= high holds as it is. */
#define TW_BAND_OPEN 3.4028234663852886e38 /* FLT_MAX */

/* The ends are within least and most; `of_low` and `of_high` continue their help texts. Usual
 * ends lie within usual_low and usual_high, the softness within 0 and usual_softness. */
#define TW_BAND_PARAMS(...) TW_BAND_ROWS(__VA_ARGS__)
#define TW_BAND_ROWS(S, least, most, unit, own_low, own_high, of_low, of_high, initial_softness,   \
                     usual_low, usual_high, usual_softness)                                        \
    TW_PARAM_F32_OR(S, low, "auto", -TW_BAND_OPEN, -TW_BAND_OPEN, least, most, unit,               \
                    "lower end of the band" of_low "; auto: " #own_low                             \
                    ", or open where only high is given",                                          \
                    TW_USUAL(usual_low, usual_high)),                                              \
        TW_PARAM_F32_OR(S, high, "auto", TW_BAND_OPEN, TW_BAND_OPEN, least, most, unit,            \
                        "upper end of the band" of_high "; auto: " #own_high                       \
                        ", or open where only low is given",                                       \
                        TW_USUAL(usual_low, usual_high)),                                          \
        TW_PARAM_F32(S, softness, initial_softness, 0, most, unit,                                 \
                     "how far beyond either end the mask falls to 0", TW_USUAL(0, usual_softness))

struct tw_band {
    float low, high, softness;
};

/* Defines band_of(), the band that parameters ask for, and the descriptor's `check`. */
#define TW_BAND(...) TW_BAND_FUNCTIONS(__VA_ARGS__)
#define TW_BAND_FUNCTIONS(S, own_low, own_high)                                                    \
    static TW_INLINE struct tw_band band_of(const S *p)                                            \
    {                                                                                              \
        bool own = p->low == -(float)TW_BAND_OPEN && p->high == (float)TW_BAND_OPEN;               \
        return (struct tw_band){own ? (float)(own_low) : p->low,                                   \
                                own ? (float)(own_high) : p->high, p->softness};                   \
    }                                                                                              \
    static struct tw_rule check(const void *at)                                                    \
    {                                                                                              \
        return TW_RULE_AT_MOST((const S *)at, low, high);                                          \
    }

/* 3 t^2 - 2 t^3 on 0..1: level at both ends. */
static TW_INLINE float tw_smoothstep(float t) { return t * t * (3.0f - 2.0f * t); }

/* 1 from low to high, falling smoothly to 0 over `softness` on either side; 0 makes it sharp. */
static TW_INLINE float tw_mask_band(float v, struct tw_band band)
{
    float outside = tw_max(tw_max(band.low - v, v - band.high), 0.0f);
    float t = outside / (band.softness > 0 ? band.softness : 1.0f);
    float soft = tw_smoothstep(1.0f - tw_min(t, 1.0f));
    return band.softness > 0 ? soft : outside > 0 ? 0.0f : 1.0f;
}

#endif
