/* SPDX-License-Identifier: MIT */
/* Noise that breaks up the borders of colours: a tile of gradient noise, four octaves, computed
 * once and read at any scale. */
#ifndef TW_NODES_RENDER_KERNELS_NOISE_TILE_H
#define TW_NODES_RENDER_KERNELS_NOISE_TILE_H

#include "render/kernels/shading_math.h"

/* Samples a side, a power of two, and of one wavelength: the tile repeats after 32 wavelengths. */
enum { TW_NOISE_SIDE = 512, TW_NOISE_WAVE = 16 };

/* Writes TW_NOISE_SIDE^2 values of about -1..1. */
void tw_noise_tile_fill(struct tw_task *task, float *tile);

/* The tile at (x, y) in wavelengths, each within -2^20..2^20, bilinear. */
static TW_INLINE float tw_noise_tile_at(const float *tile, float x, float y)
{
    float u = x * TW_NOISE_WAVE, v = y * TW_NOISE_WAVE;
    int32_t left = (int32_t)u, top = (int32_t)v;
    left -= (float)left > u;
    top -= (float)top > v;
    float fx = u - (float)left, fy = v - (float)top;
    int32_t x0 = left & (TW_NOISE_SIDE - 1), x1 = (left + 1) & (TW_NOISE_SIDE - 1);
    int32_t y0 = (top & (TW_NOISE_SIDE - 1)) * TW_NOISE_SIDE;
    int32_t y1 = ((top + 1) & (TW_NOISE_SIDE - 1)) * TW_NOISE_SIDE;
    float upper = tw_mix(tile[y0 + x0], tile[y0 + x1], fx);
    float lower = tw_mix(tile[y1 + x0], tile[y1 + x1], fx);
    return tw_mix(upper, lower, fy);
}

#endif
