/* SPDX-License-Identifier: MIT */
/* Multigrid for diffusion with transport. A W-cycle of red-black Gauss-Seidel sweeps over grids of
 * halved resolution gives a correction, and GCR (Eisenstat, Elman and Schultz 1983) with two
 * directions mends the few modes for which a cycle alone is slow or diverges, as where slopes meet.
 * The solution is kept in double and its residual taken in double; corrections are float. */
#include "common/multigrid.h"

#include "common/multigrid_level.h"
#include "common/simd.h"

#include <math.h>
#include <string.h>

enum { LEVELS_MAX = 20, COARSEST = 8, SWEEPS = 2, CYCLES_MAX = 80, DIRECTIONS = 2, LANES = 8 };

/* The coarsest grid's matrix, LU in place without pivots: its rows are diagonally dominant. */
enum { DENSE = COARSEST * COARSEST };

struct solver {
    struct tw_task *task;
    const struct tw_system *system;
    const struct tw_level *top; /* level[0] */
    struct tw_level level[LEVELS_MAX];
    int levels;
    double *matrix;
    double *solution; /* planes like those of level[0] */
    float *rhs;
    float *direction[DIRECTIONS], *image[DIRECTIONS]; /* p and A p; the newest is z and A z */
    double norm[DIRECTIONS];                          /* of the images, squared */
    double *sums; /* by row: what a pass adds up, SUMS of them */
    int used, now;
    float turn, step; /* z -= turn p; then the solution moves by step z */
    float *target;
};

enum { SUMS = 3 };

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
static void sweep(struct tw_task *task, const struct tw_level *level, int first)
{
    struct job job = {.fine = level, .simd = tw_task_simd(task)};
    for (int i = 0; i < 2 * SWEEPS && !tw_task_cancelled(task); i++) {
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

/* ---- the cycle ---- */

/* W: every grid but the finest two is visited twice as often as the next finer one. The depth is
 * the number of grids, at most LEVELS_MAX. */
static void cycle(struct solver *s, int at)
{
    const struct tw_level *level = &s->level[at];
    if (at + 1 == s->levels) {
        solve_coarsest(s);
        return;
    }
    struct job job = {level, level + 1, 0, tw_task_simd(s->task)};
    sweep(s->task, level, 0);
    tw_rows(s->task, level[1].height, tw_level_grain(level + 1), restrict_rows, &job);
    cycle(s, at + 1);
    if (at > 0 && at + 2 < s->levels)
        cycle(s, at + 1);
    tw_rows(s->task, level[1].height, tw_level_grain(level + 1), prolong_rows, &job);
    sweep(s->task, level, 1);
}

/* ---- the finest grid ---- */

static void load_rows(void *context, int32_t begin, int32_t end)
{
    const struct solver *s = context;
    const struct tw_level *l = s->top;
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
        for (int32_t x = 0; x < s->top->width; x++)
            s->target[(size_t)(s->system->y + y) * stride + (size_t)(s->system->x + x)] =
                (float)s->solution[tw_level_cell(s->top, x, y)];
}

/* The residual of the solution becomes the right side of the next correction, which starts at 0. */
static TW_INLINE void renew_body(const struct solver *s, int32_t begin, int32_t end)
{
    const struct tw_level *l = s->top;
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

/* A z of the newest direction, and its product with the older image. */
static TW_INLINE void image_body(const struct solver *s, int32_t begin, int32_t end)
{
    const struct tw_level *l = s->top;
    for (int32_t y = begin; y < end; y++) {
        double lanes[LANES] = {0};
        for (int colour = 0; colour < 2; colour++) {
            size_t row = tw_level_row(l, y, colour);
            float *restrict image = s->image[s->now] + row;
            for (int32_t i = 0; i < l->half; i++)
                image[i] = l->rhs[row + (size_t)i] - residual(l, l->x, y, colour, i);
            if (s->used)
                add_products(image, s->image[1 - s->now] + row, l->half, lanes);
        }
        s->sums[(size_t)y * SUMS] = fold(lanes);
    }
}
TW_SIMD_KERNEL(image, (const struct solver *s, int32_t begin, int32_t end), (s, begin, end))

static void image_rows(void *context, int32_t begin, int32_t end)
{
    const struct solver *s = context;
    image(tw_task_simd(s->task))(s, begin, end);
}

/* Takes the older direction out of the newest; products of its image with the residual and with
 * itself. */
static TW_INLINE void turn_body(const struct solver *s, int32_t begin, int32_t end)
{
    const struct tw_level *l = s->top;
    for (int32_t y = begin; y < end; y++) {
        double along[LANES] = {0}, square[LANES] = {0};
        for (int colour = 0; colour < 2; colour++) {
            size_t row = tw_level_row(l, y, colour);
            float *restrict z = s->direction[s->now] + row, *restrict az = s->image[s->now] + row;
            const float *p = s->direction[1 - s->now] + row, *ap = s->image[1 - s->now] + row;
            for (int32_t i = 0; s->used && i < l->half; i++) {
                z[i] -= s->turn * p[i];
                az[i] -= s->turn * ap[i];
            }
            add_products(az, l->rhs + row, l->half, along);
            add_products(az, az, l->half, square);
        }
        s->sums[(size_t)y * SUMS] = fold(along);
        s->sums[(size_t)y * SUMS + 1] = fold(square);
    }
}
TW_SIMD_KERNEL(turn, (const struct solver *s, int32_t begin, int32_t end), (s, begin, end))

static void turn_rows(void *context, int32_t begin, int32_t end)
{
    const struct solver *s = context;
    turn(tw_task_simd(s->task))(s, begin, end);
}

/* Moves the solution; the largest move, the least and largest value. */
static TW_INLINE void advance_body(const struct solver *s, int32_t begin, int32_t end)
{
    const struct tw_level *l = s->top;
    for (int32_t y = begin; y < end; y++) {
        double most = 0, low = s->solution[tw_level_row(l, y, y & 1)], high = low;
        for (int colour = 0; colour < 2; colour++) {
            size_t row = tw_level_row(l, y, colour);
            int32_t count = (l->width + 1 - tw_level_shift(y, colour)) / 2;
            const float *z = s->direction[s->now] + row;
            double *restrict x = s->solution + row;
            for (int32_t i = 0; i < count; i++) {
                double move = (double)s->step * (double)z[i], size = fabs(move);
                x[i] += move;
                most = size > most ? size : most;
                low = x[i] < low ? x[i] : low;
                high = x[i] > high ? x[i] : high;
            }
        }
        double *sums = &s->sums[(size_t)y * SUMS];
        sums[0] = most;
        sums[1] = low;
        sums[2] = high;
    }
}
TW_SIMD_KERNEL(advance, (const struct solver *s, int32_t begin, int32_t end), (s, begin, end))

static void advance_rows(void *context, int32_t begin, int32_t end)
{
    const struct solver *s = context;
    advance(tw_task_simd(s->task))(s, begin, end);
}

static void over_rows(struct solver *s, tw_rows_fn *fn)
{
    tw_rows(s->task, s->top->height, tw_level_grain(s->top), fn, s);
}

static double total(const struct solver *s, int which)
{
    double sum = 0;
    for (int32_t y = 0; y < s->top->height; y++)
        sum += s->sums[(size_t)y * SUMS + (size_t)which];
    return sum;
}

/* How far the last step went, as a share of the solution's range. */
static double moved(const struct solver *s)
{
    double most = 0, low = s->sums[1], high = s->sums[2];
    for (int32_t y = 0; y < s->top->height; y++) {
        const double *sums = &s->sums[(size_t)y * SUMS];
        most = sums[0] > most ? sums[0] : most;
        low = sums[1] < low ? sums[1] : low;
        high = sums[2] > high ? sums[2] : high;
    }
    return most == 0 ? 0 : most / (high - low);
}

/* One cycle and one step of GCR: the direction is made orthogonal to the one before in its image,
 * and the step leaves the least residual. */
static double iterate(struct solver *s)
{
    s->now = 1 - s->now;
    s->level[0].x = s->direction[s->now];
    over_rows(s, renew_rows);
    cycle(s, 0);
    over_rows(s, image_rows);
    s->turn = s->used ? (float)(total(s, 0) / s->norm[1 - s->now]) : 0;
    over_rows(s, turn_rows);
    double along = total(s, 0), square = total(s, 1);
    s->norm[s->now] = square;
    s->used = square > 0;
    s->step = square > 0 ? (float)(along / square) : 0;
    over_rows(s, advance_rows);
    return moved(s);
}

static bool open(struct solver *s)
{
    struct tw_level *top = &s->level[0];
    int32_t width = s->system->width, height = s->system->height;
    if (!tw_level_open(s->task, top, width, height))
        return false;
    s->top = top;
    s->matrix = tw_task_scratch(s->task, DENSE * DENSE, sizeof *s->matrix);
    s->sums = tw_task_scratch(s->task, (size_t)height * SUMS, sizeof *s->sums);
    s->solution = tw_level_plane(s->task, top, sizeof *s->solution);
    s->rhs = tw_level_plane(s->task, top, sizeof *s->rhs);
    s->direction[0] = top->x;
    s->direction[1] = tw_level_plane(s->task, top, sizeof(float));
    s->image[0] = tw_level_plane(s->task, top, sizeof(float));
    s->image[1] = tw_level_plane(s->task, top, sizeof(float));
    if (!s->matrix || !s->sums || !s->solution || !s->rhs || !s->direction[1] || !s->image[0] ||
        !s->image[1])
        return false;
    over_rows(s, load_rows);
    tw_level_share(s->task, top);
    for (s->levels = 1; width > COARSEST || height > COARSEST; s->levels++) {
        struct tw_level *coarse = &s->level[s->levels];
        width = (width + 1) / 2;
        height = (height + 1) / 2;
        if (!tw_level_open(s->task, coarse, width, height))
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
    double before = 0, error = 1;
    if (!open(&s))
        return tw_task_no_memory(task);
    for (int i = 0; i < CYCLES_MAX; i++) {
        double step = iterate(&s), rate = before > 0 ? step / before : 1;
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        /* Steps shrink by about the rate, so what is left is a geometric series. */
        rate = rate < 0.5 ? 0.5 : rate > 0.9 ? 0.9 : rate;
        error = step * rate / (1 - rate);
        before = step;
        tw_task_progress(task, tolerance < error ? tolerance / error : 1);
        if (error <= tolerance) {
            over_rows(&s, store_rows);
            return TW_OK;
        }
    }
    return tw_task_fail(task, "no solution within %d cycles: the error is still %.3g of the range",
                        CYCLES_MAX, error);
}
