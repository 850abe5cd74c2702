/* SPDX-License-Identifier: MIT */
#include "noise/kernels/lattice_cells.h"

#include <thalweg/kernel.h>

#include <math.h>

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

#define SKEW 0.366025404f
#define UNSKEW 0.211324865f

/* One corner's share in simplex noise: (1/2 - d^2)^4 of its gradient's ramp. */
static TW_INLINE float share_of(float gx, float gy, float x, float y)
{
    float t = tw_max(0.5f - x * x - y * y, 0.0f);
    t *= t;
    return t * t * (gx * x + gy * y);
}

static TW_INLINE float corner(uint32_t h, float x, float y)
{
    float gx, gy;
    tw_lattice_gradient(h, &gx, &gy);
    return share_of(gx, gy, x, y);
}

/* Vectorises; for what lies well within an int32_t. */
static TW_INLINE int32_t floor_of(float v)
{
    int32_t i = (int32_t)v;
    return i - ((float)i > v);
}

/* Where the cells of a row lie on a rotated lattice: cell x at (x + 1/2) (cosine, sine) + start. */
struct line {
    float cosine, sine, start_u, start_v;
};

static TW_INLINE struct line line_of(const struct tw_lattice *o, int32_t y)
{
    const float cosine = (float)o->cosine, sine = (float)o->sine, down = (float)y + 0.5f;
    return (struct line){cosine, sine, (float)o->start_x - down * sine,
                         (float)o->start_y + down * cosine};
}

/* Simplex noise (Perlin 2001): skew to a lattice of squares, each cut into two triangles. Three
 * corners with the worst gradients of length 1 give 1 / 99.2043. */
static TW_INLINE void simplex_body(const struct tw_lattice *o, const struct tw_lattice_span *s,
                                   float *restrict out)
{
    const uint32_t key0 = o->key[0], key1 = o->key[1];
    const struct line line = line_of(o, s->y);
    for (int32_t n = 0; n < s->count; n++) {
        float right_of = (float)(s->x + n) + 0.5f;
        float u = right_of * line.cosine + line.start_u, v = right_of * line.sine + line.start_v;
        float across = (u + v) * SKEW;
        int32_t i = floor_of(u + across), j = floor_of(v + across);
        float back = (float)(i + j) * UNSKEW;
        float x0 = u - ((float)i - back), y0 = v - ((float)j - back);
        int32_t right = x0 > y0;
        float x1 = x0 - (float)right + UNSKEW, y1 = y0 - (float)(1 - right) + UNSKEW;
        float x2 = x0 - 1.0f + 2.0f * UNSKEW, y2 = y0 - 1.0f + 2.0f * UNSKEW;
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

/* ---- simplex noise much coarser than the map ---- */

/* A run of cells in one square shares its gradients. That pays from RUN_MIN cells on, and where a
 * lattice cell takes COARSE cells a side most cells lie in such runs. */
enum { RUN_MIN = 16, COARSE = 48, GROUP = 8 };

/* A square of the skewed lattice, and the gradients of its corners (0, 0), (1, 0), (0, 1), (1, 1).
 */
struct square {
    int32_t i, j;
    float gx[4], gy[4];
};

/* The cells, at most `count`, that surely have the same whole number as the first one, at `place`,
 * as places are `slope` apart; `margin`: more than rounding moves them by, the first one too. */
static TW_INLINE int32_t cells_alike(float place, int32_t whole, double slope, double margin,
                                     int32_t count)
{
    double share = (double)place - whole, length = slope > 0 ? slope : -slope;
    double ahead = slope > 0 ? 1 - share : share, cells = (ahead - margin) / length;
    if (1 - ahead < margin && length < margin)
        return 1; /* rounding may move the next one back */
    return cells < 0 ? 1 : cells < count - 1 ? 1 + (int32_t)cells : count;
}

/* The square of cell x, and how many of `count` cells from there on surely lie in it. */
static TW_INLINE int32_t find_square(const struct line *line, int32_t x, int32_t count,
                                     struct square *square)
{
    const double cosine = (double)line->cosine, sine = (double)line->sine;
    const double both = (cosine + sine) * (double)SKEW;
    float right_of = (float)x + 0.5f;
    float u = right_of * line->cosine + line->start_u, v = right_of * line->sine + line->start_v;
    float across = (u + v) * SKEW, p = u + across, q = v + across;
    /* six roundings of numbers up to this, here and at the other cell: 12 of 2^-24 */
    double most = 2 * (fabs((double)line->start_u) + fabs((double)line->start_v) +
                       2 * (x + count + 1.0) * (fabs(cosine) + fabs(sine)));
    square->i = floor_of(p);
    square->j = floor_of(q);
    count = cells_alike(p, square->i, cosine + both, most * 0x1p-20, count);
    return cells_alike(q, square->j, sine + both, most * 0x1p-20, count);
}

static TW_INLINE void draw_square(const struct tw_lattice *o, struct square *square)
{
    uint32_t first =
        (uint32_t)square->i * TW_LATTICE_ACROSS + (uint32_t)square->j * TW_LATTICE_DOWN + o->key[0];
    for (uint32_t k = 0; k < 4; k++)
        tw_lattice_gradient(
            tw_lattice_mix(first + (k & 1) * TW_LATTICE_ACROSS + (k >> 1) * TW_LATTICE_DOWN,
                           o->key[1]),
            &square->gx[k], &square->gy[k]);
}

/* As simplex_body, of cells of one square. */
static TW_INLINE void fill_square(const struct line *l, const struct square *square, int32_t x,
                                  int32_t count, float *restrict out)
{
    const struct line line = *l;
    const struct square at = *square;
    const float back = (float)(at.i + at.j) * UNSKEW;
    const float left = (float)at.i - back, top = (float)at.j - back;
    for (int32_t n = 0; n < count; n++) {
        float right_of = (float)(x + n) + 0.5f;
        float u = right_of * line.cosine + line.start_u, v = right_of * line.sine + line.start_v;
        float x0 = u - left, y0 = v - top;
        int32_t right = x0 > y0;
        float x1 = x0 - (float)right + UNSKEW, y1 = y0 - (float)(1 - right) + UNSKEW;
        float x2 = x0 - 1.0f + 2.0f * UNSKEW, y2 = y0 - 1.0f + 2.0f * UNSKEW;
        float gx = right ? at.gx[1] : at.gx[2], gy = right ? at.gy[1] : at.gy[2];
        float sum = share_of(at.gx[0], at.gy[0], x0, y0) + share_of(gx, gy, x1, y1) +
                    share_of(at.gx[3], at.gy[3], x2, y2);
        out[n] = sum * 99.2f;
    }
}

static TW_INLINE void coarse_simplex_body(const struct tw_lattice *o,
                                          const struct tw_lattice_span *s, float *restrict out)
{
    const struct line line = line_of(o, s->y);
    struct square square;
    int32_t done = 0, n = 0;
    while (n < s->count) {
        int32_t run = find_square(&line, s->x + n, s->count - n, &square);
        if (run < RUN_MIN && n + run < s->count) {
            n += (run + GROUP - 1) / GROUP * GROUP;
            continue;
        }
        if (n > done)
            simplex_body(o, &(struct tw_lattice_span){s->x + done, s->y, n - done}, out + done);
        if (n + run < s->count)
            run = run / GROUP * GROUP;
        draw_square(o, &square);
        fill_square(&line, &square, s->x + n, run, out + n);
        done = n += run;
    }
    if (s->count > done)
        simplex_body(o, &(struct tw_lattice_span){s->x + done, s->y, s->count - done}, out + done);
}
TW_SIMD_KERNEL(coarse_simplex,
               (const struct tw_lattice *o, const struct tw_lattice_span *s, float *restrict out),
               (o, s, out))

void tw_lattice_cells(const struct tw_lattice *lattice, enum tw_simd simd,
                      const struct tw_lattice_span *span, float *out)
{
    if (lattice->basis == TW_BASIS_SIMPLEX && lattice->step_x * COARSE < 1)
        coarse_simplex(simd)(lattice, span, out);
    else if (lattice->basis == TW_BASIS_SIMPLEX)
        simplex(simd)(lattice, span, out);
    else
        rotated(simd)(lattice, span, out);
}
