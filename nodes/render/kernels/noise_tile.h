/* SPDX-License-Identifier: MIT */
/* Noise that breaks up the borders of colours: a tile of gradient noise, four octaves, computed
 * once and read at any scale. */
#ifndef TW_NODES_RENDER_KERNELS_NOISE_TILE_H
#define TW_NODES_RENDER_KERNELS_NOISE_TILE_H

#include "render/kernels/shading_math.h"

/* Samples a side, a power of two, and of one wavelength: the tile repeats after 32 wavelengths. A
 * row ends with its first sample once more, so that a sample and the next one are side by side. */
enum {
    TW_NOISE_SIDE = 512,
    TW_NOISE_WAVE = 16,
    TW_NOISE_ROW = TW_NOISE_SIDE + 1,
    TW_NOISE_CELLS = TW_NOISE_ROW * TW_NOISE_SIDE
};

/* Writes TW_NOISE_CELLS values of about -1..1. */
void tw_noise_tile_fill(struct tw_task *task, float *tile);

/* The four samples around a point: where the left ones of two rows lie, and how far it is from
 * them. */
struct tw_noise_place {
    int32_t upper, lower;
    float fx, fy;
};

/* Of (x, y) in wavelengths, each within -2^20..2^20. */
static TW_INLINE struct tw_noise_place tw_noise_place_of(float x, float y)
{
    float u = x * TW_NOISE_WAVE, v = y * TW_NOISE_WAVE;
    int32_t left = (int32_t)u, top = (int32_t)v;
    left -= (float)left > u;
    top -= (float)top > v;
    int32_t column = left & (TW_NOISE_SIDE - 1);
    return (struct tw_noise_place){(top & (TW_NOISE_SIDE - 1)) * TW_NOISE_ROW + column,
                                   ((top + 1) & (TW_NOISE_SIDE - 1)) * TW_NOISE_ROW + column,
                                   u - (float)left, v - (float)top};
}

/* Returns one of two samples that lie side by side and were read at once, by their order in memory.
 */
static TW_INLINE float tw_noise_of_pair(uint64_t pair, int number)
{
    bool high = (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) == (number == 1);
    uint32_t bits = (uint32_t)(high ? pair >> 32 : pair);
    float sample;
    memcpy(&sample, &bits, sizeof sample);
    return sample;
}

/* The tile at (x, y), bilinear. */
static TW_INLINE float tw_noise_tile_at(const float *tile, float x, float y)
{
    struct tw_noise_place at = tw_noise_place_of(x, y);
    const float *upper = tile + at.upper, *lower = tile + at.lower;
    return tw_mix(tw_mix(upper[0], upper[1], at.fx), tw_mix(lower[0], lower[1], at.fx), at.fy);
}

#endif
