/* SPDX-License-Identifier: MIT */
/* A kernel's wave is exp(i (k . d + phase)) = exp(i (k_x d_x + phase)) exp(i k_y d_y): the first
 * factor is computed once per kernel and column, the second once per kernel and row, and a cell
 * takes one complex product and the window. */
#include "noise/kernels/phasor_field.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

enum { KERNELS = 8, WAVES_PER_CELL = 4 }; /* kernels in a cell of the grid */

static const double turn = 6.283185307179586;

struct kernel {
    double y;             /* rows */
    double k_y;           /* radians a row */
    int32_t first, count; /* columns; the first may lie beyond the border */
};

/* The values of a kernel's columns, one after the other. */
struct columns {
    float *real, *imaginary; /* exp(i (k_x d_x + phase)) */
    float *square;           /* d_x^2 in cells of the grid */
};

struct grid {
    int32_t across, down; /* cells */
    size_t longest;       /* columns of a kernel at most */
};

struct field {
    const struct tw_task *task;
    struct grid grid;
    int32_t width, height;
    struct kernel *kernels; /* row after row of the grid, KERNELS a cell */
    float *columns;
    float *real, *imaginary;
    enum tw_simd simd;
};

static int32_t cells_of(double frequency, int32_t side, int32_t longer)
{
    int32_t cells = (int32_t)(frequency * side / longer / WAVES_PER_CELL + 0.5);
    return cells < 1 ? 1 : cells;
}

static struct grid grid_of(double frequency, int32_t width, int32_t height)
{
    int32_t longer = width > height ? width : height;
    struct grid grid = {.across = cells_of(frequency, width, longer),
                        .down = cells_of(frequency, height, longer)};
    grid.longest = (size_t)(2 * width / grid.across) + 2;
    return grid;
}

static size_t kernels_of(const struct grid *grid)
{
    return (size_t)grid->across * (size_t)grid->down * KERNELS;
}

static struct columns columns_of(const struct field *f, size_t kernel)
{
    float *at = f->columns + 3 * f->grid.longest * kernel;
    return (struct columns){at, at + f->grid.longest, at + 2 * f->grid.longest};
}

/* Where a kernel's wave travels: along the vector at its place, else by the azimuth, then turned by
 * `turned` degrees. */
static struct tw_vector direction_of(const struct field *f, const struct tw_phasor *phasor,
                                     double x, double y, double turned)
{
    double east = tw_sin_degrees(phasor->azimuth), south = -tw_cos_degrees(phasor->azimuth);
    if (phasor->vectors) {
        size_t row = (size_t)tw_clamp_index((int32_t)y, f->height);
        size_t column = (size_t)tw_clamp_index((int32_t)x, f->width);
        struct tw_vector v = phasor->vectors[row * (size_t)f->width + column];
        double length = sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y);
        east = length > 0 ? (double)v.x / length : east;
        south = length > 0 ? (double)v.y / length : south;
    }
    double c = tw_cos_degrees(turned), s = tw_sin_degrees(turned);
    return (struct tw_vector){(float)(c * east - s * south), (float)(s * east + c * south)};
}

/* Kernel k of the grid's cell (i, j): place, direction and phase by random numbers of that cell. */
static void make_kernel(const struct field *f, const struct tw_phasor *phasor, uint64_t seed,
                        int32_t i, int32_t j, int32_t k)
{
    size_t index = ((size_t)j * (size_t)f->grid.across + (size_t)i) * KERNELS + (size_t)k;
    struct tw_random4 random = tw_random(seed, (uint32_t)i, (uint32_t)j, (uint32_t)k, 0);
    double side_x = (double)f->width / f->grid.across, side_y = (double)f->height / f->grid.down;
    double x = (i + (double)tw_uniform(random.at[0])) * side_x;
    double y = (j + (double)tw_uniform(random.at[1])) * side_y;
    double turned = (2 * (double)tw_uniform(random.at[3]) - 1) * phasor->spread;
    struct tw_vector u = direction_of(f, phasor, x, y, turned);
    double wave = turn * phasor->frequency / (f->width > f->height ? f->width : f->height);
    double phase = turn * (double)tw_uniform(random.at[2]);
    int32_t first = (int32_t)(x - side_x + (double)f->width) - f->width;
    struct columns columns = columns_of(f, index);
    struct kernel *kernel = &f->kernels[index];
    *kernel = (struct kernel){y, wave * (double)u.y, first, (int32_t)f->grid.longest};
    for (int32_t c = 0; c < kernel->count; c++) {
        double d = first + c + 0.5 - x, angle = wave * (double)u.x * d + phase;
        columns.real[c] = (float)tw_cos(angle);
        columns.imaginary[c] = (float)tw_sin(angle);
        columns.square[c] = (float)(d / side_x * (d / side_x));
    }
}

struct maker {
    const struct field *field;
    const struct tw_phasor *phasor;
    uint64_t seed;
};

static void make_rows(void *context, int32_t begin, int32_t end)
{
    const struct maker *m = context;
    for (int32_t j = begin; j < end && !tw_task_cancelled(m->field->task); j++)
        for (int32_t i = 0; i < m->field->grid.across; i++)
            for (int32_t k = 0; k < KERNELS; k++)
                make_kernel(m->field, m->phasor, m->seed, i, j, k);
}

/* A kernel's share of `count` cells of a row: the wave, turned by (c, s), in the window
 * (1 - d^2)^3. */
struct stretch {
    const float *real, *imaginary, *square;
    float c, s, square_y;
};

static TW_INLINE void add_body(const struct stretch *from, int32_t count, float *restrict real,
                               float *restrict imaginary)
{
    const struct stretch kept = *from;
    TW_INDEPENDENT
    for (int32_t i = 0; i < count; i++) {
        float left = 1.0f - (kept.square[i] + kept.square_y);
        left = left > 0 ? left : 0.0f;
        float window = left * left * left;
        real[i] += window * (kept.c * kept.real[i] - kept.s * kept.imaginary[i]);
        imaginary[i] += window * (kept.c * kept.imaginary[i] + kept.s * kept.real[i]);
    }
}
TW_SIMD_KERNEL(add,
               (const struct stretch *from, int32_t count, float *restrict real,
                float *restrict imaginary),
               (from, count, real, imaginary))

/* Adds a kernel, moved down by `shift` rows, to row y. */
static void add_kernel(const struct field *f, size_t index, double shift, int32_t y)
{
    const struct kernel *kernel = &f->kernels[index];
    double d = y + 0.5 - (kernel->y + shift), relative = d * f->grid.down / f->height;
    if (relative * relative >= 1)
        return;
    struct columns columns = columns_of(f, index);
    float *real = f->real + (size_t)y * (size_t)f->width;
    float *imaginary = f->imaginary + (size_t)y * (size_t)f->width;
    struct stretch stretch = {NULL,
                              NULL,
                              NULL,
                              (float)tw_cos(kernel->k_y * d),
                              (float)tw_sin(kernel->k_y * d),
                              (float)(relative * relative)};
    for (int32_t at = 0, count; at < kernel->count; at += count) {
        int32_t x = tw_wrap(kernel->first + at, f->width);
        count = kernel->count - at < f->width - x ? kernel->count - at : f->width - x;
        stretch.real = columns.real + at;
        stretch.imaginary = columns.imaginary + at;
        stretch.square = columns.square + at;
        add(f->simd)(&stretch, count, real + x, imaginary + x);
    }
}

/* A row takes the kernels of its own row of the grid and of those on both sides, in order. */
static void add_rows(void *context, int32_t begin, int32_t end)
{
    const struct field *f = context;
    size_t row_kernels = (size_t)f->grid.across * KERNELS;
    for (int32_t y = begin; y < end && !tw_task_cancelled(f->task); y++) {
        for (int32_t x = 0; x < f->width; x++) {
            f->real[(size_t)y * (size_t)f->width + (size_t)x] = 0;
            f->imaginary[(size_t)y * (size_t)f->width + (size_t)x] = 0;
        }
        int32_t own = (int32_t)((y + 0.5) * f->grid.down / f->height);
        for (int32_t j = own - 1; j <= own + 1; j++) {
            int32_t row = tw_wrap(j, f->grid.down);
            double shift = (double)(j - row) * f->height / f->grid.down;
            for (size_t k = 0; k < row_kernels; k++)
                add_kernel(f, (size_t)row * row_kernels + k, shift, y);
        }
    }
}

enum tw_status tw_phasor_field(struct tw_task *task, const struct tw_phasor *phasor, float *real,
                               float *imaginary)
{
    int32_t width = tw_task_width(task), height = tw_task_height(task);
    struct field field = {.task = task,
                          .grid = grid_of(phasor->frequency, width, height),
                          .width = width,
                          .height = height,
                          .real = real,
                          .imaginary = imaginary,
                          .simd = tw_task_simd(task)};
    size_t count = kernels_of(&field.grid);
    field.kernels = tw_task_scratch(task, count, sizeof *field.kernels);
    field.columns = tw_task_scratch(task, count, 3 * field.grid.longest * sizeof *field.columns);
    if (!field.kernels || !field.columns)
        return tw_task_no_memory(task);
    struct maker maker = {&field, phasor, tw_task_seed(task)};
    tw_rows(task, field.grid.down, 1, make_rows, &maker);
    tw_rows(task, height, 4, add_rows, &field);
    return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
}

void tw_phasor_forecast(struct tw_forecast *f, double frequency)
{
    const struct grid grid = grid_of(frequency, f->width, f->height);
    tw_forecast_scratch(f, kernels_of(&grid), sizeof(struct kernel));
    tw_forecast_scratch(f, kernels_of(&grid), 3 * grid.longest * sizeof(float));
}
