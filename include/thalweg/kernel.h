/* SPDX-License-Identifier: MIT */
/* Inline maths for nodes: random numbers by counter and functions that give the same bits on every
 * machine. Only + - * / sqrt and integers are used here, so -ffp-contract=off makes them exact. */
#ifndef THALWEG_KERNEL_H
#define THALWEG_KERNEL_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* FLT_EVAL_METHOD 16 differs from 0 for half floats only. */
#if defined(__FAST_MATH__) || (FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16)
#error "thalweg needs plain IEEE arithmetic: no -ffast-math, no x87"
#endif

struct tw_random4 {
    uint32_t at[4];
};

/* Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3"):
 * four words that depend only on the key and the counter, so a cell's draw is addressed by its
 * coordinates and never by the order of calls. */
static inline struct tw_random4 tw_random(uint64_t key, uint32_t a, uint32_t b, uint32_t c,
                                          uint32_t d)
{
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = (uint64_t)0xD2511F53u * a;
        uint64_t p1 = (uint64_t)0xCD9E8D57u * c;
        uint32_t n0 = (uint32_t)(p1 >> 32) ^ b ^ k0;
        uint32_t n2 = (uint32_t)(p0 >> 32) ^ d ^ k1;
        b = (uint32_t)p1;
        d = (uint32_t)p0;
        a = n0;
        c = n2;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return (struct tw_random4){{a, b, c, d}};
}

/* Uniform in [0, 1), a multiple of 2^-24: every value is exact in a float. */
static inline float tw_uniform(uint32_t word) { return (float)(word >> 8) * 0x1p-24f; }

/* i modulo n, in 0..n-1 also for negative i. */
static inline int32_t tw_wrap(int32_t i, int32_t n)
{
    int32_t remainder = i % n;
    return remainder < 0 ? remainder + n : remainder;
}

static inline int32_t tw_clamp_index(int32_t i, int32_t n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/* fminf and fmaxf treat signed zeros differently between libraries; these do not. */
static inline float tw_min(float a, float b) { return a < b ? a : b; }
static inline float tw_max(float a, float b) { return a > b ? a : b; }
static inline float tw_clamp(float v, float low, float high)
{
    return tw_min(tw_max(v, low), high);
}

/* v clamped to -2^30..2^30, which fits an int32_t even after adding 1; NaN becomes -2^30. Casting a
 * float that does not fit is undefined and differs between machines. */
static inline float tw_cut_to_integer(float v)
{
    return v > -0x1p30f ? v < 0x1p30f ? v : 0x1p30f : -0x1p30f;
}

/* Largest integer not above v, clamped to -2^30..2^30. */
static inline int32_t tw_floor(float v)
{
    v = tw_cut_to_integer(v);
    int32_t i = (int32_t)v;
    return (float)i > v ? i - 1 : i;
}

/* Converts finite floats to integers of the same order, with -0 just below 0, and back. */
static inline uint32_t tw_float_key(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}
static inline float tw_key_float(uint32_t key)
{
    uint32_t bits = key & 0x80000000u ? key & 0x7FFFFFFFu : ~key;
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* Sine of an angle in degrees: exact reduction to a quadrant, then the Taylor series in double
 * (error below 1e-15), so angles such as 90 give exactly 1. Angles are clamped to -2^30..2^30. */
static inline double tw_sin_degrees(double degrees)
{
    degrees = degrees > -0x1p30 ? degrees < 0x1p30 ? degrees : 0x1p30 : -0x1p30;
    double turn = degrees - 360.0 * (double)(int64_t)(degrees / 360.0);
    if (turn < 0)
        turn += 360.0;
    double sign = 1;
    if (turn >= 180.0) {
        turn -= 180.0;
        sign = -1;
    }
    if (turn > 90.0)
        turn = 180.0 - turn;
    double x = turn * 0.017453292519943295, square = x * x, term = x, sum = x;
    for (int n = 1; n < 12; n++) {
        term *= -square / (double)(2 * n * (2 * n + 1));
        sum += term;
    }
    return turn == 90.0 ? sign : sign * sum;
}

static inline double tw_cos_degrees(double degrees) { return tw_sin_degrees(degrees + 90.0); }

/* ---- exp2, log2, pow, sin, cos, atan2 in double, as series of + - * / only, so that every machine
 * gives the same bits. The relative error stays below 1e-14 where the result fits a float: enough
 * to round correctly to one. libm differs between machines and is not used. ---- */

/* 2^x for |x| < 1000: x = n + r, |r| <= 1/2, exp(r ln 2) by Taylor to the 14th power. */
static inline double tw_exp2(double x)
{
    x = x < -1000 ? -1000 : x > 1000 ? 1000 : x;
    int64_t n = (int64_t)(x + (x < 0 ? -0.5 : 0.5));
    double r = (x - (double)n) * 0.6931471805599453, sum = 1;
    for (int i = 14; i > 0; i--)
        sum = 1 + sum * r / (double)i;
    uint64_t bits = (uint64_t)(n + 1023) << 52;
    double scale;
    memcpy(&scale, &bits, sizeof scale);
    return sum * scale;
}

/* log2 of a positive, normal x: x = m 2^n with m in [sqrt(1/2), sqrt(2)), atanh series. */
static inline double tw_log2(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int64_t n = (int64_t)(bits >> 52) - 1023;
    bits = (bits & 0xFFFFFFFFFFFFFu) | 0x3FF0000000000000u;
    double m;
    memcpy(&m, &bits, sizeof m);
    if (m > 1.4142135623730951) {
        m *= 0.5;
        n++;
    }
    double s = (m - 1) / (m + 1), square = s * s, sum = 0;
    for (int i = 23; i > 0; i -= 2)
        sum = sum * square + 1.0 / (double)i;
    return (double)n + 2 * s * sum * 1.4426950408889634;
}

/* x^y for x >= 0; 0^y is 0 for y > 0 and 1 for y = 0. */
static inline double tw_pow(double x, double y)
{
    if (x <= 0)
        return y == 0 ? 1 : 0;
    return tw_exp2(y * tw_log2(x));
}

static inline double tw_exp(double x) { return tw_exp2(x * 1.4426950408889634); }
static inline double tw_sin(double radians) { return tw_sin_degrees(radians * 57.29577951308232); }
static inline double tw_cos(double radians) { return tw_cos_degrees(radians * 57.29577951308232); }

/* Angle of (x, y) in radians, -pi to pi; 0 for the origin. Halving the angle twice by
 * tan(a/2) = t / (1 + sqrt(1 + t^2)) keeps the series short. */
static inline double tw_atan2(double y, double x)
{
    double across = x < 0 ? -x : x, up = y < 0 ? -y : y;
    double long_side = across > up ? across : up, short_side = across > up ? up : across;
    if (long_side == 0)
        return 0;
    double t = short_side / long_side;
    t = t / (1 + sqrt(1 + t * t));
    t = t / (1 + sqrt(1 + t * t));
    double square = t * t, sum = 0;
    for (int i = 23; i > 0; i -= 2)
        sum = 1.0 / (double)i - sum * square;
    double angle = 4 * t * sum;
    angle = up > across ? 1.5707963267948966 - angle : angle;
    angle = x < 0 ? 3.141592653589793 - angle : angle;
    return y < 0 ? -angle : angle;
}

#endif
