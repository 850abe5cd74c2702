/* SPDX-License-Identifier: MIT */
/* A cell is x + sum w (x' - x) over its neighbours x', so that a flat map stays flat exactly, and
 * what heights far from 0 lose by rounding does not grow with the width; where weights are even,
 * neighbours go by pairs, w ((x' + x") - 2 x). Near a border that ends the map weights are uneven.
 *
 * A row of the result follows from the 2 reach + 1 rows around it. Where `out` is `in`, a slot
 * keeps copies of them, since those above it have become the result; rows of other slots, which may
 * have become so meanwhile, are copied before. */
#include "shape/kernels/small_blur.h"
#include "shape/kernels/blur_weights.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

#include <float.h>
#include <math.h>
#include <string.h>

enum { SLOTS = 8, UNEVEN = 16 };

/* Weights of sixteen cells side by side, for each place of their windows. */
struct uneven {
    int32_t first, count; /* cells of a row */
    float weights[TW_BLUR_TAPS_MAX][UNEVEN];
};

static struct uneven uneven_of(const struct tw_blur_line *line, int32_t first, int32_t count)
{
    struct uneven uneven = {.first = first, .count = count};
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k <= 2 * line->reach; k++)
            uneven.weights[k][i] = (float)tw_blur_window(line, first + i)[k];
    return uneven;
}

/* ---- rows ---- */

enum { AT_ONCE = 4 }; /* vectors */

/* Cells 0 to cells - 1 of rows[0] under weights; rows[-reach] to rows[reach] are read on to a whole
 * number of sixteen cells. */
struct filters {
    void (*even)(const float *const *rows, const float *weights, int32_t reach, int32_t cells,
                 float *to);
    /* Every sixteen cells under the same weights; writes whole sixteens. */
    void (*uneven)(const float *const *rows, const struct uneven *uneven, int32_t reach,
                   int32_t cells, float *to);
};

#define LANES 4
#define TARGET
#include "shape/kernels/small_blur_lanes.h"
#if defined(__x86_64__)
#define LANES 8
#define TARGET __attribute__((target("avx2,bmi2")))
#include "shape/kernels/small_blur_lanes.h"
#define LANES 16
#define TARGET TW_TARGET_AVX512
#include "shape/kernels/small_blur_lanes.h"
#endif

static struct filters filters_of(enum tw_simd simd)
{
#if defined(__x86_64__)
    return simd == TW_SIMD_AVX512 ? (struct filters){filter_even_16, filter_uneven_16}
           : simd == TW_SIMD_AVX2 ? (struct filters){filter_even_8, filter_uneven_8}
                                  : (struct filters){filter_even_4, filter_uneven_4};
#else
    (void)simd;
    return (struct filters){filter_even_4, filter_uneven_4};
#endif
}

static TW_INLINE void find_infinite_body(const float *row, int32_t cells, bool *found)
{
    uint32_t any = 0;
    for (int32_t i = 0; i < cells; i++)
        any |= fabsf(row[i]) <= FLT_MAX ? 0U : 1U;
    *found = any != 0;
}
TW_SIMD_KERNEL(find_infinite, (const float *row, int32_t cells, bool *found), (row, cells, found))

/* ---- the map ---- */

enum { MARGIN = UNEVEN }; /* of a buffered row */

struct blur {
    struct tw_blur_line row, column;
    float pairs[TW_BLUR_REACH_MAX + 1]; /* weights of an even window, by distance */
    struct uneven ends[2];              /* of a row */
    int32_t end_count;
    const float *in;
    float *out, *copies, *buffers; /* a part of both for each slot */
    int32_t width, height, top, reach;
    size_t stride; /* of a buffered row */
    bool copied;   /* rows: for work in place, and where they are not whole sixteens of cells */
    const struct tw_task *task;
    enum tw_simd simd;
    struct filters filters;
};

static int32_t place_of(const struct tw_blur_line *line, int32_t cell, int32_t length)
{
    return line->wrap ? tw_wrap(cell, length) : tw_clamp_index(cell, length);
}

static int32_t slot_begin(const struct blur *b, int32_t slot)
{
    return (int32_t)((int64_t)b->height * slot / SLOTS);
}

static float *copy_of(const struct blur *b, int32_t slot, int32_t i)
{
    return b->copies + (size_t)(slot * 2 * b->reach + i) * b->stride;
}

static const float *map_row(const struct blur *b, int32_t y)
{
    return b->in + (size_t)place_of(&b->column, y, b->height) * (size_t)b->width;
}

static void copy_row(const struct blur *b, const float *from, float *to)
{
    memcpy(to, from, (size_t)b->width * sizeof *to);
}

/* The rows before and after those of a slot. */
static void copy_slots(void *context, int32_t begin, int32_t end)
{
    const struct blur *b = context;
    for (int32_t slot = begin; slot < end; slot++)
        for (int32_t i = 0; i < b->reach; i++) {
            copy_row(b, map_row(b, slot_begin(b, slot) - b->reach + i), copy_of(b, slot, i));
            copy_row(b, map_row(b, slot_begin(b, slot + 1) + i), copy_of(b, slot, b->reach + i));
        }
}

static const float *source_row(const struct blur *b, int32_t slot, int32_t y)
{
    const int32_t first = slot_begin(b, slot), end = slot_begin(b, slot + 1);
    if (b->in != b->out || (y >= first && y < end))
        return map_row(b, y);
    return copy_of(b, slot, b->reach + (y < first ? y - first : y - end));
}

/* Buffers of one row after the other: the source's rows around the row at work, and that row under
 * the weights of its column, with what lies beyond its ends. */
struct work {
    float *around, *line;
    double *exact; /* in double, for rows where floats overflow */
};

static size_t work_rows(int32_t reach) { return (size_t)(2 * reach + 4); }

static struct work work_of(const struct blur *b, float *buffer)
{
    float *line = buffer + (size_t)(2 * b->reach + 1) * b->stride;
    return (struct work){buffer, line + MARGIN, (double *)(void *)(line + b->stride)};
}

static float *around_row(const struct blur *b, const struct work *work, int32_t y)
{
    return work->around + (size_t)tw_wrap(y, 2 * b->reach + 1) * b->stride;
}

static void filter_column(const struct blur *b, const float *const *rows, int32_t y, float *line)
{
    const int32_t cell = b->top + y;
    if (tw_blur_is_even(&b->column, cell)) {
        b->filters.even(rows, b->pairs, b->reach, b->width, line);
        return;
    }
    struct uneven uneven;
    for (int32_t k = 0; k <= 2 * b->reach; k++)
        for (int32_t i = 0; i < UNEVEN; i++)
            uneven.weights[k][i] = (float)tw_blur_window(&b->column, cell)[k];
    b->filters.uneven(rows, &uneven, b->reach, b->width, line);
}

static void filter_row(const struct blur *b, float *line, float *out)
{
    const int32_t n = b->width, reach = b->reach;
    const float *cells[TW_BLUR_TAPS_MAX];
    for (int32_t i = 1; i <= reach; i++) {
        line[-i] = line[place_of(&b->row, -i, n)];
        line[n - 1 + i] = line[place_of(&b->row, n - 1 + i, n)];
    }
    for (int32_t k = -reach; k <= reach; k++)
        cells[k + reach] = line + k;
    b->filters.even(cells + reach, b->pairs, reach, n, out);
    for (int32_t end = 0; end < b->end_count; end++) {
        const struct uneven *uneven = &b->ends[end];
        float blurred[UNEVEN];
        for (int32_t k = -reach; k <= reach; k++)
            cells[k + reach] = line + uneven->first + k;
        b->filters.uneven(cells + reach, uneven, reach, UNEVEN, blurred);
        memcpy(out + uneven->first, blurred, (size_t)uneven->count * sizeof *out);
    }
}

/* Sums of heights near the greatest float overflow: such a row once more, in double. */
static void filter_exactly(const struct blur *b, const float *const *rows, int32_t y, double *line,
                           float *out)
{
    const int32_t n = b->width, reach = b->reach;
    const double *window = tw_blur_window(&b->column, b->top + y);
    for (int32_t i = 0; i < n; i++) {
        line[i] = (double)rows[0][i];
        for (int32_t k = -reach; k <= reach; k++)
            line[i] += window[k + reach] * ((double)rows[k][i] - (double)rows[0][i]);
    }
    for (int32_t i = 0; i < n; i++) {
        double cell = line[i];
        window = tw_blur_window(&b->row, i);
        for (int32_t k = -reach; k <= reach; k++)
            cell += window[k + reach] * (line[place_of(&b->row, i + k, n)] - line[i]);
        out[i] = (float)cell;
    }
}

static void blur_row(const struct blur *b, const struct work *work, int32_t y)
{
    const float *rows[TW_BLUR_TAPS_MAX];
    float *out = b->out + (size_t)y * (size_t)b->width;
    bool overflows;
    for (int32_t k = -b->reach; k <= b->reach; k++)
        rows[k + b->reach] = b->copied ? around_row(b, work, y + k) : map_row(b, y + k);
    filter_column(b, rows + b->reach, y, work->line);
    filter_row(b, work->line, out);
    find_infinite(b->simd)(out, b->width, &overflows);
    if (overflows)
        filter_exactly(b, rows + b->reach, y, work->exact, out);
}

static void blur_slots(void *context, int32_t begin, int32_t end)
{
    const struct blur *b = context;
    const struct work work =
        work_of(b, b->buffers + (size_t)begin * work_rows(b->reach) * b->stride);
    for (int32_t slot = begin; slot < end; slot++) {
        const int32_t first = slot_begin(b, slot), last = slot_begin(b, slot + 1);
        for (int32_t y = first - 2 * b->reach; y < last && !tw_task_cancelled(b->task); y++) {
            if (b->copied)
                copy_row(b, source_row(b, slot, y + b->reach), around_row(b, &work, y + b->reach));
            if (y >= first)
                blur_row(b, &work, y);
        }
    }
}

/* An odd number of cache lines: rows then lie in all sets of a cache. */
static size_t stride_of(int32_t width)
{
    const size_t vectors = ((size_t)width + UNEVEN - 1) / UNEVEN + 2 * MARGIN / UNEVEN;
    return (vectors | 1) * UNEVEN;
}

static size_t copies_size(int32_t reach, int32_t width)
{
    return (size_t)(SLOTS * 2 * reach) * stride_of(width);
}

static size_t buffers_size(int32_t reach, int32_t width)
{
    return SLOTS * work_rows(reach) * stride_of(width);
}

static void find_ends(struct blur *b)
{
    const int32_t n = b->width, reach = b->reach;
    if (b->row.wrap)
        return;
    const bool apart = n > 2 * reach;
    const int32_t before = apart ? reach : n < UNEVEN ? n : UNEVEN;
    const int32_t after = apart ? reach : n - before;
    b->ends[0] = uneven_of(&b->row, 0, before);
    b->ends[1] = uneven_of(&b->row, n - after, after);
    b->end_count = after > 0 ? 2 : 1;
}

bool tw_small_blur_takes(double sigma) { return tw_small_blur_reach(sigma) <= TW_BLUR_REACH_MAX; }

enum tw_status tw_small_blur(struct tw_task *task, const float *in, float *out, int32_t width,
                             int32_t height, double sigma, bool wrap)
{
    const struct tw_box box = tw_blur_box(sigma);
    const int32_t reach = tw_small_blur_reach(sigma);
    struct blur b = {.row = tw_blur_line_of(&box, width, wrap),
                     .column = tw_blur_line_of(&box, tw_task_map_height(task), wrap),
                     .in = in,
                     .out = out,
                     .width = width,
                     .height = height,
                     .top = tw_task_top(task),
                     .reach = reach,
                     .stride = stride_of(width),
                     .task = task,
                     .simd = tw_task_simd(task),
                     .filters = filters_of(tw_task_simd(task))};
    b.copied = in == out || width % UNEVEN != 0;
    /* For all work: a forecast does not know whether the output gets the input's memory. */
    b.copies = tw_task_scratch(task, copies_size(reach, width), sizeof(float));
    b.buffers = tw_task_scratch(task, buffers_size(reach, width), sizeof(float));
    if (!b.copies || !b.buffers)
        return tw_task_no_memory(task);
    const struct tw_blur_line endless = tw_blur_line_of(&box, 1, true);
    for (int32_t k = 0; k <= reach; k++)
        b.pairs[k] = (float)endless.windows[reach][reach + k];
    find_ends(&b);
    if (in == out)
        tw_rows(task, SLOTS, 1, copy_slots, &b);
    tw_rows(task, SLOTS, 1, blur_slots, &b);
    return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
}

int32_t tw_small_blur_reach(double sigma)
{
    const struct tw_box box = tw_blur_box(sigma);
    return tw_blur_box_reach(&box);
}

void tw_small_blur_forecast(struct tw_forecast *f, double sigma)
{
    const int32_t reach = tw_small_blur_reach(sigma);
    tw_forecast_scratch(f, copies_size(reach, f->width), sizeof(float));
    tw_forecast_scratch(f, buffers_size(reach, f->width), sizeof(float));
}
