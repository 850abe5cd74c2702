/* SPDX-License-Identifier: MIT */
/* Elementary functions of doubles that are defined for every finite number and give a finite one:
 * series of + - * / without branches or calls, so loops over them become vector code and bits are
 * the same everywhere. */
#ifndef TW_NODES_COMBINE_KERNELS_ELEMENTARY_H
#define TW_NODES_COMBINE_KERNELS_ELEMENTARY_H

#include <thalweg/formula.h>
#include <thalweg/kernel.h>
#include <thalweg/power.h>

#include <float.h>

/* What overflowed, cut to the largest number. */
static TW_INLINE double tw_finite(double v)
{
    v = v > DBL_MAX ? DBL_MAX : v;
    return v < -DBL_MAX ? -DBL_MAX : v;
}

/* x / 0 is 0. */
static TW_INLINE double tw_quotient(double a, double b)
{
    return b == 0 ? 0.0 : tw_finite(a / (b == 0 ? 1.0 : b));
}

/* The largest whole number not above v. */
static TW_INLINE double tw_whole_below(double v)
{
    double nearest = tw_formula_nearest_even(v);
    return nearest - (nearest > v ? 1.0 : 0.0);
}

/* The square root, 0 of negative numbers. */
static TW_INLINE double tw_root(double v) { return sqrt(v > 0 ? v : 0.0); }

/* e^x, x cut to -700..700: x = n ln 2 + r, ln 2 in two parts of which the first has 32 bits, so
 * that n times it is exact. */
static TW_INLINE double tw_exponential(double x)
{
    x = x < -700 ? -700 : x;
    x = x > 700 ? 700 : x;
    double shifted = x * 1.4426950408889634 + 0x1.8p52, n = shifted - 0x1.8p52;
    double r = (x - n * 0x1.62e42feep-1) - n * 0x1.a39ef35793c76p-33;
    return tw_vector_exp_scaled(r, shifted);
}

/* The natural logarithm, 0 of numbers that are not positive. */
static TW_INLINE double tw_logarithm(double x)
{
    double least = x < DBL_MIN ? DBL_MIN : x;
    return x > 0 ? tw_vector_log2(least) * 0.6931471805599453 : 0.0;
}

static TW_INLINE bool tw_is_whole(double v) { return tw_formula_nearest_even(v) == v; }

/* The sign that a^b has for a negative a: -1 or 1 where b is whole, else 0. */
static TW_INLINE double tw_power_sign(double b)
{
    double half = b * 0.5;
    double parity = tw_formula_nearest_even(half) == half ? 1.0 : -1.0;
    return tw_is_whole(b) ? parity : 0.0;
}

static TW_INLINE double tw_power_of_zero(double b) { return b == 0 ? 1.0 : 0.0; }

/* a^b with what depends on b alone: `sign` for a below 0, `of_zero` for a = 0. */
static TW_INLINE double tw_signed_power(double a, double b, double sign, double of_zero)
{
    double size = a < 0 ? -a : a, least = size < DBL_MIN ? DBL_MIN : size;
    double power = tw_vector_exp2(b * tw_vector_log2(least)) * (a < 0 ? sign : 1.0);
    return size > 0 ? power : of_zero;
}

/* Of a b that is not whole. */
static TW_INLINE double tw_broken_power(double a, double b)
{
    return tw_signed_power(a, b, 0.0, 0.0);
}

/* Whole numbers have a whole power: floor takes nothing from 10^6. The error of the series is far
 * below a half up to here. */
static TW_INLINE double tw_general_power(double a, double b)
{
    double power = tw_signed_power(a, b, tw_power_sign(b), tw_power_of_zero(b));
    double size = power < 0 ? -power : power, most = b < 0 ? -1.0 : 0x1p40;
    most = tw_is_whole(a) ? most : -1.0;
    most = tw_is_whole(b) ? most : -1.0;
    return size <= most ? tw_formula_nearest_even(power) : power;
}

/* The angle less the nearest multiple of pi, -pi/2 to pi/2; `sign` becomes that multiple's parity
 * as a sign bit. Pi in three parts, so that products are exact up to 2^20; from there to 2^30,
 * where x is cut, the error is about that of the angle's own rounding. */
static TW_INLINE double tw_reduced_angle(double x, uint64_t *sign)
{
    x = x < -0x1p30 ? -0x1p30 : x;
    x = x > 0x1p30 ? 0x1p30 : x;
    double shifted = x * 0.3183098861837907 + 0x1.8p52, n = shifted - 0x1.8p52;
    *sign = tw_double_bits(shifted) << 63;
    return ((x - n * 0x1.921fb544p+1) - n * 0x1.0b4611a6p-33) - n * 0x1.3198a2e037073p-68;
}

/* Taylor to the 19th power: the rest is below 3e-16. */
static TW_INLINE double tw_vector_sin(double x)
{
    uint64_t sign;
    double r = tw_reduced_angle(x, &sign), q = r * r;
    double sum = -1.0 / 121645100408832000.0;
    sum = sum * q + 1.0 / 355687428096000;
    sum = sum * q - 1.0 / 1307674368000;
    sum = sum * q + 1.0 / 6227020800;
    sum = sum * q - 1.0 / 39916800;
    sum = sum * q + 1.0 / 362880;
    sum = sum * q - 1.0 / 5040;
    sum = sum * q + 1.0 / 120;
    sum = sum * q - 1.0 / 6;
    return tw_bits_double(tw_double_bits(r + r * q * sum) ^ sign);
}

/* Taylor to the 20th power, so that the cosine of 0 is 1. */
static TW_INLINE double tw_vector_cos(double x)
{
    uint64_t sign;
    double r = tw_reduced_angle(x, &sign), q = r * r;
    double sum = 1.0 / 2432902008176640000.0;
    sum = sum * q - 1.0 / 6402373705728000;
    sum = sum * q + 1.0 / 20922789888000;
    sum = sum * q - 1.0 / 87178291200;
    sum = sum * q + 1.0 / 479001600;
    sum = sum * q - 1.0 / 3628800;
    sum = sum * q + 1.0 / 40320;
    sum = sum * q - 1.0 / 720;
    sum = sum * q + 1.0 / 24;
    sum = sum * q - 0.5;
    return tw_bits_double(tw_double_bits(1.0 + q * sum) ^ sign);
}

/* 0 below the edge, else 1. */
static TW_INLINE double tw_step(double edge, double v) { return v < edge ? 0.0 : 1.0; }

/* 3 t^2 - 2 t^3 from a to b, which may fall; a step where they are equal. */
static TW_INLINE double tw_smooth(double a, double b, double v)
{
    double t = tw_quotient(v - a, b - a);
    t = t < 0 ? 0.0 : t;
    t = t > 1 ? 1.0 : t;
    return a == b ? tw_step(a, v) : t * t * (3.0 - 2.0 * t);
}

#endif
