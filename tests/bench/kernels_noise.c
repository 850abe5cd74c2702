/* SPDX-License-Identifier: MIT */
/* Noise and Voronoi diagrams. The plain loops take one cell after the other, with a table of
 * permuted numbers and libm, as a first program would. */
#include "bench/bench.h"

#include <math.h>
#include <stddef.h>

enum { TABLE = 256, REGIONS = 16 };

static uint8_t table[2 * TABLE];

static void shuffle(void)
{
    uint32_t sequence = 1;
    for (int i = 0; i < TABLE; i++)
        table[i] = (uint8_t)i;
    for (int i = TABLE - 1; i > 0; i--) {
        sequence = sequence * 1664525u + 1013904223u;
        int k = (int)(sequence >> 8) % (i + 1);
        uint8_t swap = table[i];
        table[i] = table[k];
        table[k] = swap;
    }
    for (int i = 0; i < TABLE; i++)
        table[TABLE + i] = table[i];
}

/* One of eight gradients times (x, y). */
static float corner(int32_t i, int32_t j, float x, float y)
{
    uint8_t h = table[table[i & 255] + (j & 255)];
    float u = h & 4 ? x : y, v = h & 4 ? y : x;
    return (h & 1 ? -u : u) + (h & 2 ? -v : v) * 0.5f;
}

static float perlin_at(float x, float y)
{
    int32_t i = (int32_t)floorf(x), j = (int32_t)floorf(y);
    float u = x - (float)i, v = y - (float)j;
    float s = u * u * u * (u * (u * 6 - 15) + 10), t = v * v * v * (v * (v * 6 - 15) + 10);
    float above = corner(i, j, u, v) * (1 - s) + corner(i + 1, j, u - 1, v) * s;
    float below = corner(i, j + 1, u, v - 1) * (1 - s) + corner(i + 1, j + 1, u - 1, v - 1) * s;
    return above * (1 - t) + below * t;
}

static void perlin(float *map, int32_t w, int32_t h)
{
    shuffle();
    for (int32_t y = 0; y < h; y++)
        for (int32_t x = 0; x < w; x++) {
            float sum = 0, frequency = 4 / (float)w, amplitude = 0.5f;
            for (int k = 0; k < 8; k++, frequency *= 2, amplitude *= 0.5f)
                sum += amplitude * perlin_at((float)x * frequency, (float)y * frequency);
            map[y * w + x] = 0.5f + sum;
        }
}

/* Distance to the nearest of a point in each of the 3 x 3 squares around. */
static void cellular(float *map, int32_t w, int32_t h)
{
    shuffle();
    for (int32_t y = 0; y < h; y++)
        for (int32_t x = 0; x < w; x++) {
            float u = (float)x * REGIONS / (float)w, v = (float)y * REGIONS / (float)h, best = 9;
            for (int32_t j = (int32_t)v - 1; j <= (int32_t)v + 1; j++)
                for (int32_t i = (int32_t)u - 1; i <= (int32_t)u + 1; i++) {
                    uint8_t a = table[table[i & 15] + (j & 15)], b = table[TABLE - 1 - a];
                    float dx = (float)i + (float)a / 256 - u, dy = (float)j + (float)b / 256 - v;
                    best = fminf(best, dx * dx + dy * dy);
                }
            map[y * w + x] = sqrtf(best);
        }
}

/* Bilinear, at places that noise displaces; the map itself stands for the noise. */
static void bend(float *map, int32_t w, int32_t h)
{
    for (int32_t y = 0; y < h; y++)
        for (int32_t x = 0; x < w; x++) {
            float u = (float)x + 0.25f * (float)w * (map[y * w + x] - 0.5f) + (float)w;
            float v = (float)y + 0.25f * (float)h * (map[x * w + y] - 0.5f) + (float)h;
            int32_t i = (int32_t)floorf(u), j = (int32_t)floorf(v);
            float a = u - (float)i, b = v - (float)j;
            const float *above = map + j % h * w, *below = map + (j + 1) % h * w;
            map[y * w + x] = (above[i % w] * (1 - a) + above[(i + 1) % w] * a) * (1 - b) +
                             (below[i % w] * (1 - a) + below[(i + 1) % w] * a) * b;
        }
}

const struct bench_row bench_noise[] = {
    {"noise.perlin, 8 octaves", "{type: noise.perlin}", 1, perlin, BENCH_NOTHING},
    {"noise.perlin, 8 octaves from 128 on", "{type: noise.perlin, frequency: 128}", 1, NULL,
     BENCH_NOTHING},
    {"noise.perlin, simplex, 8 octaves", "{type: noise.perlin, basis: simplex}", 1, NULL,
     BENCH_NOTHING},
    {"noise.perlin, value, 8 octaves", "{type: noise.perlin, basis: value}", 1, NULL,
     BENCH_NOTHING},
    {"noise.ridged", "{type: noise.ridged}", 1, NULL, BENCH_NOTHING},
    {"noise.multifractal, 6 octaves", "{type: noise.multifractal}", 1, NULL, BENCH_NOTHING},
    {"noise.spectral", "{type: noise.spectral}", 1, NULL, BENCH_NOTHING},
    {"noise.midpoint", "{type: noise.midpoint}", 1, NULL, BENCH_NOTHING},
    {"noise.diamond_square", "{type: noise.diamond_square}", 1, NULL, BENCH_NOTHING},
    {"voronoi.cells, F1", "{type: voronoi.cells, regions: 16, coefficients: [1]}", 1, cellular,
     BENCH_NOTHING},
    {"voronoi.cells, F2 - F1", "{type: voronoi.cells, regions: 16}", 1, NULL, BENCH_NOTHING},
    {"voronoi.cells, F1, 64 regions", "{type: voronoi.cells, regions: 64, coefficients: [1]}", 1,
     NULL, BENCH_NOTHING},
    {"voronoi.cells, F2 - F1, 64 regions", "{type: voronoi.cells, regions: 64}", 1, NULL,
     BENCH_NOTHING},
    {"shape.perturb by given noise", "{type: shape.perturb, in: in, noise: noise}", 1, bend,
     BENCH_TERRAIN "noise: {type: noise.perlin}\n"},
    {NULL, NULL, 0, NULL},
};
