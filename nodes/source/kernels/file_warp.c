/* SPDX-License-Identifier: MIT */
/* Each cell's centre goes back to degrees by the series of utm.h, without interpolation between
 * cells. A meridian turns against the zone's grid, so a row of the map lies across rows of the
 * file: these are kept in a ring, and a row of the map is filled when its last one is there. */
#include "source/kernels/file_warp.h"

#include "common/lanczos.h"

#include <thalweg/scratch.h>

#include <math.h>
#include <string.h>

enum {
    SAMPLES = 64, /* of a row or column of the map, to find the rows of the file that it needs */
    MARGIN = 2    /* rows of the file by which the samples may be wrong */
};

struct warp {
    const struct tw_file_fit *fit;
    struct tw_task *task;
    struct tw_utm_map map;
    struct tw_file_place place;
    double middle; /* longitude of the file's middle */
    int32_t from_width, from_height, width, height;
    double step_x, step_y; /* cells of the file per cell of the map */
    int32_t taps_x, taps_y;
    double *weights;       /* of Lanczos, for each row of the map */
    int32_t *first, *last; /* rows of the file that row y of the map needs */
    float *ring;           /* the file's row y in place y % ring_rows */
    int32_t ring_rows;
    int32_t begin, end; /* rows of the map that are not filled yet */
    int32_t filled;     /* the first of those that are being filled */
    bool started, northward;
    bool *gaps;
};

static double bounded(double at, double low, double high)
{
    return at > low ? at < high ? at : high : low;
}

/* The place of the centre of a cell, in columns and rows of the file between centres of cells. */
static void find_place(const struct warp *w, double x, int32_t y, double *column, double *row)
{
    double longitude, latitude;
    tw_utm_inverse(&w->map.utm, w->map.west + (x + 0.5) * w->map.cell,
                   w->map.north - (y + 0.5) * w->map.cell, &longitude, &latitude);
    const double away = tw_utm_turn(longitude - w->middle) / w->place.cell_x;
    *column = bounded(w->from_width / 2.0 + away - 0.5, -w->from_width, 2.0 * w->from_width);
    *row = bounded((w->place.north - latitude) / w->place.cell_y - 0.5, -w->from_height,
                   2.0 * w->from_height);
}

static int32_t clamp_row(const struct warp *w, int64_t row)
{
    return (int32_t)(row < 0 ? 0 : row >= w->from_height ? w->from_height - 1 : row);
}

static void find_rows(const struct warp *w, int32_t y, int32_t *first, int32_t *last)
{
    const int32_t samples = w->width < SAMPLES ? w->width : SAMPLES;
    const int32_t pad = MARGIN + (w->fit->fit == TW_FIT_LANCZOS ? w->taps_y / 2 + 1 : 1);
    double least = INFINITY, most = -INFINITY, column, row;
    for (int32_t i = 0; i <= samples; i++) {
        find_place(w, (double)i * (w->width - 1) / samples, y, &column, &row);
        least = row < least ? row : least;
        most = row > most ? row : most;
    }
    *first = clamp_row(w, (int64_t)floor(least) - pad);
    *last = clamp_row(w, (int64_t)floor(most) + pad);
}

/* ---- cells ---- */

static const float *ring_row(const struct warp *w, int32_t row)
{
    return w->ring + (size_t)(row % w->ring_rows) * (size_t)w->from_width;
}

/* The sum of cells of the file, of those with a height if some have none; NaN where these have less
 * than half of the weight. */
static float mix(const struct warp *w, int32_t y, const int32_t at[2], const int32_t count[2],
                 const double *across, const double *down)
{
    double sum = 0, weight = 0;
    bool whole = true;
    for (int32_t j = 0; j < count[1]; j++) {
        const int32_t row = clamp_row(w, (int64_t)at[1] + j);
        const float *cells = ring_row(w, row < w->first[y]  ? w->first[y]
                                         : row > w->last[y] ? w->last[y]
                                                            : row);
        for (int32_t i = 0; i < count[0]; i++) {
            const float cell = cells[tw_clamp_index(at[0] + i, w->from_width)];
            const double share = across[i] * down[j];
            whole &= !isnan(cell);
            sum += isnan(cell) ? 0 : share * (double)cell;
            weight += isnan(cell) ? 0 : share;
        }
    }
    return whole ? (float)sum : weight < 0.5 ? NAN : (float)(sum / weight);
}

static float mix_bilinear(const struct warp *w, int32_t x, int32_t y)
{
    double column, row;
    find_place(w, x, y, &column, &row);
    const int32_t at[2] = {(int32_t)floor(column), (int32_t)floor(row)}, two[2] = {2, 2};
    const double fx = column - at[0], fy = row - at[1];
    return mix(w, y, at, two, (const double[]){1 - fx, fx}, (const double[]){1 - fy, fy});
}

static float mix_lanczos(const struct warp *w, int32_t x, int32_t y)
{
    double column, row;
    double *across = w->weights + (size_t)y * (size_t)(w->taps_x + w->taps_y);
    double *down = across + w->taps_x;
    find_place(w, x, y, &column, &row);
    const int32_t count[2] = {w->taps_x, w->taps_y};
    const int32_t at[2] = {
        tw_lanczos_weights_at(column, w->step_x > 1 ? w->step_x : 1, w->taps_x, across),
        tw_lanczos_weights_at(row, w->step_y > 1 ? w->step_y : 1, w->taps_y, down)};
    const float sum = mix(w, y, at, count, across, down);
    return isnan(sum) ? NAN : tw_clamp(sum, w->fit->least, w->fit->most);
}

/* Rows of the map, counted from `filled`. */
static void fill_rows(void *context, int32_t begin, int32_t end)
{
    const struct warp *w = context;
    const struct tw_file_fit *fit = w->fit;
    for (int32_t y = w->filled + begin; y < w->filled + end; y++) {
        float *out = fit->out + (size_t)y * (size_t)w->width;
        bool gaps = false;
        for (int32_t x = 0; x < w->width; x++) {
            const float cell =
                fit->fit == TW_FIT_LANCZOS ? mix_lanczos(w, x, y) : mix_bilinear(w, x, y);
            out[x] = fit->low + cell * (fit->high - fit->low);
            gaps |= isnan(out[x]);
        }
        if (gaps)
            __atomic_store_n(w->gaps, true, __ATOMIC_RELAXED); /* by any worker */
    }
}

/* ---- rows of the file ---- */

/* Rows come from north to south, or from south to north. */
static int32_t take_row(void *context, int32_t y, const void *row)
{
    struct warp *w = context;
    float *cells = w->ring + (size_t)(y % w->ring_rows) * (size_t)w->from_width;
    if (w->fit->convert)
        w->fit->convert(w->fit->context, row, cells, w->from_width);
    else
        memcpy(cells, row, (size_t)w->from_width * sizeof *cells);
    if (!w->started)
        w->northward = y > 0;
    w->started = true;
    const int32_t begin = w->begin, end = w->end;
    if (w->northward)
        while (w->end > w->begin && w->first[w->end - 1] >= y)
            w->end--;
    else
        while (w->begin < w->end && w->last[w->begin] <= y)
            w->begin++;
    w->filled = w->northward ? w->end : begin;
    const int32_t count = w->northward ? end - w->end : w->begin - begin;
    if (count > 0)
        tw_rows(w->task, count, 1, fill_rows, w);
    return w->begin;
}

/* ---- all ---- */

static struct warp warp_of(const struct tw_file_fit *fit, const struct tw_file_facts *file,
                           int32_t width, int32_t height)
{
    struct warp w = {.fit = fit,
                     .map = tw_earth_utm(file, fit->zone, width, height),
                     .place = file->place,
                     .middle = file->place.west + file->place.cell_x * file->width / 2,
                     .from_width = file->width,
                     .from_height = file->height,
                     .width = width,
                     .height = height,
                     .end = height};
    double cell_x, cell_y;
    tw_earth_cell(&file->place, file->height, &cell_x, &cell_y);
    w.step_x = w.map.cell / cell_x;
    w.step_y = w.map.cell / cell_y;
    w.taps_x = tw_lanczos_taps_of(w.step_x);
    w.taps_y = tw_lanczos_taps_of(w.step_y);
    return w;
}

static bool lay_out(struct tw_scratch *s, struct warp *w)
{
    const int32_t samples = w->height < SAMPLES ? w->height : SAMPLES;
    int32_t most = 1;
    for (int32_t i = 0; i <= samples; i++) {
        int32_t first, last;
        find_rows(w, (int32_t)((int64_t)i * (w->height - 1) / samples), &first, &last);
        most = last - first + 1 > most ? last - first + 1 : most;
    }
    w->ring_rows = most + MARGIN < w->from_height ? most + MARGIN : w->from_height;
    w->ring = tw_scratch_take(s, (uint64_t)w->ring_rows * (uint64_t)w->from_width, sizeof(float));
    w->first = tw_scratch_take(s, (uint64_t)w->height, sizeof *w->first);
    w->last = tw_scratch_take(s, (uint64_t)w->height, sizeof *w->last);
    if (w->fit->fit == TW_FIT_LANCZOS)
        w->weights = tw_scratch_take(s, (uint64_t)w->height * (uint64_t)(w->taps_x + w->taps_y),
                                     sizeof(double));
    return tw_scratch_is_laid(s);
}

static void find_all_rows(void *context, int32_t begin, int32_t end)
{
    const struct warp *w = context;
    for (int32_t y = begin; y < end; y++) {
        find_rows(w, y, &w->first[y], &w->last[y]);
        if (w->last[y] - w->first[y] >= w->ring_rows) /* never more than is kept */
            w->first[y] = w->last[y] - w->ring_rows + 1;
    }
}

enum tw_status tw_file_warp(struct tw_task *task, const struct tw_file_fit *fit)
{
    const struct tw_file_facts file = tw_task_file_facts(task);
    struct warp w = warp_of(fit, &file, tw_task_width(task), tw_task_height(task));
    bool gaps = false;
    w.task = task;
    w.gaps = &gaps;
    if (!lay_out(&(struct tw_scratch){.task = task}, &w))
        return tw_task_no_memory(task);
    tw_rows(task, w.height, 16, find_all_rows, &w);
    enum tw_status status = tw_task_file_rows(task, take_row, &w);
    if (fit->gaps)
        *fit->gaps = gaps;
    return status;
}

void tw_file_warp_forecast(struct tw_forecast *f, int32_t fit, int32_t zone)
{
    const struct tw_file_fit as = {.fit = fit, .zone = zone};
    if (!f->file.place.known || f->file.place.metres != 0)
        return;
    struct warp w = warp_of(&as, &f->file, f->width, f->height);
    lay_out(&(struct tw_scratch){.forecast = f}, &w);
}

enum tw_status tw_file_warp_check(const char *name, const struct tw_file_facts *file, int32_t zone,
                                  struct tw_error *err)
{
    const struct tw_file_place *place = &file->place;
    if (place->metres != 0)
        return tw_error_set(err, TW_INPUT,
                            "%s is in metres of its own projection; expected degrees for "
                            "projection: utm",
                            name);
    const double south = place->north - place->cell_y * file->height;
    if (place->north > TW_UTM_LATITUDE_MAX || south < TW_UTM_LATITUDE_MIN)
        return tw_error_set(err, TW_INPUT,
                            "%s lies from %.6g to %.6g degrees north; expected -80 to 84 for "
                            "projection: utm",
                            name, south, place->north);
    const struct tw_utm_map map = tw_earth_utm(file, zone, 1, 1);
    const double half = place->cell_x * file->width / 2;
    const double away = tw_utm_turn(place->west + half - map.utm.meridian);
    if (fabs(away) + half <= TW_UTM_REACH)
        return TW_OK;
    return tw_error_set(err, TW_INPUT,
                        "%s lies up to %.6g degrees from the meridian of zone %d; expected at most "
                        "%.6g",
                        name, fabs(away) + half, (int)map.zone, TW_UTM_REACH);
}
