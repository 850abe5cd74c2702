/* SPDX-License-Identifier: MIT */
#include "erosion/kernels/brush.h"

#include <math.h>
#include <string.h>

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

/* The part of the brush that is on the map: its cells from x0, y0 to before x1, y1. */
struct part {
    int32_t left, top, x0, y0, x1, y1;
};

static struct part part_of(const struct tw_brush *brush, int32_t x, int32_t y)
{
    int32_t left = x - brush->across / 2, top = y - brush->across / 2;
    int32_t right = brush->width - left, bottom = brush->height - top;
    return (struct part){.left = left,
                         .top = top,
                         .x0 = left < 0 ? -left : 0,
                         .y0 = top < 0 ? -top : 0,
                         .x1 = right < brush->across ? right : brush->across,
                         .y1 = bottom < brush->across ? bottom : brush->across};
}

static float share_of(const struct tw_brush *brush, const struct part *part)
{
    float sum = 0;
    for (int32_t y = part->y0; y < part->y1; y++)
        for (int32_t x = part->x0; x < part->x1; x++)
            sum += brush->weights[y * brush->row + x];
    return sum;
}

static float *row_of(const struct tw_brush *brush, float *map, const struct part *part, int32_t y)
{
    return map + (ptrdiff_t)(part->top + y) * brush->width + part->left;
}

void tw_brush_paint_cut(const struct tw_brush *brush, float *map, int32_t x, int32_t y,
                        float amount)
{
    struct part part = part_of(brush, x, y);
    amount /= share_of(brush, &part);
    for (int32_t v = part.y0; v < part.y1; v++)
        for (int32_t u = part.x0; u < part.x1; u++)
            row_of(brush, map, &part, v)[u] += amount * brush->weights[v * brush->row + u];
}

float tw_brush_dig_cut(const struct tw_brush *brush, float *map, int32_t x, int32_t y, float amount,
                       float floor)
{
    struct part part = part_of(brush, x, y);
    float taken = 0;
    amount /= share_of(brush, &part);
    for (int32_t v = part.y0; v < part.y1; v++)
        for (int32_t u = part.x0; u < part.x1; u++) {
            float *cell = row_of(brush, map, &part, v) + u, before = *cell;
            *cell = tw_brush_dug(before, amount * brush->weights[v * brush->row + u], floor);
            taken += before - *cell;
        }
    return taken;
}
