/* SPDX-License-Identifier: MIT */
/* Equations of coarse grids. A coarse cell stands for 2 x 2 fine ones and its equation is the
 * weighed sum of theirs, so that no weight or anchor is negative (Notay 2012,
 * aggregation for convection and diffusion). The part of a weight that is the same in both
 * directions, diffusion, is halved, as the centres of coarse cells are twice as far apart;
 * transport is not. */
#include "common/multigrid/grid.h"

#include <string.h>

/* A cell that leans on its anchor by half or more is settled by a few sweeps. */
#define LEANS 0.5f

enum { PLANES = 8 };

struct plane_job {
    unsigned char *begin;
    size_t bytes; /* of a row */
};

static void clear_rows(void *context, int32_t begin, int32_t end)
{
    const struct plane_job *job = context;
    memset(job->begin + (size_t)begin * job->bytes, 0, (size_t)(end - begin) * job->bytes);
}

void *tw_multigrid_plane(struct tw_scratch *s, const struct tw_multigrid_grid *level,
                         size_t element)
{
    struct plane_job job = {tw_scratch_take(s, level->size, element), level->pitch * element};
    if (job.begin)
        tw_rows(s->task, (int32_t)(level->size / level->pitch), 64, clear_rows, &job);
    return job.begin;
}

void tw_multigrid_lay_out(struct tw_scratch *s, struct tw_multigrid_grid *level, int32_t width,
                          int32_t height)
{
    *level = (struct tw_multigrid_grid){.width = width, .height = height};
    level->half = ((width + 1) / 2 + 15) / 16 * 16;
    level->pitch = (size_t)level->half + 2 * TW_MULTIGRID_PAD;
    level->size = level->pitch * 2 * (size_t)((height + 1) / 2 * 2 + 2);
    float **planes[PLANES] = {&level->left,   &level->right, &level->up, &level->down,
                              &level->anchor, &level->rhs,   &level->x,  &level->weight};
    float *block = tw_multigrid_plane(s, level, PLANES * sizeof *block);
    for (size_t i = 0; block && i < PLANES; i++)
        *planes[i] = block + i * level->size;
    for (size_t i = 0; block && i < level->size; i++)
        level->anchor[i] = 1;
}

static void share_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_multigrid_grid *l = context;
    size_t first = tw_multigrid_row(l, begin, 0), last = tw_multigrid_row(l, end, 0);
    for (size_t i = first; i < last; i++) {
        float weights = (l->left[i] + l->right[i]) + (l->up[i] + l->down[i]);
        l->weight[i] = weights > LEANS * (weights + l->anchor[i]) ? 1 : 0;
    }
}

void tw_multigrid_share(struct tw_task *task, const struct tw_multigrid_grid *level)
{
    struct tw_multigrid_grid l = *level;
    tw_rows(task, level->height, tw_multigrid_grain(level), share_rows, &l);
}

struct pair {
    const struct tw_multigrid_grid *fine, *coarse;
};

/* Sums of a coarse cell: weights out of it to the left, right, above and below, weights back. */
struct sums {
    double out[4], back[4], anchor, rhs;
    bool any;
};

static void add_cell(const struct tw_multigrid_grid *l, int32_t x, int32_t y, struct sums *sums)
{
    static const int32_t across[4] = {-1, 1, 0, 0}, along[4] = {0, 0, -1, 1};
    const float *const out[4] = {l->left, l->right, l->up, l->down};
    const float *const back[4] = {l->right, l->left, l->down, l->up};
    size_t cell = tw_multigrid_cell(l, x, y);
    double weight = (double)l->weight[cell];
    if (x >= l->width || y >= l->height || weight == 0)
        return;
    sums->any = true;
    sums->anchor += weight * (double)l->anchor[cell];
    sums->rhs += (double)l->rhs[cell];
    for (int k = 0; k < 4; k++) {
        int32_t nx = x + across[k], ny = y + along[k];
        if (nx < 0 || ny < 0 || nx >= l->width || ny >= l->height)
            continue;
        size_t neighbour = tw_multigrid_cell(l, nx, ny);
        if (l->weight[neighbour] == 0) {
            sums->anchor += weight * (double)out[k][cell];
        } else if (nx >> 1 != x >> 1 || ny >> 1 != y >> 1) {
            sums->out[k] += weight * (double)out[k][cell];
            sums->back[k] += (double)l->weight[neighbour] * (double)back[k][neighbour];
        }
    }
}

static void coarsen_rows(void *context, int32_t begin, int32_t end)
{
    const struct pair *pair = context;
    const struct tw_multigrid_grid *c = pair->coarse;
    float *const weights[4] = {c->left, c->right, c->up, c->down};
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < c->width; x++) {
            struct sums sums = {0};
            size_t cell = tw_multigrid_cell(c, x, y);
            for (int32_t k = 0; k < 4; k++)
                add_cell(pair->fine, 2 * x + k % 2, 2 * y + k / 2, &sums);
            for (int k = 0; k < 4; k++) {
                double both = sums.out[k] < sums.back[k] ? sums.out[k] : sums.back[k];
                weights[k][cell] = (float)(sums.out[k] - both / 2);
            }
            c->anchor[cell] = sums.any ? (float)sums.anchor : 1;
            c->rhs[cell] = (float)sums.rhs;
        }
}

void tw_multigrid_coarsen(struct tw_task *task, const struct tw_multigrid_grid *fine,
                          const struct tw_multigrid_grid *coarse)
{
    struct pair pair = {fine, coarse};
    tw_rows(task, coarse->height, tw_multigrid_grain(coarse), coarsen_rows, &pair);
    tw_multigrid_share(task, coarse);
}
