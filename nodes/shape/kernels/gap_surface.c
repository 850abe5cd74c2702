/* SPDX-License-Identifier: MIT */
#include "shape/kernels/gap_surface.h"

#include "shape/kernels/gap_energy.h"

#include <string.h>

enum { CHUNK = 4096, SUMS = 2 };
/* Steps of a grid: by the number of its gap cells, so that the widest gaps end in a minute. */
enum { STEPS_LEAST = 1000, STEPS_MOST = 20000 };
#define STEPS_CELLS 4e9
#define ENOUGH 1e-10 /* largest residual that may be left, over the range of the map */

/* ---- grids ---- */

bool tw_gap_surface_lay_out(struct tw_scratch *s, struct tw_gap_surface *f)
{
    int32_t width = tw_scratch_width(s), height = tw_scratch_height(s);
    uint64_t cells = (uint64_t)width * (uint64_t)height;
    f->list = tw_scratch_take(s, cells, sizeof *f->list);
    f->residual = tw_scratch_take(s, cells, sizeof *f->residual);
    f->image = tw_scratch_take(s, cells, sizeof *f->image);
    f->way = tw_scratch_take(s, cells, sizeof *f->way);
    f->sums = tw_scratch_take(s, (cells / CHUNK + 1) * SUMS, sizeof *f->sums);
    for (f->grids = 0;; width = (width + 1) / 2, height = (height + 1) / 2) {
        struct tw_gap_grid *grid = &f->grid[f->grids++];
        cells = (uint64_t)width * (uint64_t)height;
        grid->width = width;
        grid->height = height;
        grid->z = tw_scratch_take(s, cells, sizeof *grid->z);
        grid->gap = tw_scratch_take(s, cells, sizeof *grid->gap);
        if (width == 1 && height == 1)
            break;
    }
    return tw_scratch_is_laid(s);
}

struct halving {
    const struct tw_gap_grid *fine, *coarse;
};

/* A coarse cell is the mean of those of its four cells that are no gaps. */
static void halve_rows(void *context, int32_t begin, int32_t end)
{
    const struct halving *h = context;
    const struct tw_gap_grid *fine = h->fine, *coarse = h->coarse;
    for (int32_t i = begin * coarse->width; i < end * coarse->width; i++) {
        int32_t x = 2 * (i % coarse->width), y = 2 * (i / coarse->width), count = 0;
        double sum = 0;
        for (int32_t k = 0; k < 4; k++) {
            int32_t east = x + k % 2, south = y + k / 2;
            int32_t cell = south * fine->width + east;
            if (east == fine->width || south == fine->height || fine->gap[cell])
                continue;
            sum += fine->z[cell];
            count++;
        }
        coarse->z[i] = count > 0 ? sum / count : 0;
        coarse->gap[i] = count == 0;
    }
}

static int32_t inside(const struct tw_gap_surface *f, int32_t i, int32_t count)
{
    if (i >= 0 && i < count)
        return i;
    return f->wrap ? (i + count) % count : i < 0 ? 0 : count - 1;
}

/* The coarse surface at a fine cell, linear between coarse cells. */
static double sample(const struct tw_gap_surface *f, const struct tw_gap_grid *coarse, int32_t x,
                     int32_t y)
{
    int32_t west = inside(f, (x - 1) >> 1, coarse->width);
    int32_t east = inside(f, ((x - 1) >> 1) + 1, coarse->width);
    const double *up =
        coarse->z + (ptrdiff_t)inside(f, (y - 1) >> 1, coarse->height) * coarse->width;
    const double *down =
        coarse->z + (ptrdiff_t)inside(f, ((y - 1) >> 1) + 1, coarse->height) * coarse->width;
    double right = x % 2 ? 0.25 : 0.75, below = y % 2 ? 0.25 : 0.75;
    return (1 - below) * ((1 - right) * up[west] + right * up[east]) +
           below * ((1 - right) * down[west] + right * down[east]);
}

/* Lists the gaps and starts them from the coarser grid, which may be NULL. */
static void start(struct tw_gap_surface *f, const struct tw_gap_grid *grid,
                  const struct tw_gap_grid *coarse)
{
    f->count = 0;
    memset(f->way, 0, (size_t)grid->width * (size_t)grid->height * sizeof *f->way);
    for (int32_t i = 0; i < grid->width * grid->height; i++) {
        if (!grid->gap[i])
            continue;
        f->list[f->count++] = i;
        grid->z[i] = coarse ? sample(f, coarse, i % grid->width, i / grid->width) : 0;
    }
}

/* ---- conjugate gradients ---- */

struct step {
    struct tw_gap_surface *f;
    const struct tw_gap_grid *grid;
    struct tw_gap_energy energy;
    double move, turn;
};

static void begin_chunks(void *context, int32_t begin, int32_t end)
{
    const struct step *s = context;
    struct tw_gap_surface *f = s->f;
    for (int32_t chunk = begin; chunk < end; chunk++) {
        double square = 0, most = 0;
        for (int32_t i = chunk * CHUNK; i < f->count && i < (chunk + 1) * CHUNK; i++) {
            double r = -tw_gap_energy_slope(&s->energy, s->grid->z, f->list[i]);
            f->residual[i] = r;
            f->way[f->list[i]] = r;
            square += r * r;
            most = fabs(r) > most ? fabs(r) : most;
        }
        f->sums[chunk * SUMS] = square;
        f->sums[chunk * SUMS + 1] = most;
    }
}

static void image_chunks(void *context, int32_t begin, int32_t end)
{
    const struct step *s = context;
    struct tw_gap_surface *f = s->f;
    for (int32_t chunk = begin; chunk < end; chunk++) {
        double sum = 0;
        for (int32_t i = chunk * CHUNK; i < f->count && i < (chunk + 1) * CHUNK; i++) {
            f->image[i] = tw_gap_energy_slope(&s->energy, f->way, f->list[i]);
            sum += f->image[i] * f->way[f->list[i]];
        }
        f->sums[chunk * SUMS] = sum;
    }
}

static void move_chunks(void *context, int32_t begin, int32_t end)
{
    const struct step *s = context;
    struct tw_gap_surface *f = s->f;
    for (int32_t chunk = begin; chunk < end; chunk++) {
        double square = 0, most = 0;
        for (int32_t i = chunk * CHUNK; i < f->count && i < (chunk + 1) * CHUNK; i++) {
            s->grid->z[f->list[i]] += s->move * f->way[f->list[i]];
            double r = f->residual[i] -= s->move * f->image[i];
            square += r * r;
            most = fabs(r) > most ? fabs(r) : most;
        }
        f->sums[chunk * SUMS] = square;
        f->sums[chunk * SUMS + 1] = most;
    }
}

static void turn_chunks(void *context, int32_t begin, int32_t end)
{
    const struct step *s = context;
    struct tw_gap_surface *f = s->f;
    int32_t last = end * CHUNK < f->count ? end * CHUNK : f->count;
    for (int32_t i = begin * CHUNK; i < last; i++)
        f->way[f->list[i]] = f->residual[i] + s->turn * f->way[f->list[i]];
}

/* Runs over chunks of the list; returns the sum of the first sums, and the largest second one. */
static double over_gaps(struct tw_task *task, struct step *s, tw_rows_fn *fn, double *most)
{
    int32_t chunks = (s->f->count + CHUNK - 1) / CHUNK;
    double sum = 0;
    *most = 0;
    tw_rows(task, chunks, 1, fn, s);
    for (int32_t i = 0; i < chunks; i++) {
        const double *sums = s->f->sums + (size_t)i * SUMS;
        sum += sums[0];
        *most = sums[1] > *most ? sums[1] : *most;
    }
    return sum;
}

static int32_t steps_of(int32_t count)
{
    double steps = STEPS_CELLS / count;
    return steps < STEPS_LEAST ? STEPS_LEAST : steps > STEPS_MOST ? STEPS_MOST : (int32_t)steps;
}

static enum tw_status solve(struct tw_task *task, struct tw_gap_surface *f,
                            const struct tw_gap_grid *grid, double enough)
{
    struct step s = {f, grid, {grid->width, grid->height, f->wrap, f->plate}, 0, 0};
    double most, unused, square = over_gaps(task, &s, begin_chunks, &most);
    for (int32_t i = 0, steps = steps_of(f->count); i < steps && most > enough; i++) {
        double bend = over_gaps(task, &s, image_chunks, &unused);
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        if (!(bend > 0))
            break;
        s.move = square / bend;
        double left = over_gaps(task, &s, move_chunks, &most);
        s.turn = left / square;
        square = left;
        over_gaps(task, &s, turn_chunks, &unused);
    }
    return TW_OK;
}

/* The range of the cells that are no gaps. */
static double range_of(const struct tw_gap_grid *grid)
{
    double low = 0, high = 0;
    bool any = false;
    for (int32_t i = 0; i < grid->width * grid->height; i++) {
        if (grid->gap[i])
            continue;
        low = !any || grid->z[i] < low ? grid->z[i] : low;
        high = !any || grid->z[i] > high ? grid->z[i] : high;
        any = true;
    }
    return high - low;
}

enum tw_status tw_gap_surface_find(struct tw_task *task, struct tw_gap_surface *f)
{
    double enough = ENOUGH * range_of(&f->grid[0]);
    for (int i = 1; i < f->grids; i++)
        tw_rows(task, f->grid[i].height, 16, halve_rows,
                &(struct halving){&f->grid[i - 1], &f->grid[i]});
    enum tw_status status = TW_OK;
    for (int i = f->grids - 1; i >= 0 && status == TW_OK; i--) {
        start(f, &f->grid[i], i + 1 < f->grids ? &f->grid[i + 1] : NULL);
        if (f->count > 0)
            status = solve(task, f, &f->grid[i], enough);
        tw_task_progress(task, 1.0 / (1 << 2 * (i < 15 ? i : 15)));
    }
    return status;
}
