/* SPDX-License-Identifier: MIT */
/* Gradients of a map at a cell, as rise per cell: dx towards the east, dy towards the south. */
#ifndef THALWEG_GRADIENT_H
#define THALWEG_GRADIENT_H

#include <thalweg/kernel.h>
#include <thalweg/stencil.h>

struct tw_gradient {
    float dx, dy;
};

/* Differences over two cells, weighted 1 2 1 across (Horn 1981), times `scale`. */
static TW_INLINE struct tw_gradient tw_gradient_horn(const struct tw_around *a, float scale)
{
    float west = a->nw + 2.0f * a->w + a->sw, east = a->ne + 2.0f * a->e + a->se;
    float north = a->nw + 2.0f * a->n + a->ne, south = a->sw + 2.0f * a->s + a->se;
    float weight = scale * 0.125f;
    return (struct tw_gradient){(east - west) * weight, (south - north) * weight};
}

/* Rise per cell at cell `at` of a line of `count` cells that are `step` elements apart: half the
 * difference between its two neighbours. At a border that ends, where the ground continues straight
 * on, this equals the difference to the only neighbour. */
static inline double tw_gradient_along(const float *cell, int32_t at, int32_t count, ptrdiff_t step,
                                       bool wrap)
{
    const int32_t before = wrap && at == 0 ? 1 - count : at > 0;
    const int32_t after = wrap && at == count - 1 ? 1 - count : at < count - 1;
    const int32_t cells = wrap ? 2 : before + after;
    const double rise = (double)cell[after * step] - (double)cell[-before * step];
    return cells > 0 ? rise / cells : 0;
}

/* Central differences times `scale`, for single cells of a map that ends at its borders. */
static inline struct tw_gradient tw_gradient_central(const float *cells, int32_t width,
                                                     int32_t height, int32_t x, int32_t y,
                                                     float scale)
{
    const float *cell = cells + (size_t)y * (size_t)width + (size_t)x;
    return (struct tw_gradient){(float)tw_gradient_along(cell, x, width, 1, false) * scale,
                                (float)tw_gradient_along(cell, y, height, width, false) * scale};
}

static TW_INLINE float tw_gradient_length(struct tw_gradient g)
{
    return sqrtf(g.dx * g.dx + g.dy * g.dy);
}

#endif
