/* SPDX-License-Identifier: MIT */
#include "noise/kernels/lattice_simplex.h"

#include "noise/kernels/lattice_chunk.h"
#include "noise/kernels/lattice_simplex_avx512.h"

#include <thalweg/kernel.h>

#include <math.h>

/* One corner's share in simplex noise: (1/2 - d^2)^4 of its gradient's ramp. */
static TW_INLINE float share_of(float gx, float gy, float x, float y)
{
    float t = tw_max(0.5f - x * x - y * y, 0.0f);
    t *= t;
    return t * t * (gx * x + gy * y);
}

/* The gradient's sign turns the whole share, so it is applied last. */
static TW_INLINE float corner(uint32_t h, float x, float y)
{
    float gx, gy;
    tw_lattice_axis(h, &gx, &gy);
    return tw_lattice_turned(share_of(gx, gy, x, y), h << TW_LATTICE_SIGN);
}

/* From the first corner to the one across the square. */
static TW_INLINE float opposite(float x) { return x - 1.0f + 2.0f * TW_SIMPLEX_UNSKEW; }

/* Vectorises; for what lies well within an int32_t. */
static TW_INLINE int32_t floor_of(float v)
{
    int32_t i = (int32_t)v;
    return i - ((float)i > v);
}

/* Cells of a chunk in their triangles: how far right of and below the first and the second corner,
 * and the words of these, before they are mixed; `sum` of the shares so far. */
struct cells {
    TW_LATTICE_ALIGNED float x[2][TW_LATTICE_CHUNK];
    TW_LATTICE_ALIGNED float y[2][TW_LATTICE_CHUNK];
    TW_LATTICE_ALIGNED uint32_t point[3][TW_LATTICE_CHUNK];
    TW_LATTICE_ALIGNED float sum[TW_LATTICE_CHUNK];
};

/* Skews to a lattice of squares, each cut into two triangles. */
static TW_INLINE void place(const struct tw_lattice *o, const struct tw_lattice_span *s,
                            struct cells *restrict out)
{
    const uint32_t key = o->key[0];
    const struct tw_simplex_line line = tw_simplex_line_of(o, s->y);
    for (int32_t n = 0; n < s->count; n++) {
        float right_of = (float)(s->x + n) + 0.5f;
        float u = right_of * line.cosine + line.start_u, v = right_of * line.sine + line.start_v;
        float across = (u + v) * TW_SIMPLEX_SKEW;
        int32_t i = floor_of(u + across), j = floor_of(v + across);
        float back = (float)(i + j) * TW_SIMPLEX_UNSKEW;
        float x = u - ((float)i - back), y = v - ((float)j - back);
        uint32_t right = 0u - (uint32_t)(x > y); /* of the upper left corner, or below it */
        uint32_t first = (uint32_t)i * TW_LATTICE_ACROSS + (uint32_t)j * TW_LATTICE_DOWN + key;
        out->x[0][n] = x;
        out->y[0][n] = y;
        out->x[1][n] = x - tw_lattice_masked(1.0f, right) + TW_SIMPLEX_UNSKEW;
        out->y[1][n] = y - tw_lattice_masked(1.0f, ~right) + TW_SIMPLEX_UNSKEW;
        out->point[0][n] = first;
        out->point[1][n] =
            first + TW_LATTICE_DOWN + ((TW_LATTICE_ACROSS - TW_LATTICE_DOWN) & right);
    }
}

static TW_INLINE void hash(uint32_t key, int32_t count, struct cells *restrict at)
{
    for (int32_t n = 0; n < count; n++) {
        uint32_t first = at->point[0][n], second = at->point[1][n];
        at->point[0][n] = tw_lattice_mix(first, key);
        at->point[1][n] = tw_lattice_mix(second, key);
        at->point[2][n] = tw_lattice_mix(first + TW_LATTICE_ACROSS + TW_LATTICE_DOWN, key);
    }
}

static TW_INLINE void simplex_chunk(const struct tw_lattice *o, const struct tw_lattice_span *s,
                                    float *restrict out)
{
    struct cells at;
    place(o, s, &at);
    hash(o->key[1], s->count, &at);
    for (int32_t n = 0; n < s->count; n++)
        at.sum[n] = corner(at.point[0][n], at.x[0][n], at.y[0][n]);
    for (int32_t n = 0; n < s->count; n++)
        at.sum[n] += corner(at.point[1][n], at.x[1][n], at.y[1][n]);
    for (int32_t n = 0; n < s->count; n++)
        out[n] = (at.sum[n] + corner(at.point[2][n], opposite(at.x[0][n]), opposite(at.y[0][n]))) *
                 TW_SIMPLEX_FACTOR;
}

static TW_INLINE void simplex_body(const struct tw_lattice *o, const struct tw_lattice_span *s,
                                   float *restrict out)
{
    for (int32_t n = 0; n < s->count; n += TW_LATTICE_CHUNK) {
        int32_t count = s->count - n < TW_LATTICE_CHUNK ? s->count - n : TW_LATTICE_CHUNK;
        simplex_chunk(o, &(struct tw_lattice_span){s->x + n, s->y, count}, out + n);
    }
}
TW_SIMD_KERNEL(simplex,
               (const struct tw_lattice *o, const struct tw_lattice_span *s, float *restrict out),
               (o, s, out))

/* ---- simplex noise much coarser than the map ---- */

/* A run of cells in one square shares its gradients. That pays from RUN_MIN cells on, and where a
 * lattice cell takes so many cells a side most cells lie in such runs. */
enum { RUN_MIN = 16, GROUP = 8 };
enum { COARSE_BASE = 48, COARSE_AVX2 = 96 };

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
static TW_INLINE int32_t find_square(const struct tw_simplex_line *line, int32_t x, int32_t count,
                                     struct square *square)
{
    const double cosine = (double)line->cosine, sine = (double)line->sine;
    const double both = (cosine + sine) * (double)TW_SIMPLEX_SKEW;
    float right_of = (float)x + 0.5f;
    float u = right_of * line->cosine + line->start_u, v = right_of * line->sine + line->start_v;
    float across = (u + v) * TW_SIMPLEX_SKEW, p = u + across, q = v + across;
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

/* Does what simplex_chunk() does, for cells of one square. */
static TW_INLINE void fill_square(const struct tw_simplex_line *l, const struct square *square,
                                  int32_t x, int32_t count, float *restrict out)
{
    const struct tw_simplex_line line = *l;
    const struct square at = *square;
    const float back = (float)(at.i + at.j) * TW_SIMPLEX_UNSKEW;
    const float left = (float)at.i - back, top = (float)at.j - back;
    for (int32_t n = 0; n < count; n++) {
        float right_of = (float)(x + n) + 0.5f;
        float u = right_of * line.cosine + line.start_u, v = right_of * line.sine + line.start_v;
        float x0 = u - left, y0 = v - top;
        int32_t right = x0 > y0;
        float x1 = x0 - (float)right + TW_SIMPLEX_UNSKEW,
              y1 = y0 - (float)(1 - right) + TW_SIMPLEX_UNSKEW;
        float x2 = opposite(x0), y2 = opposite(y0);
        float gx = right ? at.gx[1] : at.gx[2], gy = right ? at.gy[1] : at.gy[2];
        float sum = share_of(at.gx[0], at.gy[0], x0, y0) + share_of(gx, gy, x1, y1) +
                    share_of(at.gx[3], at.gy[3], x2, y2);
        out[n] = sum * TW_SIMPLEX_FACTOR;
    }
}

static TW_INLINE void coarse_simplex_body(const struct tw_lattice *o,
                                          const struct tw_lattice_span *s, float *restrict out)
{
    const struct tw_simplex_line line = tw_simplex_line_of(o, s->y);
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

void tw_lattice_simplex(const struct tw_lattice *lattice, enum tw_simd simd,
                        const struct tw_lattice_span *span, float *out)
{
#if defined(__x86_64__)
    if (simd == TW_SIMD_AVX512) {
        tw_lattice_simplex_avx512(lattice, span, out);
        return;
    }
#endif
    if (lattice->step_x * (simd == TW_SIMD_AVX2 ? COARSE_AVX2 : COARSE_BASE) < 1)
        coarse_simplex(simd)(lattice, span, out);
    else
        simplex(simd)(lattice, span, out);
}
