/* SPDX-License-Identifier: MIT */
/* Columns first, from the heights into a map that holds the columns beyond; then rows. Cells of a
 * chunk are summed side by side, each in the order of its distances. */
#include "mask/kernels/gaussian.h"

#include <thalweg/simd.h>

enum { CHUNK = 16 };

struct filter {
    const float *heights;
    const struct tw_padded *middle, *to;
    const double *weights; /* of distance 0, 1, ... taps */
    int32_t taps;
    const struct tw_task *task;
    enum tw_simd simd;
};

/* Cells up to four standard deviations away. */
static int32_t taps_of(double sigma) { return (int32_t)(4 * sigma); }

static void fill_weights(double *weights, int32_t taps, double sigma)
{
    double sum = 0;
    for (int32_t k = taps; k >= 0; k--) {
        weights[k] = tw_exp(-0.5 * (double)k * (double)k / (sigma * sigma));
        sum += k > 0 ? 2 * weights[k] : weights[k];
    }
    for (int32_t k = 0; k <= taps; k++)
        weights[k] /= sum;
}

struct straight_row {
    struct tw_straight rule;
    const float *cell, *near, *far;
};

static TW_INLINE struct straight_row straight_row(const struct filter *f, int32_t y, int32_t x)
{
    const size_t width = (size_t)f->middle->width;
    const float *at = f->heights + x;
    const struct tw_straight rule = tw_straight_of(y, f->middle->height);
    return (struct straight_row){rule, at + (size_t)rule.cell * width,
                                 at + (size_t)rule.near * width, at + (size_t)rule.far * width};
}

static TW_INLINE double straight_at(const struct straight_row *row, int32_t i)
{
    return tw_straight_height(&row->rule, (double)row->cell[i], (double)row->near[i],
                              (double)row->far[i]);
}

/* The rows at distance k, of which one at least is beyond the border. */
static TW_INLINE void add_beyond(const struct filter *f, int32_t y, int32_t k, int32_t x,
                                 int32_t count, double *sums)
{
    const struct straight_row above = straight_row(f, y - k, x), below = straight_row(f, y + k, x);
    const double weight = f->weights[k];
    for (int32_t i = 0; i < count; i++)
        sums[i] += weight * (straight_at(&above, i) + straight_at(&below, i));
}

static TW_INLINE void add_down(const struct filter *f, int32_t y, int32_t x, int32_t count,
                               double *sums)
{
    const struct tw_padded *m = f->middle;
    size_t width = (size_t)m->width;
    for (int32_t i = 0; i < count; i++)
        sums[i] = f->weights[0] * (double)f->heights[(size_t)y * width + (size_t)(x + i)];
    for (int32_t k = 1; k <= f->taps; k++) {
        if (!m->wrap && (y - k < 0 || y + k >= m->height)) {
            add_beyond(f, y, k, x, count, sums);
            continue;
        }
        const float *above = f->heights + (size_t)tw_wrap(y - k, m->height) * width + (size_t)x;
        const float *below = f->heights + (size_t)tw_wrap(y + k, m->height) * width + (size_t)x;
        double weight = f->weights[k];
        for (int32_t i = 0; i < count; i++)
            sums[i] += weight * ((double)above[i] + (double)below[i]);
    }
}

static TW_INLINE void add_along(const struct filter *f, const double *row, int32_t count,
                                double *sums)
{
    for (int32_t i = 0; i < count; i++)
        sums[i] = f->weights[0] * row[i];
    for (int32_t k = 1; k <= f->taps; k++) {
        double weight = f->weights[k];
        for (int32_t i = 0; i < count; i++)
            sums[i] += weight * (row[i - k] + row[i + k]);
    }
}

static TW_INLINE void filter_row_body(const struct filter *f, bool down, int32_t y, double *out)
{
    const double *row = tw_padded_row(f->middle, y);
    int32_t width = f->middle->width;
    for (int32_t x = 0; x < width; x += CHUNK) {
        double sums[CHUNK];
        int32_t count = width - x < CHUNK ? width - x : CHUNK;
        if (count == CHUNK && down)
            add_down(f, y, x, CHUNK, sums);
        else if (count == CHUNK)
            add_along(f, row + x, CHUNK, sums);
        else if (down)
            add_down(f, y, x, count, sums);
        else
            add_along(f, row + x, count, sums);
        for (int32_t i = 0; i < count; i++)
            out[x + i] = sums[i];
    }
}
TW_SIMD_KERNEL(filter_row, (const struct filter *f, bool down, int32_t y, double *out),
               (f, down, y, out))

static void filter_columns(void *context, int32_t begin, int32_t end)
{
    const struct filter *f = context;
    for (int32_t y = begin; y < end && !tw_task_cancelled(f->task); y++) {
        filter_row(f->simd)(f, true, y, f->middle->cells + (size_t)y * f->middle->stride);
        tw_padded_close_row(f->middle, y);
    }
}

static void filter_rows(void *context, int32_t begin, int32_t end)
{
    const struct filter *f = context;
    for (int32_t y = begin; y < end && !tw_task_cancelled(f->task); y++) {
        filter_row(f->simd)(f, false, y, f->to->cells + (size_t)y * f->to->stride);
        tw_padded_close_row(f->to, y);
    }
}

enum tw_status tw_gaussian(struct tw_task *task, const float *heights, double sigma,
                           const struct tw_padded *to)
{
    struct tw_padded middle;
    int32_t taps = taps_of(sigma);
    if (taps == 0) {
        tw_padded_load(task, to, heights, 1);
        return TW_OK;
    }
    double *weights = tw_task_scratch(task, (size_t)taps + 1, sizeof *weights);
    if (!weights)
        return tw_task_no_memory(task);
    enum tw_status status = tw_padded_init(task, &middle, taps, to->wrap);
    if (status != TW_OK)
        return status;
    fill_weights(weights, taps, sigma);
    struct filter filter = {heights, &middle, to, weights, taps, task, tw_task_simd(task)};
    tw_rows(task, to->height, 8, filter_columns, &filter);
    tw_rows(task, to->height, 8, filter_rows, &filter);
    tw_padded_close(to);
    return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
}

void tw_gaussian_forecast(struct tw_forecast *f, double sigma)
{
    int32_t taps = taps_of(sigma);
    if (taps == 0)
        return;
    tw_padded_forecast(f, taps);
    tw_forecast_scratch(f, (uint64_t)taps + 1, sizeof(double));
}
