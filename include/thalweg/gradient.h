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

/* Half the differences between the cells on both sides, times `scale`; at the border the cell
 * itself replaces the missing one. For single cells of a map. */
static inline struct tw_gradient tw_gradient_central(const float *cells, int32_t width,
                                                     int32_t height, int32_t x, int32_t y,
                                                     float scale)
{
    const float *row = cells + (size_t)y * (size_t)width;
    const float *up = cells + (size_t)tw_clamp_index(y - 1, height) * (size_t)width;
    const float *down = cells + (size_t)tw_clamp_index(y + 1, height) * (size_t)width;
    float across = row[tw_clamp_index(x + 1, width)] - row[tw_clamp_index(x - 1, width)];
    return (struct tw_gradient){across * (0.5f * scale), (down[x] - up[x]) * (0.5f * scale)};
}

static TW_INLINE float tw_gradient_length(struct tw_gradient g)
{
    return sqrtf(g.dx * g.dx + g.dy * g.dy);
}

#endif
