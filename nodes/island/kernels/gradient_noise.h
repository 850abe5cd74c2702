/* SPDX-License-Identifier: MIT */
/* Gradient noise after Perlin 2002 at single points, in double: eight gradients of length sqrt(2),
 * the fifth-degree fade; 0 at whole numbers, within -1..1. Lattice values come from tw_random, so
 * the noise has no period. For a few points; maps are filled by quicker kernels. */
#ifndef TW_NODES_ISLAND_KERNELS_GRADIENT_NOISE_H
#define TW_NODES_ISLAND_KERNELS_GRADIENT_NOISE_H

#include <thalweg/kernel.h>

static inline double tw_gradient_dot(uint64_t key, int32_t layer, int32_t i, int32_t j, double x,
                                     double y)
{
    static const double gradients[8][2] = {{1, 1},
                                           {-1, 1},
                                           {1, -1},
                                           {-1, -1},
                                           {1.4142135623730951, 0},
                                           {-1.4142135623730951, 0},
                                           {0, 1.4142135623730951},
                                           {0, -1.4142135623730951}};
    const double *g =
        gradients[tw_random(key, (uint32_t)i, (uint32_t)j, (uint32_t)layer, 0).at[0] >> 29];
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

/* Adds weight times the noise at (x0 + i step, y), i = 0 .. count - 1, to sum[i]; step > 0. The
 * gradients are drawn once a lattice cell. */
static inline void tw_gradient_row(uint64_t key, int32_t layer, double x0, double step, double y,
                                   double weight, int32_t count, float *sum)
{
    int32_t j = (int32_t)y, held = INT32_MIN;
    j -= j > y;
    double v = y - j, t = tw_gradient_fade(v), ends[4][2] = {{0}};
    for (int32_t n = 0; n < count; n++) {
        double x = x0 + n * step;
        int32_t i = (int32_t)x;
        i -= i > x;
        for (int32_t k = 0; k < 4 && i != held; k++) { /* value and slope along x at u = 0 */
            ends[k][0] = tw_gradient_dot(key, layer, i + k % 2, j + k / 2, 0, v - k / 2);
            ends[k][1] =
                tw_gradient_dot(key, layer, i + k % 2, j + k / 2, 1, v - k / 2) - ends[k][0];
        }
        held = i;
        double u = x - i, s = tw_gradient_fade(u);
        double above = ends[0][0] + u * ends[0][1], below = ends[2][0] + u * ends[2][1];
        above += s * (ends[1][0] + (u - 1) * ends[1][1] - above);
        below += s * (ends[3][0] + (u - 1) * ends[3][1] - below);
        sum[n] += (float)(weight * (above + t * (below - above)));
    }
}

#endif
