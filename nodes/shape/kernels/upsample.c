/* SPDX-License-Identifier: MIT */
/* A filter is a row of weights for every column and every row of the map. Rows of the coarse map
 * are brought to the full width first, of which there are few; a row of the map is then a sum of
 * those. Sums are kept in double, in the order of the cells: a flat map stays flat. */
#include "shape/kernels/upsample.h"

#include "common/lanczos.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

#include <float.h>
#include <string.h>

enum { TAPS_MAX = 6 /* tw_lanczos_taps() towards more cells */, GRAIN = 8, CHUNK = 256 };

/* Of one direction: for each cell of the map `count` cells of the coarse one, and weights, which
 * add up to 1. */
struct taps {
    int32_t *at;
    double *weights;
    int32_t count;
};

struct job {
    struct tw_task *task;
    const struct tw_upsample *up;
    struct taps across, down;
    float *wide; /* rows of the coarse map at the full width */
    int32_t width, height;
    enum tw_simd simd;
};

/* ---- the filters ---- */

static int32_t taps_of(enum tw_upsample_by by)
{
    return by == TW_UPSAMPLE_NEAREST    ? 1
           : by == TW_UPSAMPLE_BILINEAR ? 2
           : by == TW_UPSAMPLE_CUBIC    ? 4
                                        : TAPS_MAX;
}

/* Keys 1981, a = -1/2: passes through the cells and keeps planes; slopes have no jumps. */
static void set_cubic(double f, double *weights)
{
    const double g = 1 - f;
    weights[0] = -0.5 * f * g * g;
    weights[1] = 1 + f * f * (1.5 * f - 2.5);
    weights[2] = 1 + g * g * (1.5 * g - 2.5);
    weights[3] = -0.5 * g * f * f;
}

/* Lanczos' weights leave a plane with ripples as wide as coarse cells, which low light shows. A
 * share of (a + b d) times a positive window, where d is the distance, makes their first moment 0
 * and leaves their sum: a plane stays a plane. */
static void keep_planes(double centre, int32_t first, int32_t taps, double *weights)
{
    double moment = 0, of_window[3] = {0}, window[TAPS_MAX];
    for (int32_t k = 0; k < taps; k++) {
        const double d = first + k - centre, far = d / (TAPS_MAX / 2);
        moment += weights[k] * d;
        window[k] = (1 - far * far) * (1 - far * far);
        of_window[0] += window[k];
        of_window[1] += window[k] * d;
        of_window[2] += window[k] * d * d;
    }
    const double middle = of_window[1] / of_window[0];
    const double b = -moment / (of_window[2] - of_window[1] * middle);
    for (int32_t k = 0; k < taps; k++)
        weights[k] += b * (first + k - centre - middle) * window[k];
}

/* Weights of cell i of `to`, and the first of its cells of `from`. Cell i lies at (i + 1/2) from /
 * to - 1/2 of them; its whole part and fraction are exact. */
static int32_t set_weights(enum tw_upsample_by by, int32_t from, int32_t to, int32_t i,
                           double *weights)
{
    const int64_t doubled = (2 * (int64_t)i + 1) * from, divisor = 2 * (int64_t)to;
    const int32_t nearest = (int32_t)(doubled / divisor);
    weights[0] = 1;
    if (by == TW_UPSAMPLE_NEAREST)
        return nearest;
    const int64_t past = doubled - to + divisor; /* one cell more, so that it is not negative */
    const int32_t cell = (int32_t)(past / divisor) - 1;
    const double f = (double)(past % divisor) / (double)divisor;
    if (by == TW_UPSAMPLE_LANCZOS) {
        const int32_t first = tw_lanczos_weights(from, to, i, weights);
        keep_planes(cell + f, first, TAPS_MAX, weights);
        return first;
    }
    if (by == TW_UPSAMPLE_CUBIC) {
        set_cubic(f, weights);
        return cell - 1;
    }
    weights[0] = 1 - f;
    weights[1] = f;
    return cell;
}

/* Ground that ends goes on beyond its border as it falls there, so that no half of a coarse cell is
 * flat: cell -m is c0 + m (c0 - c1). Its weight goes to these two. */
static void fold(int32_t from, int32_t first, struct taps *taps, size_t at)
{
    double unfolded[TAPS_MAX], *weights = taps->weights + at;
    const int32_t last = from - 1, inner = from - taps->count;
    const int32_t begin = tw_clamp_index(first, inner > 0 ? inner + 1 : 1);
    memcpy(unfolded, weights, (size_t)taps->count * sizeof *weights);
    for (int32_t k = 0; k < taps->count; k++) {
        taps->at[at + (size_t)k] = tw_clamp_index(begin + k, from);
        weights[k] = 0;
    }
    for (int32_t k = 0; k < taps->count; k++) {
        const int32_t cell = first + k, nearest = tw_clamp_index(cell, from);
        const int32_t beyond = cell < 0 ? -cell : cell > last ? cell - last : 0;
        const double rise = from > 1 ? beyond * unfolded[k] : 0;
        weights[nearest - begin] += unfolded[k] + rise;
        if (rise != 0)
            weights[(cell < 0 ? 1 : last - 1) - begin] -= rise;
    }
}

static bool make_taps(struct job *job, int32_t from, int32_t to, struct taps *taps)
{
    taps->count = taps_of(job->up->by);
    const size_t count = (size_t)taps->count;
    taps->at = tw_task_scratch(job->task, (size_t)to * count, sizeof *taps->at);
    taps->weights = tw_task_scratch(job->task, (size_t)to * count, sizeof *taps->weights);
    if (!taps->at || !taps->weights)
        return false;
    for (int32_t i = 0; i < to; i++) {
        const int32_t first =
            set_weights(job->up->by, from, to, i, taps->weights + (size_t)i * count);
        for (int32_t k = 0; k < taps->count && job->up->wrap; k++)
            taps->at[(size_t)i * count + (size_t)k] = tw_wrap(first + k, from);
        if (!job->up->wrap)
            fold(from, first, taps, (size_t)i * count);
    }
    return true;
}

/* ---- the sums ---- */

/* Filters that pass the heights around may pass the greatest float, too. */
static TW_INLINE float to_float(double sum)
{
    sum = sum > (double)FLT_MAX ? (double)FLT_MAX : sum;
    return (float)(sum < -(double)FLT_MAX ? -(double)FLT_MAX : sum);
}

static void widen_rows(void *context, int32_t begin, int32_t end)
{
    const struct job *job = context;
    const struct taps *taps = &job->across;
    for (int32_t y = begin; y < end && !tw_task_cancelled(job->task); y++) {
        const float *from = job->up->coarse + (size_t)y * (size_t)job->up->width;
        float *to = job->wide + (size_t)y * (size_t)job->width;
        for (int32_t x = 0; x < job->width; x++) {
            const size_t first = (size_t)x * (size_t)taps->count;
            double sum = 0;
            for (size_t k = first; k < first + (size_t)taps->count; k++)
                sum += taps->weights[k] * (double)from[taps->at[k]];
            to[x] = to_float(sum);
        }
    }
}

static TW_INLINE void sum_row_body(const float *const *rows, const double *weights, int32_t taps,
                                   int32_t width, float *out)
{
    for (int32_t begin = 0; begin < width; begin += CHUNK) {
        const int32_t count = width - begin < CHUNK ? width - begin : CHUNK;
        double sums[CHUNK] = {0};
        for (int32_t k = 0; k < taps; k++) {
            const float *row = rows[k] + begin;
            const double weight = weights[k];
            for (int32_t x = 0; x < count; x++)
                sums[x] += weight * (double)row[x];
        }
        for (int32_t x = 0; x < count; x++)
            out[begin + x] = to_float(sums[x]);
    }
}
TW_SIMD_KERNEL(sum_row,
               (const float *const *rows, const double *weights, int32_t taps, int32_t width,
                float *out),
               (rows, weights, taps, width, out))

static void fill_rows(void *context, int32_t begin, int32_t end)
{
    const struct job *job = context;
    const struct taps *taps = &job->down;
    const float *rows[TAPS_MAX];
    for (int32_t y = begin; y < end && !tw_task_cancelled(job->task); y++) {
        const size_t first = (size_t)y * (size_t)taps->count;
        for (int32_t k = 0; k < taps->count; k++)
            rows[k] = job->wide + (size_t)taps->at[first + (size_t)k] * (size_t)job->width;
        sum_row(job->simd)(rows, taps->weights + first, taps->count, job->width,
                           job->up->out + (size_t)y * (size_t)job->width);
    }
}

enum tw_status tw_upsample(struct tw_task *task, const struct tw_upsample *up)
{
    struct job job = {.task = task,
                      .up = up,
                      .width = tw_task_width(task),
                      .height = tw_task_height(task),
                      .simd = tw_task_simd(task)};
    job.wide = tw_task_scratch(task, (size_t)up->height * (size_t)job.width, sizeof *job.wide);
    if (!job.wide || !make_taps(&job, up->width, job.width, &job.across) ||
        !make_taps(&job, up->height, job.height, &job.down))
        return tw_task_no_memory(task);
    tw_rows(task, up->height, GRAIN, widen_rows, &job);
    tw_rows(task, job.height, GRAIN, fill_rows, &job);
    return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
}

static void forecast_taps(struct tw_forecast *f, enum tw_upsample_by by, int32_t to)
{
    const uint64_t count = (uint64_t)to * (uint64_t)taps_of(by);
    tw_forecast_scratch(f, count, sizeof(int32_t));
    tw_forecast_scratch(f, count, sizeof(double));
}

void tw_upsample_forecast(struct tw_forecast *f, enum tw_upsample_by by, int32_t height)
{
    tw_forecast_scratch(f, (uint64_t)height * (uint64_t)f->width, sizeof(float));
    forecast_taps(f, by, f->width);
    forecast_taps(f, by, f->height);
}
