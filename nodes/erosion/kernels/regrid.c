/* SPDX-License-Identifier: MIT */
#include "erosion/kernels/regrid.h"

#include <math.h>

enum { TAPS = 4, ROW_GRAIN = 8, COLUMN_GRAIN = 64 };

struct regridding {
    struct tw_regrid_size small, large;
    float *coarse, *fine;
    float *tall;        /* as wide as the small map, as high as the large one */
    float *pivots;      /* of the longer side of the small map; see pivots_of() */
    struct tap *across; /* one per column of the large map */
};

/* ---- down: the mean of what a cell covers ---- */

struct mean {
    const float *fine;
    float *coarse;
    struct tw_regrid_size small, large;
};

/* How much of cell i of the large map lies between begin and end. */
static double covered(int32_t i, double begin, double end)
{
    double first = i > begin ? i : begin, last = i + 1 < end ? i + 1 : end;
    return last - first;
}

static float mean_of(const struct mean *mean, int32_t x, int32_t y)
{
    double across = (double)mean->large.width / mean->small.width;
    double down = (double)mean->large.height / mean->small.height;
    double left = x * across, right = (x + 1) * across, top = y * down, bottom = (y + 1) * down;
    double sum = 0;
    for (int32_t j = (int32_t)top; j < mean->large.height && j < bottom; j++) {
        const float *row = mean->fine + (size_t)j * (size_t)mean->large.width;
        double row_sum = 0;
        for (int32_t i = (int32_t)left; i < mean->large.width && i < right; i++)
            row_sum += (double)row[i] * covered(i, left, right);
        sum += row_sum * covered(j, top, bottom);
    }
    return (float)(sum / (across * down));
}

static void mean_rows(void *context, int32_t begin, int32_t end)
{
    const struct mean *mean = context;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < mean->small.width; x++)
            mean->coarse[(size_t)y * (size_t)mean->small.width + (size_t)x] = mean_of(mean, x, y);
}

void tw_regrid_mean(struct tw_task *task, const float *fine, struct tw_regrid_size size,
                    float *coarse)
{
    struct mean mean = {fine, coarse, size, {tw_task_width(task), tw_task_height(task)}};
    tw_rows(task, size.height, ROW_GRAIN, mean_rows, &mean);
}

/* ---- up: coefficients of the splines ---- */

/* A quadratic B-spline around the middle of each cell has a mean of 4/6 over its own cell and 1/6
 * over those next to it. Beyond the border the surface is its mirror image. So coefficients solve a
 * tridiagonal system with 1, 4, 1 in a row, and 5 in the corners; these are the reciprocal pivots
 * of its elimination. */
static void pivots_of(int32_t count, float *pivots)
{
    for (int32_t i = 0; i < count; i++) {
        float diagonal = (float)(4 + (i == 0) + (i == count - 1));
        pivots[i] = 1.0f / (i > 0 ? diagonal - pivots[i - 1] : diagonal);
    }
}

/* Solves for `lines` columns at once; their values are `stride` apart. */
static void solve(float *at, int32_t count, size_t stride, int32_t lines, const float *pivots)
{
    for (int32_t i = 0; i < count; i++) {
        float *row = at + (size_t)i * stride;
        for (int32_t x = 0; x < lines; x++) {
            float before = i > 0 ? row[(ptrdiff_t)x - (ptrdiff_t)stride] : 0;
            row[x] = (6.0f * row[x] - before) * pivots[i];
        }
    }
    for (int32_t i = count - 2; i >= 0; i--) {
        float *row = at + (size_t)i * stride;
        for (int32_t x = 0; x < lines; x++)
            row[x] -= pivots[i] * row[(size_t)x + stride];
    }
}

static void solve_rows(void *context, int32_t begin, int32_t end)
{
    const struct regridding *r = context;
    for (int32_t y = begin; y < end; y++)
        solve(r->coarse + (size_t)y * (size_t)r->small.width, r->small.width, 1, 1, r->pivots);
}

static void solve_columns(void *context, int32_t begin, int32_t end)
{
    const struct regridding *r = context;
    solve(r->coarse + begin, r->small.height, (size_t)r->small.width, end - begin, r->pivots);
}

/* ---- up: means of the surface over the cells of the large map ---- */

/* Coefficients that reach a cell, and the integral of each one's spline over it. */
struct tap {
    int32_t at[TAPS];
    float weight[TAPS];
};

/* Integral of the quadratic B-spline around 0 up to x. */
static double spline_up_to(double x)
{
    double far = fabs(x) < 1.5 ? fabs(x) : 1.5, rest = 1.5 - far;
    double tail = far > 0.5 ? rest * rest * rest / 6 : 0.5 - 0.75 * far + far * far * far / 3;
    return x > 0 ? 1 - tail : tail;
}

static int32_t mirrored(int32_t i, int32_t count)
{
    i = i < 0 ? -1 - i : i >= count ? 2 * count - 1 - i : i;
    return i < 0 ? 0 : i;
}

static struct tap tap_of(int32_t cell, int32_t large, int32_t small)
{
    double ratio = (double)small / large, begin = cell * ratio, end = (cell + 1) * ratio;
    struct tap tap;
    for (int32_t k = 0; k < TAPS; k++) {
        int32_t i = (int32_t)begin - 1 + k;
        double integral = spline_up_to(end - i - 0.5) - spline_up_to(begin - i - 0.5);
        tap.at[k] = mirrored(i, small);
        tap.weight[k] = (float)(integral / ratio);
    }
    return tap;
}

static void spread_down(void *context, int32_t begin, int32_t end)
{
    const struct regridding *r = context;
    size_t width = (size_t)r->small.width;
    for (int32_t y = begin; y < end; y++) {
        struct tap tap = tap_of(y, r->large.height, r->small.height);
        const float *a = r->coarse + (size_t)tap.at[0] * width;
        const float *b = r->coarse + (size_t)tap.at[1] * width;
        const float *c = r->coarse + (size_t)tap.at[2] * width;
        const float *d = r->coarse + (size_t)tap.at[3] * width;
        float *to = r->tall + (size_t)y * width;
        for (size_t x = 0; x < width; x++)
            to[x] = (a[x] * tap.weight[0] + b[x] * tap.weight[1]) +
                    (c[x] * tap.weight[2] + d[x] * tap.weight[3]);
    }
}

static void spread_across(void *context, int32_t begin, int32_t end)
{
    const struct regridding *r = context;
    for (int32_t y = begin; y < end; y++) {
        const float *from = r->tall + (size_t)y * (size_t)r->small.width;
        float *to = r->fine + (size_t)y * (size_t)r->large.width;
        for (int32_t x = 0; x < r->large.width; x++) {
            const struct tap *tap = &r->across[x];
            to[x] = (from[tap->at[0]] * tap->weight[0] + from[tap->at[1]] * tap->weight[1]) +
                    (from[tap->at[2]] * tap->weight[2] + from[tap->at[3]] * tap->weight[3]);
        }
    }
}

enum tw_status tw_regrid_spread(struct tw_task *task, struct tw_regrid_size size, float *coarse,
                                float *fine)
{
    struct regridding r = {.small = size,
                           .large = {tw_task_width(task), tw_task_height(task)},
                           .coarse = coarse,
                           .fine = fine};
    size_t longer = (size_t)(size.width > size.height ? size.width : size.height);
    r.pivots = tw_task_scratch(task, longer, sizeof *r.pivots);
    r.across = tw_task_scratch(task, (size_t)r.large.width, sizeof *r.across);
    r.tall = tw_task_scratch(task, (size_t)size.width * (size_t)r.large.height, sizeof *r.tall);
    if (!r.pivots || !r.across || !r.tall)
        return tw_task_no_memory(task);
    for (int32_t x = 0; x < r.large.width; x++)
        r.across[x] = tap_of(x, r.large.width, size.width);
    pivots_of(size.width, r.pivots);
    tw_rows(task, size.height, ROW_GRAIN, solve_rows, &r);
    pivots_of(size.height, r.pivots);
    tw_rows(task, size.width, COLUMN_GRAIN, solve_columns, &r);
    tw_rows(task, r.large.height, ROW_GRAIN, spread_down, &r);
    tw_rows(task, r.large.height, ROW_GRAIN, spread_across, &r);
    return TW_OK;
}

void tw_regrid_forecast(struct tw_forecast *f, struct tw_regrid_size size)
{
    struct regridding r;
    uint64_t longer = (uint64_t)(size.width > size.height ? size.width : size.height);
    tw_forecast_scratch(f, longer, sizeof *r.pivots);
    tw_forecast_scratch(f, (uint64_t)f->width, sizeof *r.across);
    tw_forecast_scratch(f, (uint64_t)size.width * (uint64_t)f->height, sizeof *r.tall);
}
