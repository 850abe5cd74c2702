/* SPDX-License-Identifier: MIT */
#include "measure/kernels/surface_fine.h"

#include "measure/kernels/reference_rows.h"

#include <thalweg/simd.h>

enum { FAR = 4 };

struct squares {
    const struct tw_reference_cells *r;
    double *to;
    int32_t step;
    double *sums;    /* of each row */
    int32_t *counts; /* of each row: how many */
    void (*square)(const struct squares *, int32_t);
    void (*sum)(const double *, int32_t, double *);
};

/* Whether both neighbours of row or column i at a distance exist. */
static bool has_both(const struct tw_reference_cells *r, int32_t i, int32_t step, int32_t count)
{
    return r->wrap || (i >= step && i + step < count);
}

static double *to_row(const struct squares *f, int32_t y)
{
    return f->to + (size_t)y * (size_t)f->r->width;
}

/* Squared second differences along x and along y over `step` cells, where there are such. */
static TW_INLINE void square_body(const struct squares *f, int32_t y)
{
    const struct tw_reference_cells *r = f->r;
    const int32_t step = f->step, width = r->width;
    const double *row = tw_reference_row(r, r->z, y);
    const double *up = tw_reference_row(r, r->z, y - step),
                 *below = tw_reference_row(r, r->z, y + step);
    const double tall = has_both(r, y, step, r->height) ? 1 : 0, wide = r->wrap ? 1 : 0;
    double *restrict to = to_row(f, y);
    for (int32_t x = step; x < width - step; x++) {
        const double across = (row[x - step] + row[x + step]) - 2 * row[x];
        const double along = tall * ((up[x] + below[x]) - 2 * row[x]);
        to[x] = across * across + along * along;
    }
    for (int32_t k = 0; k < 2 * step; k++) {
        const int32_t x = k < step ? k : width - 1 - (k - step);
        const double west = row[tw_wrap(x - step, width)], east = row[tw_wrap(x + step, width)];
        const double across = wide * ((west + east) - 2 * row[x]);
        const double along = tall * ((up[x] + below[x]) - 2 * row[x]);
        to[x] = across * across + along * along;
    }
}
TW_SIMD_KERNEL(square, (const struct squares *f, int32_t y), (f, y))

/* In lanes, whose order no instruction set changes. */
static TW_INLINE void sum_body(const double *row, int32_t width, double *sum)
{
    enum { LANES = 8 };
    double lanes[LANES] = {0};
    int32_t x = 0;
    for (; x + LANES <= width; x += LANES)
        for (int k = 0; k < LANES; k++)
            lanes[k] += row[x + k];
    for (int k = 0; x + k < width; k++)
        lanes[k] += row[x + k];
    *sum = 0;
    for (int k = 0; k < LANES; k++)
        *sum += lanes[k];
}
TW_SIMD_KERNEL(sum, (const double *row, int32_t width, double *sum), (row, width, sum))

/* The squares of a row and their number; those of cells that do not count become 0. */
static void add_squares(const struct squares *f, int32_t y)
{
    const struct tw_reference_cells *r = f->r;
    const bool tall = has_both(r, y, f->step, r->height);
    double *to = to_row(f, y);
    int32_t count = 0;
    f->square(f, y);
    for (int32_t x = 0; x < r->width; x++) {
        const bool counts = tw_reference_counts(r, y * r->width + x);
        to[x] = counts ? to[x] : 0;
        count += counts ? tall + has_both(r, x, f->step, r->width) : 0;
    }
    f->counts[y] = count;
    f->sum(to, r->width, &f->sums[y]);
}

static void square_rows(void *context, int32_t begin, int32_t end)
{
    const struct squares *f = context;
    for (int32_t y = begin; y < end; y++)
        add_squares(f, y);
}

/* Over `step` cells. */
static double mean_square(struct tw_task *task, struct squares *f, int32_t step)
{
    double sum_of_rows = 0, count = 0;
    f->step = step;
    tw_rows(task, f->r->height, 16, square_rows, f);
    for (int32_t y = 0; y < f->r->height; y++) {
        sum_of_rows += f->sums[y];
        count += f->counts[y];
    }
    return count > 0 ? sum_of_rows / count : 0;
}

/* Squares as small as rounding are level ground at either scale. */
static double exponent_of(double near, double far, double relief)
{
    const double least = (TW_REFERENCE_LEVEL * relief) * (TW_REFERENCE_LEVEL * relief);
    return near <= least ? 0 : 0.25 * (tw_log2(far > least ? far : least) - tw_log2(near));
}

enum tw_status tw_surface_fine(struct tw_task *task, const struct tw_reference_cells *r, double *a,
                               double *fine)
{
    const struct tw_scratch_mark mark = tw_task_scratch_mark(task);
    const enum tw_simd simd = tw_task_simd(task);
    struct squares f = {.r = r, .to = a, .square = square(simd), .sum = sum(simd)};
    f.sums = tw_task_scratch(task, (size_t)r->height, sizeof *f.sums);
    f.counts = tw_task_scratch(task, (size_t)r->height, sizeof *f.counts);
    if (!f.sums || !f.counts)
        return tw_task_no_memory(task);
    const double near = mean_square(task, &f, 1);
    *fine = exponent_of(near, mean_square(task, &f, FAR), r->relief);
    tw_task_scratch_return(task, mark);
    return TW_OK;
}
