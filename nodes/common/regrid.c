/* SPDX-License-Identifier: MIT */
#include "common/regrid.h"

#include <math.h>

enum { ROW_GRAIN = 8, COLUMN_GRAIN = 64 };

/* ---- coefficients of the splines ---- */

/* A quadratic B-spline around the middle of each cell has a mean of 4/6 over its own cell and 1/6
 * over those next to it. Beyond the border the surface is its mirror image, or the other side. So
 * coefficients solve a tridiagonal system with 1, 4, 1 in a row, and 5 in the corners; these are
 * the reciprocal pivots of its elimination. A ring is that with other corners, 4 - RING and
 * 4 - 1 / RING, and a correction after it (Sherman and Morrison 1950). */
#define RING (-4.0f)

static void pivots_of(struct tw_regrid_line *line, bool ring)
{
    float first = ring ? 4 - RING : 5, last = ring ? 4 - 1 / RING : 5;
    if (line->count == 1)
        first = last = 6; /* its own neighbour on both sides */
    for (int32_t i = 0; i < line->count; i++) {
        float diagonal = i == 0 ? first : i == line->count - 1 ? last : 4;
        line->pivots[i] = 1.0f / (i > 0 ? diagonal - line->pivots[i - 1] : diagonal);
    }
}

/* Solves for `lines` columns at once; their values are `stride` apart. */
static void eliminate(const struct tw_regrid_line *line, float *at, size_t stride, int32_t lines)
{
    const float *pivots = line->pivots;
    for (int32_t i = 0; i < line->count; i++) {
        float *row = at + (size_t)i * stride;
        for (int32_t x = 0; x < lines; x++) {
            float before = i > 0 ? row[(ptrdiff_t)x - (ptrdiff_t)stride] : 0;
            row[x] = (6.0f * row[x] - before) * pivots[i];
        }
    }
    for (int32_t i = line->count - 2; i >= 0; i--) {
        float *row = at + (size_t)i * stride;
        for (int32_t x = 0; x < lines; x++)
            row[x] -= pivots[i] * row[(size_t)x + stride];
    }
}

static void close_ring(const struct tw_regrid_line *line, float *at, size_t stride, int32_t lines)
{
    size_t last = (size_t)line->count - 1;
    for (int32_t x = 0; x < lines; x++) {
        float share = (at[x] + at[last * stride + (size_t)x] / RING) * line->scale;
        for (size_t i = 0; i <= last; i++)
            at[i * stride + (size_t)x] -= line->closing[i] * share;
    }
}

static void solve(const struct tw_regrid_line *line, float *at, size_t stride, int32_t lines)
{
    eliminate(line, at, stride, lines);
    if (line->closing)
        close_ring(line, at, stride, lines);
}

static void solve_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_regrid *r = context;
    for (int32_t y = begin; y < end; y++)
        solve(&r->row, r->coarse + (size_t)y * (size_t)r->small.width, 1, 1);
}

static void solve_columns(void *context, int32_t begin, int32_t end)
{
    const struct tw_regrid *r = context;
    solve(&r->column, r->coarse + begin, (size_t)r->small.width, end - begin);
}

/* ---- means of the surface over the cells of the large map ---- */

/* Integral of the quadratic B-spline around 0 up to x. */
static double spline_up_to(double x)
{
    double far = fabs(x) < 1.5 ? fabs(x) : 1.5, rest = 1.5 - far;
    double tail = far > 0.5 ? rest * rest * rest / 6 : 0.5 - 0.75 * far + far * far * far / 3;
    return x > 0 ? 1 - tail : tail;
}

static int32_t within(int32_t i, int32_t count, bool ring)
{
    if (ring)
        return (i % count + count) % count;
    i = i < 0 ? -1 - i : i >= count ? 2 * count - 1 - i : i;
    return i < 0 ? 0 : i;
}

static struct tw_regrid_tap tap_of(int32_t cell, int32_t large, int32_t small, bool ring)
{
    double ratio = (double)small / large, begin = cell * ratio, end = (cell + 1) * ratio;
    struct tw_regrid_tap tap;
    for (int32_t k = 0; k < TW_REGRID_TAPS; k++) {
        int32_t i = (int32_t)begin - 1 + k;
        double integral = spline_up_to(end - i - 0.5) - spline_up_to(begin - i - 0.5);
        tap.at[k] = within(i, small, ring);
        tap.weight[k] = (float)(integral / ratio);
    }
    return tap;
}

static void spread_down(void *context, int32_t begin, int32_t end)
{
    const struct tw_regrid *r = context;
    size_t width = (size_t)r->small.width;
    for (int32_t y = begin; y < end; y++) {
        struct tw_regrid_tap tap = tap_of(y, r->large.height, r->small.height, r->wraps);
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
    const struct tw_regrid *r = context;
    for (int32_t y = begin; y < end; y++) {
        const float *from = r->tall + (size_t)y * (size_t)r->small.width;
        float *to = r->fine + (size_t)y * r->stride;
        for (int32_t x = 0; x < r->large.width; x++) {
            const struct tw_regrid_tap *tap = &r->across[x];
            to[x] = (from[tap->at[0]] * tap->weight[0] + from[tap->at[1]] * tap->weight[1]) +
                    (from[tap->at[2]] * tap->weight[2] + from[tap->at[3]] * tap->weight[3]);
        }
    }
}

/* ---- both ---- */

static void line_init(struct tw_regrid_line *line, int32_t count, bool ring)
{
    line->count = count;
    pivots_of(line, ring);
    if (!ring)
        return;
    float *closing = line->pivots + count;
    for (int32_t i = 0; i < count; i++)
        closing[i] = (i == 0 ? RING : i == count - 1 ? 1.0f : 0) / 6.0f;
    eliminate(line, closing, 1, 1);
    line->scale = 1.0f / (1.0f + (closing[0] + closing[count - 1] / RING));
    line->closing = closing;
}

bool tw_regrid_lay_out(struct tw_scratch *s, struct tw_regrid *r, struct tw_regrid_size size,
                       bool wraps)
{
    const uint64_t width = (uint64_t)size.width, height = (uint64_t)size.height;
    const uint64_t lines = wraps ? 2 : 1; /* pivots, and what closes the ring */
    r->across = tw_scratch_take(s, (uint64_t)tw_scratch_width(s), sizeof *r->across);
    r->tall = tw_scratch_take(s, width * (uint64_t)tw_scratch_height(s), sizeof *r->tall);
    r->row.pivots = tw_scratch_take(s, width * lines, sizeof *r->row.pivots);
    r->column.pivots = tw_scratch_take(s, height * lines, sizeof *r->column.pivots);
    return tw_scratch_is_laid(s);
}

enum tw_status tw_regrid_init(struct tw_task *task, struct tw_regrid *r, struct tw_regrid_size size,
                              bool wraps)
{
    *r = (struct tw_regrid){
        .small = size, .large = {tw_task_width(task), tw_task_height(task)}, .wraps = wraps};
    if (!tw_regrid_lay_out(&(struct tw_scratch){.task = task}, r, size, wraps))
        return tw_task_no_memory(task);
    line_init(&r->row, size.width, wraps);
    line_init(&r->column, size.height, wraps);
    for (int32_t x = 0; x < r->large.width; x++)
        r->across[x] = tap_of(x, r->large.width, size.width, wraps);
    return TW_OK;
}

void tw_regrid_smooth(struct tw_task *task, struct tw_regrid *r, float *coarse, float *fine,
                      size_t stride)
{
    r->coarse = coarse;
    r->fine = fine;
    r->stride = stride;
    tw_rows(task, r->large.height, ROW_GRAIN, spread_down, r);
    tw_rows(task, r->large.height, ROW_GRAIN, spread_across, r);
}

void tw_regrid_spread(struct tw_task *task, struct tw_regrid *r, float *coarse, float *fine)
{
    r->coarse = coarse;
    tw_rows(task, r->small.height, ROW_GRAIN, solve_rows, r);
    tw_rows(task, r->small.width, COLUMN_GRAIN, solve_columns, r);
    tw_regrid_smooth(task, r, coarse, fine, (size_t)r->large.width);
}
