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
};

/* Filled for one octave by octave_at(). */
struct octave_lattice {
    double step_x, step_y;
    int32_t wrap_x, wrap_y;
    uint32_t key0, key1;
};

static inline struct octave_lattice octave_lattice(const struct octave *o, int32_t index)
{
    double cells = o->frequency, side = o->width > o->height ? o->width : o->height;
    struct tw_random4 words = tw_random(seed_of(o->seed), (uint32_t)index, 0, 0, 0);
    for (int32_t k = 0; k < index; k++)
        cells *= o->lacunarity;
    struct octave_lattice l = {cells / side, cells / side, 0, 0, words.at[0], words.at[1]};
    if (o->tile) {
        l.wrap_x = (int32_t)(l.step_x * o->width + 0.5);
        l.wrap_y = (int32_t)(l.step_y * o->height + 0.5);
        l.wrap_x = l.wrap_x < 1 ? 1 : l.wrap_x;
        l.wrap_y = l.wrap_y < 1 ? 1 : l.wrap_y;
        l.step_x = (double)l.wrap_x / o->width;
        l.step_y = (double)l.wrap_y / o->height;
    }
    return l;
}

static inline uint32_t octave_hash(const struct octave_lattice *l, int32_t i, int32_t j)
{
    uint32_t x = (uint32_t)(l->wrap_x ? tw_wrap(i, l->wrap_x) : i);
    uint32_t y = (uint32_t)(l->wrap_y ? tw_wrap(j, l->wrap_y) : j);
    uint32_t h = x * 0x9E3779B1u + y * 0x85EBCA77u + l->key0;
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

static inline float octave_square(const struct octave *o, const struct octave_lattice *l, double u,
                                  double v)
{
    int32_t i = (int32_t)u, j = (int32_t)v;
    float x = (float)(u - i), y = (float)(v - j), row[2];
    for (int32_t b = 0; b < 2; b++) {
        float height[2], slope[2] = {0, 0};
        for (int32_t a = 0; a < 2; a++) {
            uint32_t h = octave_hash(l, i + a, j + b);
            float g[2];
            octave_gradient(h, g);
            height[a] = o->basis == 'v' ? (float)(int32_t)h * 0x1p-31f : g[0] * (x - (float)a);
            slope[a] = o->basis == 'v' ? 0.0f : g[1];
        }
        float p = height[0] + octave_fade(x) * (height[1] - height[0]);
        row[b] = p + (slope[0] + octave_fade(x) * (slope[1] - slope[0])) * (y - (float)b);
    }
    float sum = row[0] + octave_fade(y) * (row[1] - row[0]);
    return o->basis == 'v' ? sum : sum * 1.41421356f;
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
    if (o->basis == 's')
        return octave_simplex(&l, ((float)x + 0.5f) * (float)l.step_x,
                              ((float)y + 0.5f) * (float)l.step_y);
    return octave_square(o, &l, (x + 0.5) * l.step_x, (y + 0.5) * l.step_y);
}

#endif
