/* SPDX-License-Identifier: MIT */
/* The tile of noise, beside a sample at a time. */
#include "support/harness.h"
#include "support/probe.h"

#include "common/fade.h"
#include "render/kernels/noise_tile.h"

enum { OCTAVES = 4 };

static uint32_t hash(uint32_t x, uint32_t y)
{
    uint32_t h = x * 0x9E3779B1u ^ (y * 0x85EBCA77u + 0x27D4EB2Fu);
    h = (h ^ h >> 16) * 0x85EBCA6Bu;
    h = (h ^ h >> 13) * 0xC2B2AE35u;
    return h ^ h >> 16;
}

/* The gradient of lattice point (x, y) times the way from it. */
static float slope(uint32_t x, uint32_t y, float dx, float dy)
{
    uint32_t h = hash(x, y);
    float across = (float)(h & 0xFFFFu) - 32767.5f, along = (float)(h >> 16) - 32767.5f;
    return (across * dx + along * dy) * (1.0f / 24000.0f);
}

static float octave(float x, float y, uint32_t period, uint32_t salt)
{
    uint32_t left = (uint32_t)x, top = (uint32_t)y;
    float fx = x - (float)left, fy = y - (float)top, share = tw_fade(fx);
    uint32_t x0 = left + salt, x1 = (left + 1) % period + salt, y1 = (top + 1) % period;
    float upper = tw_mix(slope(x0, top, fx, fy), slope(x1, top, fx - 1, fy), share);
    float lower = tw_mix(slope(x0, y1, fx, fy - 1), slope(x1, y1, fx - 1, fy - 1), share);
    return tw_mix(upper, lower, tw_fade(fy));
}

static float plain(int32_t x, int32_t y)
{
    float sum = 0, weight = 0.8f, scale = 1.0f / TW_NOISE_WAVE;
    for (uint32_t i = 0; i < OCTAVES; i++) {
        sum += weight * octave(((float)x + 0.5f) * scale, ((float)y + 0.5f) * scale,
                               (uint32_t)(TW_NOISE_SIDE / TW_NOISE_WAVE) << i, 977u * i);
        weight *= 0.5f;
        scale *= 2;
    }
    return sum < -1 ? -1 : sum > 1 ? 1 : sum;
}

static enum tw_status compare(struct tw_task *task)
{
    float *tile = tw_task_scratch(task, TW_NOISE_CELLS, sizeof *tile), least = 0, most = 0;
    probe_require(tile);
    tw_noise_tile_fill(task, tile);
    for (int32_t y = 0; y < TW_NOISE_SIDE; y++) {
        const float *row = tile + y * TW_NOISE_ROW;
        for (int32_t x = 0; x < TW_NOISE_SIDE; x++) {
            probe_require(row[x] == plain(x, y));
            least = row[x] < least ? row[x] : least;
            most = row[x] > most ? row[x] : most;
        }
        probe_require(row[TW_NOISE_SIDE] == row[0]);
    }
    probe_require(least < -0.7f && most > 0.7f);
    return TW_OK;
}

static void a_tile_is_what_single_samples_are(void **state)
{
    (void)state;
    probe_run(compare, 8, 8, 1);
    probe_run(compare, 8, 8, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_tile_is_what_single_samples_are)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
