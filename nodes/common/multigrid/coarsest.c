/* SPDX-License-Identifier: MIT */
/* LU in place without pivots, since rows are diagonally dominant. */
#include "common/multigrid/grid.h"

#include <string.h>

void tw_multigrid_factor(const struct tw_multigrid_grid *l, double *matrix)
{
    static const int32_t across[4] = {-1, 1, 0, 0}, along[4] = {0, 0, -1, 1};
    const float *const weights[4] = {l->left, l->right, l->up, l->down};
    int32_t n = l->width * l->height;
    memset(matrix, 0, TW_MULTIGRID_DENSE * TW_MULTIGRID_DENSE * sizeof *matrix);
    for (int32_t row = 0; row < n; row++) {
        size_t cell = tw_multigrid_cell(l, row % l->width, row / l->width);
        matrix[row * TW_MULTIGRID_DENSE + row] = (double)l->anchor[cell];
        for (int k = 0; k < 4; k++) {
            double weight = (double)weights[k][cell];
            matrix[row * TW_MULTIGRID_DENSE + row] += weight;
            if (weight > 0)
                matrix[row * TW_MULTIGRID_DENSE + row + across[k] + along[k] * l->width] = -weight;
        }
    }
    for (int32_t k = 0; k < n; k++)
        for (int32_t row = k + 1; row < n; row++) {
            double share = matrix[row * TW_MULTIGRID_DENSE + k] /=
                matrix[k * TW_MULTIGRID_DENSE + k];
            for (int32_t i = k + 1; i < n && share != 0; i++)
                matrix[row * TW_MULTIGRID_DENSE + i] -= share * matrix[k * TW_MULTIGRID_DENSE + i];
        }
}

void tw_multigrid_solve_coarsest(const struct tw_multigrid_grid *l, const double *matrix)
{
    double v[TW_MULTIGRID_DENSE];
    int32_t n = l->width * l->height;
    for (int32_t row = 0; row < n; row++) {
        v[row] = (double)l->rhs[tw_multigrid_cell(l, row % l->width, row / l->width)];
        for (int32_t i = 0; i < row; i++)
            v[row] -= matrix[row * TW_MULTIGRID_DENSE + i] * v[i];
    }
    for (int32_t row = n - 1; row >= 0; row--) {
        for (int32_t i = row + 1; i < n; i++)
            v[row] -= matrix[row * TW_MULTIGRID_DENSE + i] * v[i];
        v[row] /= matrix[row * TW_MULTIGRID_DENSE + row];
        l->x[tw_multigrid_cell(l, row % l->width, row / l->width)] = (float)v[row];
    }
}

void tw_multigrid_weigh_coarsest(const struct tw_multigrid_grid *l, const double *matrix)
{
    double v[TW_MULTIGRID_DENSE] = {0};
    int32_t n = l->width * l->height;
    for (int32_t row = 0; row < n; row++) {
        v[row] = (double)l->rhs[tw_multigrid_cell(l, row % l->width, row / l->width)];
        for (int32_t i = 0; i < row; i++)
            v[row] -= matrix[i * TW_MULTIGRID_DENSE + row] * v[i];
        v[row] /= matrix[row * TW_MULTIGRID_DENSE + row];
    }
    for (int32_t row = n - 1; row >= 0; row--) {
        for (int32_t i = row + 1; i < n; i++)
            v[row] -= matrix[i * TW_MULTIGRID_DENSE + row] * v[i];
        l->weight[tw_multigrid_cell(l, row % l->width, row / l->width)] = (float)v[row];
    }
}
