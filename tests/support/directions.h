/* SPDX-License-Identifier: MIT */
/* Measures direction bias: how much more often slopes face along rows and columns, or along
 * diagonals, than they would without a preferred direction. */
#ifndef TW_TESTS_SUPPORT_DIRECTIONS_H
#define TW_TESTS_SUPPORT_DIRECTIONS_H

#include <stdint.h>

/* Sums over the cells of maps that have a slope; t is the direction of the gradient. */
struct directions {
    double fourfold, eightfold; /* of cos 4t, of cos 8t */
    double cells;
};

/* Adds the inner cells of a map whose slope exceeds 1e-7 height per cell. Uses Scharr's kernel,
 * which has no preferred direction. */
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
