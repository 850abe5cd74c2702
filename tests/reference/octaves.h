/* SPDX-License-Identifier: MIT */
/* Lattice noise cell by cell, as nodes/noise/kernels/octaves.h defines it: no strips, rows or
 * lanes. */
#ifndef TW_TESTS_REFERENCE_OCTAVES_H
#define TW_TESTS_REFERENCE_OCTAVES_H

#include "support/seed.h"

#include <thalweg/kernel.h>

#include <stdbool.h>

struct octave {
    char basis; /* 'p', 's' or 'v' */
    int32_t width, height;
    uint64_t seed; /* of the node */
    double frequency, lacunarity;
    bool tile;
    double turn; /* degrees an octave, besides 37.08 */
};

/* Whole lattice cells that keep places on a rotated lattice positive. */
enum { FAR = 131072 };

/* Filled for one octave by octave_at(). */
struct octave_lattice {
    double step_x, step_y, start_x, start_y;
    double cosine, sine; /* of the angle, times step_x */
    int32_t wrap_x, wrap_y, climb, slip;
    uint32_t key0, key1;
};

static inline struct octave_lattice octave_lattice(const struct octave *o, int32_t index)
{
    double cells = o->frequency, side = o->width > o->height ? o->width : o->height;
    struct tw_random4 node = tw_random(seed_of(o->seed), 0, 1, 0, 0);
    struct tw_random4 words = tw_random(seed_of(o->seed), (uint32_t)index, 0, 0, 0);
    for (int32_t k = 0; k < index; k++)
        cells *= o->lacunarity;
    double angle =
        360.0 * (double)tw_uniform(node.at[1]) + 37.082039324993690 * index + o->turn * index;
    struct octave_lattice l = {.step_x = cells / side,
                               .step_y = cells / side,
                               .start_x = (double)tw_uniform(words.at[1]),
                               .start_y = (double)tw_uniform(words.at[2]),
                               .cosine = tw_cos_degrees(angle) * (cells / side),
                               .sine = tw_sin_degrees(angle) * (cells / side),
                               .key0 = words.at[0],
                               .key1 = node.at[0]};
    if (o->tile) {
        l.wrap_x = (int32_t)(l.step_x * o->width + 0.5);
        l.wrap_y = (int32_t)(l.step_y * o->height + 0.5);
        l.wrap_x = l.wrap_x < 1 ? 1 : l.wrap_x;
        l.wrap_y = l.wrap_y < 1 ? 1 : l.wrap_y;
        l.climb = words.at[3] & 1 ? 1 : -1;
        l.slip = (int32_t)(l.wrap_y * 0.381966);
        l.step_x = (l.wrap_x - (double)(l.climb * l.slip) / l.wrap_y) / o->width;
        l.step_y = (double)l.wrap_y / o->height;
    }
    return l;
}

/* Step by step until (i, j) lies between (0, 0), (wrap_x, climb) and (slip, wrap_y). */
static inline void octave_wrap(const struct octave_lattice *l, int64_t *i, int64_t *j)
{
    int64_t points = (int64_t)l->wrap_x * l->wrap_y - l->climb * l->slip;
    for (int64_t p = 1, q = 1; p || q;) {
        int64_t across = *i * l->wrap_y - *j * l->slip, down = *j * l->wrap_x - *i * l->climb;
        p = across < 0 ? -1 : across >= points;
        q = down < 0 ? -1 : down >= points;
        *i -= p * l->wrap_x + q * l->slip;
        *j -= p * l->climb + q * l->wrap_y;
    }
}

static inline uint32_t octave_hash(const struct octave_lattice *l, int64_t i, int64_t j)
{
    if (l->wrap_x)
        octave_wrap(l, &i, &j);
    uint32_t h = (uint32_t)i * 0x9E3779B1u + (uint32_t)j * 0x85EBCA77u + l->key0;
    h ^= h >> 16;
    h *= 0x85EBCA6Bu;
    h ^= l->key1;
    h ^= h >> 13;
    h *= 0xC2B2AE35u;
    return h ^ h >> 16;
}

static inline void octave_gradient(uint32_t h, float g[2])
{
    float u = (float)(int32_t)h * 0x1p-31f, square = u * u;
    float sine = u * (0.7848f - 0.0777f * square);
    float cosine = 1.0f - square * (0.3081f - 0.0152f * square);
    float swap = h & 1 ? sine - cosine : 0.0f, sign = h & 2 ? -1.0f : 1.0f;
    g[0] = sign * (cosine + swap);
    g[1] = sign * (sine - swap);
}

static inline float octave_fade(float t) { return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f); }

/* P + Q y of lattice row j, `x` right of column i and `y` below. */
static inline float octave_row(const struct octave *o, const struct octave_lattice *l, int32_t i,
                               int32_t j, float x, float y)
{
    float height[2], slope[2] = {0, 0};
    for (int32_t a = 0; a < 2; a++) {
        uint32_t h = octave_hash(l, i + a, j);
        float g[2];
        octave_gradient(h, g);
        height[a] = o->basis == 'v' ? (float)(int32_t)h * 0x1p-31f : g[0] * (x - (float)a);
        slope[a] = o->basis == 'v' ? 0.0f : g[1];
    }
    float p = height[0] + octave_fade(x) * (height[1] - height[0]);
    return p + (slope[0] + octave_fade(x) * (slope[1] - slope[0])) * y;
}

static inline float octave_blend(const struct octave *o, float upper, float lower, float y)
{
    float sum = upper + octave_fade(y) * (lower - upper);
    return o->basis == 'v' ? sum : sum * 1.41421356f;
}

static inline float octave_rotated(const struct octave *o, const struct octave_lattice *l, double u,
                                   double v)
{
    int32_t i = (int32_t)u, j = (int32_t)v;
    float x = (float)(u - i), y = (float)(v - j);
    return octave_blend(o, octave_row(o, l, i, j, x, y), octave_row(o, l, i, j + 1, x, y - 1), y);
}

static inline float octave_tiled(const struct octave *o, const struct octave_lattice *l, int32_t x,
                                 int32_t y)
{
    double u = (x + 0.5) * l->step_x, v = (y + 0.5) * l->step_y + l->start_y, start;
    int32_t i = (int32_t)u, j = (int32_t)v, first;
    float above = (float)(v - j),
          up = (float)((l->climb < 0) + (x + 0.5) * ((double)l->climb / o->width)), rows[2];
    bool carry = above + up >= 1;
    float down = (above - carry) + up;
    j += carry;
    for (int32_t b = 0; b < 2; b++) {
        start = l->start_x + (double)l->slip * (j + b) / l->wrap_y;
        first = (int32_t)start;
        float right = (float)(u - i) + (float)(start - first);
        carry = right >= 1;
        rows[b] = octave_row(o, l, i + first + carry, j + b, right - carry, down - (float)b);
    }
    return octave_blend(o, rows[0], rows[1], down);
}

static inline float octave_simplex(const struct octave_lattice *l, float u, float v)
{
    const float unskew = 0.211324865f;
    float across = (u + v) * 0.366025404f, sum = 0;
    int32_t i = tw_floor(u + across), j = tw_floor(v + across);
    float back = (float)(i + j) * unskew, x0 = u - ((float)i - back), y0 = v - ((float)j - back);
    int32_t right = x0 > y0;
    for (int32_t k = 0; k < 3; k++) {
        int32_t a = k == 0 ? 0 : k == 1 ? right : 1, b = k == 0 ? 0 : k == 1 ? 1 - right : 1;
        float shift = k == 2 ? 2.0f * unskew : unskew, g[2];
        float x = k ? x0 - (float)a + shift : x0, y = k ? y0 - (float)b + shift : y0;
        float t = tw_max(0.5f - x * x - y * y, 0);
        octave_gradient(octave_hash(l, i + a, j + b), g);
        t *= t;
        sum += t * t * (g[0] * x + g[1] * y);
    }
    return sum * 99.2f;
}

/* The octave at the centre of a cell, in -1..1. */
static inline float octave_at(const struct octave *o, int32_t index, int32_t x, int32_t y)
{
    struct octave_lattice l = octave_lattice(o, index);
    float cosine = (float)l.cosine, sine = (float)l.sine, a = (float)x + 0.5f, b = (float)y + 0.5f;
    if (o->basis == 's')
        return octave_simplex(&l, a * cosine + ((float)l.start_x - b * sine),
                              a * sine + ((float)l.start_y + b * cosine));
    if (!o->tile)
        return octave_rotated(o, &l, l.cosine * (x + 0.5) - l.sine * (y + 0.5) + (l.start_x + FAR),
                              l.sine * (x + 0.5) + l.cosine * (y + 0.5) + (l.start_y + FAR));
    return octave_tiled(o, &l, x, y);
}

#endif
