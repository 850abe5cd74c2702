/* SPDX-License-Identifier: MIT */
/* FIR, Coats and droplets. The plain loops take one drop after the other anywhere on the map, with
 * a shared sequence of random numbers, as a first program would. */
#include "bench/bench.h"

#include <math.h>
#include <stdlib.h>

enum { RADIUS = 3, BRUSH = 2 * RADIUS - 1, RAINDROPS = 524288 };

static uint32_t sequence = 1;

static float draw(void)
{
    sequence = sequence * 1664525u + 1013904223u;
    return (float)(sequence >> 8) * 0x1p-24f;
}

static void fir(float *map, int32_t w, int32_t h)
{
    for (int32_t y = 0; y < h; y++)
        for (int32_t x = 1; x < w; x++)
            map[y * w + x] = 0.5f * map[y * w + x - 1] + 0.5f * map[y * w + x];
    for (int32_t y = 0; y < h; y++)
        for (int32_t x = w - 2; x >= 0; x--)
            map[y * w + x] = 0.5f * map[y * w + x + 1] + 0.5f * map[y * w + x];
    for (int32_t y = 1; y < h; y++)
        for (int32_t x = 0; x < w; x++)
            map[y * w + x] = 0.5f * map[(y - 1) * w + x] + 0.5f * map[y * w + x];
    for (int32_t y = h - 2; y >= 0; y--)
        for (int32_t x = 0; x < w; x++)
            map[y * w + x] = 0.5f * map[(y + 1) * w + x] + 0.5f * map[y * w + x];
}

static void raindrops(float *map, int32_t w, int32_t h)
{
    for (int32_t i = 0; i < RAINDROPS; i++) {
        int32_t x = (int32_t)(draw() * (float)w), y = (int32_t)(draw() * (float)h), next = 0;
        float load = 0;
        for (int32_t cell = y * w + x;; cell = next) {
            if (load == 0 && draw() < 0.2f)
                map[cell] -= load = map[cell] * 0.2f * draw();
            next = cell;
            if (cell % w > 0 && cell % w < w - 1 && cell / w > 0 && cell / w < h - 1)
                for (int32_t v = -1; v <= 1; v++)
                    for (int32_t u = -1; u <= 1; u++)
                        if (map[cell + v * w + u] < map[next])
                            next = cell + v * w + u;
            if (next == cell) {
                map[cell] += load;
                break;
            }
        }
    }
}

static float brush[BRUSH][BRUSH];

static void make_brush(void)
{
    float sum = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int y = 0; y < BRUSH; y++)
            for (int x = 0; x < BRUSH; x++) {
                float away = hypotf((float)(x - RADIUS + 1), (float)(y - RADIUS + 1));
                brush[y][x] = (away < RADIUS ? RADIUS - away : 0) / (pass ? sum : 1);
                sum += pass ? 0 : brush[y][x];
            }
}

static inline float lesser(float a, float b) { return a < b ? a : b; }
static inline float greater(float a, float b) { return a > b ? a : b; }

/* What the node outputs besides the ground, cell by cell. */
struct outputs {
    float *deposited, *flow, *exported;
};

static float between(const float *at, int32_t w, float u, float v)
{
    return (at[0] * (1 - u) + at[1] * u) * (1 - v) + (at[w] * (1 - u) + at[w + 1] * u) * v;
}

static void put(float *at, int32_t w, float u, float v, float amount)
{
    at[0] += amount * (1 - u) * (1 - v);
    at[1] += amount * u * (1 - v);
    at[w] += amount * (1 - u) * v;
    at[w + 1] += amount * u * v;
}

/* The brush around x, y: takes no cell below `floor`. */
static float dig(float *map, int32_t w, int32_t h, int32_t x, int32_t y, float amount, float floor)
{
    float taken = 0;
    for (int32_t j = 0; j < BRUSH; j++)
        for (int32_t i = 0; i < BRUSH; i++) {
            int32_t cx = x + i - RADIUS + 1, cy = y + j - RADIUS + 1;
            if (cx >= 0 && cy >= 0 && cx < w && cy < h) {
                float *cell = &map[cy * w + cx], before = *cell;
                *cell = greater(before - amount * brush[j][i], lesser(before, floor));
                taken += before - *cell;
            }
        }
    return taken;
}

static void deposit(float *map, int32_t w, int32_t h, int32_t x, int32_t y, float sediment)
{
    for (int32_t j = 0; j < BRUSH; j++)
        for (int32_t i = 0; i < BRUSH; i++) {
            int32_t cx = x + i - RADIUS + 1, cy = y + j - RADIUS + 1;
            if (cx >= 0 && cy >= 0 && cx < w && cy < h)
                map[cy * w + cx] += sediment * brush[j][i];
        }
}

static void roll(float *map, int32_t w, int32_t h, const struct outputs *outputs)
{
    float px = draw() * (float)(w - 2), py = draw() * (float)(h - 2), dx = 0, dy = 0;
    float speed = 1, water = 1, sediment = 0;
    for (int step = 0; step < 48; step++) {
        int32_t x = (int32_t)px, y = (int32_t)py;
        float u = px - (float)x, v = py - (float)y, *at = map + y * w + x;
        float gx = (at[1] - at[0]) * (1 - v) + (at[w + 1] - at[w]) * v;
        float gy = (at[w] - at[0]) * (1 - u) + (at[w + 1] - at[1]) * u;
        dx = dx * 0.1f - gx * 0.9f * (float)w;
        dy = dy * 0.1f - gy * 0.9f * (float)w;
        float length = sqrtf(dx * dx + dy * dy);
        if (length == 0)
            break;
        dx /= length;
        dy /= length;
        float nx = px + dx, ny = py + dy;
        outputs->flow[y * w + x] += water;
        if (!(nx >= 0 && ny >= 0 && nx < (float)(w - 1) && ny < (float)(h - 1))) {
            outputs->exported[y * w + x] += sediment;
            return;
        }
        int32_t x1 = (int32_t)nx, y1 = (int32_t)ny;
        float floor = between(map + y1 * w + x1, w, nx - (float)x1, ny - (float)y1);
        float fall = between(at, w, u, v) - floor;
        float capacity = greater(fall, 0.05f / (float)w) * speed * water * 8;
        if (fall < 0 || sediment > capacity) {
            float amount = fall < 0 ? lesser(-fall, sediment) : (sediment - capacity) * 0.3f;
            put(at, w, u, v, amount);
            put(outputs->deposited + y * w + x, w, u, v, amount);
            sediment -= amount;
        } else {
            float amount = lesser((capacity - sediment) * 0.3f, fall);
            sediment += dig(map, w, h, (int32_t)(px + 0.5f), (int32_t)(py + 0.5f), amount, floor);
        }
        speed = sqrtf(greater(speed * speed + fall * 4, 0));
        water *= 0.98f;
        px = nx;
        py = ny;
    }
    deposit(map, w, h, (int32_t)(px + 0.5f), (int32_t)(py + 0.5f), sediment);
    deposit(outputs->deposited, w, h, (int32_t)(px + 0.5f), (int32_t)(py + 0.5f), sediment);
}

static void droplets(float *map, int32_t w, int32_t h)
{
    size_t cells = (size_t)w * (size_t)h;
    float *maps = calloc(3 * cells, sizeof *maps);
    if (!maps)
        abort();
    make_brush();
    for (int32_t i = 0; i < w * h / 4; i++)
        roll(map, w, h, &(struct outputs){maps, maps + cells, maps + 2 * cells});
    free(maps);
}

const struct bench_row bench_drops[] = {
    {"erosion.fir, four directions", "{type: erosion.fir, in: in}", 4, fir},
    {"erosion.fir, ten passes, a direction", "{type: erosion.fir, in: in, passes: 10}", 40, NULL},
    {"erosion.raindrops, of 524,288 drops", "{type: erosion.raindrops, in: in, drops: 524288}", 1,
     raindrops, NULL, RAINDROPS},
    {"erosion.gradient, at once, 10 steps", "{type: erosion.gradient, in: in, steps: 10}", 10,
     NULL},
    {"erosion.gradient, synchronous, 10 steps",
     "{type: erosion.gradient, in: in, steps: 10, update: synchronous}", 10, NULL},
    {"erosion.droplets, a quarter a cell", "{type: erosion.droplets, in: in, density: 0.25}", 1,
     droplets},
    {NULL, NULL, 0, NULL},
};
