/* SPDX-License-Identifier: MIT */
/* Gradient noise (Perlin 2002) over an integer hash, periodic in the tile. */
#include "render/kernels/noise_tile.h"

#include "common/fade.h"

enum { OCTAVES = 4, WAVES = TW_NOISE_SIDE / TW_NOISE_WAVE };

/* Finaliser of murmur3: every bit of the lattice point counts. */
static TW_INLINE uint32_t hash(uint32_t x, uint32_t y)
{
    uint32_t h = x * 0x9E3779B1u ^ (y * 0x85EBCA77u + 0x27D4EB2Fu);
    h = (h ^ h >> 16) * 0x85EBCA6Bu;
    h = (h ^ h >> 13) * 0xC2B2AE35u;
    return h ^ h >> 16;
}

/* The gradient of lattice point (x, y), any direction, times the way from it. */
static TW_INLINE float slope(uint32_t x, uint32_t y, float dx, float dy)
{
    uint32_t h = hash(x, y);
    float across = (float)(int32_t)(h & 0xFFFFu) - 32767.5f, along = (float)(int32_t)(h >> 16);
    return (across * dx + (along - 32767.5f) * dy) * (1.0f / 24000.0f);
}

static TW_INLINE float octave(float x, float y, uint32_t period, uint32_t salt)
{
    uint32_t left = (uint32_t)(int32_t)x, top = (uint32_t)(int32_t)y, mask = period - 1;
    float fx = x - (float)(int32_t)left, fy = y - (float)(int32_t)top;
    uint32_t x0 = (left & mask) + salt, x1 = ((left + 1) & mask) + salt;
    uint32_t y0 = top & mask, y1 = (top + 1) & mask;
    float upper = tw_mix(slope(x0, y0, fx, fy), slope(x1, y0, fx - 1, fy), tw_fade(fx));
    float lower = tw_mix(slope(x0, y1, fx, fy - 1), slope(x1, y1, fx - 1, fy - 1), tw_fade(fx));
    return tw_mix(upper, lower, tw_fade(fy));
}

static TW_INLINE void fill_body(float *tile, int32_t begin, int32_t end)
{
    for (int32_t y = begin; y < end; y++) {
        float *row = tile + y * TW_NOISE_ROW;
        for (int32_t x = 0; x < TW_NOISE_SIDE; x++) {
            float sum = 0, weight = 0.8f, scale = 1.0f / TW_NOISE_WAVE;
            for (uint32_t i = 0; i < OCTAVES; i++) {
                sum += weight * octave(((float)x + 0.5f) * scale, ((float)y + 0.5f) * scale,
                                       (uint32_t)WAVES << i, 977u * i);
                weight *= 0.5f;
                scale *= 2.0f;
            }
            row[x] = tw_clamp(sum, -1.0f, 1.0f);
        }
        row[TW_NOISE_SIDE] = row[0];
    }
}
TW_SIMD_KERNEL(fill, (float *tile, int32_t begin, int32_t end), (tile, begin, end))

struct job {
    float *tile;
    enum tw_simd simd;
};

static void fill_rows(void *context, int32_t begin, int32_t end)
{
    const struct job *job = context;
    fill(job->simd)(job->tile, begin, end);
}

void tw_noise_tile_fill(struct tw_task *task, float *tile)
{
    struct job job = {tile, tw_task_simd(task)};
    tw_rows(task, TW_NOISE_SIDE, 16, fill_rows, &job);
}
