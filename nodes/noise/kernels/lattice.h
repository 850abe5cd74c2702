/* SPDX-License-Identifier: MIT */
/* The lattice of one octave, the random numbers of its points and what they mean. */
#ifndef TW_NODES_NOISE_KERNELS_LATTICE_H
#define TW_NODES_NOISE_KERNELS_LATTICE_H

#include "noise/kernels/octaves.h"

#include <thalweg/simd.h>

#include <string.h>

/* A lattice that tiles is skewed by whole cells, so that no lattice line is parallel to a border:
 * from the left to the right border rows climb by `climb`, and from the top to the bottom each row
 * is shifted against the one above, by `slip` in all. So points (i + wrap_x, j + climb) and
 * (i + slip, j + wrap_y) are the point (i, j). A cell centre (x, y) lies at row step_y y + start_y
 * + climb x / width, and at column step_x x + start_x + slip j / wrap_y of row j.
 * On a rotated lattice it lies at (cosine x - sine y + start_x, sine x + cosine y + start_y). */
struct tw_lattice {
    enum tw_basis basis;
    uint32_t index, key[2];
    double step_x, step_y; /* lattice cells a cell of the map */
    double start_x, start_y;
    int32_t width;          /* of the map */
    int32_t wrap_x, wrap_y; /* lattice cells a side */
    int32_t climb, slip;    /* 1 or -1; of 0 to wrap_y / 2 */
    bool rotated;
    double cosine, sine; /* of the angle, times step_x */
};

/* Cells of a map row. */
struct tw_lattice_span {
    int32_t x, y, count;
};

/* Lattice cells a cell of the map above which it is finer than the map: see lattice_spread.c for
 * the most that this may be. */
#define TW_LATTICE_FINE 1.5

/* The place of lattice row j where the map begins: whole lattice cells, and the share that is
 * returned. */
static inline float tw_lattice_row_start(const struct tw_lattice *o, int32_t j, int64_t *whole)
{
    double start = o->start_x + (double)o->slip * (double)j / (double)o->wrap_y;
    *whole = (int64_t)start;
    return (float)(start - (double)*whole);
}

/* 6t^5 - 15t^4 + 10t^3, Perlin 2002. */
static TW_INLINE float tw_lattice_fade(float t)
{
    return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
}

/* Finaliser of MurmurHash3 (Appleby, public domain) with the octave's second key in its middle. */
static TW_INLINE uint32_t tw_lattice_mix(uint32_t h, uint32_t key)
{
    h = (h ^ h >> 16) * 0x85EBCA6Bu ^ key;
    h = (h ^ h >> 13) * 0xC2B2AE35u;
    return h ^ h >> 16;
}

/* A lattice point's word: tw_lattice_mix(i TW_LATTICE_ACROSS + j TW_LATTICE_DOWN + key[0], key[1]).
 */
#define TW_LATTICE_ACROSS 0x9E3779B1u
#define TW_LATTICE_DOWN 0x85EBCA77u

/* v where the mask has all bits, 0 where it has none. */
static TW_INLINE float tw_lattice_masked(float v, uint32_t mask)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    bits &= mask;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* v, or -v where `sign` has the highest bit. */
static TW_INLINE float tw_lattice_turned(float v, uint32_t sign)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    bits ^= sign & 0x80000000u;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* A unit vector, even in all directions: an angle u of -45 to 45 degrees from an axis, its sine and
 * cosine by polynomials (error below 1e-4), and two low bits for one of the four half axes. */
static TW_INLINE void tw_lattice_gradient(uint32_t h, float *gx, float *gy)
{
    float u = (float)(int32_t)h * 0x1p-31f, square = u * u;
    float sine = u * (0.7848f - 0.0777f * square);
    float cosine = 1.0f - square * (0.3081f - 0.0152f * square);
    float swap = tw_lattice_masked(sine - cosine, 0u - (h & 1));
    *gx = tw_lattice_turned(cosine + swap, h << 30);
    *gy = tw_lattice_turned(sine - swap, h << 30);
}

static TW_INLINE float tw_lattice_value(uint32_t h) { return (float)(int32_t)h * 0x1p-31f; }

/* A lattice point's share in P `x` lattice cells right of it: its ramp across, or its value. */
static TW_INLINE float tw_lattice_ramp(bool gradients, float gx, float x)
{
    return gradients ? gx * x : gx;
}

/* P + Q y between the lattice points of two words, `x` of the way from the left to the right one
 * and `y` lattice cells below them. */
static TW_INLINE float tw_lattice_between(bool gradients, uint32_t left, uint32_t right, float x,
                                          float y)
{
    float p0, p1, q0 = 0, q1 = 0, t = tw_lattice_fade(x);
    if (gradients) {
        tw_lattice_gradient(left, &p0, &q0);
        tw_lattice_gradient(right, &p1, &q1);
    } else {
        p0 = tw_lattice_value(left);
        p1 = tw_lattice_value(right);
    }
    p0 = tw_lattice_ramp(gradients, p0, x);
    p1 = tw_lattice_ramp(gradients, p1, x - 1.0f);
    return p0 + t * (p1 - p0) + (q0 + t * (q1 - q0)) * y;
}

/* sqrt(2) brings gradient noise, at most sqrt(1/2) in the middle of four gradients, to -1..1. */
static TW_INLINE float tw_lattice_factor(enum tw_basis basis)
{
    return basis == TW_BASIS_PERLIN ? 1.41421356f : 1.0f;
}

#endif
