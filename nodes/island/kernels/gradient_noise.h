/* SPDX-License-Identifier: MIT */
/* Gradient noise after Perlin 2002 at single points, in double: eight gradients of length sqrt(2),
 * the fifth-degree fade; 0 at whole numbers, within -1..1. Lattice values come from tw_random, so
 * the noise has no period. For a few points; perturbation.h fills rows. */
#ifndef TW_NODES_ISLAND_KERNELS_GRADIENT_NOISE_H
#define TW_NODES_ISLAND_KERNELS_GRADIENT_NOISE_H

#include <thalweg/kernel.h>

/* The gradient of lattice point (i, j). */
static inline const double *tw_gradient_at(uint64_t key, int32_t layer, int32_t i, int32_t j)
{
    static const double gradients[8][2] = {{1, 1},
                                           {-1, 1},
                                           {1, -1},
                                           {-1, -1},
                                           {1.4142135623730951, 0},
                                           {-1.4142135623730951, 0},
                                           {0, 1.4142135623730951},
                                           {0, -1.4142135623730951}};
    return gradients[tw_random(key, (uint32_t)i, (uint32_t)j, (uint32_t)layer, 0).at[0] >> 29];
}

static inline double tw_gradient_dot(uint64_t key, int32_t layer, int32_t i, int32_t j, double x,
                                     double y)
{
    const double *g = tw_gradient_at(key, layer, i, j);
    return g[0] * x + g[1] * y;
}

static inline double tw_gradient_fade(double t) { return t * t * t * (t * (t * 6 - 15) + 10); }

/* The noise of `layer` (an octave, a component) at (x, y), |x|, |y| < 2^30. */
static inline double tw_gradient_noise(uint64_t key, int32_t layer, double x, double y)
{
    int32_t i = (int32_t)x, j = (int32_t)y;
    i -= i > x;
    j -= j > y;
    double u = x - i, v = y - j, s = tw_gradient_fade(u), t = tw_gradient_fade(v);
    double a = tw_gradient_dot(key, layer, i, j, u, v);
    double b = tw_gradient_dot(key, layer, i + 1, j, u - 1, v);
    double c = tw_gradient_dot(key, layer, i, j + 1, u, v - 1);
    double d = tw_gradient_dot(key, layer, i + 1, j + 1, u - 1, v - 1);
    double above = a + s * (b - a), below = c + s * (d - c);
    return above + t * (below - above);
}

#endif
