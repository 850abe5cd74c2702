/* SPDX-License-Identifier: MIT */
/* Minima of 2, 4, 8, ... cells, first along rows, then down columns. Cells are visited from the
 * end, so that each still finds the last step's minimum of the cells before it. */
#include "measure/kernels/cover_least.h"

static void take_least(int32_t *to, const int32_t *from, int32_t count)
{
    for (int32_t i = count - 1; i >= 0; i--)
        to[i] = to[i] < from[i] ? to[i] : from[i];
}

static void join_columns(int32_t *map, int32_t width, int32_t height, int32_t step)
{
    for (int32_t y = 0; y < height && step < width; y++) {
        int32_t *row = map + (size_t)y * (size_t)width;
        take_least(row + step, row, width - step);
    }
}

static void join_rows(int32_t *map, int32_t width, int32_t height, int32_t step)
{
    for (int32_t y = height - 1; y >= step; y--)
        take_least(map + (size_t)y * (size_t)width, map + (size_t)(y - step) * (size_t)width,
                   width);
}

void tw_cover_least(int32_t *map, int32_t width, int32_t height, int32_t size)
{
    for (int32_t length = 1, step; length < size; length += step) {
        step = length < size - length ? length : size - length;
        join_columns(map, width, height, step);
        join_rows(map, width, height, step);
    }
}
