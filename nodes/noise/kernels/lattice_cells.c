/* SPDX-License-Identifier: MIT */
#include "noise/kernels/lattice_cells.h"

#include <thalweg/kernel.h>

/* Added to places on a rotated lattice: whole lattice cells, more than lie left of or above its
 * origin, so that truncation rounds down. */
enum { POSITIVE = 2 * TW_OCTAVES_FINEST };

/* P + Q y of a lattice row, `y` lattice cells below it. */
static TW_INLINE float rotated_row(bool gradients, uint32_t first, uint32_t key, float x, float y)
{
    return tw_lattice_between(gradients, tw_lattice_mix(first, key),
                              tw_lattice_mix(first + TW_LATTICE_ACROSS, key), x, y);
}

static TW_INLINE void rotated_cells(const struct tw_lattice *o, bool gradients,
                                    const struct tw_lattice_span *s, float *restrict out)
{
    const double cosine = o->cosine, sine = o->sine, down = (double)s->y + 0.5;
    const double start_x = o->start_x + POSITIVE, start_y = o->start_y + POSITIVE;
    const uint32_t key0 = o->key[0], key1 = o->key[1];
    const float factor = tw_lattice_factor(o->basis);
    for (int32_t n = 0; n < s->count; n++) {
        double across = (double)(s->x + n) + 0.5;
        double u = cosine * across - sine * down + start_x;
        double v = sine * across + cosine * down + start_y;
        int32_t i = (int32_t)u, j = (int32_t)v;
        float a = (float)(u - (double)i), b = (float)(v - (double)j);
        uint32_t first = (uint32_t)i * TW_LATTICE_ACROSS + (uint32_t)j * TW_LATTICE_DOWN + key0;
        float upper = rotated_row(gradients, first, key1, a, b);
        float lower = rotated_row(gradients, first + TW_LATTICE_DOWN, key1, a, b - 1.0f);
        out[n] = (upper + tw_lattice_fade(b) * (lower - upper)) * factor;
    }
}
static TW_INLINE void rotated_body(const struct tw_lattice *o, const struct tw_lattice_span *s,
                                   float *restrict out)
{
    if (o->basis == TW_BASIS_PERLIN)
        rotated_cells(o, true, s, out);
    else
        rotated_cells(o, false, s, out);
}
TW_SIMD_KERNEL(rotated,
               (const struct tw_lattice *o, const struct tw_lattice_span *s, float *restrict out),
               (o, s, out))

/* One corner's share in simplex noise: (1/2 - d^2)^4 of its gradient's ramp. */
static TW_INLINE float corner(uint32_t h, float x, float y)
{
    float gx, gy, t = 0.5f - x * x - y * y;
    tw_lattice_gradient(h, &gx, &gy);
    t = tw_max(t, 0.0f);
    t *= t;
    return t * t * (gx * x + gy * y);
}

/* Vectorises; for what lies well within an int32_t. */
static TW_INLINE int32_t floor_of(float v)
{
    int32_t i = (int32_t)v;
    return i - ((float)i > v);
}

/* Simplex noise (Perlin 2001): skew to a lattice of squares, each cut into two triangles. Three
 * corners with the worst gradients of length 1 give 1 / 99.2043. */
static TW_INLINE void simplex_body(const struct tw_lattice *o, const struct tw_lattice_span *s,
                                   float *restrict out)
{
    const float skew = 0.366025404f, unskew = 0.211324865f;
    const uint32_t key0 = o->key[0], key1 = o->key[1];
    const float cosine = (float)o->cosine, sine = (float)o->sine, down = (float)s->y + 0.5f;
    const float start_u = (float)o->start_x - down * sine;
    const float start_v = (float)o->start_y + down * cosine;
    for (int32_t n = 0; n < s->count; n++) {
        float right_of = (float)(s->x + n) + 0.5f;
        float u = right_of * cosine + start_u, v = right_of * sine + start_v;
        float across = (u + v) * skew;
        int32_t i = floor_of(u + across), j = floor_of(v + across);
        float back = (float)(i + j) * unskew;
        float x0 = u - ((float)i - back), y0 = v - ((float)j - back);
        int32_t right = x0 > y0;
        float x1 = x0 - (float)right + unskew, y1 = y0 - (float)(1 - right) + unskew;
        float x2 = x0 - 1.0f + 2.0f * unskew, y2 = y0 - 1.0f + 2.0f * unskew;
        uint32_t first = (uint32_t)i * TW_LATTICE_ACROSS + (uint32_t)j * TW_LATTICE_DOWN + key0;
        uint32_t second = first + TW_LATTICE_DOWN +
                          ((TW_LATTICE_ACROSS - TW_LATTICE_DOWN) & (0u - (uint32_t)right));
        float sum =
            corner(tw_lattice_mix(first, key1), x0, y0) +
            corner(tw_lattice_mix(second, key1), x1, y1) +
            corner(tw_lattice_mix(first + TW_LATTICE_ACROSS + TW_LATTICE_DOWN, key1), x2, y2);
        out[n] = sum * 99.2f;
    }
}
TW_SIMD_KERNEL(simplex,
               (const struct tw_lattice *o, const struct tw_lattice_span *s, float *restrict out),
               (o, s, out))

void tw_lattice_cells(const struct tw_lattice *lattice, enum tw_simd simd,
                      const struct tw_lattice_span *span, float *out)
{
    if (lattice->basis == TW_BASIS_SIMPLEX)
        simplex(simd)(lattice, span, out);
    else
        rotated(simd)(lattice, span, out);
}
