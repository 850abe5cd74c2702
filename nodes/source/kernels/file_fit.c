/* SPDX-License-Identifier: MIT */
/* Bilinear clamps as tw_sample() does, on the two rows that a cell lies between. Lanczos resamples
 * each row to the map's width as it is read, and sums rows once the last of them is there. */
#include "source/kernels/file_fit.h"

#include "common/lanczos.h"

#include <thalweg/sample.h>
#include <thalweg/scratch.h>

#include <string.h>

enum { KEPT = 2 }; /* rows of the file that are kept, but for Lanczos */

/* Of one direction: for each of so many samples its first cell and its weights. */
struct taps {
    int32_t *first;
    double *weights;
    int32_t count;
};

struct rows {
    const struct tw_file_fit *fit;
    struct tw_task *task;
    float *kept[KEPT];
    const float *from[KEPT]; /* in place y % KEPT: the row there, or as the file's reader gave it */
    struct taps across, down;
    float *ring; /* rows of the map's width, the file's row y in place y % ring_rows */
    int32_t ring_rows;
    int32_t from_width, from_height, width, height;
    float step_x, step_y; /* cells of the file per cell of the map */
    int32_t begin, end;   /* rows of the map that are not filled yet */
    int32_t first;        /* of those that are being filled */
    bool started, northward;
};

enum tw_status tw_file_fit_check(const char *name, const struct tw_file_facts *file, int32_t fit,
                                 int32_t width, int32_t height, struct tw_error *err)
{
    bool same = file->width == width && file->height == height;
    bool larger = file->width >= width && file->height >= height;
    if (fit == TW_FIT_NONE && !same)
        return tw_error_set(
            err, TW_INPUT,
            "%s is %d x %d cells, the recipe %d x %d: set fit: bilinear or crop, or "
            "size: [%d, %d]",
            name, (int)file->width, (int)file->height, (int)width, (int)height, (int)file->width,
            (int)file->height);
    if (fit == TW_FIT_CROP && !larger)
        return tw_error_set(err, TW_INPUT, "%s is %d x %d cells, too small to crop to %d x %d",
                            name, (int)file->width, (int)file->height, (int)width, (int)height);
    return TW_OK;
}

/* The file's place of row y of the map. */
static float place_of(const struct rows *r, int32_t y)
{
    return tw_cut_to_integer(((float)y + 0.5f) * r->step_y - 0.5f);
}

/* The first (0) or last (1) row of the file that row y of the map is made from. */
static int32_t row_of(const struct rows *r, int32_t y, int32_t which)
{
    if (r->fit->fit == TW_FIT_LANCZOS)
        return tw_clamp_index(r->down.first[y] + which * (r->down.count - 1), r->from_height);
    if (r->fit->fit != TW_FIT_BILINEAR)
        return y;
    return tw_clamp_index(tw_floor(place_of(r, y)) + which, r->from_height);
}

static void mix_row(const struct rows *r, int32_t y, float *out)
{
    float place = place_of(r, y);
    int32_t y0 = tw_floor(place);
    float fy = place - (float)y0;
    const float *upper = r->from[tw_clamp_index(y0, r->from_height) % KEPT];
    const float *lower = r->from[tw_clamp_index(y0 + 1, r->from_height) % KEPT];
    for (int32_t x = 0; x < r->width; x++) {
        float at = tw_cut_to_integer(((float)x + 0.5f) * r->step_x - 0.5f);
        int32_t x0 = tw_floor(at), x1 = x0 + 1;
        float fx = at - (float)x0;
        x0 = tw_clamp_index(x0, r->from_width);
        x1 = tw_clamp_index(x1, r->from_width);
        float above = upper[x0] * (1.0f - fx) + upper[x1] * fx;
        float below = lower[x0] * (1.0f - fx) + lower[x1] * fx;
        out[x] = above * (1.0f - fy) + below * fy;
    }
}

/* ---- Lanczos ---- */

static void lay_out_taps(struct tw_scratch *s, int32_t from, int32_t to, struct taps *taps)
{
    taps->count = tw_lanczos_taps(from, to);
    taps->first = tw_scratch_take(s, (uint64_t)to, sizeof *taps->first);
    taps->weights = tw_scratch_take(s, (uint64_t)to * (uint64_t)taps->count, sizeof(double));
}

static void fill_taps(int32_t from, int32_t to, const struct taps *taps)
{
    for (int32_t i = 0; i < to; i++)
        taps->first[i] =
            tw_lanczos_weights(from, to, i, taps->weights + (size_t)i * (size_t)taps->count);
}

/* The file's row y to the map's width. */
static void squeeze_row(struct rows *r, int32_t y, const float *cells)
{
    float *to = r->ring + (size_t)(y % r->ring_rows) * (size_t)r->width;
    for (int32_t x = 0; x < r->width; x++) {
        const double *weights = r->across.weights + (size_t)x * (size_t)r->across.count;
        double sum = 0.0;
        for (int32_t k = 0; k < r->across.count; k++)
            sum +=
                weights[k] * (double)cells[tw_clamp_index(r->across.first[x] + k, r->from_width)];
        to[x] = (float)sum;
    }
}

static void sum_rows(const struct rows *r, int32_t y, float *out)
{
    enum { CHUNK = 256 };
    const double *weights = r->down.weights + (size_t)y * (size_t)r->down.count;
    for (int32_t begin = 0; begin < r->width; begin += CHUNK) {
        const int32_t count = r->width - begin < CHUNK ? r->width - begin : CHUNK;
        double sums[CHUNK] = {0};
        for (int32_t k = 0; k < r->down.count; k++) {
            const int32_t row = tw_clamp_index(r->down.first[y] + k, r->from_height);
            const float *from =
                r->ring + (size_t)(row % r->ring_rows) * (size_t)r->width + (size_t)begin;
            for (int32_t x = 0; x < count; x++)
                sums[x] += weights[k] * (double)from[x];
        }
        for (int32_t x = 0; x < count; x++)
            out[begin + x] = tw_clamp((float)sums[x], r->fit->least, r->fit->most);
    }
}

/* ---- all ---- */

/* Rows of the map, counted from `first`. */
static void fill_rows(void *context, int32_t begin, int32_t end)
{
    const struct rows *r = context;
    const struct tw_file_fit *fit = r->fit;
    for (int32_t y = r->first + begin; y < r->first + end; y++) {
        float *out = fit->out + (size_t)y * (size_t)r->width;
        const bool mixed = fit->fit == TW_FIT_BILINEAR, summed = fit->fit == TW_FIT_LANCZOS;
        if (mixed)
            mix_row(r, y, out);
        else if (summed)
            sum_rows(r, y, out);
        const float *in = mixed || summed ? out : r->from[y % KEPT];
        for (int32_t x = 0; x < r->width; x++)
            out[x] = fit->low + in[x] * (fit->high - fit->low);
    }
}

/* The file's rows come in order, from north to south or from south to north: what can be filled
 * with row y is next to what was filled, at that end. */
static int32_t take_row(void *context, int32_t y, const void *row)
{
    struct rows *r = context;
    float *cells = r->kept[y % KEPT];
    const bool once = r->fit->fit != TW_FIT_BILINEAR; /* the row is not read again */
    r->from[y % KEPT] = once && !r->fit->convert ? row : cells;
    if (r->fit->convert)
        r->fit->convert(r->fit->context, row, cells, r->from_width);
    else if (!once)
        memcpy(cells, row, (size_t)r->from_width * sizeof *cells);
    if (r->fit->fit == TW_FIT_LANCZOS)
        squeeze_row(r, y, r->from[y % KEPT]);
    if (!r->started)
        r->northward = y > 0;
    r->started = true;
    int32_t begin = r->begin, end = r->end;
    if (r->northward)
        while (r->end > r->begin && row_of(r, r->end - 1, 0) >= y)
            r->end--;
    else
        while (r->begin < r->end && row_of(r, r->begin, 1) <= y)
            r->begin++;
    r->first = r->northward ? r->end : begin;
    int32_t count = r->northward ? end - r->end : r->begin - begin;
    if (count > 0)
        tw_rows(r->task, count, 16, fill_rows, r);
    return r->begin; /* from the south 0, but at the end */
}

static bool lay_out(struct tw_scratch *s, struct rows *r)
{
    for (int i = 0; i < KEPT; i++)
        r->kept[i] = tw_scratch_take(s, (uint64_t)r->from_width, sizeof(float));
    if (r->fit->fit == TW_FIT_LANCZOS && r->from_width > 0 && r->from_height > 0) {
        lay_out_taps(s, r->from_width, r->width, &r->across);
        lay_out_taps(s, r->from_height, r->height, &r->down);
        r->ring_rows = r->down.count < r->from_height ? r->down.count : r->from_height;
        r->ring = tw_scratch_take(s, (uint64_t)r->ring_rows * (uint64_t)r->width, sizeof *r->ring);
    }
    return tw_scratch_is_laid(s);
}

enum tw_status tw_file_fit(struct tw_task *task, const struct tw_file_fit *fit)
{
    struct tw_file_facts file = tw_task_file_facts(task);
    struct rows rows = {.fit = fit,
                        .task = task,
                        .from_width = file.width,
                        .from_height = file.height,
                        .width = tw_task_width(task),
                        .height = tw_task_height(task)};
    rows.end = rows.height;
    rows.step_x = (float)file.width / (float)rows.width;
    rows.step_y = (float)file.height / (float)rows.height;
    if (!lay_out(&(struct tw_scratch){.task = task}, &rows))
        return tw_task_no_memory(task);
    if (fit->fit == TW_FIT_LANCZOS) {
        fill_taps(rows.from_width, rows.width, &rows.across);
        fill_taps(rows.from_height, rows.height, &rows.down);
    }
    return tw_task_file_rows(task, take_row, &rows);
}

void tw_file_fit_forecast(struct tw_forecast *f, int32_t fit)
{
    struct rows rows = {.fit = &(const struct tw_file_fit){.fit = fit},
                        .from_width = f->file.width,
                        .from_height = f->file.height,
                        .width = f->width,
                        .height = f->height};
    lay_out(&(struct tw_scratch){.forecast = f}, &rows);
}
