/* SPDX-License-Identifier: MIT */
/* Running sums of the lines stay in registers over a block: of eight lines at a time, or of all
 * sixteen where AVX-512 has room for them. */
#include "shape/kernels/box_filter.h"

#include <thalweg/simd.h>

#include <math.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { LANES = TW_BOX_LINES, FOURS = LANES / 4, BLOCK = 32, PARTS = 8 };

/* r is the largest with (r^2 + r) / 3 <= v, alpha solves
 * r (r + 1) (2 r + 1) / 3 + 2 alpha (r + 1)^2 = v (2 r + 1 + 2 alpha). */
struct tw_box tw_box_of_variance(double v)
{
    double r = (double)(int32_t)((sqrt(12 * v + 1) - 1) / 2);
    double alpha = (2 * r + 1) * (3 * v - r * (r + 1)) / (6 * ((r + 1) * (r + 1) - v));
    int32_t radius = (int32_t)r, window = 2 * radius + 1;
    int32_t parts = window / BLOCK < PARTS ? window / BLOCK : PARTS;
    int32_t block = parts > 0 ? window / parts : BLOCK / 2;
    return (struct tw_box){.radius = radius,
                           .alpha = alpha,
                           .scale = 1 / (window + 2 * alpha),
                           .block = block,
                           .parts = parts,
                           .rest = window - parts * block,
                           .margin = radius + block};
}

typedef double lanes __attribute__((vector_size(32)));
typedef float stored __attribute__((vector_size(16), aligned(4), may_alias));

/* Four cells as doubles. No function: instruction sets differ in how they return it; and gcc 12
 * makes one instruction of this, but three of __builtin_convertvector(). */
#define FOUR(cells)                                                                                \
    (lanes) { (double)(cells)[0], (double)(cells)[1], (double)(cells)[2], (double)(cells)[3] }

/* The running sum of the lines. */
struct sums {
    lanes now[FOURS], low[FOURS]; /* of the window; the cell before it */
    lanes entered[FOURS];         /* in this block */
    lanes parts[PARTS][FOURS];    /* entered in blocks before, the oldest first */
};

static TW_INLINE void add_cells(lanes *sums, const float *cells, int32_t count)
{
    lanes added[FOURS] = {{0}};
    for (int32_t i = 0; i < count; i++, cells += LANES)
        for (int k = 0; k < FOURS; k++)
            added[k] += FOUR(cells + 4 * k);
    memcpy(sums, added, sizeof added);
}

/* As if the window, which begins at `first`, had come from afar. */
static TW_INLINE void fill_parts(const struct tw_box *box, const float *first, struct sums *sums)
{
    first += (ptrdiff_t)box->rest * LANES;
    for (int32_t part = 0; part < box->parts; part++, first += (ptrdiff_t)box->block * LANES)
        add_cells(sums->parts[part], first, box->block);
}

static TW_INLINE void begin_block(const struct tw_box *box, const float *first, struct sums *sums)
{
    add_cells(sums->now, first, box->rest);
    for (int32_t part = 0; part < box->parts; part++)
        for (int k = 0; k < FOURS; k++)
            sums->now[k] += sums->parts[part][k];
    for (int k = 0; k < FOURS; k++)
        sums->low[k] = FOUR(first - LANES + 4 * k);
}

static TW_INLINE void end_block(const struct tw_box *box, struct sums *sums)
{
    if (box->parts == 0)
        return;
    size_t last = (size_t)box->parts - 1;
    memmove(sums->parts[0], sums->parts[1], last * sizeof sums->parts[0]);
    memcpy(sums->parts[last], sums->entered, sizeof sums->entered);
}

/* `count` cells of eight lines, which stay in registers; the window of the first begins at
 * `leaving`, and `entering` follows it. */
static TW_INLINE void filter_cells(const struct tw_box *box, const float *leaving,
                                   const float *entering, struct sums *sums, int half, float *to,
                                   int32_t count, bool counted)
{
    enum { HALF = FOURS / 2 };
    const double alpha = box->alpha, scale = box->scale;
    lanes now[HALF], low[HALF], entered[HALF] = {{0}};
    memcpy(now, sums->now + half * HALF, sizeof now);
    memcpy(low, sums->low + half * HALF, sizeof low);
    for (int32_t i = 0; i < count; i++, leaving += LANES, entering += LANES, to += LANES)
        for (int k = 0; k < HALF; k++) {
            lanes high = FOUR(entering + 4 * k), old = FOUR(leaving + 4 * k);
            lanes cell = (now[k] + alpha * (low[k] + high)) * scale;
            *(stored *)(to + 4 * k) = __builtin_convertvector(cell, stored);
            now[k] += high - old;
            low[k] = old;
            if (counted)
                entered[k] += high;
        }
    memcpy(sums->entered + half * HALF, entered, sizeof entered);
}

/* A block's first cell in the line and in the map, and how many it has. */
struct block {
    int32_t i, at, count;
};

/* The first block begins before the line where the line begins within a block. */
static TW_INLINE struct block before_first(const struct tw_box *box, const struct tw_box_grid *grid)
{
    const int32_t before = grid->first % box->block;
    return (struct block){-before, grid->first - before, 0};
}

static TW_INLINE bool next_block(const struct tw_box *box, const struct tw_box_grid *grid,
                                 struct block *b)
{
    b->i += b->count;
    b->at = b->at + b->count == grid->period ? 0 : b->at + b->count;
    b->count = grid->period - b->at < box->block ? grid->period - b->at : box->block;
    b->count = grid->length - b->i < b->count ? grid->length - b->i : b->count;
    return b->count > 0;
}

/* From cell 0 of a strip to that of another. */
static TW_INLINE void filter_halves_body(const struct tw_box *box, struct tw_box_grid grid,
                                         const float *from, float *to)
{
    struct sums sums;
    struct block b = before_first(box, &grid);
    for (bool first = true; next_block(box, &grid, &b); first = false) {
        const float *window = from + (ptrdiff_t)(b.i - box->radius) * LANES;
        const float *after = window + (ptrdiff_t)(2 * box->radius + 1) * LANES;
        if (first || b.at == 0)
            fill_parts(box, window, &sums);
        begin_block(box, window, &sums);
        for (int half = 0; half < 2; half++) {
            const int32_t k = half * LANES / 2;
            float *cells = to + (ptrdiff_t)b.i * LANES + k;
            if (box->parts > 0)
                filter_cells(box, window + k, after + k, &sums, half, cells, b.count, true);
            else
                filter_cells(box, window + k, after + k, &sums, half, cells, b.count, false);
        }
        end_block(box, &sums);
    }
}
TW_SIMD_KERNEL(filter_halves,
               (const struct tw_box *box, struct tw_box_grid grid, const float *from, float *to),
               (box, grid, from, to))

#if defined(__x86_64__)

/* ---- the same with all lines in registers ---- */

#define WIDE TW_TARGET_AVX512 static inline __attribute__((always_inline))

struct wide {
    __m512d low, high; /* lines 0 to 7, 8 to 15 */
};

WIDE struct wide widen(const float *cell)
{
    return (struct wide){_mm512_cvtps_pd(_mm256_loadu_ps(cell)),
                         _mm512_cvtps_pd(_mm256_loadu_ps(cell + LANES / 2))};
}

WIDE void narrow(struct wide v, float *cell)
{
    _mm256_storeu_ps(cell, _mm512_cvtpd_ps(v.low));
    _mm256_storeu_ps(cell + LANES / 2, _mm512_cvtpd_ps(v.high));
}

WIDE struct wide add(struct wide a, struct wide b)
{
    return (struct wide){a.low + b.low, a.high + b.high};
}

WIDE struct wide subtract(struct wide a, struct wide b)
{
    return (struct wide){a.low - b.low, a.high - b.high};
}

WIDE struct wide multiply(double a, struct wide b) { return (struct wide){a * b.low, a * b.high}; }

WIDE struct wide sum_of(const float *cells, int32_t count)
{
    struct wide sum = {_mm512_setzero_pd(), _mm512_setzero_pd()};
    for (int32_t i = 0; i < count; i++, cells += LANES)
        sum = add(sum, widen(cells));
    return sum;
}

/* The same as begin_block(), filter_cells() and end_block(), where `parts` are counted. */
WIDE void filter_block(const struct tw_box *box, const float *window, int32_t count, int32_t parts,
                       struct wide *part, float *to)
{
    const float *entering = window + (ptrdiff_t)(2 * box->radius + 1) * LANES;
    struct wide now = sum_of(window, box->rest), before = widen(window - LANES);
    struct wide entered = sum_of(NULL, 0);
    for (int32_t k = 0; k < parts; k++)
        now = add(now, part[k]);
    for (int32_t i = 0; i < count; i++, window += LANES, entering += LANES, to += LANES) {
        struct wide next = widen(entering), leaving = widen(window);
        struct wide ends = multiply(box->alpha, add(before, next));
        narrow(multiply(box->scale, add(now, ends)), to);
        now = add(now, subtract(next, leaving));
        before = leaving;
        if (parts > 0)
            entered = add(entered, next);
    }
    for (int32_t k = 0; k < parts; k++)
        part[k] = k < parts - 1 ? part[k + 1] : entered;
}

TW_TARGET_AVX512 static void filter_wide(const struct tw_box *box, struct tw_box_grid grid,
                                         const float *from, float *to)
{
    struct wide part[PARTS];
    struct block b = before_first(box, &grid);
    for (bool first = true; next_block(box, &grid, &b); first = false) {
        const float *window = from + (ptrdiff_t)(b.i - box->radius) * LANES;
        float *cells = to + (ptrdiff_t)b.i * LANES;
        if (first || b.at == 0)
            for (int32_t k = 0; k < box->parts; k++)
                part[k] =
                    sum_of(window + (ptrdiff_t)(box->rest + k * box->block) * LANES, box->block);
        if (box->parts > 0)
            filter_block(box, window, b.count, box->parts, part, cells);
        else if (b.count == BLOCK / 2)
            filter_block(box, window, BLOCK / 2, 0, part, cells);
        else
            filter_block(box, window, b.count, 0, part, cells);
    }
}
#endif

void tw_box_filter(enum tw_simd simd, const struct tw_box *box, struct tw_box_grid grid,
                   const float *from, float *to)
{
#if defined(__x86_64__)
    if (simd == TW_SIMD_AVX512) {
        filter_wide(box, grid, from, to);
        return;
    }
#endif
    filter_halves(simd)(box, grid, from, to);
}
