/* SPDX-License-Identifier: MIT */
#include "feature/kernels/light_lines.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

#include <string.h>

static int32_t round_off(double v)
{
    int32_t i = (int32_t)(v + 0.5);
    return (double)i > v + 0.5 ? i - 1 : i;
}

void tw_light_lines_set(struct tw_light_lines *lines, int32_t width, int32_t height, double azimuth)
{
    double dx = -tw_sin_degrees(azimuth), dy = tw_cos_degrees(azimuth);
    bool along_x = fabs(dx) >= fabs(dy);
    double along = along_x ? dx : dy, across = along_x ? dy : dx;
    int32_t steps = along_x ? width : height, breadth = along_x ? height : width;
    *lines = (struct tw_light_lines){.width = width,
                                     .height = height,
                                     .along_x = along_x,
                                     .backwards = along < 0,
                                     .slope = across / along};
    lines->step = sqrt(1 + lines->slope * lines->slope);
    int32_t end = round_off(lines->slope * (double)(steps - 1));
    lines->first = end > 0 ? -end : 0;
    lines->count = breadth + (end < 0 ? -end : end);
}

int32_t tw_light_lines_walk(const struct tw_light_lines *lines, int32_t i, int32_t *cells)
{
    int32_t steps = lines->along_x ? lines->width : lines->height, count = 0;
    int32_t breadth = lines->along_x ? lines->height : lines->width;
    for (int32_t k = 0; k < steps; k++) {
        int32_t p = lines->backwards ? steps - 1 - k : k;
        int32_t q = lines->first + i + round_off(lines->slope * (double)p);
        if (q >= 0 && q < breadth)
            cells[count++] = lines->along_x ? q * lines->width + p : p * lines->width + q;
    }
    return count;
}

/* ---- the direction of the light ---- */

enum { SQUARE = 64, DIRECTIONS = 180 };

/* Cells below one half, -1, and others, 0: row after row, and column after column. */
struct dark {
    int32_t width, height;
    int8_t *rows, *columns;
};

struct finder {
    const float *mask;
    struct dark dark;
};

static void find_square(const struct finder *f, size_t left, size_t top)
{
    const size_t width = (size_t)f->dark.width, height = (size_t)f->dark.height;
    size_t bottom = top + SQUARE < height ? top + SQUARE : height;
    size_t right = left + SQUARE < width ? left + SQUARE : width;
    for (size_t y = top; y < bottom; y++)
        for (size_t x = left; x < right; x++)
            f->dark.rows[y * width + x] = f->mask[y * width + x] < 0.5f ? -1 : 0;
    for (size_t x = left; x < right; x++)
        for (size_t y = top; y < bottom; y++)
            f->dark.columns[x * height + y] = f->dark.rows[y * width + x];
}

/* By squares: a column's cells lie far apart. */
static void find_rows(void *context, int32_t begin, int32_t end)
{
    const struct finder *f = context;
    for (int32_t row = begin; row < end; row++)
        for (size_t left = 0; left < (size_t)f->dark.width; left += SQUARE)
            find_square(f, left, (size_t)row * SQUARE);
}

static enum tw_status find_dark(struct tw_task *task, const float *mask, struct dark *dark)
{
    int32_t width = tw_task_width(task), height = tw_task_height(task);
    size_t count = (size_t)width * (size_t)height;
    int8_t *cells = tw_task_scratch(task, count, 2);
    if (!cells)
        return tw_task_no_memory(task);
    struct finder finder = {mask, {width, height, cells, cells + count}};
    tw_rows(task, (height - 1) / SQUARE + 1, 1, find_rows, &finder);
    *dark = finder.dark;
    return TW_OK;
}

/* The runs of all lines that cross a row (or column) go on, or end. */
static TW_INLINE void extend_body(const int8_t *restrict dark, int32_t *restrict runs,
                                  int32_t count, int32_t *longest)
{
    int32_t most = *longest;
    for (int32_t i = 0; i < count; i++) {
        runs[i] = (runs[i] + 1) & dark[i];
        most = runs[i] > most ? runs[i] : most;
    }
    *longest = most;
}
TW_SIMD_KERNEL(extend,
               (const int8_t *restrict dark, int32_t *restrict runs, int32_t count,
                int32_t *longest),
               (dark, runs, count, longest))

/* The longest run of dark cells on the lines, in cells. `runs` holds width + height. */
static double longest_run(const struct tw_light_lines *lines, const struct dark *dark,
                          enum tw_simd simd, int32_t *runs)
{
    int32_t steps = lines->along_x ? lines->width : lines->height, longest = 0;
    int32_t breadth = lines->along_x ? lines->height : lines->width;
    const int8_t *cells = lines->along_x ? dark->columns : dark->rows;
    memset(runs, 0, (size_t)lines->count * sizeof *runs);
    for (int32_t p = 0; p < steps; p++) {
        int32_t first = -lines->first - round_off(lines->slope * (double)p);
        extend(simd)(cells + (size_t)p * (size_t)breadth, runs + first, breadth, &longest);
    }
    return (double)longest * lines->step;
}

struct trial {
    int32_t width, height;
    enum tw_simd simd;
    struct dark dark;
    double longest[DIRECTIONS];
    int32_t *runs; /* width + height for each direction */
};

static void try_directions(void *context, int32_t begin, int32_t end)
{
    struct trial *trial = context;
    size_t lines = (size_t)trial->width + (size_t)trial->height;
    for (int32_t i = begin; i < end; i++) {
        struct tw_light_lines along;
        tw_light_lines_set(&along, trial->width, trial->height, i);
        trial->longest[i] =
            longest_run(&along, &trial->dark, trial->simd, trial->runs + (size_t)i * lines);
    }
}

enum tw_status tw_light_lines_find_azimuth(struct tw_task *task, const float *mask, double *azimuth)
{
    struct trial trial = {
        .width = tw_task_width(task), .height = tw_task_height(task), .simd = tw_task_simd(task)};
    int32_t best = 0;
    trial.runs = tw_task_scratch(task, (size_t)trial.width + (size_t)trial.height,
                                 sizeof(int32_t) * DIRECTIONS);
    if (!trial.runs)
        return tw_task_no_memory(task);
    enum tw_status status = find_dark(task, mask, &trial.dark);
    if (status != TW_OK)
        return status;
    tw_rows(task, DIRECTIONS, 1, try_directions, &trial);
    for (int32_t i = 1; i < DIRECTIONS; i++)
        best = trial.longest[i] < trial.longest[best] ? i : best;
    *azimuth = best;
    return TW_OK;
}

void tw_light_lines_forecast(struct tw_forecast *f)
{
    uint64_t lines = (uint64_t)f->width + (uint64_t)f->height;
    tw_forecast_scratch(f, lines, sizeof(int32_t) * DIRECTIONS);
    tw_forecast_maps(f, 2, sizeof(int8_t));
}
