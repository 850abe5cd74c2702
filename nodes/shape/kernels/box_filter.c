/* SPDX-License-Identifier: MIT */
/* Running sums of the lines stay in registers over a chunk: of eight lines at a time, or of all
 * sixteen where AVX-512 has room for them. */
#include "shape/kernels/box_filter.h"

#include <thalweg/simd.h>

#include <math.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { LANES = TW_BOX_LINES, FOURS = LANES / 4, CHUNK = 32, PARTIALS = 8 };

/* r is the largest with (r^2 + r) / 3 <= v, alpha solves
 * r (r + 1) (2 r + 1) / 3 + 2 alpha (r + 1)^2 = v (2 r + 1 + 2 alpha). */
struct tw_box tw_box_of_variance(double v)
{
    double r = (double)(int32_t)((sqrt(12 * v + 1) - 1) / 2);
    double alpha = (2 * r + 1) * (3 * v - r * (r + 1)) / (6 * ((r + 1) * (r + 1) - v));
    int32_t radius = (int32_t)r, window = 2 * radius + 1;
    int32_t partials = window / CHUNK < PARTIALS ? window / CHUNK : PARTIALS;
    int32_t chunk = partials > 0 ? window / partials : CHUNK / 2;
    return (struct tw_box){.radius = radius,
                           .alpha = alpha,
                           .scale = 1 / (window + 2 * alpha),
                           .chunk = chunk,
                           .partials = partials,
                           .rest = window - partials * chunk,
                           .margin = radius + chunk};
}

typedef double lanes __attribute__((vector_size(32)));
typedef float stored __attribute__((vector_size(16), aligned(4), may_alias));

/* Four cells as doubles. No function: instruction sets differ in how they return it; and gcc 12
 * makes one instruction of this, but three of __builtin_convertvector(). */
#define FOUR(cells)                                                                                \
    (lanes) { (double)(cells)[0], (double)(cells)[1], (double)(cells)[2], (double)(cells)[3] }

/* The running sum of the lines. */
struct sums {
    lanes now[FOURS], low[FOURS];    /* of the window; the cell before it */
    lanes entered[FOURS];            /* in this chunk */
    lanes partials[PARTIALS][FOURS]; /* entered in chunks before, the oldest first */
};

static TW_INLINE void add_cells(lanes *sums, const float *cells, ptrdiff_t step, int32_t count)
{
    lanes added[FOURS] = {{0}};
    for (int32_t i = 0; i < count; i++, cells += step)
        for (int k = 0; k < FOURS; k++)
            added[k] += FOUR(cells + 4 * k);
    memcpy(sums, added, sizeof added);
}

/* Fills the window, which begins at `first`, as if it had come from afar. */
static TW_INLINE void fill_partials(const struct tw_box *box, const float *first, ptrdiff_t step,
                                    struct sums *sums)
{
    first += box->rest * step;
    for (int32_t partial = 0; partial < box->partials; partial++, first += box->chunk * step)
        add_cells(sums->partials[partial], first, step, box->chunk);
}

static TW_INLINE void begin_chunk(const struct tw_box *box, const float *first, ptrdiff_t step,
                                  struct sums *sums)
{
    add_cells(sums->now, first, step, box->rest);
    for (int32_t partial = 0; partial < box->partials; partial++)
        for (int k = 0; k < FOURS; k++)
            sums->now[k] += sums->partials[partial][k];
    for (int k = 0; k < FOURS; k++)
        sums->low[k] = FOUR(first - step + 4 * k);
}

static TW_INLINE void end_chunk(const struct tw_box *box, struct sums *sums)
{
    if (box->partials == 0)
        return;
    size_t last = (size_t)box->partials - 1;
    memmove(sums->partials[0], sums->partials[1], last * sizeof sums->partials[0]);
    memcpy(sums->partials[last], sums->entered, sizeof sums->entered);
}

/* Cells of a map's columns lie far from each other, where no processor foresees what is next. */
static TW_INLINE void fetch_ahead(const struct tw_box_path *path, const float *from,
                                  const float *to)
{
    enum { AHEAD = 24 };
    if (path->from_step > LANES)
        __builtin_prefetch(from + AHEAD * path->from_step);
    if (path->to_step > LANES)
        __builtin_prefetch(to + AHEAD * path->to_step, 1);
}

/* `count` cells of eight lines, which stay in registers; the window of the first begins at
 * `leaving`. */
static TW_INLINE void filter_cells(const struct tw_box *box, const struct tw_box_path *path,
                                   const float *leaving, struct sums *sums, int half, float *to,
                                   int32_t count, bool counted)
{
    enum { HALF = FOURS / 2 };
    const double alpha = box->alpha, scale = box->scale;
    const ptrdiff_t step = path->from_step;
    const float *entering = leaving + (2 * box->radius + 1) * step;
    lanes now[HALF], low[HALF], entered[HALF] = {{0}};
    memcpy(now, sums->now + half * HALF, sizeof now);
    memcpy(low, sums->low + half * HALF, sizeof low);
    for (int32_t i = 0; i < count; i++) {
        fetch_ahead(path, entering, to);
        for (int k = 0; k < HALF; k++) {
            lanes high = FOUR(entering + 4 * k), old = FOUR(leaving + 4 * k);
            lanes cell = (now[k] + alpha * (low[k] + high)) * scale;
            *(stored *)(to + 4 * k) = __builtin_convertvector(cell, stored);
            now[k] += high - old;
            low[k] = old;
            if (counted)
                entered[k] += high;
        }
        leaving += step;
        entering += step;
        to += path->to_step;
    }
    memcpy(sums->entered + half * HALF, entered, sizeof entered);
}

/* Code of its own for each pair of steps. */
#define CALL_WITH_STEPS(function, box, grid, path)                                                 \
    do {                                                                                           \
        struct tw_box_path known = *(path);                                                        \
        if (known.from_step != LANES) {                                                            \
            known.to_step = LANES;                                                                 \
            function(box, grid, &known);                                                           \
        } else if (known.to_step != LANES) {                                                       \
            known.from_step = LANES;                                                               \
            function(box, grid, &known);                                                           \
        } else {                                                                                   \
            known.from_step = known.to_step = LANES;                                               \
            function(box, grid, &known);                                                           \
        }                                                                                          \
    } while (0)

/* A chunk's first cell in the line and in the map, and how many it has. */
struct chunk {
    int32_t i, at, count;
};

/* The first chunk begins before the line where the line begins within a chunk. */
static TW_INLINE struct chunk before_first(const struct tw_box *box, const struct tw_box_grid *grid)
{
    const int32_t before = grid->first % box->chunk;
    return (struct chunk){-before, grid->first - before, 0};
}

static TW_INLINE bool next_chunk(const struct tw_box *box, const struct tw_box_grid *grid,
                                 struct chunk *b)
{
    b->i += b->count;
    b->at = b->at + b->count == grid->period ? 0 : b->at + b->count;
    b->count = grid->period - b->at < box->chunk ? grid->period - b->at : box->chunk;
    b->count = grid->length - b->i < b->count ? grid->length - b->i : b->count;
    return b->count > 0;
}

static TW_INLINE void filter_by_halves(const struct tw_box *box, struct tw_box_grid grid,
                                       const struct tw_box_path *path)
{
    struct sums sums;
    struct chunk b = before_first(box, &grid);
    for (bool first = true; next_chunk(box, &grid, &b); first = false) {
        const float *window = path->from + (b.i - box->radius) * path->from_step;
        float *to = path->to + b.i * path->to_step;
        if (first || b.at == 0)
            fill_partials(box, window, path->from_step, &sums);
        begin_chunk(box, window, path->from_step, &sums);
        for (int half = 0, k = 0; half < 2; half++, k += LANES / 2)
            if (box->partials > 0)
                filter_cells(box, path, window + k, &sums, half, to + k, b.count, true);
            else
                filter_cells(box, path, window + k, &sums, half, to + k, b.count, false);
        end_chunk(box, &sums);
    }
}

static TW_INLINE void filter_halves_body(const struct tw_box *box, struct tw_box_grid grid,
                                         const struct tw_box_path *path)
{
    CALL_WITH_STEPS(filter_by_halves, box, grid, path);
}
TW_SIMD_KERNEL(filter_halves,
               (const struct tw_box *box, struct tw_box_grid grid, const struct tw_box_path *path),
               (box, grid, path))

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

WIDE struct wide sum_of(const float *cells, ptrdiff_t step, int32_t count)
{
    struct wide sum = {_mm512_setzero_pd(), _mm512_setzero_pd()};
    for (int32_t i = 0; i < count; i++, cells += step)
        sum = add(sum, widen(cells));
    return sum;
}

/* Does what begin_chunk(), filter_cells() and end_chunk() do, with `partials` counted. */
WIDE void filter_chunk(const struct tw_box *box, const struct tw_box_path *path,
                       const float *leaving, int32_t count, int32_t partials, struct wide *partial,
                       float *to)
{
    const ptrdiff_t step = path->from_step;
    const float *entering = leaving + (2 * box->radius + 1) * step;
    struct wide now = sum_of(leaving, step, box->rest), before = widen(leaving - step);
    struct wide entered = sum_of(NULL, 0, 0);
    for (int32_t k = 0; k < partials; k++)
        now = add(now, partial[k]);
    for (int32_t i = 0; i < count; i++, leaving += step, entering += step, to += path->to_step) {
        struct wide next = widen(entering), old = widen(leaving);
        struct wide ends = multiply(box->alpha, add(before, next));
        fetch_ahead(path, entering, to);
        narrow(multiply(box->scale, add(now, ends)), to);
        now = add(now, subtract(next, old));
        before = old;
        if (partials > 0)
            entered = add(entered, next);
    }
    for (int32_t k = 0; k < partials; k++)
        partial[k] = k < partials - 1 ? partial[k + 1] : entered;
}

WIDE void filter_by_all(const struct tw_box *box, struct tw_box_grid grid,
                        const struct tw_box_path *path)
{
    struct wide partial[PARTIALS];
    struct chunk b = before_first(box, &grid);
    for (bool first = true; next_chunk(box, &grid, &b); first = false) {
        const float *window = path->from + (b.i - box->radius) * path->from_step;
        const float *rest = window + box->rest * path->from_step;
        float *to = path->to + b.i * path->to_step;
        for (int32_t k = 0; (first || b.at == 0) && k < box->partials; k++)
            partial[k] =
                sum_of(rest + k * box->chunk * path->from_step, path->from_step, box->chunk);
        if (box->partials > 0)
            filter_chunk(box, path, window, b.count, box->partials, partial, to);
        else if (b.count == CHUNK / 2)
            filter_chunk(box, path, window, CHUNK / 2, 0, partial, to);
        else
            filter_chunk(box, path, window, b.count, 0, partial, to);
    }
}

TW_TARGET_AVX512 static void filter_wide(const struct tw_box *box, struct tw_box_grid grid,
                                         const struct tw_box_path *path)
{
    CALL_WITH_STEPS(filter_by_all, box, grid, path);
}
#endif

void tw_box_filter(enum tw_simd simd, const struct tw_box *box, struct tw_box_grid grid,
                   const struct tw_box_path *path)
{
#if defined(__x86_64__)
    if (simd == TW_SIMD_AVX512) {
        filter_wide(box, grid, path);
        return;
    }
#endif
    filter_halves(simd)(box, grid, path);
}
