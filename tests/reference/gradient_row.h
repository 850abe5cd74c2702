/* SPDX-License-Identifier: MIT */
/* A row of gradient noise, cell by cell. */
#ifndef TW_TESTS_REFERENCE_GRADIENT_ROW_H
#define TW_TESTS_REFERENCE_GRADIENT_ROW_H

#include "island/kernels/gradient_noise.h"

/* Adds weight times the noise at (x0 + i step, y), i = 0 .. count - 1, to sum[i]; step > 0. The
 * gradients are drawn once a lattice cell. */
static inline void plain_gradient_row(uint64_t key, int32_t layer, double x0, double step, double y,
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
