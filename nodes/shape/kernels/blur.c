/* SPDX-License-Identifier: MIT */
/* Three extended box filters, Gwosdek, Grewenig, Bruhn and Weickert 2011, "Theoretical foundations
 * of Gaussian convolution by extended box filtering": 2 r + 1 cells of weight 1 and one of weight
 * alpha at either end, by a running sum. alpha makes the variance exact, so that nothing jumps as
 * sigma grows. Sums are kept in double: a flat map stays flat.
 *
 * The sum begins anew with every block of cells. A cell then follows from those around it alone, as
 * the running sum's last bits would not, and a piece of the map has the bytes of the whole. What a
 * new sum adds up are the sums of the cells that entered the window in the blocks before, and the
 * few cells that these leave over. Blocks are those of the map, not of the piece. Those of a filter
 * lie r + 1 cells before those of the filter that follows it, so the cells that a block follows
 * from begin with a block, too.
 *
 * Sixteen lines are filtered side by side, from strip to strip. Rows of the map are turned over,
 * columns lie side by side in it already. */
#include "shape/kernels/blur.h"
#include "shape/kernels/transpose.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

#include <math.h>
#include <string.h>

enum { LANES = 16, FOURS = LANES / 4, PASSES = 3, SLOTS = 16, BLOCK = 32, PARTS = 8 };

struct box {
    int32_t radius; /* r */
    double alpha;
    int32_t block; /* cells from one new sum to the next; the last of a line may be shorter */
    int32_t parts; /* sums of whole blocks in a window: parts * block + rest = 2 r + 1 */
    int32_t rest;
    int32_t margin; /* cells that a strip holds beyond either end of the line */
    bool wrap;
};

struct blur {
    struct box box;
    const float *in;
    float *out, *buffers; /* two strips of LANES x (length + 2 margin) for each slot */
    int32_t lines, length;
    int32_t top, period;            /* the map's cell that a line begins with; cells of the map */
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
    int32_t radius = (int32_t)r, window = 2 * radius + 1;
    int32_t parts = window / BLOCK < PARTS ? window / BLOCK : PARTS;
    int32_t block = parts > 0 ? window / parts : BLOCK / 2;
    return (struct box){.radius = radius,
                        .alpha = alpha,
                        .block = block,
                        .parts = parts,
                        .rest = window - parts * block,
                        .margin = radius + block,
                        .wrap = wrap};
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
static TW_INLINE void fill_parts(const struct box *box, const float *first, struct sums *sums)
{
    first += (ptrdiff_t)box->rest * LANES;
    for (int32_t part = 0; part < box->parts; part++, first += (ptrdiff_t)box->block * LANES)
        add_cells(sums->parts[part], first, box->block);
}

static TW_INLINE void begin_block(const struct box *box, const float *first, struct sums *sums)
{
    add_cells(sums->now, first, box->rest);
    for (int32_t part = 0; part < box->parts; part++)
        for (int k = 0; k < FOURS; k++)
            sums->now[k] += sums->parts[part][k];
    for (int k = 0; k < FOURS; k++)
        sums->low[k] = FOUR(first - LANES + 4 * k);
}

static TW_INLINE void end_block(const struct box *box, struct sums *sums)
{
    if (box->parts == 0)
        return;
    size_t last = (size_t)box->parts - 1;
    memmove(sums->parts[0], sums->parts[1], last * sizeof sums->parts[0]);
    memcpy(sums->parts[last], sums->entered, sizeof sums->entered);
}

/* `count` cells of eight lines, which stay in registers; the window of the first begins at
 * `leaving`, and `entering` follows it. */
static TW_INLINE void filter_cells(const struct box *box, const float *leaving,
                                   const float *entering, struct sums *sums, int half, float *to,
                                   int32_t count, bool counted)
{
    enum { HALF = FOURS / 2 };
    double alpha = box->alpha, scale = 1 / (2 * box->radius + 1 + 2 * alpha);
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

/* Where a line of `length` cells begins in the blocks of the map, those of pass 0, 1 or 2. */
struct grid {
    int32_t first, period, length;
};

/* From cell 0 of a strip to that of another. The first block begins before the line where the line
 * begins within a block. */
static TW_INLINE void filter_body(const struct box *box, struct grid grid, const float *from,
                                  float *to)
{
    struct sums sums;
    int32_t i = -(grid.first % box->block), at = grid.first + i;
    for (bool first = true; i < grid.length; first = false) {
        const float *window = from + (ptrdiff_t)(i - box->radius) * LANES;
        const float *after = window + (ptrdiff_t)(2 * box->radius + 1) * LANES;
        int32_t count = grid.period - at < box->block ? grid.period - at : box->block;
        count = grid.length - i < count ? grid.length - i : count;
        if (first || at == 0)
            fill_parts(box, window, &sums);
        begin_block(box, window, &sums);
        for (int half = 0; half < 2; half++) {
            const int32_t k = half * LANES / 2;
            float *cells = to + (ptrdiff_t)i * LANES + k;
            if (box->parts > 0)
                filter_cells(box, window + k, after + k, &sums, half, cells, count, true);
            else
                filter_cells(box, window + k, after + k, &sums, half, cells, count, false);
        }
        end_block(box, &sums);
        i += count;
        at = at + count == grid.period ? 0 : at + count;
    }
}
TW_SIMD_KERNEL(filter, (const struct box *box, struct grid grid, const float *from, float *to),
               (box, grid, from, to))

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

/* Sixteen columns lie side by side in the map. */
static void load_columns(const struct blur *b, const float *in, float *strip)
{
    for (int32_t i = 0; i < b->length; i++)
        memcpy(strip + (size_t)i * LANES, in + i * b->cell_step, LANES * sizeof *strip);
}

static void store_columns(const struct blur *b, float *out, const float *strip)
{
    for (int32_t i = 0; i < b->length; i++)
        memcpy(out + i * b->cell_step, strip + (size_t)i * LANES, LANES * sizeof *strip);
}

/* How many cells of each line are loaded and stored side by side. */
static int32_t side_by_side(const struct blur *b, int32_t first)
{
    if (first + LANES > b->lines)
        return 0;
    return b->cell_step > 1 ? b->length : b->length / 4 * 4;
}

static void load(const struct blur *b, int32_t first, float *strip)
{
    const int32_t count = side_by_side(b, first);
    if (count > 0 && b->cell_step > 1)
        load_columns(b, b->in + first, strip);
    else
        load_rows(b, b->in + first * b->line_step, count, strip);
    load_lines(b, first, count, strip);
}

static void store(const struct blur *b, int32_t first, const float *strip)
{
    const int32_t count = side_by_side(b, first);
    if (count > 0 && b->cell_step > 1)
        store_columns(b, b->out + first, strip);
    else
        store_rows(b, b->out + first * b->line_step, count, strip);
    store_lines(b, first, count, strip);
}

/* What lies beyond the line's ends. */
static void fill_margins(const struct blur *b, float *strip)
{
    const int32_t n = b->length;
    float *last = strip + (ptrdiff_t)(n - 1) * LANES;
    for (ptrdiff_t i = 1; i <= b->box.margin; i++) {
        memcpy(strip - i * LANES, b->box.wrap ? strip + (n - i) * LANES : strip,
               LANES * sizeof *strip);
        memcpy(last + i * LANES, b->box.wrap ? last + (i - n) * LANES : last,
               LANES * sizeof *strip);
    }
}

static void blur_lines(const struct blur *b, int32_t first, float *from, float *to)
{
    load(b, first, from);
    for (int pass = 0; pass < PASSES; pass++) {
        int64_t ahead = (int64_t)(PASSES - 1 - pass) * (b->box.radius + 1);
        const struct grid grid = {(int32_t)((b->top + ahead) % b->period), b->period, b->length};
        float *filled = to;
        fill_margins(b, from);
        filter(b->simd)(&b->box, grid, from, to);
        to = from;
        from = filled;
    }
    store(b, first, from);
}

/* Of a strip, in floats. */
static size_t strip_size(const struct box *box, int64_t length)
{
    return (size_t)(length + 2 * (int64_t)box->margin) * LANES;
}

/* Slot s takes every SLOTS-th strip from s on, in a buffer of its own that stays in the cache. */
static void blur_slots(void *context, int32_t begin, int32_t end)
{
    const struct blur *b = context;
    const size_t size = strip_size(&b->box, b->length), margin = (size_t)b->box.margin * LANES;
    for (int32_t slot = begin; slot < end; slot++) {
        float *from = b->buffers + 2 * size * (size_t)slot + margin;
        for (int32_t first = slot * LANES; first < b->lines && !tw_task_cancelled(b->task);
             first += SLOTS * LANES)
            blur_lines(b, first, from, from + size);
    }
}

enum tw_status tw_blur(struct tw_task *task, const float *in, float *out, int32_t width,
                       int32_t height, double sigma, bool wrap)
{
    struct blur rows = {.box = find_box(sigma, wrap),
                        .in = in,
                        .out = out,
                        .lines = height,
                        .length = width,
                        .period = width,
                        .line_step = width,
                        .cell_step = 1,
                        .task = task,
                        .simd = tw_task_simd(task)};
    const int32_t longest = width > height ? width : height;
    rows.buffers = tw_task_scratch(task, 2 * SLOTS * strip_size(&rows.box, longest), sizeof(float));
    if (!rows.buffers)
        return tw_task_no_memory(task);
    struct blur columns = rows;
    columns.in = out;
    columns.lines = width;
    columns.length = height;
    columns.top = tw_task_top(task);
    columns.period = tw_task_map_height(task);
    columns.line_step = 1;
    columns.cell_step = width;
    tw_rows(task, SLOTS, 1, blur_slots, &rows);
    tw_task_progress(task, 0.5);
    tw_rows(task, SLOTS, 1, blur_slots, &columns);
    return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
}

int32_t tw_blur_reach(double sigma)
{
    const struct box box = find_box(sigma, false);
    return PASSES * (box.radius + 1) + box.block - 1;
}

void tw_blur_forecast(struct tw_forecast *f, double sigma)
{
    const struct box box = find_box(sigma, false);
    const int32_t longest = f->width > f->height ? f->width : f->height;
    tw_forecast_scratch(f, 2 * SLOTS * strip_size(&box, longest), sizeof(float));
}
