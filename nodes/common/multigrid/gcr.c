/* SPDX-License-Identifier: MIT */
/* GCR (Eisenstat, Elman and Schultz 1983). Sums are taken by row in eight lanes, then over the rows
 * in order, so they do not depend on threads or instructions. */
#include "common/multigrid/gcr.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

#include <string.h>

enum { LANES = 8, SUMS = 3 };

/* A sum over a row by lanes: the order is fixed, whatever the instructions. */
static TW_INLINE double fold(const double *lanes)
{
    return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
           ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

static TW_INLINE void add_products(const float *a, const float *b, int32_t count, double *lanes)
{
    for (int32_t i = 0; i < count; i += LANES)
        for (int32_t k = 0; k < LANES; k++)
            lanes[k] += (double)a[i + k] * (double)b[i + k];
}

static TW_INLINE float largest(const float *a, int32_t count)
{
    float most = 0;
    for (int32_t i = 0; i < count; i++) {
        float size = a[i] < 0 ? -a[i] : a[i];
        most = size > most ? size : most;
    }
    return most;
}

/* A z. Sums: its product with A p, and the largest of z. */
static TW_INLINE void image_body(const struct tw_gcr *d, int32_t begin, int32_t end)
{
    const struct tw_multigrid_grid *l = d->level;
    for (int32_t y = begin; y < end; y++) {
        double *sums = &d->sums[(size_t)y * SUMS];
        size_t red = tw_multigrid_row(l, y, 0), black = tw_multigrid_row(l, y, 1);
        float *restrict az = d->az;
        for (int colour = 0; colour < 2; colour++)
            for (int32_t i = 0; i < l->half; i++) {
                size_t cell = (colour ? black : red) + (size_t)i;
                az[cell] = l->rhs[cell] - tw_multigrid_residual(l, y, colour, i);
            }
        if (d->any) {
            double lanes[LANES] = {0};
            add_products(az + red, d->used.ap + red, l->half, lanes);
            add_products(az + black, d->used.ap + black, l->half, lanes);
            sums[0] = fold(lanes);
        }
        sums[1] = (double)tw_max(largest(l->x + red, l->half), largest(l->x + black, l->half));
    }
}
TW_SIMD_KERNEL(image, (const struct tw_gcr *d, int32_t begin, int32_t end), (d, begin, end))

static void image_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_gcr *d = context;
    image(d->simd)(d, begin, end);
}

static TW_INLINE void take_out(const struct tw_gcr *d, size_t row, float *restrict z,
                               float *restrict az)
{
    const float *p = d->used.p + row, *ap = d->used.ap + row;
    for (int32_t i = 0; i < d->level->half; i++) {
        z[i] -= d->turn * p[i];
        az[i] -= d->turn * ap[i];
    }
}

/* Takes the used direction out of z. Sums: A z with the residual and with itself, the residual
 * with itself. */
static TW_INLINE void orthogonalise_body(const struct tw_gcr *d, int32_t begin, int32_t end)
{
    const struct tw_multigrid_grid *l = d->level;
    for (int32_t y = begin; y < end; y++) {
        double along[LANES] = {0}, square[LANES] = {0}, before[LANES] = {0};
        for (int colour = 0; colour < 2; colour++) {
            size_t row = tw_multigrid_row(l, y, colour);
            const float *rhs = l->rhs + row;
            float *az = d->az + row;
            if (d->any)
                take_out(d, row, l->x + row, az);
            add_products(az, rhs, l->half, along);
            add_products(az, az, l->half, square);
            add_products(rhs, rhs, l->half, before);
        }
        d->sums[(size_t)y * SUMS] = fold(along);
        d->sums[(size_t)y * SUMS + 1] = fold(square);
        d->sums[(size_t)y * SUMS + 2] = fold(before);
    }
}
TW_SIMD_KERNEL(orthogonalise, (const struct tw_gcr *d, int32_t begin, int32_t end), (d, begin, end))

static void orthogonalise_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_gcr *d = context;
    orthogonalise(d->simd)(d, begin, end);
}

/* On a coarse grid: the solution so far, and its residual as the new right side. */
static TW_INLINE void update_body(const struct tw_gcr *d, int32_t begin, int32_t end)
{
    const struct tw_multigrid_grid *l = d->level;
    size_t first = tw_multigrid_row(l, begin, 0), count = tw_multigrid_row(l, end, 0) - first;
    const float *z = l->x + first, *az = d->az + first;
    float *restrict sum = d->sum + first, *restrict rhs = l->rhs + first;
    for (size_t i = 0; i < count; i++) {
        sum[i] = (d->any ? sum[i] : 0) + d->step * z[i];
        rhs[i] -= d->step * az[i];
    }
}
TW_SIMD_KERNEL(update, (const struct tw_gcr *d, int32_t begin, int32_t end), (d, begin, end))

static void update_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_gcr *d = context;
    update(d->simd)(d, begin, end);
}

static void clear_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_multigrid_grid *l = ((const struct tw_gcr *)context)->level;
    size_t first = tw_multigrid_row(l, begin, 0);
    memset(l->x + first, 0, (tw_multigrid_row(l, end, 0) - first) * sizeof *l->x);
}

static void over_rows(struct tw_task *task, struct tw_gcr *d, tw_rows_fn *fn)
{
    tw_rows(task, d->level->height, tw_multigrid_grain(d->level), fn, d);
}

static double total(const struct tw_gcr *d, int which)
{
    double sum = 0;
    for (int32_t y = 0; y < d->level->height; y++)
        sum += d->sums[(size_t)y * SUMS + (size_t)which];
    return sum;
}

double tw_gcr_orthogonalise(struct tw_task *task, struct tw_gcr *d, double *most)
{
    over_rows(task, d, image_rows);
    d->turn = d->any ? (float)(total(d, 0) / d->used.ap_ap) : 0;
    *most = 0;
    for (int32_t y = 0; y < d->level->height; y++) {
        double here = d->sums[(size_t)y * SUMS + 1];
        *most = here > *most ? here : *most;
    }
    over_rows(task, d, orthogonalise_rows);
    double along = total(d, 0), square = total(d, 1), before = total(d, 2);
    d->az_az = square;
    d->step = square > 0 ? (float)(along / square) : 0;
    return square > 0 ? 1 - along * along / (square * before) : 0;
}

void tw_gcr_push_direction(struct tw_multigrid_grid *level, struct tw_gcr *d)
{
    struct tw_direction fresh = {level->x, d->az, d->az_az};
    if (d->az_az == 0)
        return;
    level->x = d->used.p;
    d->az = d->used.ap;
    d->used = fresh;
    d->any = true;
}

void tw_gcr_update(struct tw_task *task, struct tw_gcr *d) { over_rows(task, d, update_rows); }

void tw_gcr_clear(struct tw_task *task, struct tw_gcr *d) { over_rows(task, d, clear_rows); }

void tw_gcr_lay_out(struct tw_scratch *s, struct tw_gcr *d, const struct tw_multigrid_grid *l)
{
    *d = (struct tw_gcr){.level = l};
    d->sums = tw_scratch_take(s, (uint64_t)l->height * SUMS, sizeof *d->sums);
    float *block = tw_multigrid_plane(s, l, 4 * sizeof *block);
    if (!block)
        return;
    d->simd = tw_task_simd(s->task);
    d->az = block;
    d->sum = block + l->size;
    d->used.p = block + 2 * l->size;
    d->used.ap = block + 3 * l->size;
}
