/* SPDX-License-Identifier: MIT */
/* The lattice of one octave, the random numbers of its points and what they mean. */
#ifndef TW_NODES_NOISE_KERNELS_LATTICE_H
#define TW_NODES_NOISE_KERNELS_LATTICE_H

#include "common/fade.h"
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

/* Added to places on a rotated lattice: whole lattice cells, more than lie left of or above its
 * origin, so that truncation rounds down. */
enum { TW_LATTICE_POSITIVE = 2 * TW_OCTAVES_FINEST };

/* Arrays begin at cache lines, which loads of whole vectors then do not straddle. */
#define TW_LATTICE_ALIGNED _Alignas(64)

/* Lattice cells a cell of the map above which it is finer than the map: see lattice_spread.c for
 * the most that this may be. */
#define TW_LATTICE_FINE 1.5

/* Returns the place of lattice row j at the map's left border: whole lattice cells in *whole, and
 * the share of one. */
static inline float tw_lattice_row_start(const struct tw_lattice *o, int32_t j, int64_t *whole)
{
    double start = o->start_x + (double)o->slip * (double)j / (double)o->wrap_y;
    *whole = (int64_t)start;
    return (float)(start - (double)*whole);
}

/* The finaliser of MurmurHash3 (Appleby, public domain) with the octave's second key in its middle:
 * h ^= key, h ^= h >> 13 is h ^= h >> 13 ^ tw_lattice_spread_key(key). */
#define TW_LATTICE_MIX_FIRST 0x85EBCA6Bu
#define TW_LATTICE_MIX_SECOND 0xC2B2AE35u

static TW_INLINE uint32_t tw_lattice_spread_key(uint32_t key) { return key ^ key >> 13; }

static TW_INLINE uint32_t tw_lattice_mix(uint32_t h, uint32_t key)
{
    h = (h ^ h >> 16) * TW_LATTICE_MIX_FIRST;
    h = (h ^ h >> 13 ^ tw_lattice_spread_key(key)) * TW_LATTICE_MIX_SECOND;
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

/* Gradients and values are kept times a power of two, which rounds nothing and which the last
 * factor takes back: so numbers of 31 bits need not be scaled first. */
#define TW_LATTICE_UNIT 0x1p62f  /* length of a gradient */
#define TW_LATTICE_VALUE 0x1p31f /* of values of -1..1 */

#define TW_LATTICE_SINE_1 (0.7848f * 0x1p31f)
#define TW_LATTICE_SINE_3 (0.0777f * 0x1p-31f)
#define TW_LATTICE_COSINE_2 0.3081f
#define TW_LATTICE_COSINE_4 (0.0152f * 0x1p-62f)

/* A vector of length TW_LATTICE_UNIT but for its sign, even in all directions: an angle u of -45 to
 * 45 degrees from an axis, its sine and cosine by polynomials (error below 1e-4), and the lowest
 * bit for one of two axes. The next bit is its sign. */
static TW_INLINE void tw_lattice_axis(uint32_t h, float *gx, float *gy)
{
    float u = (float)(int32_t)h, square = u * u; /* times 2^31 and 2^62 */
    float sine = u * (TW_LATTICE_SINE_1 - TW_LATTICE_SINE_3 * square);
    float cosine = TW_LATTICE_UNIT - square * (TW_LATTICE_COSINE_2 - TW_LATTICE_COSINE_4 * square);
    float swap = tw_lattice_masked(sine - cosine, 0u - (h & 1));
    *gx = cosine + swap;
    *gy = sine - swap;
}
#define TW_LATTICE_SIGN 30 /* how far left the sign's bit is to be shifted */

static TW_INLINE void tw_lattice_gradient(uint32_t h, float *gx, float *gy)
{
    tw_lattice_axis(h, gx, gy);
    *gx = tw_lattice_turned(*gx, h << TW_LATTICE_SIGN);
    *gy = tw_lattice_turned(*gy, h << TW_LATTICE_SIGN);
}

static TW_INLINE float tw_lattice_value(uint32_t h) { return (float)(int32_t)h; }

/* A lattice point's share in P `x` lattice cells right of it: its ramp across, or its value. */
static TW_INLINE float tw_lattice_ramp(bool gradients, float gx, float x)
{
    return gradients ? gx * x : gx;
}

/* sqrt(2) brings gradient noise, at most sqrt(1/2) in the middle of four gradients, to -1..1. */
static TW_INLINE float tw_lattice_factor(bool gradients)
{
    return gradients ? 1.41421356f / TW_LATTICE_UNIT : 1 / TW_LATTICE_VALUE;
}

/* Two neighbouring lattice rows at some cells, each as P + Q y: only gradients have a Q. */
struct tw_lattice_pair {
    const float *p[2], *q[2];
};

/* The noise of cell i, `y` lattice cells below the upper row. */
static TW_INLINE float tw_lattice_between(bool gradients, struct tw_lattice_pair row, int32_t i,
                                          float y)
{
    float upper = row.p[0][i], lower = row.p[1][i];
    upper += gradients ? row.q[0][i] * y : 0;
    lower += gradients ? row.q[1][i] * (y - 1.0f) : 0;
    return (upper + tw_fade(y) * (lower - upper)) * tw_lattice_factor(gradients);
}

#endif
