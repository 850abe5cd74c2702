/* SPDX-License-Identifier: MIT */
/* Red-black Gauss-Seidel sweeps on one grid, and what goes between two: residuals of 2 x 2 cells
 * are summed to the coarser grid, its correction is added to all four. */
#include "common/multigrid/grid.h"

#include <thalweg/simd.h>

#include <string.h>

/* One colour of some rows, each cell from its neighbours. */
static TW_INLINE void relax_body(const struct tw_multigrid_grid *l, int colour, int32_t begin,
                                 int32_t end)
{
    for (int32_t y = begin; y < end; y++) {
        size_t row = tw_multigrid_row(l, y, colour), other = tw_multigrid_row(l, y, 1 - colour);
        const float *side = l->x + other - 1 + tw_multigrid_shift(y, colour);
        const float *above = l->x + tw_multigrid_row(l, y - 1, 1 - colour);
        const float *below = l->x + tw_multigrid_row(l, y + 1, 1 - colour);
        const float *left = l->left + row, *right = l->right + row, *up = l->up + row;
        const float *down = l->down + row, *anchor = l->anchor + row, *rhs = l->rhs + row;
        float *restrict x = l->x + row;
        for (int32_t i = 0; i < l->half; i++)
            x[i] = (rhs[i] + (left[i] * side[i] + right[i] * side[i + 1]) +
                    (up[i] * above[i] + down[i] * below[i])) /
                   (anchor[i] + (left[i] + right[i]) + (up[i] + down[i]));
    }
}
TW_SIMD_KERNEL(relax, (const struct tw_multigrid_grid *l, int colour, int32_t begin, int32_t end),
               (l, colour, begin, end))

struct job {
    const struct tw_multigrid_grid *fine;
    const struct tw_multigrid_grid *coarse;
    int colour;
    enum tw_simd simd;
};

static void relax_rows(void *context, int32_t begin, int32_t end)
{
    const struct job *job = context;
    relax(job->simd)(job->fine, job->colour, begin, end);
}

void tw_multigrid_sweep(struct tw_task *task, const struct tw_multigrid_grid *level, int sweeps,
                        int first)
{
    struct job job = {.fine = level, .simd = tw_task_simd(task)};
    for (int i = 0; i < 2 * sweeps && !tw_task_cancelled(task); i++) {
        job.colour = (first + i) & 1;
        tw_rows(task, level->height, tw_multigrid_grain(level), relax_rows, &job);
    }
}

/* Coarse row y: the weighed sums of the residuals of fine red cells, as the black ones are 0 after
 * a sweep that ends with black. They are first put in cell order in the row of x, which is cleared
 * afterwards. */
static TW_INLINE void restrict_to_body(const struct tw_multigrid_grid *f,
                                       const struct tw_multigrid_grid *c, int32_t begin,
                                       int32_t end)
{
    for (int32_t y = begin; y < end; y++) {
        size_t upper = tw_multigrid_row(f, 2 * y, 0), lower = tw_multigrid_row(f, 2 * y + 1, 0);
        float *x = c->x + tw_multigrid_row(c, y, 0), *even = c->rhs + tw_multigrid_row(c, y, y & 1);
        float *odd = c->rhs + tw_multigrid_row(c, y, 1 - (y & 1));
        for (int32_t i = 0; i < c->width; i++)
            x[i] = f->weight[upper + (size_t)i] * tw_multigrid_residual(f, 2 * y, 0, i) +
                   f->weight[lower + (size_t)i] * tw_multigrid_residual(f, 2 * y + 1, 0, i);
        memset(x + c->width, 0, (size_t)(2 * c->half - c->width) * sizeof *x);
        for (int32_t i = 0; i < c->half; i++) {
            even[i] = x[2 * i];
            odd[i] = x[2 * i + 1];
        }
        memset(x, 0, (c->pitch + (size_t)c->half) * sizeof *x);
    }
}
TW_SIMD_KERNEL(restrict_to,
               (const struct tw_multigrid_grid *f, const struct tw_multigrid_grid *c, int32_t begin,
                int32_t end),
               (f, c, begin, end))

static void restrict_rows(void *context, int32_t begin, int32_t end)
{
    const struct job *job = context;
    restrict_to(job->simd)(job->fine, job->coarse, begin, end);
}

static TW_INLINE void spread(const struct tw_multigrid_grid *f, int32_t y, int colour,
                             const float *coarse, int32_t count)
{
    float *restrict x = f->x + tw_multigrid_row(f, y, colour);
    const float *weight = f->weight + tw_multigrid_row(f, y, colour);
    for (int32_t i = 0; i < count; i++)
        x[i] += weight[i] > 0 ? coarse[i] : 0;
}

/* Coarse row y into its two fine rows. The coarse right side is not needed any more and takes the
 * coarse row in cell order. */
static TW_INLINE void prolong_body(const struct tw_multigrid_grid *f,
                                   const struct tw_multigrid_grid *c, int32_t begin, int32_t end)
{
    for (int32_t y = begin; y < end; y++) {
        float *row = c->rhs + tw_multigrid_row(c, y, 0);
        const float *even = c->x + tw_multigrid_row(c, y, y & 1);
        const float *odd = c->x + tw_multigrid_row(c, y, 1 - (y & 1));
        for (int32_t i = 0; i < c->half; i++) {
            row[2 * i] = even[i];
            row[2 * i + 1] = odd[i];
        }
        for (int32_t k = 0; k < 4; k++)
            spread(f, 2 * y + k / 2, k % 2, row, c->width);
    }
}
TW_SIMD_KERNEL(prolong,
               (const struct tw_multigrid_grid *f, const struct tw_multigrid_grid *c, int32_t begin,
                int32_t end),
               (f, c, begin, end))

static void prolong_rows(void *context, int32_t begin, int32_t end)
{
    const struct job *job = context;
    prolong(job->simd)(job->fine, job->coarse, begin, end);
}

void tw_multigrid_restrict(struct tw_task *task, const struct tw_multigrid_grid *fine,
                           const struct tw_multigrid_grid *coarse)
{
    struct job job = {fine, coarse, 0, tw_task_simd(task)};
    tw_rows(task, coarse->height, tw_multigrid_grain(coarse), restrict_rows, &job);
}

void tw_multigrid_prolong(struct tw_task *task, const struct tw_multigrid_grid *fine,
                          const struct tw_multigrid_grid *coarse)
{
    struct job job = {fine, coarse, 0, tw_task_simd(task)};
    tw_rows(task, coarse->height, tw_multigrid_grain(coarse), prolong_rows, &job);
}
