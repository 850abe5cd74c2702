/* SPDX-License-Identifier: MIT */
/* A meter of directions: how much more often slopes face along the rows and columns of the grid, or
 * along its diagonals, than they would if no direction were special. */
#ifndef TW_TESTS_SUPPORT_DIRECTIONS_H
#define TW_TESTS_SUPPORT_DIRECTIONS_H

#include <stdint.h>

/* Sums over the cells of maps that face anywhere at all; t is the direction of the gradient. */
struct directions {
    double fourfold, eightfold; /* of cos 4t, of cos 8t */
    double cells;
};

/* Adds the inner cells of a map whose slope is above 1e-7 height per cell. Gradients are taken with
 * Scharr's kernel, which prefers no direction itself. */
void directions_add(struct directions *sums, const float *cells, int32_t width, int32_t height);

static inline double directions_fourfold(const struct directions *sums)
{
    return sums->fourfold / sums->cells;
}

static inline double directions_eightfold(const struct directions *sums)
{
    return sums->eightfold / sums->cells;
}

#endif
