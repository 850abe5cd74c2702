/* SPDX-License-Identifier: MIT */
/* Gradient noise (Perlin 2002) over an integer hash, periodic in the tile. */
#include "render/kernels/noise_tile.h"

#include "common/fade.h"

enum { SALT = 977, LATTICE_MAX = TW_NOISE_SIDE * 8 / TW_NOISE_WAVE };

/* Finaliser of murmur3: every bit of the lattice point counts. */
static TW_INLINE uint32_t hash(uint32_t x, uint32_t y)
{
    uint32_t h = x * 0x9E3779B1u ^ (y * 0x85EBCA77u + 0x27D4EB2Fu);
    h = (h ^ h >> 16) * 0x85EBCA6Bu;
    h = (h ^ h >> 13) * 0xC2B2AE35u;
    return h ^ h >> 16;
}

/* Gradients of the lattice points along a row of samples, any direction: across, and along times
 * the way from them. */
struct lattice_row {
    float across[LATTICE_MAX + 1], along[LATTICE_MAX + 1];
};

static TW_INLINE void draw_row(struct lattice_row *row, uint32_t period, uint32_t salt, uint32_t y,
                               float dy)
{
    for (uint32_t x = 0; x <= period; x++) {
        uint32_t h = hash((x & (period - 1)) + salt, y & (period - 1));
        row->across[x] = (float)(int32_t)(h & 0xFFFFu) - 32767.5f;
        row->along[x] = ((float)(int32_t)(h >> 16) - 32767.5f) * dy;
    }
}

/* At dx from lattice point x. */
static TW_INLINE float slope(const struct lattice_row *row, uint32_t x, float dx)
{
    return (row->across[x] * dx + row->along[x]) * (1.0f / 24000.0f);
}

/* Adds an octave of `wave` samples a lattice cell to row y of the tile: gradients are drawn once a
 * lattice point, and samples at the same place in their cells are vectors. */
static TW_INLINE void add_octave(float *row, int32_t y, uint32_t wave, uint32_t salt, float weight)
{
    struct lattice_row upper, lower;
    uint32_t period = TW_NOISE_SIDE / wave, top = (uint32_t)y / wave;
    float fy = ((float)y + 0.5f) * (1.0f / (float)wave) - (float)top, rise = tw_fade(fy);
    draw_row(&upper, period, salt, top, fy);
    draw_row(&lower, period, salt, top + 1, fy - 1);
    for (uint32_t x = 0; x < period; x++)
        for (uint32_t k = 0; k < wave; k++) {
            float fx = ((float)k + 0.5f) * (1.0f / (float)wave), share = tw_fade(fx);
            float above = tw_mix(slope(&upper, x, fx), slope(&upper, x + 1, fx - 1), share);
            float below = tw_mix(slope(&lower, x, fx), slope(&lower, x + 1, fx - 1), share);
            row[x * wave + k] += weight * tw_mix(above, below, rise);
        }
}

static TW_INLINE void fill_body(float *tile, int32_t begin, int32_t end)
{
    for (int32_t y = begin; y < end; y++) {
        float *row = tile + y * TW_NOISE_ROW;
        for (int32_t x = 0; x < TW_NOISE_SIDE; x++)
            row[x] = 0;
        add_octave(row, y, TW_NOISE_WAVE, 0, 0.8f);
        add_octave(row, y, TW_NOISE_WAVE / 2, SALT, 0.4f);
        add_octave(row, y, TW_NOISE_WAVE / 4, 2 * SALT, 0.2f);
        add_octave(row, y, TW_NOISE_WAVE / 8, 3 * SALT, 0.1f);
        for (int32_t x = 0; x < TW_NOISE_SIDE; x++)
            row[x] = tw_clamp(row[x], -1.0f, 1.0f);
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
