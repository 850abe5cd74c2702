/* SPDX-License-Identifier: MIT */
/* Interpolates heights between cells. */
#ifndef THALWEG_SAMPLE_H
#define THALWEG_SAMPLE_H

#include <thalweg/kernel.h>
#include <thalweg/node.h>

/* Bilinear interpolation at x, y in cells (whole numbers are cell centres). Beyond the border it
 * clamps or, with `wrap`, continues on the opposite side. Clamps x and y to +-2^30, where floats no
 * longer have fractions of a cell. */
static inline float tw_sample(const float *cells, int32_t width, int32_t height, float x, float y,
                              bool wrap)
{
    x = tw_cut_to_integer(x);
    y = tw_cut_to_integer(y);
    int32_t x0 = tw_floor(x), y0 = tw_floor(y), x1 = x0 + 1, y1 = y0 + 1;
    float fx = x - (float)x0, fy = y - (float)y0;
    x0 = wrap ? tw_wrap(x0, width) : tw_clamp_index(x0, width);
    x1 = wrap ? tw_wrap(x1, width) : tw_clamp_index(x1, width);
    y0 = wrap ? tw_wrap(y0, height) : tw_clamp_index(y0, height);
    y1 = wrap ? tw_wrap(y1, height) : tw_clamp_index(y1, height);
    const float *upper = cells + (size_t)y0 * (size_t)width;
    const float *lower = cells + (size_t)y1 * (size_t)width;
    float above = upper[x0] * (1.0f - fx) + upper[x1] * fx;
    float below = lower[x0] * (1.0f - fx) + lower[x1] * fx;
    return above * (1.0f - fy) + below * fy;
}

#endif
