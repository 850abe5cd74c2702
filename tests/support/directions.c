/* SPDX-License-Identifier: MIT */
#include "support/directions.h"

#include <math.h>
#include <stddef.h>

/* Scharr's derivative across three rows or columns: 3, 10, 3 of 16, over two cells. */
static double weighted(double before, double here, double after)
{
    return (3 * before + 10 * here + 3 * after) / 32;
}

static void add_cell(struct directions *sums, const float *at, ptrdiff_t row)
{
    double n[9];
    for (int k = 0; k < 9; k++)
        n[k] = (double)at[(k / 3 - 1) * row + k % 3 - 1];
    double dx = weighted(n[2] - n[0], n[5] - n[3], n[8] - n[6]);
    double dy = weighted(n[6] - n[0], n[7] - n[1], n[8] - n[2]);
    double square = dx * dx + dy * dy;
    if (!(square > 1e-14))
        return;
    double cos2 = (dx * dx - dy * dy) / square, cos4 = 2 * cos2 * cos2 - 1;
    sums->fourfold += cos4;
    sums->eightfold += 2 * cos4 * cos4 - 1;
    sums->cells++;
}

void directions_add(struct directions *sums, const float *cells, int32_t width, int32_t height)
{
    for (int32_t y = 1; y < height - 1; y++)
        for (int32_t x = 1; x < width - 1; x++)
            add_cell(sums, cells + (size_t)y * (size_t)width + (size_t)x, width);
}
