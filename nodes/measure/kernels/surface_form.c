/* SPDX-License-Identifier: MIT */
#include "measure/kernels/surface_form.h"

#include "measure/kernels/order_statistics.h"
#include "measure/kernels/reference_rows.h"

#include <thalweg/simd.h>

enum { REACH = 4 };

struct form {
    const struct tw_reference_cells *r;
    const double *from;
    double *to;
    double weights[REACH + 1];
    void (*row)(const struct form *, int32_t);
};

static void form_rows(void *context, int32_t begin, int32_t end)
{
    const struct form *f = context;
    for (int32_t y = begin; y < end; y++)
        f->row(f, y);
}

static double *row_to(const struct form *f, int32_t y)
{
    return f->to + (size_t)y * (size_t)f->r->width;
}

/* ---- crests ---- */

/* A Gaussian of one cell, cut at four. */
static void find_weights(double weights[REACH + 1])
{
    double sum = 1;
    weights[0] = 1;
    for (int k = 1; k <= REACH; k++) {
        weights[k] = tw_exp(-0.5 * k * k);
        sum += 2 * weights[k];
    }
    for (int k = 0; k <= REACH; k++)
        weights[k] /= sum;
}

static TW_INLINE double blur(const double *w, double z, const double pairs[REACH])
{
    return w[0] * z + w[1] * pairs[0] + w[2] * pairs[1] + w[3] * pairs[2] + w[4] * pairs[3];
}

static double blur_at(const struct form *f, const double *row, int32_t x)
{
    double pairs[REACH];
    for (int32_t k = 1; k <= REACH; k++)
        pairs[k - 1] = row[tw_reference_index(f->r, x - k, f->r->width)] +
                       row[tw_reference_index(f->r, x + k, f->r->width)];
    return blur(f->weights, row[x], pairs);
}

static TW_INLINE void across_body(const struct form *f, int32_t y)
{
    const double *restrict row = tw_reference_row(f->r, f->from, y);
    double *restrict to = row_to(f, y);
    const int32_t width = f->r->width;
    for (int32_t x = REACH; x < width - REACH; x++) {
        const double pairs[REACH] = {row[x - 1] + row[x + 1], row[x - 2] + row[x + 2],
                                     row[x - 3] + row[x + 3], row[x - 4] + row[x + 4]};
        to[x] = blur(f->weights, row[x], pairs);
    }
    for (int32_t k = 0; k < REACH; k++) {
        to[k] = blur_at(f, row, k);
        to[width - 1 - k] = blur_at(f, row, width - 1 - k);
    }
}
TW_SIMD_KERNEL(across, (const struct form *f, int32_t y), (f, y))

static TW_INLINE void down_body(const struct form *f, int32_t y)
{
    const double *rows[2 * REACH + 1];
    double *restrict to = row_to(f, y);
    for (int32_t k = 0; k <= 2 * REACH; k++)
        rows[k] = tw_reference_row(f->r, f->from, y + k - REACH);
    for (int32_t x = 0; x < f->r->width; x++) {
        const double pairs[REACH] = {rows[3][x] + rows[5][x], rows[2][x] + rows[6][x],
                                     rows[1][x] + rows[7][x], rows[0][x] + rows[8][x]};
        to[x] = blur(f->weights, rows[4][x], pairs);
    }
}
TW_SIMD_KERNEL(down, (const struct form *f, int32_t y), (f, y))

static TW_INLINE void bend_body(const struct form *f, int32_t y)
{
    const double *row = tw_reference_row(f->r, f->from, y);
    const double *up = tw_reference_row(f->r, f->from, y - 1),
                 *below = tw_reference_row(f->r, f->from, y + 1);
    double *restrict to = row_to(f, y);
    const int32_t last = f->r->width - 1;
    for (int32_t x = 1; x < last; x++)
        to[x] = (up[x] + below[x]) + (row[x - 1] + row[x + 1]) - 4 * row[x];
    to[0] = (up[0] + below[0]) + (row[last] + row[1]) - 4 * row[0];
    to[last] = (up[last] + below[last]) + (row[last - 1] + row[0]) - 4 * row[last];
}
TW_SIMD_KERNEL(bend, (const struct form *f, int32_t y), (f, y))

static void change_map(struct tw_task *task, struct form *f,
                       void (*row)(const struct form *, int32_t), const double *from, double *to)
{
    f->row = row;
    f->from = from;
    f->to = to;
    tw_rows(task, f->r->height, 16, form_rows, f);
}

double tw_surface_crests(struct tw_task *task, const struct tw_reference_cells *r, double *a,
                         double *b)
{
    const enum tw_simd simd = tw_task_simd(task);
    struct form f = {.r = r};
    find_weights(f.weights);
    change_map(task, &f, across(simd), r->z, a);
    change_map(task, &f, down(simd), a, b);
    change_map(task, &f, bend(simd), b, a);
    double q[TW_QUANTILES];
    const size_t count = tw_reference_gather(r, 1, a);
    if (count == 0)
        return 0;
    tw_order_quantiles(a, count, (const double[]){0.05, 0.5, 0.95}, b, q);
    const double spread = q[2] - q[0];
    return spread <= TW_REFERENCE_LEVEL * r->relief ? 0 : (q[2] + q[0] - 2 * q[1]) / spread;
}

/* ---- steep ---- */

static TW_INLINE void slope_body(const struct form *f, int32_t y)
{
    const struct tw_reference_cells *r = f->r;
    const double *row = tw_reference_row(r, r->z, y);
    const double *up = tw_reference_row(r, r->z, y - 1), *below = tw_reference_row(r, r->z, y + 1);
    const bool border = !r->wrap && (y == 0 || y == r->height - 1);
    const double tall = border ? 1 : 0.5;
    double *restrict to = row_to(f, y);
    const int32_t last = r->width - 1;
    for (int32_t x = 1; x < last; x++) {
        const double east = 0.5 * (row[x + 1] - row[x - 1]), south = tall * (below[x] - up[x]);
        to[x] = sqrt(east * east + south * south);
    }
    for (int32_t x = 0; x <= last; x += last) {
        const double before = row[tw_reference_index(r, x - 1, r->width)];
        const double after = row[tw_reference_index(r, x + 1, r->width)];
        const double east = (r->wrap ? 0.5 : 1) * (after - before);
        const double south = tall * (below[x] - up[x]);
        to[x] = sqrt(east * east + south * south);
    }
}
TW_SIMD_KERNEL(slope, (const struct form *f, int32_t y), (f, y))

double tw_surface_steep(struct tw_task *task, const struct tw_reference_cells *r, double *a,
                        double *b)
{
    struct form f = {.r = r, .to = a, .row = slope(tw_task_simd(task))};
    tw_rows(task, r->height, 16, form_rows, &f);
    double q[TW_QUANTILES];
    const size_t count = tw_reference_gather(r, 0, a);
    if (count == 0)
        return 0;
    tw_order_quantiles(a, count, (const double[]){0, 0.5, 0.95}, b, q);
    return q[1] > 0 ? q[2] / q[1] : 0;
}
