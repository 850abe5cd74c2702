/* SPDX-License-Identifier: MIT */
/* GCR (Eisenstat, Elman and Schultz 1983). Sums are taken by row in eight lanes, then over the rows
 * in order, so they do not depend on threads or instructions. */
#include "common/multigrid_gcr.h"

#include "common/simd.h"

#include <thalweg/kernel.h>

#include <string.h>

enum { AT_ONCE = 4, LANES = 8, SUMS = TW_GCR_MAX + 1 };

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

/* A z. Sums: its product with every A p, and the largest of z. */
static TW_INLINE void image_body(const struct tw_gcr *d, int32_t begin, int32_t end)
{
    const struct tw_level *l = d->level;
    for (int32_t y = begin; y < end; y++) {
        double *sums = &d->sums[(size_t)y * SUMS];
        size_t red = tw_level_row(l, y, 0), black = tw_level_row(l, y, 1);
        float *restrict az = d->az;
        for (int colour = 0; colour < 2; colour++)
            for (int32_t i = 0; i < l->half; i++) {
                size_t cell = (colour ? black : red) + (size_t)i;
                az[cell] = l->rhs[cell] - tw_level_residual(l, y, colour, i);
            }
        for (int k = 0; k < d->count; k++) {
            double lanes[LANES] = {0};
            add_products(az + red, d->used[k].ap + red, l->half, lanes);
            add_products(az + black, d->used[k].ap + black, l->half, lanes);
            sums[k] = fold(lanes);
        }
        sums[TW_GCR_MAX] =
            (double)tw_max(largest(l->x + red, l->half), largest(l->x + black, l->half));
    }
}
TW_SIMD_KERNEL(image, (const struct tw_gcr *d, int32_t begin, int32_t end), (d, begin, end))

static void image_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_gcr *d = context;
    image(d->simd)(d, begin, end);
}

static TW_INLINE void take_out(const struct tw_gcr *d, int k, size_t row, float *restrict z,
                               float *restrict az)
{
    const float *p = d->used[k].p + row, *ap = d->used[k].ap + row;
    for (int32_t i = 0; i < d->level->half; i++) {
        z[i] -= d->turn[k] * p[i];
        az[i] -= d->turn[k] * ap[i];
    }
}

/* Takes the used directions out of z. Sums: A z with the residual and with itself, the residual
 * with itself. */
static TW_INLINE void turn_body(const struct tw_gcr *d, int32_t begin, int32_t end)
{
    const struct tw_level *l = d->level;
    for (int32_t y = begin; y < end; y++) {
        double along[LANES] = {0}, square[LANES] = {0}, rest[LANES] = {0};
        for (int colour = 0; colour < 2; colour++) {
            size_t row = tw_level_row(l, y, colour);
            const float *rhs = l->rhs + row;
            float *az = d->az + row;
            for (int k = 0; k < d->count; k++)
                take_out(d, k, row, l->x + row, az);
            add_products(az, rhs, l->half, along);
            add_products(az, az, l->half, square);
            add_products(rhs, rhs, l->half, rest);
        }
        d->sums[(size_t)y * SUMS] = fold(along);
        d->sums[(size_t)y * SUMS + 1] = fold(square);
        d->sums[(size_t)y * SUMS + 2] = fold(rest);
    }
}
TW_SIMD_KERNEL(turn, (const struct tw_gcr *d, int32_t begin, int32_t end), (d, begin, end))

static void turn_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_gcr *d = context;
    turn(d->simd)(d, begin, end);
}

/* On a coarse grid: the solution so far, and its residual as the new right side. */
static TW_INLINE void absorb_body(const struct tw_gcr *d, int32_t begin, int32_t end)
{
    const struct tw_level *l = d->level;
    size_t first = tw_level_row(l, begin, 0), count = tw_level_row(l, end, 0) - first;
    const float *z = l->x + first, *az = d->az + first;
    float *restrict sum = d->sum + first, *restrict rhs = l->rhs + first;
    for (size_t i = 0; i < count; i++) {
        sum[i] = (d->count ? sum[i] : 0) + d->step * z[i];
        rhs[i] -= d->step * az[i];
    }
}
TW_SIMD_KERNEL(absorb, (const struct tw_gcr *d, int32_t begin, int32_t end), (d, begin, end))

static void absorb_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_gcr *d = context;
    absorb(d->simd)(d, begin, end);
}

static void clear_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_level *l = ((const struct tw_gcr *)context)->level;
    size_t first = tw_level_row(l, begin, 0);
    memset(l->x + first, 0, (tw_level_row(l, end, 0) - first) * sizeof *l->x);
}

static void over_rows(struct tw_task *task, struct tw_gcr *d, tw_rows_fn *fn)
{
    tw_rows(task, d->level->height, tw_level_grain(d->level), fn, d);
}

static double total(const struct tw_gcr *d, int which)
{
    double sum = 0;
    for (int32_t y = 0; y < d->level->height; y++)
        sum += d->sums[(size_t)y * SUMS + (size_t)which];
    return sum;
}

double tw_gcr_aim(struct tw_task *task, struct tw_gcr *d, double *most)
{
    over_rows(task, d, image_rows);
    for (int k = 0; k < d->count; k++)
        d->turn[k] = (float)(total(d, k) / d->used[k].ap_ap);
    *most = 0;
    for (int32_t y = 0; y < d->level->height; y++) {
        double here = d->sums[(size_t)y * SUMS + TW_GCR_MAX];
        *most = here > *most ? here : *most;
    }
    over_rows(task, d, turn_rows);
    double along = total(d, 0), square = total(d, 1), rest = total(d, 2);
    d->az_az = square;
    d->step = square > 0 ? (float)(along / square) : 0;
    return square > 0 ? 1 - along * along / (square * rest) : 0;
}

/* Planes for some more directions. */
static bool more(struct tw_task *task, const struct tw_level *level, struct tw_gcr *d)
{
    float *block = tw_level_plane(task, level, 2 * AT_ONCE * sizeof *block);
    for (int k = d->next; block && k < d->next + AT_ONCE && k < TW_GCR_MAX;
         k++, block += 2 * level->size) {
        d->used[k].p = block;
        d->used[k].ap = block + level->size;
    }
    return block != NULL;
}

bool tw_gcr_keep(struct tw_task *task, struct tw_level *level, struct tw_gcr *d, int window)
{
    struct tw_direction *place = &d->used[d->next];
    if (d->az_az == 0)
        return true;
    if (!place->p && !more(task, level, d))
        return false;
    struct tw_direction fresh = {level->x, d->az, d->az_az};
    level->x = place->p;
    d->az = place->ap;
    *place = fresh;
    d->count = d->next + 1 > d->count ? d->next + 1 : d->count;
    d->next = (d->next + 1) % window;
    return true;
}

void tw_gcr_absorb(struct tw_task *task, struct tw_gcr *d) { over_rows(task, d, absorb_rows); }

void tw_gcr_clear(struct tw_task *task, struct tw_gcr *d) { over_rows(task, d, clear_rows); }

bool tw_gcr_open(struct tw_task *task, struct tw_gcr *d, const struct tw_level *l)
{
    *d = (struct tw_gcr){.level = l, .simd = tw_task_simd(task)};
    d->sums = tw_task_scratch(task, (size_t)l->height * SUMS, sizeof *d->sums);
    float *block = tw_level_plane(task, l, 4 * sizeof *block);
    if (!d->sums || !block)
        return false;
    d->az = block;
    d->sum = block + l->size;
    d->used[0].p = block + 2 * l->size;
    d->used[0].ap = block + 3 * l->size;
    return true;
}
