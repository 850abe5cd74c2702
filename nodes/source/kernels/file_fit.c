/* SPDX-License-Identifier: MIT */
/* Bilinear clamps as tw_sample() does, on the two rows that a cell lies between. Lanczos resamples
 * each row to the map's width as it is read, and sums rows once the last of them is there. A cell
 * of the file without a height is NaN: where it has a part in a cell of the map, the others make
 * up for it, unless it has more than half. */
#include "source/kernels/file_fit.h"

#include "common/lanczos.h"

#include <thalweg/sample.h>
#include <thalweg/scratch.h>

#include <math.h>
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
    bool *gaps;           /* a cell of the map has no height */
    bool viewed;          /* the map's cells lie as `view` says */
    struct tw_file_view view;
    int32_t begin, end; /* rows of the map that are not filled yet */
    int32_t first;      /* of those that are being filled */
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

enum tw_status tw_file_view_check(const char *name, const struct tw_file_facts *file, int32_t fit,
                                  int32_t width, int32_t height, struct tw_error *err)
{
    double cell_x, cell_y;
    if (!file->place.known)
        return tw_error_set(err, TW_INPUT,
                            "%s does not say where it lies, or how large its cells are; expected "
                            "a GeoTIFF or another file with a place, or no projection:",
                            name);
    if (fit != TW_FIT_NONE && fit != TW_FIT_CROP)
        return TW_OK;
    tw_earth_cell(&file->place, file->height, &cell_x, &cell_y);
    return tw_error_set(err, TW_INPUT,
                        "%s is %d x %d cells of %.6g x %.6g m, the recipe %d x %d squares: set "
                        "fit: bilinear or lanczos",
                        name, (int)file->width, (int)file->height, cell_x, cell_y, (int)width,
                        (int)height);
}

/* The file's place of row y of the map. */
static float place_of(const struct rows *r, int32_t y)
{
    if (r->viewed)
        return tw_cut_to_integer((float)tw_file_view_row(&r->view, y));
    return tw_cut_to_integer(((float)y + 0.5f) * r->step_y - 0.5f);
}

/* The file's place of column x of the map, in a row where the map's cells are `step` wide. */
static float column_of(const struct rows *r, double step, int32_t x)
{
    if (r->viewed)
        return tw_cut_to_integer((float)tw_file_view_column(&r->view, step, x));
    return tw_cut_to_integer(((float)x + 0.5f) * r->step_x - 0.5f);
}

/* Adds up the cells with a height, as if their weights were all; NaN if they are less than half. */
static float mix_valid(const float *cells, const double *weights, int count)
{
    double sum = 0, weight = 0;
    for (int i = 0; i < count; i++)
        if (!isnan(cells[i])) {
            sum += weights[i] * (double)cells[i];
            weight += weights[i];
        }
    return weight < 0.5 ? NAN : (float)(sum / weight);
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
    const double step = r->viewed ? tw_file_view_step(&r->view, (double)place) : 0;
    for (int32_t x = 0; x < r->width; x++) {
        float at = column_of(r, step, x);
        int32_t x0 = tw_floor(at), x1 = x0 + 1;
        float fx = at - (float)x0;
        x0 = tw_clamp_index(x0, r->from_width);
        x1 = tw_clamp_index(x1, r->from_width);
        float above = upper[x0] * (1.0f - fx) + upper[x1] * fx;
        float below = lower[x0] * (1.0f - fx) + lower[x1] * fx;
        out[x] = above * (1.0f - fy) + below * fy;
        if (isnan(out[x]))
            out[x] =
                mix_valid((const float[]){upper[x0], upper[x1], lower[x0], lower[x1]},
                          (const double[]){(double)((1 - fx) * (1 - fy)), (double)(fx * (1 - fy)),
                                           (double)((1 - fx) * fy), (double)(fx * fy)},
                          4);
    }
}

/* ---- Lanczos ---- */

/* The widest step that is filtered: near a pole, where a cell of the map is wider, cells are left
 * out. */
static double step_max(const struct rows *r) { return 8 * r->view.step_x; }

static double stretch_at(const struct rows *r, double step)
{
    const double most = step_max(r), wide = step < most ? step : most;
    return wide > 1 ? wide : 1;
}

static void lay_out_taps(struct tw_scratch *s, int32_t taps, int32_t samples, struct taps *to)
{
    to->count = taps;
    to->first = tw_scratch_take(s, (uint64_t)samples, sizeof *to->first);
    to->weights = tw_scratch_take(s, (uint64_t)samples * (uint64_t)taps, sizeof(double));
}

static void lay_out_lanczos(struct tw_scratch *s, struct rows *r)
{
    const double steps[] = {tw_file_view_step(&r->view, 0),
                            tw_file_view_step(&r->view, r->from_height - 1)};
    const double widest = steps[0] > steps[1] ? steps[0] : steps[1];
    lay_out_taps(s,
                 r->viewed ? tw_lanczos_taps_of(stretch_at(r, widest))
                           : tw_lanczos_taps(r->from_width, r->width),
                 r->width, &r->across);
    lay_out_taps(s,
                 r->viewed ? tw_lanczos_taps_of(r->view.step_y)
                           : tw_lanczos_taps(r->from_height, r->height),
                 r->height, &r->down);
    r->ring_rows = r->down.count < r->from_height ? r->down.count : r->from_height;
    r->ring = tw_scratch_take(s, (uint64_t)r->ring_rows * (uint64_t)r->width, sizeof *r->ring);
}

static double *weights_of(const struct taps *taps, int32_t i)
{
    return taps->weights + (size_t)i * (size_t)taps->count;
}

/* The taps of the file's row y in a view. */
static void view_across(const struct rows *r, int32_t y)
{
    const double step = tw_file_view_step(&r->view, y);
    for (int32_t x = 0; x < r->width; x++) {
        const double at = tw_file_view_column(&r->view, step, x);
        const double far = 2.0 * r->from_width;
        r->across.first[x] =
            tw_lanczos_weights_at(at < -far  ? -far
                                  : at > far ? far
                                             : at,
                                  stretch_at(r, step), r->across.count, weights_of(&r->across, x));
    }
}

static void fill_taps(const struct rows *r)
{
    const double stretch = r->view.step_y > 1 ? r->view.step_y : 1;
    for (int32_t x = 0; x < r->width && !r->viewed; x++)
        r->across.first[x] =
            tw_lanczos_weights(r->from_width, r->width, x, weights_of(&r->across, x));
    for (int32_t y = 0; y < r->height; y++)
        r->down.first[y] =
            r->viewed ? tw_lanczos_weights_at(tw_file_view_row(&r->view, y), stretch, r->down.count,
                                              weights_of(&r->down, y))
                      : tw_lanczos_weights(r->from_height, r->height, y, weights_of(&r->down, y));
}

/* The sum of the cells with a height around sample x of a row, as if their weights were all. */
static float squeeze_valid(const struct rows *r, int32_t x, const float *cells)
{
    const double *weights = weights_of(&r->across, x);
    double sum = 0, weight = 0;
    for (int32_t k = 0; k < r->across.count; k++) {
        const float cell = cells[tw_clamp_index(r->across.first[x] + k, r->from_width)];
        if (isnan(cell))
            continue;
        sum += weights[k] * (double)cell;
        weight += weights[k];
    }
    return weight < 0.5 ? NAN : (float)(sum / weight);
}

/* The file's row y to the map's width. */
static void squeeze_row(struct rows *r, int32_t y, const float *cells)
{
    float *to = r->ring + (size_t)(y % r->ring_rows) * (size_t)r->width;
    if (r->viewed)
        view_across(r, y);
    for (int32_t x = 0; x < r->width; x++) {
        const double *weights = weights_of(&r->across, x);
        double sum = 0.0;
        for (int32_t k = 0; k < r->across.count; k++)
            sum +=
                weights[k] * (double)cells[tw_clamp_index(r->across.first[x] + k, r->from_width)];
        to[x] = isnan(sum) ? squeeze_valid(r, x, cells) : (float)sum;
    }
}

/* Row number k of those that row y of the map is a sum of. */
static const float *ring_row(const struct rows *r, int32_t y, int32_t k)
{
    const int32_t row = tw_clamp_index(r->down.first[y] + k, r->from_height);
    return r->ring + (size_t)(row % r->ring_rows) * (size_t)r->width;
}

static float sum_valid(const struct rows *r, int32_t y, int32_t x)
{
    const double *weights = weights_of(&r->down, y);
    double sum = 0, weight = 0;
    for (int32_t k = 0; k < r->down.count; k++) {
        const float cell = ring_row(r, y, k)[x];
        if (isnan(cell))
            continue;
        sum += weights[k] * (double)cell;
        weight += weights[k];
    }
    return weight < 0.5 ? NAN : (float)(sum / weight);
}

static void sum_rows(const struct rows *r, int32_t y, float *out)
{
    enum { CHUNK = 256 };
    const double *weights = weights_of(&r->down, y);
    for (int32_t begin = 0; begin < r->width; begin += CHUNK) {
        const int32_t count = r->width - begin < CHUNK ? r->width - begin : CHUNK;
        double sums[CHUNK] = {0};
        for (int32_t k = 0; k < r->down.count; k++) {
            const float *from = ring_row(r, y, k) + begin;
            for (int32_t x = 0; x < count; x++)
                sums[x] += weights[k] * (double)from[x];
        }
        for (int32_t x = 0; x < count; x++) {
            const float sum = isnan(sums[x]) ? sum_valid(r, y, begin + x) : (float)sums[x];
            out[begin + x] = isnan(sum) ? NAN : tw_clamp(sum, r->fit->least, r->fit->most);
        }
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
        bool gaps = false;
        for (int32_t x = 0; x < r->width; x++) {
            out[x] = fit->low + in[x] * (fit->high - fit->low);
            gaps |= isnan(out[x]);
        }
        if (gaps)
            __atomic_store_n(r->gaps, true, __ATOMIC_RELAXED); /* by any worker */
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
    if (r->fit->fit == TW_FIT_LANCZOS && r->from_width > 0 && r->from_height > 0)
        lay_out_lanczos(s, r);
    return tw_scratch_is_laid(s);
}

enum tw_status tw_file_fit(struct tw_task *task, const struct tw_file_fit *fit)
{
    struct tw_file_facts file = tw_task_file_facts(task);
    struct rows rows = {.fit = fit,
                        .task = task,
                        .from_width = file.width,
                        .from_height = file.height,
                        .viewed = fit->view == TW_VIEW_SINUSOIDAL,
                        .width = tw_task_width(task),
                        .height = tw_task_height(task)};
    rows.end = rows.height;
    rows.step_x = (float)file.width / (float)rows.width;
    rows.step_y = (float)file.height / (float)rows.height;
    if (rows.viewed)
        rows.view = tw_file_view_of(&file, rows.width, rows.height);
    bool gaps = false;
    rows.gaps = &gaps;
    if (!lay_out(&(struct tw_scratch){.task = task}, &rows))
        return tw_task_no_memory(task);
    if (fit->fit == TW_FIT_LANCZOS)
        fill_taps(&rows);
    enum tw_status status = tw_task_file_rows(task, take_row, &rows);
    if (fit->gaps)
        *fit->gaps = gaps;
    return status;
}

void tw_file_fit_forecast(struct tw_forecast *f, int32_t fit, bool viewed)
{
    struct rows rows = {.fit = &(const struct tw_file_fit){.fit = fit},
                        .from_width = f->file.width,
                        .from_height = f->file.height,
                        .viewed = viewed && f->file.place.known,
                        .width = f->width,
                        .height = f->height};
    if (rows.viewed)
        rows.view = tw_file_view_of(&f->file, f->width, f->height);
    lay_out(&(struct tw_scratch){.forecast = f}, &rows);
}
