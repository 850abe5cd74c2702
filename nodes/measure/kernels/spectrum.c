/* SPDX-License-Identifier: MIT */
/* Rows first, then columns; of a real map one half of the columns mirrors the other. */
#include "measure/kernels/spectrum.h"

#include <thalweg/kernel.h>

#include <string.h>

struct map {
    const struct tw_spectrum *s;
    const float *heights;
    int32_t width, height, half; /* half: columns kept */
    double mean, east, south;    /* the plane */
    enum tw_simd simd;
};

static size_t buffer_of(int32_t width, int32_t height)
{
    size_t longest = (size_t)(width > height ? width : height);
    size_t rows = tw_fourier_work_of(width), columns = tw_fourier_work_of(height);
    return 2 * longest + (rows > columns ? rows : columns);
}

static double *buffer_at(const struct map *map, int32_t slot)
{
    return map->s->buffers + buffer_of(map->width, map->height) * (size_t)slot;
}

static void add_rows(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    for (int32_t y = begin; y < end; y++) {
        const float *row = map->heights + (size_t)y * (size_t)map->width;
        double sum = 0, moment = 0;
        for (int32_t x = 0; x < map->width; x++) {
            sum += (double)row[x];
            moment += (double)row[x] * (x - 0.5 * (map->width - 1));
        }
        map->s->row_sums[2 * y] = sum;
        map->s->row_sums[2 * y + 1] = moment;
    }
}

/* The least squares over distances from the centre, which are orthogonal. */
static void find_plane(struct tw_task *task, struct map *map)
{
    double width = map->width, height = map->height, sum = 0, east = 0, south = 0;
    tw_rows(task, map->height, 32, add_rows, map);
    for (int32_t y = 0; y < map->height; y++) {
        sum += map->s->row_sums[2 * y];
        east += map->s->row_sums[2 * y + 1];
        south += map->s->row_sums[2 * y] * (y - 0.5 * (height - 1));
    }
    double along = width * (width * width - 1) / 12, down = height * (height * height - 1) / 12;
    map->mean = sum / (width * height);
    map->east = along > 0 ? east / (along * height) : 0;
    map->south = down > 0 ? south / (down * width) : 0;
}

static void transform_row(const struct map *map, int32_t y, double *buffer)
{
    const struct tw_spectrum *s = map->s;
    const float *row = map->heights + (size_t)y * (size_t)map->width;
    double *re = buffer, *im = buffer + map->width;
    double plane = map->mean + map->south * (y - 0.5 * (map->height - 1));
    double window = s->window[map->width + y];
    for (int32_t x = 0; x < map->width; x++) {
        double rest = (double)row[x] - (plane + map->east * (x - 0.5 * (map->width - 1)));
        re[x] = rest * (window * s->window[x]);
        im[x] = 0;
    }
    tw_fourier_apply(&s->rows, map->simd, re, im, buffer + 2 * (size_t)map->width);
    size_t half = (size_t)map->half;
    memcpy(s->re + (size_t)y * half, re, half * sizeof *re);
    memcpy(s->im + (size_t)y * half, im, half * sizeof *im);
}

static void transform_rows(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    for (int32_t slot = begin; slot < end; slot++)
        for (int32_t y = slot; y < map->height; y += TW_SPECTRUM_SLOTS)
            transform_row(map, y, buffer_at(map, slot));
}

static int32_t band_of(const double *edges, double square)
{
    if (square < edges[0] || square >= edges[TW_SPECTRUM_BANDS])
        return -1;
    int32_t band = 0;
    while (square >= edges[band + 1])
        band++;
    return band;
}

/* A column counts for its mirror image, too, unless it is its own. */
static void transform_column(const struct map *map, int32_t x, double *buffer)
{
    const struct tw_spectrum *s = map->s;
    size_t half = (size_t)map->half;
    double *re = buffer, *im = buffer + map->height, (*sums)[TW_SPECTRUM_BANDS] = s->sums[x];
    double weight = x == 0 || 2 * x == map->width ? 1 : 2;
    for (int32_t y = 0; y < map->height; y++) {
        re[y] = s->re[(size_t)y * half + (size_t)x];
        im[y] = s->im[(size_t)y * half + (size_t)x];
    }
    tw_fourier_apply(&s->columns, map->simd, re, im, buffer + 2 * (size_t)map->height);
    memset(sums, 0, sizeof s->sums[x]);
    for (int32_t y = 0; y < map->height; y++) {
        double down = y <= map->height / 2 ? y : y - map->height;
        down *= (double)map->width / map->height;
        double square = (double)x * x + down * down;
        int32_t band = band_of(s->edges, square);
        if (band < 0)
            continue;
        sums[0][band] += weight * (re[y] * re[y] + im[y] * im[y]);
        sums[1][band] += weight * 0.34657359027997264 * tw_log2(square); /* ln k */
        sums[2][band] += weight;
    }
}

static void transform_columns(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    for (int32_t slot = begin; slot < end; slot++)
        for (int32_t x = slot; x < map->half; x += TW_SPECTRUM_SLOTS)
            transform_column(map, x, buffer_at(map, slot));
}

/* Logarithms of the mean powers less their mean, and the slope of the line through them. */
static void fit(const struct map *map, struct tw_spectrum_bands *bands)
{
    double ks[TW_SPECTRUM_BANDS], mean_power = 0, mean_k = 0, above = 0, below = 0, count = 0;
    for (int band = 0; band < TW_SPECTRUM_BANDS; band++) {
        double sums[3] = {0};
        for (int32_t x = 0; x < map->half; x++)
            for (int i = 0; i < 3; i++)
                sums[i] += map->s->sums[x][i][band];
        bands->has[band] = sums[2] > 0;
        if (!bands->has[band])
            continue;
        bands->found &= sums[0] > 1e-280;
        ks[band] = sums[1] / sums[2];
        bands->power[band] = sums[0] > 1e-280 ? 0.6931471805599453 * tw_log2(sums[0] / sums[2]) : 0;
        mean_power += bands->power[band];
        mean_k += ks[band];
        count++;
    }
    bands->found &= count > 1;
    for (int band = 0; bands->found && band < TW_SPECTRUM_BANDS; band++)
        if (bands->has[band]) {
            bands->power[band] -= mean_power / count;
            above += (ks[band] - mean_k / count) * bands->power[band];
            below += (ks[band] - mean_k / count) * (ks[band] - mean_k / count);
        }
    bands->slope = bands->found ? -above / below : 0;
}

void tw_spectrum_find(struct tw_task *task, const struct tw_spectrum *s, const float *heights,
                      struct tw_spectrum_bands *bands)
{
    struct map map = {.s = s,
                      .heights = heights,
                      .width = tw_task_width(task),
                      .height = tw_task_height(task),
                      .half = tw_task_width(task) / 2 + 1,
                      .simd = tw_task_simd(task)};
    *bands = (struct tw_spectrum_bands){.found = true};
    find_plane(task, &map);
    tw_rows(task, TW_SPECTRUM_SLOTS, 1, transform_rows, &map);
    tw_rows(task, TW_SPECTRUM_SLOTS, 1, transform_columns, &map);
    fit(&map, bands);
}

static void fill_window(double *window, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        double sine = tw_sin_degrees(180.0 * (i + 0.5) / count);
        window[i] = sine * sine;
    }
}

static bool lay_out(struct tw_scratch *scratch, struct tw_spectrum *s)
{
    int32_t width = tw_scratch_width(scratch), height = tw_scratch_height(scratch);
    uint64_t half = (uint64_t)width / 2 + 1, rows = (uint64_t)height;
    tw_fourier_lay_out(scratch, &s->rows, width);
    tw_fourier_lay_out(scratch, &s->columns, height);
    s->re = tw_scratch_take(scratch, half * rows, sizeof *s->re);
    s->im = tw_scratch_take(scratch, half * rows, sizeof *s->im);
    s->window = tw_scratch_take(scratch, (uint64_t)width + rows, sizeof *s->window);
    s->buffers =
        tw_scratch_take(scratch, buffer_of(width, height), TW_SPECTRUM_SLOTS * sizeof *s->buffers);
    s->sums = tw_scratch_take(scratch, half, sizeof *s->sums);
    s->row_sums = tw_scratch_take(scratch, rows, 2 * sizeof *s->row_sums);
    return tw_scratch_is_laid(scratch);
}

enum tw_status tw_spectrum_init(struct tw_task *task, struct tw_spectrum *s)
{
    int32_t width = tw_task_width(task), height = tw_task_height(task);
    if (!lay_out(&(struct tw_scratch){.task = task}, s))
        return tw_task_no_memory(task);
    fill_window(s->window, width);
    fill_window(s->window + width, height);
    double ratio = width > 16 ? (double)width / 16 : 1;
    for (int band = 0; band <= TW_SPECTRUM_BANDS; band++)
        s->edges[band] = 16 * tw_pow(ratio, 2.0 * band / TW_SPECTRUM_BANDS);
    return TW_OK;
}

void tw_spectrum_forecast(struct tw_forecast *f)
{
    struct tw_spectrum s;
    lay_out(&(struct tw_scratch){.forecast = f}, &s);
}
