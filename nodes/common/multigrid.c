/* SPDX-License-Identifier: MIT */
/* Multigrid for diffusion with transport. A correction comes from red-black Gauss-Seidel sweeps on
 * grids of halved resolution. On every grid GCR (Eisenstat, Elman and Schultz 1983) with two
 * directions takes the steps of least residual, a K-cycle (Notay and Vassilevski 2008): plain V and
 * W-cycles diverge where slopes meet. The solution is kept in double and its residual taken in
 * double; corrections are float. */
#include "common/multigrid.h"

#include "common/multigrid_level.h"
#include "common/simd.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <string.h>

enum {
    LEVELS_MAX = 20,
    COARSEST = 8,

    CYCLES_MAX = 80,
    LANES = 8,
    USED_MAX = 13,
    AT_ONCE = 4,
    SUMS = USED_MAX + 1
};

/* The coarsest grid's matrix, LU in place without pivots: its rows are diagonally dominant. */
enum { DENSE = COARSEST * COARSEST };

/* After PATIENCE cycles more sweeps are made and more directions kept: then modes are weakly held,
 * as where slopes lead in a ring. */
enum { PATIENCE = 8, SWEEPS = 2, SWEEPS_LATER = 8 };

/* A visit to a coarse grid ends early when its residual fell by this. */
#define ENOUGH 0.25

/* A direction of GCR that was used, and its image under the equations. */
struct used {
    float *p, *ap;
    double ap_ap;
};

/* GCR on one grid: level.x is the newest direction z. */
struct gcr {
    const struct tw_level *level;
    float *az;
    float *sum; /* of a coarse grid: the solution so far */
    struct used used[USED_MAX];
    int count, next;            /* directions that are used, and the place of the next */
    float turn[USED_MAX], step; /* z -= turn p for each, then the solution moves by step z */
    double *sums;               /* by row: what a pass adds up, SUMS of them */
    enum tw_simd simd;
};

struct solver {
    struct tw_task *task;
    const struct tw_system *system;
    struct tw_level level[LEVELS_MAX];
    struct gcr gcr[LEVELS_MAX];
    int levels, sweeps;
    double *matrix;
    double *solution; /* planes like those of level[0] */
    float *rhs;
    float *target;
};

/* ---- sweeps ---- */

/* One colour of some rows, each cell from its neighbours. */
static TW_INLINE void relax_body(const struct tw_level *l, int colour, int32_t begin, int32_t end)
{
    for (int32_t y = begin; y < end; y++) {
        size_t row = tw_level_row(l, y, colour), other = tw_level_row(l, y, 1 - colour);
        const float *side = l->x + other - 1 + tw_level_shift(y, colour);
        const float *above = l->x + tw_level_row(l, y - 1, 1 - colour);
        const float *below = l->x + tw_level_row(l, y + 1, 1 - colour);
        const float *left = l->left + row, *right = l->right + row, *up = l->up + row;
        const float *down = l->down + row, *anchor = l->anchor + row, *rhs = l->rhs + row;
        float *restrict x = l->x + row;
        for (int32_t i = 0; i < l->half; i++)
            x[i] = (rhs[i] + (left[i] * side[i] + right[i] * side[i + 1]) +
                    (up[i] * above[i] + down[i] * below[i])) /
                   (anchor[i] + (left[i] + right[i]) + (up[i] + down[i]));
    }
}
TW_SIMD_KERNEL(relax, (const struct tw_level *l, int colour, int32_t begin, int32_t end),
               (l, colour, begin, end))

struct job {
    const struct tw_level *fine;
    const struct tw_level *coarse;
    int colour;
    enum tw_simd simd;
};

static void relax_rows(void *context, int32_t begin, int32_t end)
{
    const struct job *job = context;
    relax(job->simd)(job->fine, job->colour, begin, end);
}

/* Sweeps that begin with a colour. */
static void sweep(struct tw_task *task, const struct tw_level *level, int sweeps, int first)
{
    struct job job = {.fine = level, .simd = tw_task_simd(task)};
    for (int i = 0; i < 2 * sweeps && !tw_task_cancelled(task); i++) {
        job.colour = (first + i) & 1;
        tw_rows(task, level->height, tw_level_grain(level), relax_rows, &job);
    }
}

/* ---- between grids ---- */

/* Residuals of red cells; the black ones are 0 after a sweep that ends with black. */
static TW_INLINE float residual(const struct tw_level *l, const float *x, int32_t y, int colour,
                                int32_t i)
{
    size_t cell = tw_level_row(l, y, colour) + (size_t)i;
    size_t side = tw_level_row(l, y, 1 - colour) + (size_t)(i + tw_level_shift(y, colour));
    size_t above = tw_level_row(l, y - 1, 1 - colour) + (size_t)i;
    size_t below = tw_level_row(l, y + 1, 1 - colour) + (size_t)i;
    float v = x[cell];
    return l->rhs[cell] - l->anchor[cell] * v -
           (l->left[cell] * (v - x[side - 1]) + l->right[cell] * (v - x[side])) -
           (l->up[cell] * (v - x[above]) + l->down[cell] * (v - x[below]));
}

/* Coarse row y: the sums of the fine residuals, first in cell order in the row of x, which is
 * cleared afterwards. */
static TW_INLINE void restrict_to_body(const struct tw_level *f, const struct tw_level *c,
                                       int32_t begin, int32_t end)
{
    for (int32_t y = begin; y < end; y++) {
        size_t upper = tw_level_row(f, 2 * y, 0), lower = tw_level_row(f, 2 * y + 1, 0);
        float *x = c->x + tw_level_row(c, y, 0), *even = c->rhs + tw_level_row(c, y, y & 1);
        float *odd = c->rhs + tw_level_row(c, y, 1 - (y & 1));
        for (int32_t i = 0; i < c->width; i++)
            x[i] = f->shared[upper + (size_t)i] * residual(f, f->x, 2 * y, 0, i) +
                   f->shared[lower + (size_t)i] * residual(f, f->x, 2 * y + 1, 0, i);
        memset(x + c->width, 0, (size_t)(2 * c->half - c->width) * sizeof *x);
        for (int32_t i = 0; i < c->half; i++) {
            even[i] = x[2 * i];
            odd[i] = x[2 * i + 1];
        }
        memset(x, 0, (c->pitch + (size_t)c->half) * sizeof *x);
    }
}
TW_SIMD_KERNEL(restrict_to,
               (const struct tw_level *f, const struct tw_level *c, int32_t begin, int32_t end),
               (f, c, begin, end))

static void restrict_rows(void *context, int32_t begin, int32_t end)
{
    const struct job *job = context;
    restrict_to(job->simd)(job->fine, job->coarse, begin, end);
}

static TW_INLINE void spread(const struct tw_level *f, int32_t y, int colour, const float *coarse,
                             int32_t count)
{
    float *restrict x = f->x + tw_level_row(f, y, colour);
    const float *shared = f->shared + tw_level_row(f, y, colour);
    for (int32_t i = 0; i < count; i++)
        x[i] += shared[i] * coarse[i];
}

/* Coarse row y into its two fine rows. The coarse right side is not needed any more and takes the
 * coarse row in cell order. */
static TW_INLINE void prolong_body(const struct tw_level *f, const struct tw_level *c,
                                   int32_t begin, int32_t end)
{
    for (int32_t y = begin; y < end; y++) {
        float *row = c->rhs + tw_level_row(c, y, 0);
        const float *even = c->x + tw_level_row(c, y, y & 1);
        const float *odd = c->x + tw_level_row(c, y, 1 - (y & 1));
        for (int32_t i = 0; i < c->half; i++) {
            row[2 * i] = even[i];
            row[2 * i + 1] = odd[i];
        }
        for (int32_t k = 0; k < 4; k++)
            spread(f, 2 * y + k / 2, k % 2, row, c->width);
    }
}
TW_SIMD_KERNEL(prolong,
               (const struct tw_level *f, const struct tw_level *c, int32_t begin, int32_t end),
               (f, c, begin, end))

static void prolong_rows(void *context, int32_t begin, int32_t end)
{
    const struct job *job = context;
    prolong(job->simd)(job->fine, job->coarse, begin, end);
}

/* ---- the coarsest grid ---- */

static void factor(struct solver *s)
{
    static const int32_t across[4] = {-1, 1, 0, 0}, along[4] = {0, 0, -1, 1};
    const struct tw_level *l = &s->level[s->levels - 1];
    const float *const weights[4] = {l->left, l->right, l->up, l->down};
    int32_t n = l->width * l->height;
    memset(s->matrix, 0, DENSE * DENSE * sizeof *s->matrix);
    for (int32_t row = 0; row < n; row++) {
        size_t cell = tw_level_cell(l, row % l->width, row / l->width);
        s->matrix[row * DENSE + row] = (double)l->anchor[cell];
        for (int k = 0; k < 4; k++) {
            double weight = (double)weights[k][cell];
            s->matrix[row * DENSE + row] += weight;
            if (weight > 0)
                s->matrix[row * DENSE + row + across[k] + along[k] * l->width] = -weight;
        }
    }
    for (int32_t k = 0; k < n; k++)
        for (int32_t row = k + 1; row < n; row++) {
            double share = s->matrix[row * DENSE + k] /= s->matrix[k * DENSE + k];
            for (int32_t i = k + 1; i < n && share != 0; i++)
                s->matrix[row * DENSE + i] -= share * s->matrix[k * DENSE + i];
        }
}

static void solve_coarsest(const struct solver *s)
{
    const struct tw_level *l = &s->level[s->levels - 1];
    double v[DENSE];
    int32_t n = l->width * l->height;
    for (int32_t row = 0; row < n; row++) {
        v[row] = (double)l->rhs[tw_level_cell(l, row % l->width, row / l->width)];
        for (int32_t i = 0; i < row; i++)
            v[row] -= s->matrix[row * DENSE + i] * v[i];
    }
    for (int32_t row = n - 1; row >= 0; row--) {
        for (int32_t i = row + 1; i < n; i++)
            v[row] -= s->matrix[row * DENSE + i] * v[i];
        v[row] /= s->matrix[row * DENSE + row];
        l->x[tw_level_cell(l, row % l->width, row / l->width)] = (float)v[row];
    }
}

/* ---- GCR ---- */

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
static TW_INLINE void image_body(const struct gcr *d, int32_t begin, int32_t end)
{
    const struct tw_level *l = d->level;
    for (int32_t y = begin; y < end; y++) {
        double *sums = &d->sums[(size_t)y * SUMS];
        size_t red = tw_level_row(l, y, 0), black = tw_level_row(l, y, 1);
        float *restrict az = d->az;
        for (int colour = 0; colour < 2; colour++)
            for (int32_t i = 0; i < l->half; i++) {
                size_t cell = (colour ? black : red) + (size_t)i;
                az[cell] = l->rhs[cell] - residual(l, l->x, y, colour, i);
            }
        for (int k = 0; k < d->count; k++) {
            double lanes[LANES] = {0};
            add_products(az + red, d->used[k].ap + red, l->half, lanes);
            add_products(az + black, d->used[k].ap + black, l->half, lanes);
            sums[k] = fold(lanes);
        }
        sums[USED_MAX] =
            (double)tw_max(largest(l->x + red, l->half), largest(l->x + black, l->half));
    }
}
TW_SIMD_KERNEL(image, (const struct gcr *d, int32_t begin, int32_t end), (d, begin, end))

static void image_rows(void *context, int32_t begin, int32_t end)
{
    const struct gcr *d = context;
    image(d->simd)(d, begin, end);
}

/* Takes the used directions out of z. Sums: A z with the residual and with itself, the residual
 * with itself. */
static TW_INLINE void turn_body(const struct gcr *d, int32_t begin, int32_t end)
{
    const struct tw_level *l = d->level;
    for (int32_t y = begin; y < end; y++) {
        double along[LANES] = {0}, square[LANES] = {0}, rest[LANES] = {0};
        for (int colour = 0; colour < 2; colour++) {
            size_t row = tw_level_row(l, y, colour);
            float *restrict z = l->x + row, *restrict az = d->az + row;
            const float *rhs = l->rhs + row;
            for (int k = 0; k < d->count; k++) {
                const float *p = d->used[k].p + row, *ap = d->used[k].ap + row;
                for (int32_t i = 0; i < l->half; i++) {
                    z[i] -= d->turn[k] * p[i];
                    az[i] -= d->turn[k] * ap[i];
                }
            }
            add_products(az, rhs, l->half, along);
            add_products(az, az, l->half, square);
            add_products(rhs, rhs, l->half, rest);
        }
        d->sums[(size_t)y * SUMS] = fold(along);
        d->sums[(size_t)y * SUMS + 1] = fold(square);
        d->sums[(size_t)y * SUMS + 2] = fold(rest);
    }
}
TW_SIMD_KERNEL(turn, (const struct gcr *d, int32_t begin, int32_t end), (d, begin, end))

static void turn_rows(void *context, int32_t begin, int32_t end)
{
    const struct gcr *d = context;
    turn(d->simd)(d, begin, end);
}

/* On a coarse grid: the solution so far, and its residual as the new right side. */
static TW_INLINE void absorb_body(const struct gcr *d, int32_t begin, int32_t end)
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
TW_SIMD_KERNEL(absorb, (const struct gcr *d, int32_t begin, int32_t end), (d, begin, end))

static void absorb_rows(void *context, int32_t begin, int32_t end)
{
    const struct gcr *d = context;
    absorb(d->simd)(d, begin, end);
}

static void clear_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_level *l = ((const struct gcr *)context)->level;
    size_t first = tw_level_row(l, begin, 0);
    memset(l->x + first, 0, (tw_level_row(l, end, 0) - first) * sizeof *l->x);
}

static void over_rows(struct solver *s, struct gcr *d, tw_rows_fn *fn)
{
    tw_rows(s->task, d->level->height, tw_level_grain(d->level), fn, d);
}

static double total(const struct gcr *d, int which)
{
    double sum = 0;
    for (int32_t y = 0; y < d->level->height; y++)
        sum += d->sums[(size_t)y * SUMS + (size_t)which];
    return sum;
}

/* Makes the image of z orthogonal to those of the used directions and finds the step of least
 * residual. Returns the share of the squared residual that is left; *most is the largest of z as
 * it came. */
static double aim(struct solver *s, struct gcr *d, double *most)
{
    over_rows(s, d, image_rows);
    for (int k = 0; k < d->count; k++)
        d->turn[k] = (float)(total(d, k) / d->used[k].ap_ap);
    *most = 0;
    for (int32_t y = 0; y < d->level->height; y++) {
        double here = d->sums[(size_t)y * SUMS + USED_MAX];
        *most = here > *most ? here : *most;
    }
    over_rows(s, d, turn_rows);
    double along = total(d, 0), square = total(d, 1), rest = total(d, 2);
    d->step = square > 0 ? (float)(along / square) : 0;
    return square > 0 ? 1 - along * along / (square * rest) : 0;
}

/* Planes for some more directions. */
static bool more(struct solver *s, const struct tw_level *level, struct gcr *d)
{
    float *block = tw_level_plane(s->task, level, 2 * AT_ONCE * sizeof *block);
    for (int k = d->next; block && k < d->next + AT_ONCE && k < USED_MAX;
         k++, block += 2 * level->size) {
        d->used[k].p = block;
        d->used[k].ap = block + level->size;
    }
    return block != NULL;
}

/* z is used now: it takes the place of the oldest of `window` directions, whose planes, new ones at
 * first, are for the next. False when there is no memory. */
static bool keep(struct solver *s, int at, int window, double az_az)
{
    struct tw_level *level = &s->level[at];
    struct gcr *d = &s->gcr[at];
    struct used *place = &d->used[d->next];
    if (az_az == 0)
        return true;
    if (!place->p && !more(s, level, d))
        return false;
    struct used fresh = {level->x, d->az, az_az};
    level->x = place->p;
    d->az = place->ap;
    *place = fresh;
    d->count = d->next + 1 > d->count ? d->next + 1 : d->count;
    d->next = (d->next + 1) % window;
    return true;
}

/* ---- the cycle ---- */

static void cycle(struct solver *s, int at);

/* A coarse grid's right side to its x, in one step or two. */
static void solve_coarse(struct solver *s, int at)
{
    struct tw_level *level = &s->level[at];
    struct gcr *d = &s->gcr[at];
    double most;
    if (at + 1 == s->levels) {
        solve_coarsest(s);
        return;
    }
    d->count = d->next = 0;
    cycle(s, at);
    double left = aim(s, d, &most), az_az = total(d, 1);
    over_rows(s, d, absorb_rows);
    if (left > ENOUGH * ENOUGH) {
        keep(s, at, 1, az_az);
        over_rows(s, d, clear_rows);
        cycle(s, at);
        aim(s, d, &most);
        over_rows(s, d, absorb_rows);
    }
    float *x = level->x;
    level->x = d->sum;
    d->sum = x;
}

/* x of a grid, which starts at 0, by sweeps and a correction from the next coarser one. The depth
 * is the number of grids, at most LEVELS_MAX. */
static void cycle(struct solver *s, int at)
{
    const struct tw_level *level = &s->level[at];
    if (at + 1 == s->levels) {
        solve_coarsest(s);
        return;
    }
    struct job job = {level, level + 1, 0, tw_task_simd(s->task)};
    sweep(s->task, level, s->sweeps, 0);
    tw_rows(s->task, level[1].height, tw_level_grain(level + 1), restrict_rows, &job);
    solve_coarse(s, at + 1);
    tw_rows(s->task, level[1].height, tw_level_grain(level + 1), prolong_rows, &job);
    sweep(s->task, level, s->sweeps, 1);
}

/* ---- the finest grid ---- */

static void load_rows(void *context, int32_t begin, int32_t end)
{
    const struct solver *s = context;
    const struct tw_level *l = &s->level[0];
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < l->width; x++) {
            size_t cell = tw_level_cell(l, x, y);
            struct tw_equation e =
                s->system->equation(s->system->context, s->system->x + x, s->system->y + y);
            l->left[cell] = x > 0 ? e.left : 0;
            l->right[cell] = x + 1 < l->width ? e.right : 0;
            l->up[cell] = y > 0 ? e.up : 0;
            l->down[cell] = y + 1 < l->height ? e.down : 0;
            l->anchor[cell] = e.anchor;
            s->rhs[cell] = e.rhs;
            s->solution[cell] = (double)e.start;
        }
}

static void store_rows(void *context, int32_t begin, int32_t end)
{
    const struct solver *s = context;
    size_t stride = (size_t)tw_task_width(s->task);
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < s->level[0].width; x++)
            s->target[(size_t)(s->system->y + y) * stride + (size_t)(s->system->x + x)] =
                (float)s->solution[tw_level_cell(&s->level[0], x, y)];
}

/* The residual of the solution becomes the right side of the next correction, which starts at 0. */
static TW_INLINE void renew_body(const struct solver *s, int32_t begin, int32_t end)
{
    const struct tw_level *l = &s->level[0];
    for (int32_t k = 2 * begin; k < 2 * end; k++) {
        int32_t y = k / 2;
        size_t row = tw_level_row(l, y, k & 1), other = tw_level_row(l, y, 1 - (k & 1));
        const double *at = s->solution + row;
        const double *side = s->solution + other - 1 + tw_level_shift(y, k & 1);
        const double *above = s->solution + tw_level_row(l, y - 1, 1 - (k & 1));
        const double *below = s->solution + tw_level_row(l, y + 1, 1 - (k & 1));
        const float *left = l->left + row, *right = l->right + row, *up = l->up + row;
        const float *down = l->down + row, *anchor = l->anchor + row, *from = s->rhs + row;
        float *restrict rhs = l->rhs + row, *restrict x = l->x + row;
        for (int32_t i = 0; i < l->half; i++) {
            double v = at[i];
            double sum = (double)left[i] * (v - side[i]) + (double)right[i] * (v - side[i + 1]) +
                         ((double)up[i] * (v - above[i]) + (double)down[i] * (v - below[i]));
            rhs[i] = (float)((double)from[i] - (double)anchor[i] * v - sum);
            x[i] = 0;
        }
    }
}
TW_SIMD_KERNEL(renew, (const struct solver *s, int32_t begin, int32_t end), (s, begin, end))

static void renew_rows(void *context, int32_t begin, int32_t end)
{
    const struct solver *s = context;
    renew(tw_task_simd(s->task))(s, begin, end);
}

/* Moves the solution. Sums: the largest move, the least and largest value. */
static TW_INLINE void advance_body(const struct solver *s, int32_t begin, int32_t end)
{
    const struct gcr *d = &s->gcr[0];
    const struct tw_level *l = d->level;
    for (int32_t y = begin; y < end; y++) {
        double low = s->solution[tw_level_row(l, y, y & 1)], high = low;
        for (int colour = 0; colour < 2; colour++) {
            size_t row = tw_level_row(l, y, colour);
            int32_t count = (l->width + 1 - tw_level_shift(y, colour)) / 2;
            const float *z = l->x + row;
            double *restrict x = s->solution + row;
            for (int32_t i = 0; i < count; i++) {
                x[i] += (double)d->step * (double)z[i];
                low = x[i] < low ? x[i] : low;
                high = x[i] > high ? x[i] : high;
            }
        }
        d->sums[(size_t)y * SUMS] = low;
        d->sums[(size_t)y * SUMS + 1] = high;
    }
}
TW_SIMD_KERNEL(advance, (const struct solver *s, int32_t begin, int32_t end), (s, begin, end))

static void advance_rows(void *context, int32_t begin, int32_t end)
{
    const struct solver *s = context;
    advance(tw_task_simd(s->task))(s, begin, end);
}

static void over_finest(struct solver *s, tw_rows_fn *fn)
{
    tw_rows(s->task, s->level[0].height, tw_level_grain(&s->level[0]), fn, s);
}

/* The range of the solution; not less than what floats can tell apart at a tolerance. */
static double range(const struct gcr *d, double tolerance)
{
    double low = d->sums[0], high = d->sums[1];
    for (int32_t y = 0; y < d->level->height; y++) {
        const double *sums = &d->sums[(size_t)y * SUMS];
        low = sums[0] < low ? sums[0] : low;
        high = sums[1] > high ? sums[1] : high;
    }
    double largest = high > -low ? high : -low, least = largest * 0x1p-22 / tolerance;
    return high - low > least ? high - low : least;
}

/* One cycle and one step. *error becomes what the cycle took for the error before, as a share of
 * the solution's range. */
static bool iterate(struct solver *s, int window, double tolerance, double *error)
{
    struct gcr *d = &s->gcr[0];
    double most;
    over_finest(s, renew_rows);
    cycle(s, 0);
    aim(s, d, &most);
    double az_az = total(d, 1);
    over_finest(s, advance_rows);
    *error = most == 0 ? 0 : most / range(d, tolerance);
    return keep(s, 0, window, az_az);
}

static bool open_directions(struct solver *s, int at)
{
    struct gcr *d = &s->gcr[at];
    const struct tw_level *l = &s->level[at];
    *d = (struct gcr){.level = l, .simd = tw_task_simd(s->task)};
    d->sums = tw_task_scratch(s->task, (size_t)l->height * SUMS, sizeof *d->sums);
    float *block = tw_level_plane(s->task, l, 4 * sizeof *block);
    if (!d->sums || !block)
        return false;
    d->az = block;
    d->sum = block + l->size;
    d->used[0].p = block + 2 * l->size;
    d->used[0].ap = block + 3 * l->size;
    return true;
}

static bool open(struct solver *s)
{
    struct tw_level *top = &s->level[0];
    int32_t width = s->system->width, height = s->system->height;
    if (!tw_level_open(s->task, top, width, height) || !open_directions(s, 0))
        return false;
    s->matrix = tw_task_scratch(s->task, DENSE * DENSE, sizeof *s->matrix);
    s->solution = tw_level_plane(s->task, top, sizeof *s->solution);
    s->rhs = tw_level_plane(s->task, top, sizeof *s->rhs);
    if (!s->matrix || !s->solution || !s->rhs)
        return false;
    over_finest(s, load_rows);
    tw_level_share(s->task, top);
    for (s->levels = 1; width > COARSEST || height > COARSEST; s->levels++) {
        struct tw_level *coarse = &s->level[s->levels];
        width = (width + 1) / 2;
        height = (height + 1) / 2;
        if (!tw_level_open(s->task, coarse, width, height) || !open_directions(s, s->levels))
            return false;
        tw_level_coarsen(s->task, coarse - 1, coarse);
    }
    factor(s);
    return true;
}

enum tw_status tw_multigrid_solve(struct tw_task *task, const struct tw_system *system,
                                  double tolerance, float *solution)
{
    struct solver s = {.task = task, .system = system, .target = solution};
    double before = 0, slower = 1, error = 1;
    if (!open(&s))
        return tw_task_no_memory(task);
    for (int i = 0; i < CYCLES_MAX; i++) {
        double found;
        s.sweeps = i < PATIENCE ? SWEEPS : SWEEPS_LATER;
        if (!iterate(&s, i < PATIENCE ? 1 : USED_MAX, tolerance, &found))
            return tw_task_no_memory(task);
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        /* Errors fall from cycle to cycle by about the worse of the last two rates. */
        double rate = before > 0 ? found / before : 1, worse = rate > slower ? rate : slower;
        worse = worse < 0.5 ? 0.5 : worse > 0.95 ? 0.95 : worse;
        error = found * worse / (1 - worse);
        before = found;
        slower = rate;
        tw_task_progress(task, tolerance < error ? tolerance / error : 1);
        if (error <= tolerance) {
            over_finest(&s, store_rows);
            return TW_OK;
        }
    }
    return tw_task_fail(
        task,
        "no solution within %d cycles, the error is still %.3g of the range: slopes "
        "that begin outside the map or lead in a ring hold the terrain too weakly",
        CYCLES_MAX, error);
}
