/* SPDX-License-Identifier: MIT */
/* Logarithms and powers of two without branches, calls or divisions by constants, so that compilers
 * vectorise loops over them. The series are those of tw_log2() and tw_exp2() in kernel.h, cut where
 * a float result no longer changes. */
#ifndef THALWEG_POWER_H
#define THALWEG_POWER_H

#include <thalweg/simd.h>

#include <string.h>

static TW_INLINE uint64_t tw_double_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static TW_INLINE double tw_bits_double(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Splits a positive, normal x into m 2^n with m in [sqrt(1/2), sqrt(2)). The exponent is converted
 * to a number as the low bits of 2^52 + n. */
static TW_INLINE double tw_vector_split(double x, double *n)
{
    uint64_t bits = tw_double_bits(x);
    double m = tw_bits_double((bits & 0xFFFFFFFFFFFFFu) | 0x3FF0000000000000u);
    double high = m > 1.4142135623730951 ? 1 : 0;
    *n = tw_bits_double((bits >> 52) | 0x4330000000000000u) - (0x1p52 + 1023) + high;
    return m - m * 0.5 * high;
}

/* log2 of a positive, normal x = m 2^n to 1e-14: n + 2 atanh s / ln 2 with s = (m - 1) / (m + 1).
 */
static TW_INLINE double tw_vector_log2(double x)
{
    double n, m = tw_vector_split(x, &n);
    double s = (m - 1) / (m + 1), q = s * s;
    double sum = 1.0 / 21;
    sum = sum * q + 1.0 / 19;
    sum = sum * q + 1.0 / 17;
    sum = sum * q + 1.0 / 15;
    sum = sum * q + 1.0 / 13;
    sum = sum * q + 1.0 / 11;
    sum = sum * q + 1.0 / 9;
    sum = sum * q + 1.0 / 7;
    sum = sum * q + 1.0 / 5;
    sum = sum * q + 1.0 / 3;
    sum = sum * q + 1.0;
    return n + s * sum * 2.8853900817779268;
}

/* e^r 2^n to 1e-14 for |r| <= 0.35: `shifted` is n + 1.5 x 2^52, whose low bits are those of n. */
static TW_INLINE double tw_vector_exp_scaled(double r, double shifted)
{
    double sum = 1.0 / 479001600;
    sum = sum * r + 1.0 / 39916800;
    sum = sum * r + 1.0 / 3628800;
    sum = sum * r + 1.0 / 362880;
    sum = sum * r + 1.0 / 40320;
    sum = sum * r + 1.0 / 5040;
    sum = sum * r + 1.0 / 720;
    sum = sum * r + 1.0 / 120;
    sum = sum * r + 1.0 / 24;
    sum = sum * r + 1.0 / 6;
    sum = sum * r + 0.5;
    sum = sum * r + 1.0;
    sum = sum * r + 1.0;
    return sum * tw_bits_double((tw_double_bits(shifted) + 1023) << 52);
}

/* 2^x to 1e-14: x = n + r with |r| <= 1/2; adding 1.5 x 2^52 rounds x to n. Clamps x to +-1000. */
static TW_INLINE double tw_vector_exp2(double x)
{
    x = x < -1000 ? -1000 : x;
    x = x > 1000 ? 1000 : x;
    double shifted = x + 0x1.8p52;
    return tw_vector_exp_scaled((x - (shifted - 0x1.8p52)) * 0.6931471805599453, shifted);
}

/* x^y for a positive, normal x and |y| up to 100, to a relative error of 2^-39, clamped to
 * 2^+-1000. For callers that only need the nearest float and fall back to the whole series when in
 * doubt. Both polynomials interpolate at Chebyshev nodes: log2(m) / s to 2^-49 and 2^r to
 * 2^-39.7. */
static TW_INLINE double tw_near_pow(double x, double y)
{
    double n, m = tw_vector_split(x, &n);
    double s = (m - 1) / (m + 1), q = s * s;
    double q2 = q * q;
    double low = 0x1.71547652b82ffp+1 + q * 0x1.ec709dc39ca40p-1;
    double middle = 0x1.2776c516a083cp-1 + q * 0x1.a61756810b0f8p-2;
    double rest = 0x1.484fa9965bc9cp-2 + q * 0x1.0bb80a92c80ccp-2 + q2 * 0x1.f17dfd13ae0efp-3;
    double log = n + s * (low + q2 * (middle + q2 * rest));
    double z = y * log;
    z = z < -1000 ? -1000 : z;
    z = z > 1000 ? 1000 : z;
    double shifted = z + 0x1.8p52, r = z - (shifted - 0x1.8p52);
    double r2 = r * r;
    low = 1.0 + r * 0x1.62e42fef84cf0p-1 + r2 * (0x1.ebfbdff823cedp-3 + r * 0x1.c6b08dd6fd234p-5);
    middle = 0x1.3b2ab7181b755p-7 + r * 0x1.5d8745a728441p-10;
    rest = 0x1.4308ac85aa947p-13 + r * 0x1.00dc4a532fb8ep-16 + r2 * 0x1.63d136366db24p-20;
    double sum = low + r2 * r2 * (middle + r2 * rest);
    return sum * tw_bits_double((tw_double_bits(shifted) + 1023) << 52);
}

/* x^y for a positive, normal x, bit for bit as tw_pow() gives it: the whole series in its order.
 * For nodes whose bytes depend on that function. */
static TW_INLINE double tw_vector_pow(double x, double y)
{
    double n, m = tw_vector_split(x, &n);
    double s = (m - 1) / (m + 1), q = s * s, sum = 1.0 / 23;
    sum = sum * q + 1.0 / 21;
    sum = sum * q + 1.0 / 19;
    sum = sum * q + 1.0 / 17;
    sum = sum * q + 1.0 / 15;
    sum = sum * q + 1.0 / 13;
    sum = sum * q + 1.0 / 11;
    sum = sum * q + 1.0 / 9;
    sum = sum * q + 1.0 / 7;
    sum = sum * q + 1.0 / 5;
    sum = sum * q + 1.0 / 3;
    sum = sum * q + 1.0;
    x = y * (n + 2 * s * sum * 1.4426950408889634);
    /* Clamps magnitude and sign apart: gcc turns two comparisons into branches. */
    uint64_t sign = tw_double_bits(x) & 0x8000000000000000u;
    double size = tw_bits_double(tw_double_bits(x) ^ sign);
    size = size > 1000 ? 1000 : size;
    x = tw_bits_double(tw_double_bits(size) | sign);
    n = (double)(int32_t)(x + tw_bits_double(0x3FE0000000000000u | sign)); /* ties away from 0 */
    double r = (x - n) * 0.6931471805599453;
    sum = 1 + r / 14;
    sum = 1 + sum * r / 13;
    sum = 1 + sum * r / 12;
    sum = 1 + sum * r / 11;
    sum = 1 + sum * r / 10;
    sum = 1 + sum * r / 9;
    sum = 1 + sum * r * 0.125;
    sum = 1 + sum * r / 7;
    sum = 1 + sum * r / 6;
    sum = 1 + sum * r / 5;
    sum = 1 + sum * r * 0.25;
    sum = 1 + sum * r / 3;
    sum = 1 + sum * r * 0.5;
    sum = 1 + sum * r;
    return sum * tw_bits_double((tw_double_bits(n + 0x1.8p52) + 1023) << 52);
}

#endif
