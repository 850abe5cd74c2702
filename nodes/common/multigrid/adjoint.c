/* SPDX-License-Identifier: MIT */
/* The weight of each cell in the coarser grid. A random path begins in every cell, moves on to
 * neighbours in proportion to their weights in its cell's equation, and ends at an anchor: the
 * weight of a cell is the expected number of visits. With these weights a path is as long on the
 * coarse grid as on the fine one. With a plain sum it ends much too early where slopes lead paths
 * together, and cycles do not converge. The visits solve the transposed equations, iteratively on
 * the same grids (Horton and Leutenegger 1994, a multi-level algorithm for Markov chains). */
#include "common/multigrid/grid.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

/* Weights stay below this, so that sums over many cells and their squares are finite. */
#define HEAVIEST 1e15f

struct job {
    const struct tw_multigrid_grid *fine, *coarse;
    int colour;
    enum tw_simd simd;
};

static void begin_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_multigrid_grid *l = ((const struct job *)context)->fine;
    for (size_t i = tw_multigrid_row(l, begin, 0); i < tw_multigrid_row(l, end, 0); i++)
        l->rhs[i] = l->weight[i] > 0 ? 1 : 0;
}

void tw_multigrid_begin_paths(struct tw_task *task, const struct tw_multigrid_grid *level)
{
    struct job job = {.fine = level};
    tw_rows(task, level->height, tw_multigrid_grain(level), begin_rows, &job);
}

/* One colour of some rows. A path comes from the left by the weight which that cell has to its
 * right. */
static TW_INLINE void weigh_body(const struct tw_multigrid_grid *l, int colour, int32_t begin,
                                 int32_t end)
{
    for (int32_t y = begin; y < end; y++) {
        size_t row = tw_multigrid_row(l, y, colour), above = tw_multigrid_row(l, y - 1, 1 - colour);
        size_t below = tw_multigrid_row(l, y + 1, 1 - colour);
        size_t side =
            tw_multigrid_row(l, y, 1 - colour) - 1 + (size_t)tw_multigrid_shift(y, colour);
        const float *left = l->left + row, *right = l->right + row, *up = l->up + row;
        const float *down = l->down + row, *anchor = l->anchor + row, *rhs = l->rhs + row;
        const float *from_left = l->right + side, *from_right = l->left + side + 1;
        const float *from_above = l->down + above, *from_below = l->up + below;
        const float *at_left = l->weight + side, *at_above = l->weight + above;
        const float *at_below = l->weight + below;
        float *restrict weight = l->weight + row;
        for (int32_t i = 0; i < l->half; i++) {
            float come = rhs[i] + (at_left[i] * from_left[i] + at_left[i + 1] * from_right[i]) +
                         (at_above[i] * from_above[i] + at_below[i] * from_below[i]);
            float leave = anchor[i] + (left[i] + right[i]) + (up[i] + down[i]);
            weight[i] = weight[i] > 0 ? tw_min(come / leave, HEAVIEST) : 0;
        }
    }
}
TW_SIMD_KERNEL(weigh, (const struct tw_multigrid_grid *l, int colour, int32_t begin, int32_t end),
               (l, colour, begin, end))

static void weigh_rows(void *context, int32_t begin, int32_t end)
{
    const struct job *job = context;
    weigh(job->simd)(job->fine, job->colour, begin, end);
}

void tw_multigrid_weigh(struct tw_task *task, const struct tw_multigrid_grid *level, int sweeps,
                        int first)
{
    struct job job = {.fine = level, .simd = tw_task_simd(task)};
    for (int i = 0; i < 2 * sweeps && !tw_task_cancelled(task); i++) {
        job.colour = (first + i) & 1;
        tw_rows(task, level->height, tw_multigrid_grain(level), weigh_rows, &job);
    }
}

static void reweigh_rows(void *context, int32_t begin, int32_t end)
{
    const struct job *job = context;
    const struct tw_multigrid_grid *f = job->fine, *c = job->coarse;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < f->width; x++) {
            float coarse = c->weight[tw_multigrid_cell(c, x / 2, y / 2)];
            size_t cell = tw_multigrid_cell(f, x, y);
            if (coarse > 0)
                f->weight[cell] = tw_min(f->weight[cell] * coarse, HEAVIEST);
        }
}

void tw_multigrid_reweigh(struct tw_task *task, const struct tw_multigrid_grid *fine,
                          const struct tw_multigrid_grid *coarse)
{
    struct job job = {.fine = fine, .coarse = coarse};
    tw_rows(task, fine->height, tw_multigrid_grain(fine), reweigh_rows, &job);
}
