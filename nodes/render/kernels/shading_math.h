/* SPDX-License-Identifier: MIT */
/* Single-precision maths of pictures, free of branches, so that loops over cells or rays become
 * vectors: smoothstep, exponentials, logarithms and colours in linear light. Only + - * /, integers
 * and bit copies, so every instruction set gives the same bits. */
#ifndef TW_NODES_RENDER_KERNELS_SHADING_MATH_H
#define TW_NODES_RENDER_KERNELS_SHADING_MATH_H

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

/* A colour in linear light; 1 is a white sheet under an average sky. */
struct tw_rgb {
    float r, g, b;
};

static TW_INLINE float tw_mix(float a, float b, float share) { return a + (b - a) * share; }

static TW_INLINE float tw_share_of(float v) { return tw_clamp(v, 0.0f, 1.0f); }

/* What heights may differ by from rounding alone, in cells of which `scale` are 1 high, up to what
 * one would see as relief. Colours by height take no less for a range. */
static TW_INLINE float tw_rounding_of(float low, float high, float scale)
{
    return tw_min(0x1p-18f * tw_max(fabsf(low), fabsf(high)) * scale, 0.01f);
}

/* 3t^2 - 2t^3 from a, 0, to b, 1; falling when a > b. */
static TW_INLINE float tw_smoothstep(float a, float b, float v)
{
    float t = tw_share_of((v - a) / (b - a));
    return t * t * (3.0f - 2.0f * t);
}

/* 2^x, relative error below 3e-7: the fraction by Taylor to the sixth power. */
static TW_INLINE float tw_fast_exp2(float x)
{
    x = tw_clamp(x, -120.0f, 120.0f);
    int32_t whole = (int32_t)(x + 1024.5f) - 1024;
    float r = (x - (float)whole) * 0.6931472f;
    float sum = 1.0f + r * (1.0f / 6.0f);
    sum = 1.0f + r * 0.2f * sum;
    sum = 1.0f + r * 0.25f * sum;
    sum = 1.0f + r * (1.0f / 3.0f) * sum;
    sum = 1.0f + r * 0.5f * sum;
    sum = 1.0f + r * sum;
    uint32_t bits = (uint32_t)(whole + 127) << 23;
    float scale;
    memcpy(&scale, &bits, sizeof scale);
    return sum * scale;
}

static TW_INLINE float tw_fast_exp(float x) { return tw_fast_exp2(x * 1.442695f); }

/* log2 of a normal x > 0, absolute error below 1e-6: atanh series of the mantissa. */
static TW_INLINE float tw_fast_log2(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    int32_t whole = (int32_t)(bits - 0x3F3504F3u) >> 23;
    bits -= (uint32_t)whole << 23;
    float m;
    memcpy(&m, &bits, sizeof m);
    float s = (m - 1.0f) / (m + 1.0f), q = s * s;
    float sum = 1.0f + q * (1.0f / 3.0f + q * (0.2f + q * (1.0f / 7.0f)));
    return (float)whole + s * sum * 2.885390f;
}

/* x^y for x >= 0; 0 for x near 0. */
static TW_INLINE float tw_fast_pow(float x, float y)
{
    return tw_fast_exp2(y * tw_fast_log2(tw_max(x, 1e-30f)));
}

static TW_INLINE struct tw_rgb tw_rgb_mix(struct tw_rgb a, struct tw_rgb b, float share)
{
    return (struct tw_rgb){tw_mix(a.r, b.r, share), tw_mix(a.g, b.g, share),
                           tw_mix(a.b, b.b, share)};
}

static TW_INLINE struct tw_rgb tw_rgb_scale(struct tw_rgb c, float by)
{
    return (struct tw_rgb){c.r * by, c.g * by, c.b * by};
}

static TW_INLINE struct tw_rgb tw_rgb_multiply(struct tw_rgb a, struct tw_rgb b)
{
    return (struct tw_rgb){a.r * b.r, a.g * b.g, a.b * b.b};
}

static TW_INLINE struct tw_rgb tw_rgb_add(struct tw_rgb a, struct tw_rgb b)
{
    return (struct tw_rgb){a.r + b.r, a.g + b.g, a.b + b.b};
}

static TW_INLINE float tw_rgb_luminance(struct tw_rgb c)
{
    return 0.2126f * c.r + 0.7152f * c.g + 0.0722f * c.b;
}

#endif
