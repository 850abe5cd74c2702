/* SPDX-License-Identifier: MIT */
/* Three extended box filters, Gwosdek, Grewenig, Bruhn and Weickert 2011, "Theoretical foundations
 * of Gaussian convolution by extended box filtering": 2 r + 1 cells of weight 1 and one of weight
 * alpha at either end, by a running sum. alpha makes the variance exact, so that nothing jumps as
 * sigma grows. Sums are kept in double: a flat map stays flat.
 * Sixteen lines are filtered side by side. Rows are turned over into a strip of their own; columns
 * lie side by side in the map, so the first pass reads it and the last one writes it. */
#include "shape/kernels/blur.h"
#include "shape/kernels/transpose.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

#include <math.h>
#include <string.h>

enum { LANES = 16, PASSES = 3, SLOTS = 16 };

struct box {
    int32_t radius; /* r */
    double alpha;
    bool wrap;
};

struct blur {
    struct box box;
    const float *in;
    float *out, *buffers; /* two strips of LANES x length for each slot */
    int32_t lines, length;
    ptrdiff_t line_step, cell_step; /* from line to line, from cell to cell */
    const struct tw_task *task;
    enum tw_simd simd;
};

/* The box of a third of the variance: r is the largest with (r^2 + r) / 3 <= v, alpha solves
 * r (r + 1) (2 r + 1) / 3 + 2 alpha (r + 1)^2 = v (2 r + 1 + 2 alpha). */
static struct box find_box(double sigma, bool wrap)
{
    double v = sigma * sigma / PASSES;
    double r = (double)(int32_t)((sqrt(12 * v + 1) - 1) / 2);
    double alpha = (2 * r + 1) * (3 * v - r * (r + 1)) / (6 * ((r + 1) * (r + 1) - v));
    return (struct box){(int32_t)r, alpha, wrap};
}

static TW_INLINE int32_t next(int32_t at, int32_t n, bool wrap)
{
    return wrap && at == n - 1 ? 0 : at + 1;
}

/* LANES lines side by side, `step` floats from cell to cell. */
struct strip {
    float *cells;
    ptrdiff_t step;
};

static TW_INLINE const float *cells_at(struct strip strip, int32_t at, int32_t n)
{
    return strip.cells + tw_clamp_index(at, n) * strip.step;
}

/* Sum over -r..r around cell 0. Whole turns around the map, or the part of the window that lies
 * beyond the border, are products: the time is that of one pass over the line at most. */
static TW_INLINE void first_sums(const struct box *box, struct strip strip, int32_t n, double *sums)
{
    int32_t window = 2 * box->radius + 1, turns = box->wrap ? window / n : 0;
    int32_t begin = box->wrap ? -box->radius : 0;
    int32_t inside = box->wrap ? window % n : box->radius < n ? box->radius + 1 : n;
    double before = box->wrap ? 0 : box->radius, after = box->wrap ? 0 : window - before - inside;
    const float *first = strip.cells, *last = strip.cells + (n - 1) * strip.step;
    for (int k = 0; k < LANES; k++)
        sums[k] = before * (double)first[k] + after * (double)last[k];
    for (int32_t i = 0, at = tw_wrap(begin, n); i < inside; i++, at = next(at, n, true))
        for (int k = 0; k < LANES; k++)
            sums[k] += (double)strip.cells[at * strip.step + k];
    for (int32_t i = 0; turns > 0 && i < n; i++)
        for (int k = 0; k < LANES; k++)
            sums[k] += turns * (double)strip.cells[i * strip.step + k];
}

/* The cell that leaves the sum is the next one's lower end. */
static TW_INLINE void filter_body(const struct box *box, struct strip from, struct strip to,
                                  int32_t n)
{
    bool wrap = box->wrap;
    double sums[LANES], low[LANES], alpha = box->alpha,
                                    scale = 1 / (2 * box->radius + 1 + 2 * alpha);
    int32_t before = -box->radius - 1, oldest = -box->radius, after = box->radius + 1;
    before = wrap ? tw_wrap(before, n) : before;
    oldest = wrap ? tw_wrap(oldest, n) : oldest;
    after = wrap ? tw_wrap(after, n) : after;
    first_sums(box, from, n, sums);
    for (int k = 0; k < LANES; k++)
        low[k] = (double)cells_at(from, before, n)[k];
    for (int32_t i = 0; i < n; i++) {
        const float *old = cells_at(from, oldest, n), *new = cells_at(from, after, n);
        float *cell = to.cells + i * to.step;
        TW_INDEPENDENT
        for (int k = 0; k < LANES; k++) {
            double high = (double)new[k], leaving = (double)old[k];
            cell[k] = (float)((sums[k] + alpha * (low[k] + high)) * scale);
            sums[k] += high - leaving;
            low[k] = leaving;
        }
        oldest = next(oldest, n, wrap);
        after = next(after, n, wrap);
    }
}
TW_SIMD_KERNEL(filter, (const struct box *box, struct strip from, struct strip to, int32_t n),
               (box, from, to, n))

/* Cells from `begin` on of the lines from `first` on; lines beyond the last repeat it: every lane
 * holds finite numbers. */
static void load_lines(const struct blur *b, int32_t first, int32_t begin, float *strip)
{
    for (int32_t k = 0; k < LANES; k++) {
        const float *line = b->in + tw_clamp_index(first + k, b->lines) * b->line_step;
        for (int32_t i = begin; i < b->length; i++)
            strip[(size_t)i * LANES + (size_t)k] = line[i * b->cell_step];
    }
}

static void store_lines(const struct blur *b, int32_t first, int32_t begin, const float *strip)
{
    for (int32_t k = 0; k < LANES && first + k < b->lines; k++) {
        float *line = b->out + (first + k) * b->line_step;
        for (int32_t i = begin; i < b->length; i++)
            line[i * b->cell_step] = strip[(size_t)i * LANES + (size_t)k];
    }
}

static void blur_columns(const struct blur *b, int32_t first, struct strip from, struct strip to)
{
    const struct strip map = {b->out + first, b->cell_step};
    filter(b->simd)(&b->box, map, from, b->length);
    filter(b->simd)(&b->box, from, to, b->length);
    filter(b->simd)(&b->box, to, map, b->length);
}

/* Cells 0..count - 1 of LANES rows. A cache line of four rows at a time: the rows of a map often
 * begin in the same few sets of the cache. */
static void load_rows(const struct blur *b, const float *in, int32_t count, float *strip)
{
    for (int32_t block = 0; block < count; block += LANES)
        for (int32_t k = 0; k < LANES; k += 4)
            for (int32_t i = block; i < count && i < block + LANES; i += 4)
                tw_transpose_4x4(in + k * b->line_step + i, b->line_step,
                                 strip + (size_t)i * LANES + (size_t)k, LANES);
}

static void store_rows(const struct blur *b, float *out, int32_t count, const float *strip)
{
    for (int32_t block = 0; block < count; block += LANES)
        for (int32_t k = 0; k < LANES; k += 4)
            for (int32_t i = block; i < count && i < block + LANES; i += 4)
                tw_transpose_4x4(strip + (size_t)i * LANES + (size_t)k, LANES,
                                 out + k * b->line_step + i, b->line_step);
}

static void blur_lines(const struct blur *b, int32_t first, struct strip from, struct strip to)
{
    bool rows = b->cell_step == 1 && first + LANES <= b->lines;
    int32_t fours = rows ? b->length / 4 * 4 : 0;
    load_rows(b, b->in + first * b->line_step, fours, from.cells);
    load_lines(b, first, fours, from.cells);
    filter(b->simd)(&b->box, from, to, b->length);
    filter(b->simd)(&b->box, to, from, b->length);
    filter(b->simd)(&b->box, from, to, b->length);
    store_rows(b, b->out + first * b->line_step, fours, to.cells);
    store_lines(b, first, fours, to.cells);
}

/* Slot s takes every SLOTS-th strip from s on, in a buffer of its own that stays in the cache. */
static void blur_slots(void *context, int32_t begin, int32_t end)
{
    const struct blur *b = context;
    size_t size = (size_t)b->length * LANES;
    for (int32_t slot = begin; slot < end; slot++) {
        struct strip from = {b->buffers + 2 * size * (size_t)slot, LANES};
        struct strip to = {from.cells + size, LANES};
        for (int32_t first = slot * LANES; first < b->lines && !tw_task_cancelled(b->task);
             first += SLOTS * LANES)
            if (b->cell_step > 1 && first + LANES <= b->lines)
                blur_columns(b, first, from, to);
            else
                blur_lines(b, first, from, to);
    }
}

enum tw_status tw_blur(struct tw_task *task, const float *in, float *out, int32_t width,
                       int32_t height, double sigma, bool wrap)
{
    struct blur rows = {find_box(sigma, wrap), in, out, NULL, height, width, width, 1, task,
                        tw_task_simd(task)};
    size_t longest = (size_t)(width > height ? width : height);
    rows.buffers = tw_task_scratch(task, longest, 2 * SLOTS * LANES * sizeof(float));
    if (!rows.buffers)
        return tw_task_no_memory(task);
    struct blur columns = rows;
    columns.in = out;
    columns.lines = width;
    columns.length = height;
    columns.line_step = 1;
    columns.cell_step = width;
    tw_rows(task, SLOTS, 1, blur_slots, &rows);
    tw_task_progress(task, 0.5);
    tw_rows(task, SLOTS, 1, blur_slots, &columns);
    return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
}

void tw_blur_forecast(struct tw_forecast *f)
{
    uint64_t longest = (uint64_t)(f->width > f->height ? f->width : f->height);
    tw_forecast_scratch(f, longest, 2 * SLOTS * LANES * sizeof(float));
}
