/* SPDX-License-Identifier: MIT */
/* Three extended box filters (box_filter.h): alpha makes the variance exact, so that nothing jumps
 * as sigma grows. Their chunks are those of the map, not of the piece. Those of a filter lie r + 1
 * cells before those of the filter that follows it, so the cells that a chunk follows from begin
 * with a chunk, too. Where sigma is small, small_blur.h takes all three at once.
 *
 * Sixteen lines are filtered side by side, from strip to strip. Rows of the map are turned over,
 * columns lie side by side in it already. */
#include "shape/kernels/blur.h"
#include "common/transpose.h"
#include "shape/kernels/blur_weights.h"
#include "shape/kernels/small_blur.h"

#include <thalweg/kernel.h>

#include <string.h>

enum { LANES = TW_BOX_LINES, SLOTS = 16 };

struct blur {
    struct tw_box box;
    bool wrap;
    const float *in;
    float *out, *buffers; /* a strip for each slot */
    int32_t lines, length;
    int32_t top, period;            /* the map's cell that a line begins with; cells of the map */
    ptrdiff_t line_step, cell_step; /* from line to line, from cell to cell */
    const struct tw_task *task;
    enum tw_simd simd;
};

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
    for (int32_t first = 0; first < count; first += LANES)
        for (int32_t k = 0; k < LANES; k += 4)
            for (int32_t i = first; i < count && i < first + LANES; i += 4)
                tw_transpose_4x4(in + k * b->line_step + i, b->line_step,
                                 strip + (size_t)i * LANES + (size_t)k, LANES);
}

static void store_rows(const struct blur *b, float *out, int32_t count, const float *strip)
{
    for (int32_t first = 0; first < count; first += LANES)
        for (int32_t k = 0; k < LANES; k += 4)
            for (int32_t i = first; i < count && i < first + LANES; i += 4)
                tw_transpose_4x4(strip + (size_t)i * LANES + (size_t)k, LANES,
                                 out + k * b->line_step + i, b->line_step);
}

/* Sixteen columns lie side by side in the map. */
static void load_columns(const struct blur *b, const float *in, int32_t begin, int32_t end,
                         float *strip)
{
    for (int32_t i = begin; i < end; i++)
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
        load_columns(b, b->in + first, 0, count, strip);
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

/* The cells beyond the line's ends. */
static void fill_margins(const struct blur *b, float *strip)
{
    const int32_t n = b->length;
    float *last = strip + (ptrdiff_t)(n - 1) * LANES;
    for (ptrdiff_t i = 1; i <= b->box.margin; i++) {
        memcpy(strip - i * LANES, b->wrap ? strip + (n - i) * LANES : strip, LANES * sizeof *strip);
        memcpy(last + i * LANES, b->wrap ? last + (i - n) * LANES : last, LANES * sizeof *strip);
    }
}

/* Cells from `begin` to `end` of the lines, by filter 0, 1 or 2. */
static void filter(const struct blur *b, int pass, int32_t begin, int32_t end,
                   struct tw_box_path path)
{
    int64_t ahead = (int64_t)(TW_BLUR_PASSES - 1 - pass) * (b->box.radius + 1);
    const struct tw_box_grid grid = {(int32_t)((b->top + ahead + begin) % b->period), b->period,
                                     end - begin};
    path.from += begin * path.from_step;
    path.to += begin * path.to_step;
    tw_box_filter(b->simd, &b->box, grid, &path);
}

/* Within a strip a filter leaves its cells r + 1 further to the left, where it needs none any more.
 */
static struct tw_box_path shifting(const struct blur *b, float *strip)
{
    return (struct tw_box_path){strip, strip - (ptrdiff_t)(b->box.radius + 1) * LANES, LANES,
                                LANES};
}

static float *filter_strip(const struct blur *b, int pass, float *strip)
{
    const struct tw_box_path path = shifting(b, strip);
    fill_margins(b, strip);
    filter(b, pass, 0, b->length, path);
    return path.to;
}

static void blur_lines(const struct blur *b, int32_t first, float *strip)
{
    load(b, first, strip);
    for (int pass = 0; pass < TW_BLUR_PASSES; pass++)
        strip = filter_strip(b, pass, strip);
    store(b, first, strip);
}

/* ---- columns without copies of them ---- */

/* Cells at either end for which the first filter needs a margin. */
static int64_t end_cells(const struct tw_box *box) { return box->chunk + box->radius + 1; }

/* What these follow from, and with them all cells of a chunk. */
static int64_t loaded_cells(const struct tw_box *box)
{
    return end_cells(box) + box->chunk + box->radius;
}

/* Copies the map to the strip. The ends, for which a strip has margins, are taken from the map
 * before cells next to them overwrite them. */
static float *filter_first(const struct blur *b, const float *in, float *strip)
{
    const int32_t n = b->length, ends = (int32_t)end_cells(&b->box);
    const int32_t loaded = (int32_t)loaded_cells(&b->box);
    struct tw_box_path path = shifting(b, strip);
    load_columns(b, in, 0, loaded, strip);
    load_columns(b, in, n - loaded, n, strip);
    fill_margins(b, strip);
    filter(b, 0, 0, ends, path);
    filter(b, 0, n - ends, n, path);
    path.from = in;
    path.from_step = b->cell_step;
    filter(b, 0, ends, n - ends, path);
    return path.to;
}

/* From the strip to the map. Of a piece of the map the rows before the first whole chunk stay as
 * they are: they lie within reach of its end, so they could not have the bytes of the whole. */
static void filter_last(const struct blur *b, float *strip, float *out)
{
    const int32_t before = b->top % b->period % b->box.chunk;
    fill_margins(b, strip);
    filter(b, TW_BLUR_PASSES - 1, before > 0 ? b->box.chunk - before : 0, b->length,
           (struct tw_box_path){strip, out, LANES, b->cell_step});
}

static void blur_columns(const struct blur *b, int32_t first, float *strip)
{
    strip = filter_first(b, b->in + first, strip);
    for (int pass = 1; pass < TW_BLUR_PASSES - 1; pass++)
        strip = filter_strip(b, pass, strip);
    filter_last(b, strip, b->out + first);
}

/* Cells of a strip before the line: a margin, and r + 1 for each filter. */
static int64_t cells_before(const struct tw_box *box)
{
    return (int64_t)box->margin + tw_blur_box_reach(box);
}

/* Of a strip, in floats. */
static size_t strip_size(const struct tw_box *box, int64_t length)
{
    return (size_t)(cells_before(box) + length + box->margin) * LANES;
}

/* A slot is a sixteenth of the strips. Those of a call go through the first slot's buffer, which
 * stays in the cache; the memory of the others may never be touched. */
static void blur_slots(void *context, int32_t begin, int32_t end)
{
    const struct blur *b = context;
    const size_t size = strip_size(&b->box, b->length);
    float *buffer = b->buffers + size * (size_t)begin;
    const int32_t strips = (b->lines - 1) / LANES + 1;
    const int32_t first = strips * begin / SLOTS, last = strips * end / SLOTS;
    const bool long_columns = b->cell_step > 1 && b->length >= 2 * loaded_cells(&b->box);
    for (int32_t strip = first; strip < last && !tw_task_cancelled(b->task); strip++)
        if (long_columns && (strip + 1) * LANES <= b->lines)
            blur_columns(b, strip * LANES, buffer + cells_before(&b->box) * LANES);
        else
            blur_lines(b, strip * LANES, buffer + cells_before(&b->box) * LANES);
}

enum tw_status tw_blur(struct tw_task *task, const float *in, float *out, int32_t width,
                       int32_t height, double sigma, bool wrap)
{
    if (tw_small_blur_takes(sigma))
        return tw_small_blur(task, in, out, width, height, sigma, wrap);
    struct blur rows = {.box = tw_blur_box(sigma),
                        .wrap = wrap,
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
    rows.buffers = tw_task_scratch(task, SLOTS * strip_size(&rows.box, longest), sizeof(float));
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
    if (tw_small_blur_takes(sigma))
        return tw_small_blur_reach(sigma);
    const struct tw_box box = tw_blur_box(sigma);
    return tw_blur_box_reach(&box) + box.chunk - 1;
}

void tw_blur_forecast(struct tw_forecast *f, double sigma)
{
    if (tw_small_blur_takes(sigma)) {
        tw_small_blur_forecast(f, sigma);
        return;
    }
    const struct tw_box box = tw_blur_box(sigma);
    const int32_t longest = f->width > f->height ? f->width : f->height;
    tw_forecast_scratch(f, SLOTS * strip_size(&box, longest), sizeof(float));
}
