/* SPDX-License-Identifier: MIT */
/* Multigrid for diffusion with transport. A correction comes from red-black Gauss-Seidel sweeps on
 * grids of halved resolution; multigrid_grid.h says how equations are summed there. On every grid
 * GCR (Eisenstat, Elman and Schultz 1983) with two directions takes the steps of least residual, a
 * K-cycle (Notay and Vassilevski 2008): plain V and W-cycles diverge where slopes meet. The
 * solution and its residual are in double; corrections are float. */
#include "common/multigrid/multigrid.h"

#include "common/multigrid/gcr.h"
#include "common/multigrid/grid.h"

#include <thalweg/simd.h>

enum { LEVELS_MAX = 20, CYCLES_MAX = 40, SUMS = 2 };

/* After PATIENCE cycles without success, some cells are held so weakly that their error hardly
 * shows in the residual. Then REVIEWS improve the weights, and from then on all steps are as long
 * as cycles make them, not as GCR. */
enum { PATIENCE = 8, REVIEWS = 4, SWEEPS = 2 };

/* A visit to a coarse grid ends early when its residual fell by this. */
#define ENOUGH 0.25

struct solver {
    struct tw_task *task;
    const struct tw_system *system;
    struct tw_multigrid_grid level[LEVELS_MAX];
    struct tw_gcr gcr[LEVELS_MAX];
    int levels;
    bool reviewed;
    double *matrix;   /* of the coarsest grid */
    double *solution; /* planes like those of level[0] */
    float *rhs;
    float *target;
};

/* ---- weights of equations ---- */

static void coarsen(struct solver *s, int sweeps)
{
    for (int at = 0; at + 1 < s->levels; at++) {
        tw_multigrid_weigh(s->task, &s->level[at], sweeps, 0);
        tw_multigrid_coarsen(s->task, &s->level[at], &s->level[at + 1]);
    }
    tw_multigrid_factor(&s->level[s->levels - 1], s->matrix);
}

static void weigh(struct solver *s, int reviews)
{
    tw_multigrid_begin_paths(s->task, &s->level[0]);
    for (int i = 0; i < reviews; i++) {
        coarsen(s, SWEEPS);
        tw_multigrid_weigh_coarsest(&s->level[s->levels - 1], s->matrix);
        for (int at = s->levels - 2; at >= 0; at--) {
            tw_multigrid_reweigh(s->task, &s->level[at], &s->level[at + 1]);
            tw_multigrid_weigh(s->task, &s->level[at], SWEEPS, 1);
        }
    }
    coarsen(s, 0);
}

/* ---- the cycle ---- */

static void cycle(struct solver *s, int at);

/* A coarse grid's right side to its x, in one step or two. */
static void solve_coarse(struct solver *s, int at)
{
    struct tw_multigrid_grid *level = &s->level[at];
    struct tw_gcr *d = &s->gcr[at];
    double most;
    if (at + 1 == s->levels) {
        tw_multigrid_solve_coarsest(&s->level[s->levels - 1], s->matrix);
        return;
    }
    d->any = false;
    cycle(s, at);
    double left = tw_gcr_orthogonalise(s->task, d, &most);
    tw_gcr_update(s->task, d);
    if (left > ENOUGH * ENOUGH) {
        tw_gcr_push_direction(level, d);
        tw_gcr_clear(s->task, d);
        cycle(s, at);
        tw_gcr_orthogonalise(s->task, d, &most);
        tw_gcr_update(s->task, d);
    }
    float *x = level->x;
    level->x = d->sum;
    d->sum = x;
}

/* x of a grid, which starts at 0, by sweeps and a correction from the next coarser one. The depth
 * is the number of grids, at most LEVELS_MAX. */
static void cycle(struct solver *s, int at)
{
    const struct tw_multigrid_grid *level = &s->level[at];
    if (at + 1 == s->levels) {
        tw_multigrid_solve_coarsest(&s->level[s->levels - 1], s->matrix);
        return;
    }
    tw_multigrid_sweep(s->task, level, SWEEPS, 0);
    tw_multigrid_restrict(s->task, level, level + 1);
    solve_coarse(s, at + 1);
    tw_multigrid_prolong(s->task, level, level + 1);
    tw_multigrid_sweep(s->task, level, SWEEPS, 1);
}

/* ---- the finest grid ---- */

static void load_rows(void *context, int32_t begin, int32_t end)
{
    const struct solver *s = context;
    const struct tw_multigrid_grid *l = &s->level[0];
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < l->width; x++) {
            size_t cell = tw_multigrid_cell(l, x, y);
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
                (float)s->solution[tw_multigrid_cell(&s->level[0], x, y)];
}

/* The residual of the solution becomes the right side of the next correction, which starts at 0. */
static TW_INLINE void renew_body(const struct solver *s, int32_t begin, int32_t end)
{
    const struct tw_multigrid_grid *l = &s->level[0];
    for (int32_t k = 2 * begin; k < 2 * end; k++) {
        int32_t y = k / 2;
        size_t row = tw_multigrid_row(l, y, k & 1), other = tw_multigrid_row(l, y, 1 - (k & 1));
        const double *at = s->solution + row;
        const double *side = s->solution + other - 1 + tw_multigrid_shift(y, k & 1);
        const double *above = s->solution + tw_multigrid_row(l, y - 1, 1 - (k & 1));
        const double *below = s->solution + tw_multigrid_row(l, y + 1, 1 - (k & 1));
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

/* Moves the solution. Sums: its least and largest value. */
static TW_INLINE void advance_body(const struct solver *s, int32_t begin, int32_t end)
{
    const struct tw_gcr *d = &s->gcr[0];
    const struct tw_multigrid_grid *l = d->level;
    for (int32_t y = begin; y < end; y++) {
        double low = s->solution[tw_multigrid_row(l, y, y & 1)], high = low;
        for (int colour = 0; colour < 2; colour++) {
            size_t row = tw_multigrid_row(l, y, colour);
            int32_t count = (l->width + 1 - tw_multigrid_shift(y, colour)) / 2;
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
    tw_rows(s->task, s->level[0].height, tw_multigrid_grain(&s->level[0]), fn, s);
}

/* The range of the solution; not less than what floats can tell apart at a tolerance. */
static double range(const struct tw_gcr *d, double tolerance)
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
static void iterate(struct solver *s, double tolerance, double *error)
{
    struct tw_gcr *d = &s->gcr[0];
    double most;
    over_finest(s, renew_rows);
    cycle(s, 0);
    tw_gcr_orthogonalise(s->task, d, &most);
    d->step = s->reviewed ? 1 : d->step;
    over_finest(s, advance_rows);
    *error = most == 0 ? 0 : most / range(d, tolerance);
    if (!s->reviewed)
        tw_gcr_push_direction(&s->level[0], d);
}

static void review(struct solver *s)
{
    weigh(s, REVIEWS);
    s->reviewed = true;
    s->gcr[0].any = false;
}

static bool lay_out(struct tw_scratch *scratch, struct solver *s)
{
    struct tw_multigrid_grid *top = &s->level[0];
    int32_t width = s->system->width, height = s->system->height;
    for (bool again = true; again; width = (width + 1) / 2, height = (height + 1) / 2) {
        struct tw_multigrid_grid *level = &s->level[s->levels];
        tw_multigrid_lay_out(scratch, level, width, height);
        tw_gcr_lay_out(scratch, &s->gcr[s->levels++], level);
        again = width > TW_MULTIGRID_COARSEST || height > TW_MULTIGRID_COARSEST;
    }
    s->matrix =
        tw_scratch_take(scratch, TW_MULTIGRID_DENSE * TW_MULTIGRID_DENSE, sizeof *s->matrix);
    s->solution = tw_multigrid_plane(scratch, top, sizeof *s->solution);
    s->rhs = tw_multigrid_plane(scratch, top, sizeof *s->rhs);
    return tw_scratch_is_laid(scratch);
}

enum tw_status tw_multigrid_solve(struct tw_task *task, const struct tw_system *system,
                                  double tolerance, float *solution)
{
    struct solver s = {.task = task, .system = system, .target = solution};
    double before = 0, slower = 1, error = 1;
    if (!lay_out(&(struct tw_scratch){.task = task}, &s))
        return tw_task_no_memory(task);
    over_finest(&s, load_rows);
    tw_multigrid_share(task, &s.level[0]);
    weigh(&s, 1);
    for (int i = 0; i < CYCLES_MAX; i++) {
        double found;
        if (i > 0 && i % PATIENCE == 0)
            review(&s);
        iterate(&s, tolerance, &found);
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
        "that begin outside the map or lead together hold the terrain too weakly",
        CYCLES_MAX, error);
}

void tw_multigrid_forecast(struct tw_forecast *f)
{
    const struct tw_system system = {.width = f->width, .height = f->height};
    struct solver s = {.system = &system};
    lay_out(&(struct tw_scratch){.forecast = f}, &s);
}
