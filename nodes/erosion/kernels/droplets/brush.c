/* SPDX-License-Identifier: MIT */
#include "erosion/kernels/droplets/brush.h"

#include "common/ground_maps.h"

#include <math.h>

void tw_brush_make(struct tw_brush *brush, int32_t radius, int32_t width, int32_t height)
{
    float sum = 0;
    *brush = (struct tw_brush){.width = width, .height = height, .across = 2 * radius - 1};
    brush->row = (brush->across + 3) / 4 * 4;
    for (int32_t y = 0; y < brush->across; y++)
        for (int32_t x = 0; x < brush->across; x++) {
            float dx = (float)(x - radius + 1), dy = (float)(y - radius + 1);
            float weight = tw_max(0, (float)radius - sqrtf(dx * dx + dy * dy));
            brush->weights[y * brush->row + x] = weight;
            sum += weight;
        }
    for (int32_t i = 0; i < brush->across * brush->row; i++)
        brush->weights[i] /= sum;
}

/* Cell i of a line of n cells that borders reflect: -1 is 0, and n is n - 1. */
static int32_t fold(int32_t i, int32_t n)
{
    int32_t at = tw_wrap(i, 2 * n);
    return at < n ? at : 2 * n - 1 - at;
}

/* The index of cell u, v of a brush around x, y. */
static size_t cell_at(const struct tw_brush *brush, int32_t x, int32_t y, int32_t u, int32_t v)
{
    int32_t half = brush->across / 2;
    int32_t column = fold(x - half + u, brush->width), row = fold(y - half + v, brush->height);
    return (size_t)row * (size_t)brush->width + (size_t)column;
}

void tw_brush_paint_folded(const struct tw_brush *brush, float *map, int32_t x, int32_t y,
                           float amount)
{
    for (int32_t v = 0; v < brush->across; v++)
        for (int32_t u = 0; u < brush->across; u++)
            map[cell_at(brush, x, y, u, v)] += amount * brush->weights[v * brush->row + u];
}

float tw_brush_dig_folded(const struct tw_brush *brush, float *map, int32_t x, int32_t y,
                          float amount, float floor)
{
    return tw_brush_dig_hard(brush, map, NULL, x, y, amount, floor);
}

float tw_brush_dig_hard(const struct tw_brush *brush, float *map, const float *hardness, int32_t x,
                        int32_t y, float amount, float floor)
{
    float taken = 0;
    for (int32_t v = 0; v < brush->across; v++)
        for (int32_t u = 0; u < brush->across; u++) {
            size_t at = cell_at(brush, x, y, u, v);
            float before = map[at], soft = hardness ? tw_softness(hardness[at]) : 1.0f;
            map[at] =
                tw_brush_dug(before, amount * brush->weights[v * brush->row + u] * soft, floor);
            taken += before - map[at];
        }
    return taken;
}
